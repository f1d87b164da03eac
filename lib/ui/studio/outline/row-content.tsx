'use client'

import { useStudio } from '../context.tsx'
import { setCallArgument, setCallArguments, setCallName } from '../document/commands/calls.ts'
import { setCondition, setConditionArgument, setConditionName } from '../document/commands/condition.ts'
import { bindSlot, setComposite, unbindSlot } from '../document/commands/dimensions.ts'
import type { Problem } from '../document/problem.ts'
import type { StudioDocument } from '../document/types.ts'
import { CallFields } from './call-fields.tsx'
import { NameField } from './fields.tsx'
import type { Row } from './rows.ts'

/** The fields of one line. Typing in a field is one step of undo. */
export function RowContent({
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
  const { store } = useStudio()
  const type = (label: string, field: string, command: (document: StudioDocument) => StudioDocument) =>
    store.edit(label, command, { merge: `${row.key}/${field}` })
  const shared = { problems, describedBy, readOnly }

  switch (row.kind) {
    case 'dimension':
      return <DimensionSummary row={row} />
    case 'call': {
      const { at } = row
      if (at.kind !== 'call') return null
      return (
        <CallFields
          {...shared}
          kind="transformation"
          label={`Transformation ${row.index + 1}`}
          call={row.call}
          onName={(name) => type('Choose transformation', 'name', (d) => setCallName(d, { ...at, name }))}
          onArgument={(index, text) =>
            type('Change argument', `args/${index}`, (d) => setCallArgument(d, { ...at, index, text }))
          }
          onArguments={(args) => store.edit('Drop arguments', (d) => setCallArguments(d, { ...at, args }))}
        />
      )
    }
    case 'condition': {
      const { condition, id: entryId } = row.entry
      if (condition === null) return null
      return (
        <CallFields
          {...shared}
          kind="condition"
          label="Condition"
          call={condition}
          onName={(name) => type('Choose condition', 'name', (d) => setConditionName(d, { entryId, name }))}
          onArgument={(index, text) =>
            type('Change argument', `args/${index}`, (d) => setConditionArgument(d, { entryId, index, text }))
          }
          onArguments={(args) =>
            store.edit('Drop arguments', (d) =>
              setCondition(d, { entryId, condition: { ...condition, args } }),
            )
          }
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
    <span className="mono min-w-0 truncate text-ink-soft text-sm">
      {chain || 'constant at its start value'}
      {composite === '' ? '' : ` ⇢ ${composite}`}
    </span>
  )
}
