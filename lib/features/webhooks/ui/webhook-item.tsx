'use client'

import { useState } from 'react'
import { shortHex } from '#lib/browser/format.ts'
import type { EntityKind } from '#lib/protocol/entity.ts'
import { kindsName } from '#lib/protocol/kind-name.ts'
import { exactTime } from '#lib/ui/components/time.ts'
import { useAction } from '#lib/ui/components/use-action.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { CopyButton } from '#lib/ui/kit/copy-button.tsx'
import { NumberField } from '#lib/ui/kit/field.tsx'
import type { WebhookAnswer } from '../operations.ts'
import { Deliveries } from './deliveries.tsx'
import { troubleOf, type WebhookRequests } from './requests.ts'

interface Props {
  readonly webhook: WebhookAnswer
  /** The newest number of the feed. */
  readonly newest: number
  readonly nowMs: number
  readonly requests: WebhookRequests
  /** Shown once, after it was made. */
  readonly secret: string | undefined
  readonly onChange: (webhook: WebhookAnswer) => void
  readonly onSecret: (secret: string) => void
  readonly onRemove: () => void
}

/** One webhook: its state, what can be done with it, and its deliveries. */
export function WebhookItem({ webhook, newest, nowMs, requests, secret, ...props }: Props) {
  const { id, name, url, state, position } = webhook
  const { onChange, onSecret, onRemove } = props
  const { busy, message, act } = useAction(troubleOf)
  const [removing, setRemoving] = useState(false)
  const [from, setFrom] = useState('')

  const change = (ask: () => Promise<WebhookAnswer>, message: string) =>
    act(async () => {
      onChange(await ask())
      return message
    })
  const rotate = async () => {
    const answer = await requests.rotate(id)
    onChange(answer.webhook)
    onSecret(answer.secret)
  }

  return (
    <li className="space-y-4 border-line border-t py-5 text-sm first:border-t-0">
      <div>
        <h3 className="font-medium text-base [overflow-wrap:anywhere]">{name}</h3>
        <p className="mono text-ink-soft text-xs [overflow-wrap:anywhere]">{url}</p>
        <p className="mt-1 text-ink-soft">{filterText(webhook.filter)}</p>
        <p className="mt-1">
          {stateText(webhook)} Sent up to number {position} of {newest}.
        </p>
      </div>
      {secret === undefined ? null : (
        <div className="rounded-lg border border-calm-line bg-calm p-4">
          <p>The secret that signs its events. Copy it now: it is not shown again.</p>
          <p className="mono mt-2 text-xs [overflow-wrap:anywhere]">
            {secret}
            <CopyButton text={secret} what="secret" />
          </p>
          {webhook.previous_secret_until === null ? null : (
            <p className="mt-2 text-ink-soft">
              The old one signs too, until {exactTime(Date.parse(webhook.previous_secret_until))}.
            </p>
          )}
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          disabled={busy}
          onClick={() => void act(() => requests.test(id).then(() => 'It is on its way.'))}
        >
          Send a test event
        </Button>
        {state === 'active' ? (
          <Button
            disabled={busy}
            onClick={() => void change(() => requests.setState(id, 'paused'), 'Paused.')}
          >
            Pause
          </Button>
        ) : (
          <Button
            disabled={busy}
            onClick={() => void change(() => requests.setState(id, 'active'), 'It goes on where it stopped.')}
          >
            Resume
          </Button>
        )}
        <Button disabled={busy} onClick={() => void act(rotate)}>
          New secret
        </Button>
        {removing ? (
          <>
            <Button
              disabled={busy}
              onClick={() =>
                void act(async () => {
                  await requests.remove(id)
                  onRemove()
                })
              }
            >
              Delete it for good
            </Button>
            <Button onClick={() => setRemoving(false)}>Keep it</Button>
          </>
        ) : (
          <Button disabled={busy} onClick={() => setRemoving(true)}>
            Delete
          </Button>
        )}
      </div>
      <p role="status" className="[overflow-wrap:anywhere]">
        {message}
      </p>
      <Deliveries id={id} name={name} nowMs={nowMs} requests={requests}>
        <form
          className="flex flex-wrap items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            void change(() => requests.replay(id, Number(from)), 'It is sent again from there.')
          }}
        >
          <label>
            Send again everything after number
            <NumberField
              required
              pattern="[0-9]{1,15}"
              value={from}
              onText={setFrom}
              className="mt-1 block w-40"
            />
          </label>
          <Button type="submit" disabled={busy}>
            Replay
          </Button>
        </form>
      </Deliveries>
    </li>
  )
}

function filterText({ kind, owner, format, name }: WebhookAnswer['filter']): string {
  const parts = [
    kind === null ? 'Everything' : kindsName(kind as EntityKind),
    name === null ? undefined : `named ${name}`,
    format === null ? undefined : `of the format ${shortHex(format)}`,
    owner === null ? undefined : `of ${shortHex(owner)}`,
  ]
  return parts.filter((part) => part !== undefined).join(' ')
}

function stateText({ state, disabled_reason, attempts, next_attempt_at }: WebhookAnswer): string {
  if (state === 'paused') return 'Paused.'
  if (state === 'disabled') return `Disabled: ${disabled_reason ?? 'it failed for three days.'}`
  if (next_attempt_at === null) return 'Active.'
  const tries = attempts === 1 ? 'The last attempt failed' : `The last ${attempts} attempts failed`
  return `${tries}; the next one is at ${exactTime(Date.parse(next_attempt_at))}.`
}
