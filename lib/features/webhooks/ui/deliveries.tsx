'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { TimeAgo } from '#lib/ui/components/time-ago.tsx'
import type { WebhookDeliveryAnswer } from '../operations.ts'
import { troubleOf, type WebhookRequests } from './requests.ts'

const REFRESH_MS = 3_000

interface Props {
  readonly id: string
  readonly name: string
  readonly nowMs: number
  readonly requests: WebhookRequests
  readonly children: ReactNode
}

/** The last attempts of a webhook, read while they are unfolded. */
export function Deliveries({ id, name, nowMs, requests, children }: Props) {
  const [open, setOpen] = useState(false)
  const [rows, setRows] = useState<readonly WebhookDeliveryAnswer[]>()
  const [trouble, setTrouble] = useState<string>()
  useEffect(() => {
    if (!open) return
    const read = () =>
      requests.deliveries(id).then(
        (rows) => {
          setRows(rows)
          setTrouble(undefined)
        },
        (error: unknown) => setTrouble(troubleOf(error)),
      )
    void read()
    const timer = setInterval(() => void read(), REFRESH_MS)
    return () => clearInterval(timer)
  }, [open, id, requests])
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="min-h-11 cursor-pointer py-2.5">Deliveries</summary>
      <div className="space-y-5 pt-2">
        {children}
        {trouble === undefined ? null : <p role="alert">{trouble}</p>}
        {rows === undefined || rows.length > 0 ? null : (
          <p className="text-ink-soft">Nothing was sent yet.</p>
        )}
        {rows === undefined || rows.length === 0 ? null : (
          <ol aria-label={`Deliveries of ${name}, newest first`}>
            {rows.map((row) => (
              <Row key={row.id} row={row} nowMs={nowMs} />
            ))}
          </ol>
        )}
      </div>
    </details>
  )
}

function Row({ row, nowMs }: { row: WebhookDeliveryAnswer; nowMs: number }) {
  const { error, status, stream_seq, event_type, attempt, at, duration_ms, answer } = row
  return (
    <li className="group grid gap-x-4 gap-y-1 border-line border-t py-2.5 sm:grid-cols-[6rem_minmax(0,1fr)_auto]">
      <span className={error === null ? '' : 'font-medium text-madder'}>
        {error === null ? `Delivered ${status}` : `Failed ${status ?? ''}`}
      </span>
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {stream_seq === null ? 'Test event' : `Number ${stream_seq}, ${event_type}`}
        {attempt > 1 ? `, attempt ${attempt}` : ''}
        {error === null ? null : <span className="block text-ink-soft">{error}</span>}
        {answer === '' ? null : <span className="mono block text-ink-soft text-xs">{answer}</span>}
      </span>
      <span className="text-ink-soft">
        <TimeAgo ms={Date.parse(at)} nowMs={nowMs} />, {duration_ms} ms
      </span>
    </li>
  )
}
