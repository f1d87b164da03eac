'use client'

import { memo } from 'react'
import { counted } from '#lib/browser/format.ts'
import { bindSlot, setComposite, unbindSlot } from '#lib/studio/document/commands/connector.ts'
import { refKey } from '#lib/studio/document/node-ref.ts'
import type { StudioStore } from '#lib/studio/document/store.ts'
import type { StudioDocument } from '#lib/studio/document/types.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { CallNumber, callFields, DropExtra } from '../common/call-fields.tsx'
import { NameField } from '../common/fields.tsx'
import { ProblemNotes } from '../common/problem-notes.tsx'
import { CallName } from './call-name.tsx'
import { PhraseFields, RETREATS } from './phrase-fields.tsx'
import type { Form, Row, SlotsRow, VoiceRow } from './rows.ts'
import { StartNumber } from './start-number.tsx'
import { nameOfVoice, VoiceHead } from './voice-head.tsx'

interface RowProps {
  readonly row: Row
  readonly form: Form
  /** Tab of its connector. */
  readonly tab: string
  readonly edit: StudioStore['edit']
  /** Whether it has the focus when the outline gets it. */
  readonly current: boolean
  /** `refKey` of the chosen node in it; else whether its voice is the chosen one. */
  readonly chosen: string | boolean
  readonly readOnly: boolean
  /** Colour of its voice. */
  readonly color: string
  readonly onToggle: (row: VoiceRow) => void
  /** @param voice `refKey` of its dimension. */
  readonly onExpand: (voice: string, first?: SlotsRow) => void
  /** Whether the next row stands beside it, where there is room. */
  readonly beside: boolean
}

/**
 * One line of the outline: a row of a treegrid that can have the focus itself, with its fields inside. All that it shows is
 * in its properties, but for the notes of a voice: it is not rendered for the change of another.
 */
export const OutlineRow = memo(function OutlineRow(props: RowProps) {
  const { row, form, current, chosen, beside } = props
  const { problems } = row
  const notes = `notes-${row.key}`
  const isHead = row.kind === 'dimension'
  // What a voice does not lead to is a mark until it is wanted.
  const isMark = form === 'score' && row.kind === 'composite' && row.name === ''
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table has no rows that wrap
    <div
      role="row"
      aria-level={row.level}
      aria-expanded={isHead ? row.open : row.kind === 'slots' ? false : undefined}
      aria-selected={current}
      aria-label={labelOf(row)}
      tabIndex={current ? 0 : -1}
      data-row={row.key}
      className={`group/row scroll-my-24 rounded-sm outline-offset-[-2px] ${beside ? 'max-w-full' : isMark ? (chosen === false ? `${RETREATS} opacity-0 focus-within:opacity-100 hover:opacity-100` : '') : 'w-full'} ${
        form === 'list' ? `border-line border-b aria-selected:bg-sunk ${INDENT[row.level]}` : ''
      } ${form === 'score' && row.level === 3 ? 'pl-5' : ''} py-0.5`}
    >
      {row.kind === 'phrase' && row.calls.length > 1 ? (
        <RowContent {...props} describedBy={problems.length > 0 ? notes : undefined} />
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a table has no rows that wrap
        <div
          role="gridcell"
          tabIndex={-1}
          className={`outline-none flex min-w-0 flex-wrap items-center gap-x-2 ${form === 'list' || !isHead ? 'min-h-9' : ''}`}
        >
          <RowContent {...props} describedBy={problems.length > 0 ? notes : undefined} />
        </div>
      )}
      {problems.length === 0 ? null : (
        // biome-ignore lint/a11y/useSemanticElements: a table has no rows that wrap
        <div role="gridcell" tabIndex={-1} className="py-1 outline-none">
          <ProblemNotes problems={problems} id={notes} />
        </div>
      )}
    </div>
  )
})

const INDENT = ['', 'pl-0', 'pl-6 sm:pl-9', 'pl-12 sm:pl-18'] as const

/** The accessible name of a line. */
function labelOf(row: Row): string {
  switch (row.kind) {
    case 'dimension': {
      const name = nameOfVoice(row)
      const voice = `Voice ${row.index + 1}`
      return name === voice ? voice : `${voice}, ${name}`
    }
    case 'phrase': {
      const { from, calls, of } = row
      const last = from + calls.length
      return calls.length === 1
        ? `step ${from + 1} of ${of}`
        : `steps ${from + 1} to ${last} of ${of}, ${calls[0]?.name}`
    }
    case 'start':
      return `start of voice ${row.index + 1}`
    case 'composite':
      return row.name === '' ? 'plays nothing else' : `plays ${row.name}`
    case 'slot':
      return `in place of ${row.label || `part ${row.slot + 1}`}`
    case 'slots':
      return counted(row.count, 'free place')
    case 'condition':
      return 'Gate'
  }
}

/** Text before the fields of a line in the long form. */
function Caption({ row }: { row: Row }) {
  const hint = row.kind === 'phrase' && row.of > 1 ? `${row.from + 1} of ${row.of}` : ''
  return (
    <span className="flex w-24 shrink-0 items-center gap-1.5 whitespace-nowrap text-ink-soft text-sm @xl:w-32">
      {CAPTIONS[row.kind as keyof typeof CAPTIONS]}
      {hint === '' ? null : <span className="mono text-xs">{hint}</span>}
    </span>
  )
}

