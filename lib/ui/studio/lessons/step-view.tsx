'use client'

import { Check } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { Button } from '../../button.tsx'
import { ComparisonTable } from './comparison-table.tsx'
import { FormatSigns } from './format-signs.tsx'
import type { Look, Step } from './lesson.ts'
import { Text } from './text.tsx'
import type { Help } from './use-help.ts'
import type { Verdict } from './verdict.ts'

/** What is missing is said to those who hear the page when they rest, not at each key. */
const REST_MS = 1_200

/** One step: what to do, how far it is, and the way on. */
export function StepView({
  step,
  look,
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
  step: Step
  look: Look
  text: readonly string[]
  verdict: Verdict
  /** Pieces of the lesson are gone from the document. */
  missing: boolean
  canGoOn: boolean
  help: Help | undefined
  onShow: (() => void) | undefined
  onAgain: () => void
  onBack: (() => void) | undefined
  onNext: () => void
}) {
  const sentenceId = useId()
  const said = useRested(verdict.done ? 'Done. Alt and L leads to the button Next.' : verdict.sentence)
  const quiet = 'min-h-9 px-3 pointer-coarse:min-h-11'
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
            <Button className={quiet} onClick={onAgain}>
              Set them up again
            </Button>
          </div>
        ) : (
          <>
            {step.formatsOf === undefined ? null : <FormatSigns roles={step.formatsOf} look={look} />}
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
        {said}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        {verdict.done || missing || onShow === undefined ? null : (
          <Button className={quiet} onClick={onShow}>
            Show me
          </Button>
        )}
        {verdict.done || missing || help === undefined ? null : (
          <Button className={quiet} onClick={help.run}>
            {help.label}
          </Button>
        )}
        <span className="ml-auto flex gap-2">
          {onBack === undefined ? null : (
            <Button className={quiet} onClick={onBack}>
              Back
            </Button>
          )}
          <Button
            look="primary"
            data-lesson-next
            aria-disabled={!canGoOn}
            aria-describedby={verdict.sentence === '' ? undefined : sentenceId}
            className={`${quiet} aria-disabled:cursor-default aria-disabled:bg-sunk aria-disabled:text-ink-soft`}
            onClick={() => canGoOn && onNext()}
          >
            Next
          </Button>
        </span>
      </div>
    </>
  )
}

function useRested(text: string): string {
  const [rested, setRested] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), REST_MS)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
