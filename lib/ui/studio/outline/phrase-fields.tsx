'use client'

import { Plus } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import { addCall, type CallRef } from '#lib/studio/document/commands/connector.ts'
import type { NumberRef } from '#lib/studio/document/commands/knobs.ts'
import { refKey } from '#lib/studio/document/node-ref.ts'
import type { StudioStore } from '#lib/studio/document/store.ts'
import { newId } from '#lib/studio/document/types.ts'
import { Press } from '#lib/ui/kit/button.tsx'
import { CallNumber, callFields, DropExtra } from '../common/call-fields.tsx'
import { BeatStrip } from './beat-strip.tsx'
import { CallName } from './call-name.tsx'
import type { Form, PhraseRow } from './rows.ts'
import { StartNumber } from './start-number.tsx'

/** Hidden from sight in a narrow pane, not from keys and screen readers. */
export const RETREATS = '@max-xl:not-focus-within:sr-only'
/** Cells that stay together where a row of steps wraps. */
const CELLS_A_GROUP = 4

/** The calls of a phrase: its function once, and a cell for each call. */
export function PhraseFields({
  row,
  form,
  edit,
  readOnly,
  current,
  describedBy,
  color,
}: {
  row: PhraseRow
  form: Form
  edit: StudioStore['edit']
  readOnly: boolean
  /** `refKey` of the chosen call, if it is one of these; else whether its voice is the chosen one. */
  current: string | boolean
  describedBy: string | undefined
  color: string
}) {
  const { at, calls, from, of, fn, shared, look, tied, start, index } = row
  const [first] = calls
  if (first === undefined || at.kind !== 'call') return null
  const { entryId } = at
  const refs = calls.map(({ id }): CallRef => ({ ...at, callId: id }))
  const fields = calls.map((call, place) =>
    callFields(edit, refs[place]!, call, fn.takes, row.callProblems[place]),
  )
  const quiet = form === 'score' ? 'quiet' : 'small'
  const common = { readOnly, color, 'aria-describedby': describedBy }
  const last = calls.length - 1
  const level = look === 'steps' ? levelOf(row) : undefined
  const top = Math.max(1, ...calls.map(({ args }) => Number(args[0]) || 0), Number(start?.startPoint) || 0)
  const startAt: NumberRef | undefined = start && {
    entryId,
    target: { kind: 'start', position: start.position },
  }
  const single = calls.length === 1
  const startProps =
    start &&
    ({
      ...{ entryId, edit, start, index, readOnly, color, describedBy },
      look: quiet,
    } as const)

  // In a narrow pane, a row is its numbers until its voice is chosen.
  const retreats = current === false ? RETREATS : ''
  const name = (
    <Cell single={single} className={look === 'steps' ? retreats : ''}>
      <CallName
        at={refs[0]!}
        also={refs.slice(1)}
        call={first}
        fields={fields[0]!}
        edit={edit}
        readOnly={readOnly}
        look={quiet}
        aria-label={
          single ? `What step ${from + 1} does` : `What steps ${from + 1} to ${from + calls.length} do`
        }
        aria-describedby={describedBy}
        className={
          form === 'list'
            ? 'w-44'
            : first.name === ''
              ? 'w-32'
              : `[field-sizing:content] min-w-8 ${look === 'steps' ? 'text-ink-soft text-xs!' : ''}`
        }
      />
    </Cell>
  )

  /** A call with those of its numbers that are not shared. */
  const cell = (place: number) => {
    const call = calls[place]!
    const key = refKey(refs[place]!)
    const isTied = tied && place === last
    const step = tied ? ((place + 1) % calls.length) + 1 : from + place + 1
    const numbers = Array.from({ length: fn.fields }, (_, argument) => argument).filter(
      (argument) => !shared.includes(argument),
    )
    const where = single ? '' : isTied ? `, step 1, the start` : `, step ${step}`
    return (
      <span
        key={call.id}
        role={single ? 'none' : 'gridcell'}
        {...(!single && {
          'data-row': key,
          tabIndex: -1,
          'aria-selected': current === key,
          'aria-label': `step ${step}`,
        })}
        className={`inline-flex items-center rounded-sm ${look === 'steps' ? '' : 'gap-x-0.5'}`}
      >
        {numbers.length === 0 && !single ? <span className="px-1 text-ink-soft">·</span> : null}
        {numbers.map((argument) => (
          <CallNumber
            key={argument}
            fields={fields[place]!}
            index={argument}
            fn={fn}
            captioned={form === 'list' || argument > 0 || place === 0 || !isWord(fn.args[0]?.sign)}
            {...common}
            look={quiet}
            also={isTied && startAt !== undefined ? [startAt] : undefined}
            knob={row.knobs[place]?.[argument] ?? (isTied ? start?.knobs[0] : undefined)}
            aria-label={`Number ${argument + 1} of ${call.name || `step ${step}`}${where}`}
            {...(level !== undefined && { level, ...stepLook(call.args[0] ?? '', top) })}
          />
        ))}
      </span>
    )
  }

  const places = calls.map((_, place) => place)
  const add = () => {
    const after = tied ? last - 1 : last
    const copied = calls[Math.max(0, after)]!
    edit('Add step', (document) =>
      addCall(document, {
        entryId,
        dimensionId: at.dimensionId,
        id: newId(),
        name: copied.name,
        args: look === 'steps' ? ['0'] : copied.args,
        at: from + after + 1,
      }),
    )
  }
  const more =
    readOnly || form === 'list' || first.name === '' ? null : (
      <Cell single={single} className={retreats}>
        <Press
          tabIndex={-1}
          aria-label={`One more step of ${first.name}`}
          title="One more step"
          onMouseDown={(event) => event.preventDefault()}
          onClick={add}
          className="grid h-8 w-6 shrink-0 place-items-center rounded-sm text-ink-soft opacity-0 hover:bg-line hover:text-ink focus-visible:opacity-100 group-focus-within/row:opacity-100 group-hover/row:opacity-100 touch:h-11 touch:w-9 touch:opacity-100"
        >
          <Plus className="size-3.5" aria-hidden="true" />
        </Press>
      </Cell>
    )
  const skip = start?.shift || String(start?.otherwise.transformationShift ?? 0)
  // Its field is in the bar above, where it comes and goes without moving a row.
  const shift =
    of > 1 && skip !== '0' ? (
      <Cell single={single}>
        <span className="text-ink-soft text-xs">skips</span>
        <span className={`mono pl-1 text-sm ${start?.wrong[1] ? 'text-madder' : ''}`}>{skip}</span>
      </Cell>
    ) : null

  if (look === 'steps') {
    const order = tied ? [last, ...places.slice(0, last)] : places
    return (
      <span
        className="flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-1"
        style={{ '--voice': color } as CSSProperties}
      >
        <span role="none" className="flex min-w-0 gap-1.5">
          {startProps === undefined || tied ? null : (
            <Cell single={single} className="border-ink border-r-2 pr-1.5">
              <StartNumber kind="start" {...startProps} />
            </Cell>
          )}
          <span role="none" className="flex min-w-0 flex-wrap gap-x-1.5 gap-y-1">
            {groupsOf(order).map((group) => (
              <span key={group[0]} role="none" className="flex gap-0.75">
                {group.map(cell)}
              </span>
            ))}
          </span>
        </span>
        {more}
        {shift}
        {name}
      </span>
    )
  }
  return (
    <span
      className={`flex min-w-0 flex-wrap items-center gap-y-1 ${form === 'score' ? 'gap-x-2' : 'gap-x-1.5'}`}
      style={{ '--voice': color } as CSSProperties}
    >
      {startProps !== undefined ? (
        <Cell single={single}>
          <StartNumber kind="start" {...startProps} />
        </Cell>
      ) : form === 'score' && from > 0 ? (
        <span aria-hidden="true" className="pr-1 text-ink-soft text-xs">
          then
        </span>
      ) : null}
      {name}
      <span
        role="none"
        className={`flex min-w-0 flex-wrap items-center ${form === 'score' ? 'gap-x-1' : 'gap-1.5'}`}
      >
        {places.map(cell)}
      </span>
      {shared.map((argument) => (
        <Cell key={argument} single={single}>
          <CallNumber
            fields={fields[0]!}
            index={argument}
            fn={fn}
            {...common}
            look={quiet}
            also={refs.slice(1).map(
              (ref): NumberRef => ({
                entryId,
                target: { kind: 'call', callId: 'callId' in ref ? ref.callId : '', index: argument },
              }),
            )}
            knob={row.knobs.find((each) => each[argument] !== undefined)?.[argument]}
            aria-label={`Number ${argument + 1} of ${first.name}, of every step`}
          />
        </Cell>
      ))}
      {more}
      {shift}
      {readOnly ? null : single ? <DropExtra fields={fields[0]!} /> : null}
      {row.beat === undefined || start === undefined ? null : (
        <BeatStrip
          beat={row.beat}
          position={start.position}
          {...{ entryId, index, edit }}
          readOnly={readOnly || start.locked}
        />
      )}
      {fn.takes === 0 && form === 'list' && fn.fields === 0 ? (
        <span className="text-ink-soft text-sm">no numbers</span>
      ) : null}
    </span>
  )
}

