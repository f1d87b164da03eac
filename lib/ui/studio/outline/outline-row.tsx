'use client'

import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { bindSlot, type CallRef, setComposite, unbindSlot } from '#lib/studio/document/commands/connector.ts'
import { knobAt } from '#lib/studio/document/commands/knobs.ts'
import { argsCountOfPart, MAX_ARGUMENT_FIELDS } from '#lib/studio/document/parts.ts'
import type { Problem } from '#lib/studio/document/problem.ts'
import type { StudioDocument } from '#lib/studio/document/types.ts'
import { Button } from '#lib/ui/components/button.tsx'
import { callFields } from '../common/connector-actions.ts'
import { phraseIn } from '../common/explain-number.ts'
import { NameField } from '../common/fields.tsx'
import { LiveNumber } from '../common/live-number.tsx'
import { ProblemNotes } from '../common/problem-notes.tsx'
import { useCurrentSession, useSession } from '../common/session.tsx'
import { CallNameField } from '../picker/call-name-field.tsx'
import type { Row } from './rows.ts'

const INDENT = ['', 'pl-0', 'pl-6 sm:pl-9', 'pl-12 sm:pl-18'] as const

/** One line of the outline: a row of a treegrid that can have the focus itself, with its fields inside. */
export const OutlineRow = memo(function OutlineRow({
  row,
  current,
  problems,
  readOnly,
  onChoose,
  onToggle,
}: {
  row: Row
  current: boolean
  problems: readonly Problem[] | undefined
  readOnly: boolean
  onChoose: (row: Row) => void
  onToggle: (row: Row) => void
}) {
  const notes = `notes-${row.key}`
  const { name, hint } = caption(row)
  const expandable = row.kind === 'dimension'
  return (
    <tr
      aria-level={row.level}
      aria-expanded={expandable ? row.open : undefined}
      aria-selected={current}
      aria-label={`${name} ${hint}`.trim()}
      tabIndex={current ? 0 : -1}
      data-row={row.key}
      onFocus={() => onChoose(row)}
      className={`scroll-my-24 border-line border-b outline-offset-[-2px] aria-selected:bg-sunk`}
    >
      <td className={`py-1.5 pr-2 ${INDENT[row.level]}`}>
        <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1.5">
          <span
            className={`flex shrink-0 items-center gap-1.5 whitespace-nowrap ${expandable ? '' : 'w-24 @xl:w-32'}`}
          >
            {expandable ? (
              <button
                type="button"
                tabIndex={-1}
                aria-label={row.open ? `Close ${name}` : `Open ${name}`}
                onClick={() => onToggle(row)}
                className="-ml-1 grid size-7 cursor-pointer place-items-center rounded-md hover:bg-line"
              >
                {row.open ? <ChevronDown className="size-4" /> : <ChevronRight className="size-4" />}
              </button>
            ) : null}
            <span className={expandable ? 'font-semibold text-sm' : 'text-ink-soft text-sm'}>{name}</span>
            {hint === '' ? null : <span className="mono truncate text-ink-soft text-xs">{hint}</span>}
          </span>
          <RowContent row={row} problems={problems} describedBy={notes} readOnly={readOnly} />
        </div>
        {problems === undefined ? null : (
          <div className="pt-1 pb-1 sm:pl-32">
            <ProblemNotes problems={problems} id={notes} />
          </div>
        )}
      </td>
    </tr>
  )
})

function caption(row: Row): { name: string; hint: string } {
  switch (row.kind) {
    case 'dimension':
      return { name: `Dimension ${row.index}`, hint: '' }
    case 'call':
      return { name: 'step', hint: row.of === 1 ? '' : `${row.index + 1} of ${row.of}` }
    case 'composite':
      return { name: 'leads to', hint: '' }
    case 'slot':
      return { name: `slot ${row.slot}`, hint: row.label }
    case 'condition':
      return { name: 'Condition', hint: '' }
  }
}

