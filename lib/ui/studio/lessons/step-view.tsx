'use client'

import { Check } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import type { Comparison, Verdict } from '#lib/studio/lessons/verdict.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { Text } from './text.tsx'

/** The live region is updated after typing pauses, not at each key. */
const DEBOUNCE_MS = 1_200

/** A button that does the step. */
export interface Help {
  readonly label: string
  readonly run: () => void
}

/** One step: what to do, how far it is, and the way on. */
export function StepView({
  text,
  verdict,
  missing,
  canGoOn,
  help,
  onShow,
  onAgain,
  onBack,
  onNext,
}: {
  text: readonly string[]
  verdict: Verdict
  /** Entries of the lesson were removed. */
  missing: boolean
  canGoOn: boolean
  help: Help | undefined
  onShow: (() => void) | undefined
  onAgain: () => void
  onBack: (() => void) | undefined
  onNext: () => void
}) {
  const sentenceId = useId()
  const sentence = useDebounced(verdict.done ? 'Done. Alt and L leads to the button Next.' : verdict.sentence)
  return (
    <>
      <div className="space-y-2 text-sm">
        {text.map((paragraph) => (
          <Text key={paragraph}>{paragraph}</Text>
        ))}
        {missing ? (
          <div className="space-y-2 rounded-md border border-calm-line bg-calm p-3">
            <p>
              Pieces of the lesson are not here. Undo may bring them back, or the workspace they were made in.
            </p>
            <Button size="small" onClick={onAgain}>
              Set them up again
            </Button>
          </div>
        ) : (
          <>
            <ComparisonTable comparisons={verdict.comparisons} />
            {verdict.sentence === '' ? null : (
              <p
                id={sentenceId}
                className={`flex gap-2 [overflow-wrap:anywhere] ${verdict.done ? 'font-medium' : 'text-ink-soft'}`}
              >
                {verdict.done ? (
                  <Check className="mt-0.5 size-4 shrink-0 text-verdigris" aria-hidden="true" />
                ) : null}
                {verdict.sentence}
              </p>
            )}
          </>
        )}
      </div>
      <p role="status" className="sr-only">
        {sentence}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        {verdict.done || missing || onShow === undefined ? null : (
          <Button size="small" onClick={onShow}>
            Show me
          </Button>
        )}
        {verdict.done || missing || help === undefined ? null : (
          <Button size="small" onClick={help.run}>
            {help.label}
          </Button>
        )}
        <span className="ml-auto flex gap-2">
          {onBack === undefined ? null : (
            <Button size="small" onClick={onBack}>
              Back
            </Button>
          )}
          <Button
            look="filled"
            data-lesson-next
            aria-disabled={!canGoOn}
            aria-describedby={verdict.sentence === '' ? undefined : sentenceId}
            size="small"
            className="aria-disabled:bg-sunk aria-disabled:text-ink-soft aria-disabled:opacity-100"
            onClick={() => canGoOn && onNext()}
          >
            Next
          </Button>
        </span>
      </div>
    </>
  )
}

function useDebounced(text: string): string {
  const [rested, setRested] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}

/** Expected and actual values side by side. */
function ComparisonTable({ comparisons }: { comparisons: readonly Comparison[] }) {
  return (
    <div className="space-y-2">
      {comparisons.map(({ label, expected, actual }) => (
        <div key={label} className="overflow-x-auto rounded-md border border-line">
          <table className="w-full text-xs">
            <caption className="mono px-2 pt-1 text-left text-ink-soft [overflow-wrap:anywhere]">
              {label}
            </caption>
            <tbody className="mono">
              <Row name="wanted" values={expected} />
              <Row name="yours" values={expected.map((_, index) => actual?.[index])} target={expected} />
            </tbody>
          </table>
        </div>
      ))}
    </div>
  )
}

function Row({
  name,
  values,
  target,
}: {
  name: string
  values: readonly (number | undefined)[]
  target?: readonly number[]
}) {
  return (
    <tr>
      <th scope="row" className="px-2 py-1 text-left font-normal font-sans text-ink-soft">
        {name}
      </th>
      {values.map((value, index) => {
        const wrong = target !== undefined && value !== target[index]
        return (
          <td
            // biome-ignore lint/suspicious/noArrayIndexKey: a number is its place
            key={index}
            className={`px-1 py-1 text-right ${wrong && value !== undefined ? 'text-madder underline decoration-2 underline-offset-4' : ''}`}
          >
            {value ?? '·'}
          </td>
        )
      })}
    </tr>
  )
}