const CAPTIONS = { phrase: 'step', start: 'start', composite: 'plays', condition: 'only if' }

/** The fields of one line. */
function RowContent({
  row,
  form,
  tab,
  edit,
  chosen,
  readOnly,
  color,
  onToggle,
  onExpand,
  describedBy,
}: RowProps & { readonly describedBy: string | undefined }) {
  const type = (label: string, field: string, command: (document: StudioDocument) => StudioDocument) =>
    edit(label, command, { merge: `${row.key}/${field}` })
  const isScore = form === 'score'
  const look = isScore ? 'quiet' : 'small'
  const wrong = row.problems.some(({ severity }) => severity === 'error')

  switch (row.kind) {
    case 'dimension':
      return (
        <>
          <VoiceHead {...{ row, color, edit, readOnly, onToggle }} tab={isScore ? tab : undefined} />
          {row.open ? null : (
            <span className="mono min-w-0 flex-1 basis-28 truncate text-ink-soft text-sm">{row.summary}</span>
          )}
        </>
      )
    case 'phrase':
      return (
        <>
          {isScore ? null : <Caption row={row} />}
          <PhraseFields {...{ row, form, edit, readOnly, color, describedBy }} current={chosen} />
        </>
      )
    case 'start': {
      const { start, index } = row
      const props = {
        entryId: row.at.entryId,
        edit,
        start,
        index,
        look,
        readOnly,
        color,
        describedBy,
      } as const
      return (
        <>
          {isScore ? null : <Caption row={row} />}
          <StartNumber kind="start" {...props} />
          <StartNumber kind="shift" {...props} />
        </>
      )
    }
    case 'composite': {
      const { at } = row
      if (at.kind !== 'composite' || (readOnly && row.name === '')) return null
      return (
        <>
          {isScore ? (
            <span aria-hidden="true" className="text-ink-soft text-sm empty:hidden">
              {row.name === '' ? '' : 'plays'}
            </span>
          ) : (
            <Caption row={row} />
          )}
          <NameField
            of="connector"
            value={row.name}
            onText={(name) => {
              type('Choose part', 'name', (d) => setComposite(d, { ...at, name }))
              onExpand(refKey({ ...at, kind: 'dimension' }))
            }}
            wrong={wrong}
            readOnly={readOnly}
            look={look}
            placeholder={isScore ? '→' : 'nothing else'}
            title={row.name === '' ? 'Let this voice play another part' : undefined}
            aria-label={`Part that voice ${row.index + 1} plays`}
            aria-describedby={describedBy}
            data-field
            className={
              isScore
                ? row.name === ''
                  ? 'w-7 cursor-pointer text-center focus:w-40 focus:text-left'
                  : '[field-sizing:content] min-w-24 max-w-full font-medium'
                : 'w-56 max-w-full font-medium'
            }
          />
        </>
      )
    }
    case 'slot': {
      const { at } = row
      if (at.kind !== 'binding') return null
      const set = (name: string) =>
        type('Fill place', 'name', (d) => (name === '' ? unbindSlot(d, at) : bindSlot(d, { ...at, name })))
      const place = row.label || `part ${row.slot + 1}`
      return (
        <>
          <span className={`mono truncate text-ink-soft text-xs ${isScore ? 'max-w-40' : 'w-24 @xl:w-32'}`}>
            {place}
          </span>
          <NameField
            of="connector"
            value={row.binding?.name ?? ''}
            onText={set}
            wrong={wrong}
            readOnly={readOnly}
            look={look}
            placeholder="as it is"
            aria-label={`Part in place of ${place}`}
            aria-describedby={describedBy}
            data-field
            className={isScore ? '[field-sizing:content] min-w-24 max-w-full' : 'w-56 max-w-full'}
          />
        </>
      )
    }
    case 'slots':
      return (
        <Button look="text" size="small" tabIndex={-1} onClick={() => onExpand(row.voice, row)}>
          {counted(row.count, 'free place')}
        </Button>
      )
    case 'condition': {
      const { at, condition, fn } = row
      if (at.kind !== 'condition') return null
      const fields = callFields(edit, at, condition, fn.takes, row.problems)
      return (
        <>
          {isScore ? <span className="w-24 text-ink-soft text-sm">only if</span> : <Caption row={row} />}
          <CallName
            {...{ at, fields, edit, readOnly, look }}
            call={condition}
            aria-label="Gate"
            aria-describedby={describedBy}
            className={isScore && condition.name !== '' ? '[field-sizing:content]' : 'w-44'}
          />
          {Array.from({ length: fn.fields }, (_, index) => (
            <CallNumber
              // biome-ignore lint/suspicious/noArrayIndexKey: an argument is its index
              key={index}
              {...{ fields, index, fn, readOnly, look }}
              knob={row.knobs[index]}
              aria-label={`Number ${index + 1} of ${condition.name || 'the gate'}`}
              aria-describedby={describedBy}
            />
          ))}
          {readOnly ? null : <DropExtra fields={fields} />}
        </>
      )
    }
  }
}

/** `refKey`s of the nodes of a row, by which it is chosen. */
export function keysOf(row: Row): readonly string[] {
  return row.kind === 'phrase' && row.at.kind === 'call'
    ? row.calls.map(({ id }) => refKey({ ...row.at, callId: id } as typeof row.at))
    : [refKey(row.at)]
}
