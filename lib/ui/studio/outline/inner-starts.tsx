'use client'

import { useMemo, useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import type { StartLine } from '#lib/protocol/running-instance.ts'
import { knobAt } from '#lib/studio/document/commands/knobs.ts'
import { refKey } from '#lib/studio/document/node-ref.ts'
import { startLinesOf } from '#lib/studio/document/positions-of.ts'
import type { Problem } from '#lib/studio/document/problem.ts'
import type { Shape } from '#lib/studio/document/shapes.ts'
import type { ConnectorEntry } from '#lib/studio/document/types.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { Disclosure } from '#lib/ui/kit/disclosure.tsx'
import { LiveNumber } from '../common/live-number.tsx'
import { ProblemNotes } from '../common/problem-notes.tsx'
import { useCurrentSession, useSession } from '../common/session.tsx'
import { type ColorOf, useKnobColor } from '../common/use-knob-color.ts'

/** Positions listed at first; those that are set are always listed. */
const INITIAL_POSITIONS = 40

/**
 * The starts that are no number of a voice: where the piece begins, and those of the voices inside its parts.
 *
 * @param shape Undefined while the parts are not known.
 * @param starts Those among which the voices find theirs; undefined with the shape.
 * @param paths Of the newest run.
 */
export function InnerStarts({
  entry,
  shape,
  starts,
  paths,
  readOnly,
}: {
  entry: ConnectorEntry
  shape: Shape | undefined
  starts: readonly StartLine[] | undefined
  paths: readonly string[]
  readOnly: boolean
}) {
  const problemsAt = useSession((state) => state.problemsAt)
  const colorOf = useKnobColor(paths)
  const [opened, setOpened] = useState(false)
  const [most, setMost] = useState(INITIAL_POSITIONS)
  const { lines, more } = useMemo(
    () => (shape === undefined ? { lines: [], more: false } : startLinesOf(shape, most)),
    [shape, most],
  )
  const known = new Map(lines.map((line) => [line.position, line]))
  const ofVoices = useMemo(
    () => starts && new Set(starts.filter(({ depth }) => depth === 0).map(({ position }) => position)),
    [starts],
  )
  const own = (position: number) =>
    position === 0 || (ofVoices?.has(position) ?? position <= entry.dimensions.length)
  const positions = new Set([
    ...lines.map(({ position }) => position),
    ...entry.staticRi.map(({ position }) => position),
  ])
  const inner = [...positions].filter((position) => !own(position)).sort((a, b) => a - b)
  const problemsOf = (position: number) =>
    readOnly ? undefined : problemsAt.get(refKey({ kind: 'running-instance', entryId: entry.id, position }))
  const isWrong = inner.some((position) => problemsOf(position) !== undefined)
  const open = opened || isWrong
  const props = { entry, readOnly, colorOf }
  return (
    <div className="pt-2 text-sm">
      <StartLineFields {...props} position={0} line={known.get(0)} problems={problemsOf(0)} />
      {inner.length === 0 ? null : (
        <section aria-label="Starts inside the parts">
          <Disclosure open={open} onOpen={setOpened} className="-ml-1 px-1">
            Starts inside the parts
          </Disclosure>
          {open ? (
            <ul className="pl-4">
              {inner.map((position) => (
                <li key={position}>
                  <StartLineFields
                    {...props}
                    position={position}
                    line={known.get(position)}
                    problems={problemsOf(position)}
                  />
                </li>
              ))}
            </ul>
          ) : null}
          {open && more ? (
            <Button className="mt-2" onClick={() => setMost(most * 4)}>
              Show more than {counted(most, 'start')}
            </Button>
          ) : null}
        </section>
      )}
    </div>
  )
}

function StartLineFields({
  entry,
  position,
  line,
  problems,
  readOnly,
  colorOf,
}: {
  entry: ConnectorEntry
  position: number
  line: StartLine | undefined
  problems: readonly Problem[] | undefined
  readOnly: boolean
  colorOf: ColorOf
}) {
  const { document: store } = useCurrentSession()
  const notes = `start-notes-${position}`
  const instance = entry.staticRi.find((each) => each.position === position)
  const isLocked = instance === undefined && line?.locked === true
  const name = position === 0 ? 'the piece' : (line?.name ?? `place ${position}`)
  const field = (kind: 'start' | 'shift') => {
    const target = { kind, position } as const
    const which = kind === 'start' ? 'startPoint' : 'transformationShift'
    return {
      ...{ at: { entryId: entry.id, target }, edit: store.edit, free: true, look: 'quiet' as const },
      ...{ knob: knobAt(entry, target), color: colorOf(entry, target) },
      value: instance?.[which] ?? '',
      placeholder: String(line?.otherwise[which] ?? 0),
      wrong: problems?.some((problem) => problem.field?.name === which),
      readOnly: readOnly || isLocked,
      'aria-describedby': problems ? notes : undefined,
    }
  }
  return (
    <>
      <div className="flex min-h-9 flex-wrap items-center gap-x-2 text-ink-soft">
        <span
          className={position === 0 ? '' : 'mono min-w-0 [overflow-wrap:anywhere]'}
          title={line?.path || undefined}
          style={{ paddingLeft: `${Math.min(Math.max(0, (line?.depth ?? 0) - 1), 6)}rem` }}
        >
          {position === 0 ? 'Begins at number' : name}
        </span>
        <LiveNumber
          {...field('start')}
          shownCaption={position === 0 ? undefined : 'from'}
          aria-label={position === 0 ? 'Where the piece begins' : `Start of ${name}, place ${position}`}
        />
        {position === 0 ? (
          <span>of every voice</span>
        ) : (
          <LiveNumber
            {...field('shift')}
            shownCaption="skips"
            aria-label={`Steps that ${name} skips at first, place ${position}`}
          />
        )}
        {isLocked && position > 0 ? <span className="text-xs">fixed by the part</span> : null}
      </div>
      <ProblemNotes problems={problems} id={notes} />
    </>
  )
}
