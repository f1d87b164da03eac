'use client'

import { type FormEvent, useState } from 'react'
import { kindsName } from '#lib/protocol/kind-name.ts'
import { useAction } from '#lib/ui/components/use-action.ts'
import { Choice } from '#lib/ui/kit/choice.tsx'
import { Field, Submit } from '#lib/ui/kit/field.tsx'
import type { CreateWebhookRequest, WebhookSecretAnswer } from '../operations.ts'
import { troubleOf, type WebhookRequests } from './requests.ts'

const EMPTY = { name: '', url: '', kind: '' as Kind, owner: '', format: '', entity: '' }

type Kind = (typeof KINDS)[number][0]

const KINDS = [
  ['', 'Everything'],
  ['connector', kindsName('connector')],
  ['transformation', kindsName('transformation')],
  ['condition', kindsName('condition')],
] as const

/** The form that creates a webhook. */
export function CreateForm({
  requests,
  onCreate,
}: {
  requests: WebhookRequests
  onCreate: (answer: WebhookSecretAnswer) => void
}) {
  const [fields, setFields] = useState(EMPTY)
  const { busy, message, setMessage, act } = useAction(troubleOf)
  const set = (change: Partial<typeof EMPTY>) => {
    setFields({ ...fields, ...change })
    setMessage(undefined)
  }
  const create = (event: FormEvent) => {
    event.preventDefault()
    void act(async () => {
      onCreate(await requests.create(requestOf(fields)))
      setFields(EMPTY)
    })
  }
  return (
    <form onSubmit={create} className="max-w-[38rem] space-y-5 pt-2 text-sm">
      <Field label="Name" required maxLength={80} value={fields.name} onText={(name) => set({ name })} />
      <Field
        label="Address"
        required
        type="url"
        maxLength={500}
        value={fields.url}
        placeholder="https://example.com/weft"
        code
        note="A public https address. Each event is a POST with JSON, signed with a secret of this webhook."
        onText={(url) => set({ url })}
      />
      <Choice
        legend="Send"
        name="webhook-kind"
        choices={KINDS}
        value={fields.kind}
        onChange={(kind) => set({ kind })}
      />
      <details>
        <summary className="min-h-11 cursor-pointer py-2.5">Only of an account, a format or a name</summary>
        <div className="space-y-4 pt-2">
          {(
            [
              ['owner', 'Account', 42, '0x… , 40 digits'],
              ['format', 'Format', 66, '64 digits'],
              ['entity', 'Name', 128, 'pitch'],
            ] as const
          ).map(([key, label, most, example]) => (
            <Field
              key={key}
              label={label}
              value={fields[key]}
              maxLength={most}
              placeholder={example}
              code
              onText={(text) => set({ [key]: text })}
            />
          ))}
        </div>
      </details>
      <Submit disabled={busy} message={message}>
        Create webhook
      </Submit>
    </form>
  )
}

function requestOf({ name, url, kind, owner, format, entity }: typeof EMPTY): CreateWebhookRequest {
  return {
    name,
    url: url.trim(),
    filter: {
      ...(kind !== '' && { kind }),
      ...(owner.trim() !== '' && { owner: owner.trim() }),
      ...(format.trim() !== '' && { format: format.trim() }),
      ...(entity.trim() !== '' && { name: entity.trim() }),
    },
  }
}
