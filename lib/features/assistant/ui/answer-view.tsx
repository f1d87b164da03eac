import { Check, LoaderCircle, X } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { Button } from '#lib/ui/kit/button.tsx'
import type { Answer } from './conversation/assistant.ts'
import type { Endpoint } from './conversation/endpoint.ts'
import { callText, failureText, usageText } from './messages.ts'

const MARKS = { running: LoaderCircle, done: Check, refused: X } as const
const STATES = { running: 'under way', done: 'done', refused: 'did not work' } as const

/**
 * The person's words and the answer. A model's words are plain text: a link or picture in them would send what it knows to an
 * address of its choice. Memoised, so that text that streams renders its own answer alone.
 *
 * @param onUndo Absent where undo would not revert the whole answer now.
 * @param onRetry Absent where it is not the last answer, or still under way.
 */
export const AnswerView = memo(function AnswerView({
  answer,
  endpoint,
  onUndo,
  onRetry,
}: {
  answer: Answer
  endpoint: Endpoint | undefined
  onUndo: ((answer: Answer) => void) | undefined
  onRetry: (() => void) | undefined
}) {
  const { words, parts, status } = answer
  const note = NOTES[status] ?? (status === 'failed' ? failureText(answer, endpoint) : '')
  return (
    <li className="space-y-2">
      <p className="ml-8 whitespace-pre-wrap rounded-lg bg-sunk px-3 py-2 text-sm [overflow-wrap:anywhere]">
        <span className="sr-only">You: </span>
        {words}
      </p>
      {parts.map((part, index) => {
        const key = `${index}`
        if (part.kind === 'text') {
          return (
            <p key={key} className="whitespace-pre-wrap text-sm [overflow-wrap:anywhere]">
              {part.text}
            </p>
          )
        }
        return (
          <Step key={key} state={part.state}>
            {callText(part.name)}
            {part.state === 'done' ? null : <span>: {STATES[part.state]}</span>}
          </Step>
        )
      })}
      {isWaiting(answer) ? <Step state="running">The model is at work…</Step> : null}
      {note === '' ? null : (
        <p
          role={status === 'failed' ? 'alert' : undefined}
          className="rounded-md border border-calm-line bg-calm px-3 py-2 text-sm [overflow-wrap:anywhere]"
        >
          {note}
        </p>
      )}
      {status === 'running' ? null : (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {onUndo === undefined ? null : (
            <Button size="small" onClick={() => onUndo(answer)}>
              Undo this answer
            </Button>
          )}
          {onRetry === undefined ? null : (
            <Button size="small" look="text" onClick={onRetry}>
              Retry
            </Button>
          )}
          <span className="text-ink-soft text-xs">{usageText(answer)}</span>
        </div>
      )}
    </li>
  )
})

function Step({ state, children }: { state: keyof typeof MARKS; children: ReactNode }) {
  const Icon = MARKS[state]
  return (
    <p className="flex items-center gap-2 text-ink-soft text-sm">
      <Icon
        className={`size-4 shrink-0 ${state === 'running' ? 'motion-safe:animate-spin' : ''}`}
        aria-hidden="true"
      />
      <span>{children}</span>
    </p>
  )
}

/** True while nothing else shows that an answer is under way: neither text that grows nor a call. */
function isWaiting({ status, parts }: Answer): boolean {
  const end = parts.at(-1)
  return status === 'running' && (end === undefined || (end.kind === 'call' && end.state !== 'running'))
}

const NOTES: { readonly [Status in Answer['status']]?: string } = {
  stopped: 'Stopped. What was changed before stays; undo takes it back.',
  bounded: 'It took as many steps as one answer may. Say “go on” to let it go on.',
  cut: 'The model ended early: its answer was too long, or it declined to go on.',
}