/** The fields of one line. */
function RowContent({
  row,
  problems,
  describedBy,
  readOnly,
}: {
  row: Row
  problems: readonly Problem[] | undefined
  describedBy: string
  readOnly: boolean
}) {
  const { document: store } = useCurrentSession()
  const type = (label: string, field: string, command: (document: StudioDocument) => StudioDocument) =>
    store.edit(label, command, { merge: `${row.key}/${field}` })
  const shared = { problems, describedBy, readOnly }

  switch (row.kind) {
    case 'dimension':
      return <DimensionSummary row={row} />
    case 'call':
    case 'condition': {
      const { at } = row
      const call = row.kind === 'call' ? row.call : row.entry.condition
      if ((at.kind !== 'call' && at.kind !== 'condition') || call === null) return null
      return (
        <CallFields
          {...shared}
          at={at}
          label={row.kind === 'call' ? `Transformation ${row.index + 1}` : 'Condition'}
          call={call}
        />
      )
    }
    case 'composite': {
      const { at } = row
      if (at.kind !== 'composite' || (readOnly && row.name === '')) return <Scalar />
      return (
        <NameField
          of="connector"
          value={row.name}
          onText={(name) => type('Choose connector', 'name', (d) => setComposite(d, { ...at, name }))}
          wrong={problems?.some(({ severity }) => severity === 'error')}
          readOnly={readOnly}
          placeholder="nothing: a scalar"
          aria-label="Connector this dimension leads to"
          aria-describedby={problems ? describedBy : undefined}
          data-field
          className="w-56 max-w-full font-medium"
        />
      )
    }
    case 'slot': {
      const { at } = row
      if (at.kind !== 'binding') return null
      const set = (name: string) =>
        type('Fill slot', 'name', (d) => (name === '' ? unbindSlot(d, at) : bindSlot(d, { ...at, name })))
      return (
        <NameField
          of="connector"
          value={row.binding?.name ?? ''}
          onText={set}
          wrong={problems?.some(({ severity }) => severity === 'error')}
          readOnly={readOnly}
          placeholder="open"
          aria-label={`Connector that fills slot ${row.slot}${row.label ? `, ${row.label}` : ''}`}
          aria-describedby={problems ? describedBy : undefined}
          data-field
          className="w-56 max-w-full"
        />
      )
    }
  }
}

function Scalar() {
  return <span className="text-ink-soft text-sm">nothing: a scalar</span>
}

/** What a dimension does, in one line, so that it can be closed. */
function DimensionSummary({ row }: { row: Extract<Row, { kind: 'dimension' }> }) {
  const { calls, composite } = row.dimension
  const chain = calls.map(({ name }) => name || '…').join(' → ')
  return (
    <span className="mono min-w-0 flex-1 basis-28 truncate text-ink-soft text-sm">
      {chain || 'constant at its start value'}
      {composite === '' ? '' : ` ⇢ ${composite}`}
    </span>
  )
}

/** The name of a transformation or condition and a field for each argument it takes. */
function CallFields({
  label,
  call,
  problems,
  describedBy,
  readOnly,
  at,
}: {
  /** Accessible name of the name field. */
  label: string
  call: { readonly name: string; readonly args: readonly string[] }
  problems: readonly Problem[] | undefined
  describedBy: string
  readOnly: boolean
  at: CallRef
}) {
  const { document: store } = useCurrentSession()
  const entry = useSession(({ document }) => document.entries.find(({ id }) => id === at.entryId))
  const of = at.kind === 'call' ? 'transformation' : 'condition'
  const phrase = useSession(({ parts }) => (of === 'transformation' ? phraseIn(parts, call.name) : undefined))
  const takes = useSession(({ parts }) =>
    call.name === '' ? undefined : argsCountOfPart(parts.find(of, call.name)),
  )
  const shown = Math.min(Math.max(call.args.length, takes ?? 0), MAX_ARGUMENT_FIELDS)
  const { name, argument, extra, dropExtra } = callFields(store.edit, at, call, takes, problems)
  const shared = { readOnly, 'aria-describedby': problems ? describedBy : undefined }
  const nameProps = {
    ...shared,
    ...name,
    'aria-label': label,
    'data-field': true,
    className:
      'w-44 max-w-full font-medium read-only:w-auto read-only:min-w-44 read-only:[field-sizing:content]',
  }
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-1.5">
      {of === 'condition' || readOnly ? (
        <NameField of={of} {...nameProps} />
      ) : (
        <CallNameField at={at} edit={store.edit} call={call} {...nameProps} />
      )}
      {Array.from({ length: shown }, (_, index) => {
        const number = argument(index)
        return (
          <LiveNumber
            // biome-ignore lint/suspicious/noArrayIndexKey: an argument is its index
            key={index}
            {...shared}
            {...number}
            knob={entry?.kind === 'connector' ? knobAt(entry, number.at.target) : undefined}
            caption={phrase?.args[index]?.name}
            aria-label={`Argument ${index + 1} of ${call.name || label}`}
          />
        )
      })}
      {extra > 0 && !readOnly ? (
        <Button look="link" size="small" onClick={dropExtra}>
          Drop {extra === 1 ? 'the last one' : `the last ${extra}`}
        </Button>
      ) : null}
      {takes === 0 && shown === 0 ? <span className="text-ink-soft text-sm">no arguments</span> : null}
    </span>
  )
}
