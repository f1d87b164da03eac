import { Check, LoaderCircle, X } from 'lucide-react'
import type { Answer } from '#lib/studio/assistant/assistant.ts'
import type { Endpoint } from '#lib/studio/assistant/endpoint.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { deedText, failureText, usageText } from './words.ts'

const MARKS = { running: LoaderCircle, done: Check, refused: X } as const
const STATES = { running: 'under way', done: 'done', refused: 'did not work' } as const

/**
 * The person's words, and what came of them. A model's words are plain text: a link or picture in them would send what it
 * knows to an address of its choice.
 *
 * @param onTakeBack Absent where undo would not take the whole answer back now.
 * @param onRetry Absent where it is not the last answer, or still under way.
 */
export function AnswerView({
  answer,
  endpoint,
  onTakeBack,
  onRetry,
}: {
  answer: Answer
  endpoint: Endpoint | undefined
  onTakeBack: (() => void) | undefined
  onRetry: (() => void) | undefined
}) {
  const { words, pieces, ending } = answer
  const note = NOTES[ending] ?? (ending === 'failed' ? failureText(answer, endpoint) : '')
  return (
    <li className="space-y-2">
      <p className="ml-8 whitespace-pre-wrap rounded-lg bg-sunk px-3 py-2 text-sm [overflow-wrap:anywhere]">
        <span className="sr-only">You: </span>
        {words}
      </p>
      {pieces.map((piece, index) => {
        const key = `${index}`
        if (piece.kind === 'text') {
          return (
            <p key={key} className="whitespace-pre-wrap text-sm [overflow-wrap:anywhere]">
              {piece.text}
            </p>
          )
        }
        const Icon = MARKS[piece.state]
        return (
          <p key={key} className="flex items-center gap-2 text-ink-soft text-sm">
            <Icon
              className={`size-4 shrink-0 ${piece.state === 'running' ? 'motion-safe:animate-spin' : ''}`}
              aria-hidden="true"
            />
            <span>
              {deedText(piece.name)}
              {piece.state === 'done' ? null : <span>: {STATES[piece.state]}</span>}
            </span>
          </p>
        )
      })}
      {note === '' ? null : (
        <p
          role={ending === 'failed' ? 'alert' : undefined}
          className="rounded-md border border-calm-line bg-calm px-3 py-2 text-sm [overflow-wrap:anywhere]"
        >
          {note}
        </p>
      )}
      {ending === 'running' ? null : (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {onTakeBack === undefined ? null : (
            <Button size="small" onClick={onTakeBack}>
              Undo this answer
            </Button>
          )}
          {onRetry === undefined ? null : (
            <Button size="small" look="quiet" onClick={onRetry}>
              Retry
            </Button>
          )}
          <span className="text-ink-soft text-xs">{usageText(answer)}</span>
        </div>
      )}
    </li>
  )
}

const NOTES: { readonly [Ending in Answer['ending']]?: string } = {
  stopped: 'Stopped. What was changed before stays; undo takes it back.',
  bounded: 'It took as many steps as one answer may. Say “go on” to let it go on.',
  cut: 'The model ended early: its answer was too long, or it declined to go on.',
}
