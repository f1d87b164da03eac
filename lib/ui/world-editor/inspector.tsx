'use client'

import { useState } from 'react'
import { Part } from '#lib/ui/components/part.tsx'
import { Button } from '#lib/ui/kit/button.tsx'
import { Select } from '#lib/ui/kit/select.tsx'
import { fieldsAsText, MAX_RECORDED, type RecordedMessage, summaryOf } from './messages.ts'

const SHOWN_CHARACTERS = 4000
const VIEWS = [
  ['all', 'All'],
  ['world', 'From the World'],
  ['page', 'From the page'],
] as const

/** The messages between page and World, newest first. */
export function Inspector({
  messages,
  paused,
  onPause,
  onClear,
}: {
  messages: readonly RecordedMessage[]
  paused: boolean
  onPause: (paused: boolean) => void
  onClear: () => void
}) {
  const [view, setView] = useState<(typeof VIEWS)[number][0]>('all')
  const shownMessages = messages.filter(({ message }) => view === 'all' || message.from === view)
  return (
    <Part
      id="messages"
      title="Messages"
      aside={
        <div className="flex flex-wrap items-center gap-2">
          <label className="text-sm">
            <span className="sr-only">Show</span>
            <Select options={VIEWS} onValue={setView} value={view} />
          </label>
          <Button onClick={() => onPause(!paused)}>{paused ? 'Go on' : 'Pause'}</Button>
          <Button onClick={onClear}>Clear</Button>
        </div>
      }
    >
      {shownMessages.length === 0 ? (
        <p className="text-ink-soft text-sm">
          {paused ? 'Paused.' : 'No messages yet.'} Messages between page and World appear here.
        </p>
      ) : (
        <ol
          aria-label="Messages between page and World"
          className="max-h-96 overflow-y-auto rounded-md border border-line"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
          tabIndex={0}
        >
          {shownMessages.map((recorded) => (
            <Line key={recorded.id} recorded={recorded} />
          ))}
        </ol>
      )}
      {messages.length === MAX_RECORDED ? (
        <p className="pt-2 text-ink-soft text-sm">The last {MAX_RECORDED} are kept.</p>
      ) : null}
    </Part>
  )
}

function Line({ recorded: { message, ms } }: { recorded: RecordedMessage }) {
  const [open, setOpen] = useState(false)
  const fromWorld = message.from === 'world'
  return (
    <li className="border-line not-first:border-t">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="flex min-h-9 cursor-pointer flex-wrap items-baseline gap-x-3 px-3 py-1.5 text-sm hover:bg-sunk touch:min-h-11">
          <span className="mono w-14 shrink-0 text-right text-ink-soft text-xs">
            {(ms / 1000).toFixed(2)} s
          </span>
          <span className="w-24 shrink-0 text-ink-soft">{fromWorld ? 'World → page' : 'page → World'}</span>
          <span className="min-w-0 [overflow-wrap:anywhere]">{summaryOf(message)}</span>
        </summary>
        {open ? (
          <pre className="overflow-x-auto whitespace-pre-wrap bg-sunk px-3 py-2 text-xs [overflow-wrap:anywhere]">
            {fieldsAsText(message.fields).slice(0, SHOWN_CHARACTERS)}
          </pre>
        ) : null}
      </details>
    </li>
  )
}
