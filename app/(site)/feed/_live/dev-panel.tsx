'use client'

import { type FormEvent, type ReactNode, useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import { Part } from '#lib/ui/components/part.tsx'
import { Button } from '#lib/ui/kit/button.tsx'
import { Check } from '#lib/ui/kit/choice.tsx'
import { NumberField } from '#lib/ui/kit/field.tsx'
import { useChainStatus } from './use-chain-status.ts'

interface Message {
  readonly ok: boolean
  readonly text: string
}

/**
 * Mining, reorganising and publishing on the development chain. Plain forms, sent in the background where scripts run.
 *
 * @param depth Blocks that may be reorganised now, none of them finalized.
 */
export function DevPanel({ depth: delivered }: { depth: number }) {
  const heads = useChainStatus()?.feed
  const depth = heads ? Math.max(0, (heads.head ?? 0) - (heads.finalized ?? 0)) : delivered
  const [message, setMessage] = useState<Message>()
  const [busy, setBusy] = useState(false)

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    setBusy(true)
    setMessage(await post(form.action, new FormData(form)))
    setBusy(false)
  }

  return (
    <Part title="Development chain">
      <p className="text-ink-soft text-sm">
        Yours to push around: publish something, reorganise it away, and watch the list.
      </p>
      <div className="mt-3 space-y-3">
        <Tool action="/dev/chain/publish" onSubmit={send}>
          <Button type="submit" disabled={busy} className="w-full">
            Publish a small function
          </Button>
        </Tool>
        <Tool action="/dev/chain/mine" onSubmit={send}>
          <div className="flex items-end gap-2">
            <Amount label="Blocks to mine" name="blocks" value={1} max={64} />
            <Button type="submit" disabled={busy}>
              Mine
            </Button>
          </div>
        </Tool>
        <Tool action="/dev/chain/reorganise" onSubmit={send}>
          <div className="flex items-end gap-2">
            <Amount
              label="Blocks to replace"
              name="depth"
              value={Math.max(1, Math.min(2, delivered))}
              max={64}
            />
            <Button type="submit" disabled={busy}>
              Reorganise
            </Button>
          </div>
          <Check name="keep" value="1">
            Mine their transactions again
          </Check>
        </Tool>
      </div>
      <p
        role="status"
        className={`mt-3 min-h-11 text-sm [overflow-wrap:anywhere] ${message?.ok === false ? 'text-accent' : 'text-ink-soft'}`}
      >
        {busy
          ? 'Asking the node…'
          : (message?.text ??
            `The newest ${counted(depth, 'block')} can be replaced; what is finalized cannot.`)}
      </p>
    </Part>
  )
}

function Tool({
  action,
  onSubmit,
  children,
}: {
  action: string
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  children: ReactNode
}) {
  return (
    <form method="post" action={action} onSubmit={onSubmit}>
      {children}
    </form>
  )
}

function Amount({ label, name, value, max }: { label: string; name: string; value: number; max: number }) {
  return (
    <label className="min-w-0 flex-1 text-sm">
      {label}
      <NumberField
        name={name}
        type="number"
        required
        min={1}
        max={max}
        defaultValue={value}
        className="mt-1 block w-full"
      />
    </label>
  )
}

async function post(action: string, body: FormData): Promise<Message> {
  try {
    const response = await fetch(action, { method: 'POST', body, headers: { accept: 'application/json' } })
    const { message } = (await response.json()) as { message: string }
    return { ok: response.ok, text: message }
  } catch {
    return { ok: false, text: 'No answer from the site. Is it still running?' }
  }
}
