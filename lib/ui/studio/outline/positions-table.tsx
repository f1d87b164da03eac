'use client'

import { useState } from 'react'
import { counted, formatInteger } from '#lib/browser/format.ts'
import type { Position } from '#lib/protocol/positions.ts'
import type { StartLine } from '#lib/protocol/running-instance.ts'
import { knobAt } from '#lib/studio/document/commands/knobs.ts'
import { refKey } from '#lib/studio/document/node-ref.ts'
import { positionsOf, startLinesOf } from '#lib/studio/document/positions-of.ts'
import type { Problem } from '#lib/studio/document/problem.ts'
import type { ConnectorEntry, DraftRunningInstance } from '#lib/studio/document/types.ts'
import { Button } from '#lib/ui/components/button.tsx'
import { StartsTable } from '#lib/ui/run/start-fields.tsx'
import { LiveNumber } from '../common/live-number.tsx'
import { ProblemNotes } from '../common/problem-notes.tsx'
import { useCurrentSession, useSession } from '../common/session.tsx'

/** Positions listed at first; instances that are set are always listed. */
const INITIAL_POSITIONS = 40

interface Line {
  readonly position: number
  readonly met: Position | undefined
  readonly instance: DraftRunningInstance | undefined
  /** What a run starts with there; undefined beyond the first positions. */
  readonly start: StartLine | undefined
}

/**
 * Where each stream of a connector starts: the tree of its positions, in the order in which a run counts them, with
 * the running instance that is fixed there.
 */
export function PositionsTable({ entry, readOnly }: { entry: ConnectorEntry; readOnly: boolean }) {
  const shape = useSession(({ shapes }) => shapes.ofEntry(entry))
  const problemsAt = useSession((state) => state.problemsAt)
  const [most, setMost] = useState(INITIAL_POSITIONS)
  const positions = typeof shape === 'string' ? undefined : positionsOf(shape)
  const starts = typeof shape === 'string' ? undefined : startLinesOf(shape, most).lines
  const set = new Map(entry.staticRi.map((instance) => [instance.position, instance]))
  const numbers = new Set([
    0,
    ...(positions ?? []).slice(0, most).map(({ position }) => position),
    ...set.keys(),
  ])
  const lines: Line[] = [...numbers]
    .sort((a, b) => a - b)
    .map((position) => ({
      position,
      met: positions?.[position - 1],
      instance: set.get(position),
      start: starts?.[position],
    }))
  const hidden = (positions?.length ?? 0) - most

  return (
    <section aria-labelledby={`starts-${entry.id}`} className="mt-8">
      <h2 id={`starts-${entry.id}`} className="border-ink border-b-2 pb-1 font-semibold text-base">
        Starts
      </h2>
      <p className="py-2 text-ink-soft text-sm">
        A run counts every dimension it meets, from top to bottom and into what each leads to. What is set
        here is fixed; a run may set the others.
        {positions === undefined ? ' The tree appears once everything the connector leads to is known.' : ''}
      </p>
      <div className="overflow-x-auto">
        <StartsTable>
          {lines.map((line) => (
            <PositionLine
              key={line.position}
              line={line}
              entry={entry}
              readOnly={readOnly}
              problems={
                readOnly
                  ? undefined
                  : problemsAt.get(
                      refKey({ kind: 'running-instance', entryId: entry.id, position: line.position }),
                    )
              }
            />
          ))}
        </StartsTable>
      </div>
      {hidden > 0 ? (
        <Button className="mt-3" onClick={() => setMost(most * 4)}>
          Show more of {counted(positions?.length ?? 0, 'position')}
        </Button>
      ) : null}
    </section>
  )
}

function PositionLine({
  line: { position, met, instance, start },
  entry,
  readOnly,
  problems,
}: {
  line: Line
  entry: ConnectorEntry
  readOnly: boolean
  problems: readonly Problem[] | undefined
}) {
  const { document: store } = useCurrentSession()
  const notes = `start-notes-${position}`
  const wrong = (field: 'startPoint' | 'transformationShift') =>
    problems?.some((problem) => problem.field?.name === field)
  const depth = met === undefined ? 0 : met.path.split('/').length - 2
  const name = position === 0 ? 'the indices' : met ? `${met.connector}:${met.dimension}` : 'nothing'
  // A start fixed by a part takes precedence over that of the connector it is a part of.
  const fixedBelow = instance === undefined && start?.locked === true
  const shared = {
    readOnly: readOnly || fixedBelow,
    'aria-describedby': problems ? notes : undefined,
  }
  const numberOf = (kind: 'start' | 'shift') => {
    const target = { kind, position } as const
    return { at: { entryId: entry.id, target }, edit: store.edit, knob: knobAt(entry, target), free: true }
  }
  return (
    <>
      <tr className={`border-line border-t ${instance ? '' : 'text-ink-soft'}`}>
        <th scope="row" className="mono py-1 pr-2 text-left font-normal">
          {formatInteger(position)}
        </th>
        <td className="py-1 pr-2">
          <span
            className="mono [overflow-wrap:anywhere]"
            style={{ paddingLeft: `${Math.min(depth, 8) * 1.25}rem` }}
            title={met?.path}
          >
            {position === 0 ? <span className="font-sans">the indices: where the run begins</span> : name}
            {met && met.leadsTo !== '' ? <span className="text-ink-soft"> ⇢ {met.leadsTo}</span> : null}
            {fixedBelow ? (
              <span className="font-sans text-ink-soft text-xs"> fixed by {met?.connector}</span>
            ) : null}
          </span>
        </td>
        <td className="py-1 pr-2">
          <LiveNumber
            {...shared}
            {...numberOf('start')}
            placeholder={String(start?.otherwise.startPoint ?? 0)}
            value={instance?.startPoint ?? ''}
            wrong={wrong('startPoint')}
            aria-label={`Start at position ${position}, ${name}`}
            className="w-24"
          />
        </td>
        <td className="py-1">
          {position === 0 ? null : (
            <LiveNumber
              {...shared}
              {...numberOf('shift')}
              placeholder={String(start?.otherwise.transformationShift ?? 0)}
              value={instance?.transformationShift ?? ''}
              wrong={wrong('transformationShift')}
              aria-label={`Shift at position ${position}, ${name}`}
            />
          )}
        </td>
      </tr>
      {problems === undefined ? null : (
        <tr>
          <td />
          <td colSpan={3} className="pb-2">
            <ProblemNotes problems={problems} id={notes} />
          </td>
        </tr>
      )}
    </>
  )
}
