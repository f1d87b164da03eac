'use client'

import { Check } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import type { Leaf } from '#lib/protocol/artifact.ts'
import { formatHash, scalarLabels } from '#lib/protocol/format-hash.ts'
import type { Role, Snapshot, Step } from '#lib/studio/lessons/lesson.ts'
import type { Comparison, Verdict } from '#lib/studio/lessons/verdict.ts'
import { Button } from '#lib/ui/components/button.tsx'
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
  step,
  snapshot,
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
  snapshot: Snapshot
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
  const said = useDebounced(verdict.done ? 'Done. Alt and L leads to the button Next.' : verdict.sentence)
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
            {step.formatsOf === undefined ? null : <FormatList roles={step.formatsOf} snapshot={snapshot} />}
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
            look="primary"
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
      {comparisons.map(({ label, expected, found }) => (
        <div key={label} className="overflow-x-auto rounded-md border border-line">
          <table className="w-full text-xs">
            <caption className="mono px-2 pt-1 text-left text-ink-soft [overflow-wrap:anywhere]">
              {label}
            </caption>
            <tbody className="mono">
              <Row name="wanted" values={expected} />
              <Row name="yours" values={expected.map((_, index) => found?.[index])} wanted={expected} />
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
  wanted,
}: {
  name: string
  values: readonly (number | undefined)[]
  wanted?: readonly number[]
}) {
  return (
    <tr>
      <th scope="row" className="px-2 py-1 text-left font-normal font-sans text-ink-soft">
        {name}
      </th>
      {values.map((value, index) => {
        const wrong = wanted !== undefined && value !== wanted[index]
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

/** The formats of connectors beside each other. */
export function FormatList({ roles, snapshot }: { roles: readonly Role[]; snapshot: Snapshot }) {
  return (
    <dl className="space-y-2">
      {roles.map((role) => {
        const leaves = snapshot.leavesOf(role)
        return (
          <div key={role} className="rounded-md border border-line px-2 py-1.5 text-xs">
            <dt className="mono [overflow-wrap:anywhere]">{snapshot.name(role)}</dt>
            {leaves === undefined ? (
              <dd className="text-ink-soft">not known yet</dd>
            ) : (
              <Format leaves={leaves} />
            )}
          </div>
        )
      })}
    </dl>
  )
}

function Format({ leaves }: { leaves: readonly Leaf[] }) {
  return (
    <>
      <dd className="mono text-ink-soft [overflow-wrap:anywhere]">{scalarLabels(leaves).join(' ')}</dd>
      <dd>
        format <span className="mono">{formatHash(leaves).slice(2, 14)}…</span>
      </dd>
    </>
  )
}