/** Whether a sign is read once in a row, not at each of its numbers. */
function isWord(sign: string | undefined): boolean {
  return sign !== undefined && sign.length > 1
}

/** A cell of a row for what is no call; a row of one call is one cell. */
function Cell({
  single,
  className = '',
  children,
}: {
  single: boolean
  className?: string
  children: ReactNode
}) {
  return (
    <span
      role={single ? 'none' : 'gridcell'}
      tabIndex={single ? undefined : -1}
      className={`inline-flex ${className}`}
    >
      {children}
    </span>
  )
}

function groupsOf(places: readonly number[]): readonly (readonly number[])[] {
  return Array.from({ length: Math.ceil(places.length / CELLS_A_GROUP) }, (_, group) =>
    places.slice(group * CELLS_A_GROUP, (group + 1) * CELLS_A_GROUP),
  )
}

/** Level that a press turns on: the most frequent in the row. */
function levelOf({ calls }: PhraseRow): string {
  const counts = new Map<string, number>()
  for (const { args } of calls) {
    const [text = '0'] = args
    if (Number(text) > 0) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '1'
}

function stepLook(text: string, top: number) {
  const value = Number(text) || 0
  const filled = Math.round((Math.min(value, top) / top) * 100)
  return {
    'data-on': value > 0,
    className: `h-9 rounded-sm! px-0! text-xs! touch:h-11 forced-colors:data-[on=true]:border-[Highlight] ${
      value > 0 ? 'text-ink' : 'border-line! text-transparent hover:text-ink-soft focus:text-ink'
    }`,
    style: {
      width: '2.125rem',
      backgroundOrigin: 'border-box',
      backgroundImage: `linear-gradient(to top, var(--voice) ${value > 0 ? '3px' : '0'}, color-mix(in oklab, var(--voice) 42%, var(--color-raised)) 0 ${filled}%, var(--color-sunk) 0)`,
    },
  }
}
