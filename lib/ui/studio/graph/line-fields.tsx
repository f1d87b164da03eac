'use client'

import { setCallArgument, setCallArguments, setCallName } from '../document/commands/calls.ts'
import { setCondition, setConditionArgument, setConditionName } from '../document/commands/condition.ts'
import { setRunningInstance } from '../document/commands/running-instances.ts'
import type { DraftRunningInstance } from '../document/types.ts'
import { CallLine } from './call-line.tsx'
import { CommittedField } from './committed-field.tsx'
import { useGraphTools } from './graph-context.ts'
import { link } from './model/commands.ts'
import type { Line } from './model/lines.ts'
import { LINE_HEIGHT } from './model/sizes.ts'
import { SmallNumber } from './small-number.tsx'

/** What a line says, in fields where it can be changed. */
export function LineFields({
  line,
  editable,
  tabbable,
  marked,
  describedBy,
}: {
  line: Line
  editable: boolean
  tabbable: boolean
  /** Leaves room at the right of its first row for a mark. */
  marked: boolean
  describedBy: string | undefined
}) {
  const { edit, toggleSlots } = useGraphTools()
  const tabIndex = tabbable ? undefined : -1
  const wrong = line.problems.some(({ field, severity }) => field === undefined && severity === 'error')
  const shared = { editable, tabbable, marked, describedBy, problems: line.problems }

  switch (line.kind) {
    case 'dimension':
      return (
        <Row marked={marked}>
          <span className="font-semibold">Dimension {line.index}</span>
          {line.scalar ? <span className="ml-auto pr-3 text-ink-soft">scalar</span> : null}
        </Row>
      )
    case 'call': {
      const { at } = line
      if (at.kind !== 'call') return null
      return (
        <CallLine
          {...shared}
          kind="transformation"
          call={line.call}
          takes={line.takes}
          onName={(name) =>
            edit('Choose transformation', (d) => setCallName(d, { ...at, name }), {
              merge: `${line.key}/name`,
            })
          }
          onArgument={(index, text) =>
            edit('Change argument', (d) => setCallArgument(d, { ...at, index, text }), {
              merge: `${line.key}/args/${index}`,
            })
          }
          onArguments={(args) => edit('Drop arguments', (d) => setCallArguments(d, { ...at, args }))}
        />
      )
    }
    case 'condition': {
      const { condition } = line
      const { entryId } = line.at
      return (
        <CallLine
          {...shared}
          kind="condition"
          call={condition}
          takes={line.takes}
          onName={(name) =>
            edit('Choose condition', (d) => setConditionName(d, { entryId, name }), {
              merge: `${line.key}/name`,
            })
          }
          onArgument={(index, text) =>
            edit('Change argument', (d) => setConditionArgument(d, { entryId, index, text }), {
              merge: `${line.key}/args/${index}`,
            })
          }
          onArguments={(args) =>
            edit('Drop arguments', (d) => setCondition(d, { entryId, condition: { ...condition, args } }))
          }
        />
      )
    }
    case 'composite':
    case 'slot': {
      const { at } = line
      if (at.kind !== 'composite' && at.kind !== 'binding') return null
      const slot = line.kind === 'slot'
      return (
        <Row marked={marked}>
          <span className="w-20 shrink-0 truncate text-ink-soft" title={slot ? line.label : undefined}>
            {slot ? `slot ${line.slot}` : 'leads to'}
          </span>
          {editable ? (
            <CommittedField
              of="connector"
              value={line.name}
              onCommit={(name) => edit(slot ? 'Fill slot' : 'Choose connector', (d) => link(d, at, name))}
              wrong={wrong}
              placeholder={slot ? 'open' : 'nothing'}
              aria-label={
                slot ? `Connector that fills slot ${line.slot}` : 'Connector this dimension leads to'
              }
              aria-describedby={describedBy}
              tabIndex={tabIndex}
              data-field
              className="nodrag nopan min-h-[30px]! min-w-0 flex-1"
            />
          ) : (
            <span className="mono min-w-0 truncate pr-3">{line.name || (slot ? 'open' : 'nothing')}</span>
          )}
        </Row>
      )
    }
    case 'slots': {
      const text = `${line.amount} more open ${line.amount === 1 ? 'slot' : 'slots'}`
      return (
        <Row marked={marked}>
          {editable ? (
            <button
              type="button"
              tabIndex={tabIndex}
              data-field
              className="nodrag min-h-[30px] cursor-pointer text-ink-soft underline decoration-edge underline-offset-4 hover:text-accent"
              onClick={() => toggleSlots(line.key.slice('slots '.length))}
            >
              {text}
            </button>
          ) : (
            <span className="text-ink-soft">{text}</span>
          )}
        </Row>
      )
    }
    case 'start': {
      const { at, instance } = line
      const set = (field: 'startPoint' | 'transformationShift') => (text: string) => {
        const change: Partial<DraftRunningInstance> = { [field]: text }
        edit('Set start', (d) => setRunningInstance(d, { entryId: at.entryId, ...instance, ...change }), {
          merge: `start/${at.entryId}/${instance.position}/${field}`,
        })
      }
      const field = (which: 'startPoint' | 'transformationShift', name: string) => (
        <SmallNumber
          value={instance[which]}
          onText={set(which)}
          editable={editable}
          wrong={line.problems.some((problem) => problem.field?.name === which)}
          aria-label={`${name} at position ${instance.position}${line.label === '' ? '' : `, ${line.label}`}`}
          aria-describedby={describedBy}
          tabIndex={tabIndex}
          data-field
        />
      )
      return (
        <Row marked={marked}>
          <span className="mono min-w-0 flex-1 truncate text-ink-soft" title={line.label}>
            {instance.position} {line.label}
          </span>
          <span className="shrink-0 text-ink-soft">from</span>
          {field('startPoint', 'Start')}
          {instance.position === 0 ? null : (
            <>
              <span className="shrink-0 text-ink-soft">shift</span>
              {field('transformationShift', 'Shift')}
            </>
          )}
        </Row>
      )
    }
    case 'more':
      return (
        <Row marked={marked}>
          <span className="text-ink-soft">{line.amount} more dimensions, in its outline</span>
        </Row>
      )
  }
}

function Row({ marked, children }: { marked: boolean; children: React.ReactNode }) {
  return (
    <div
      className={`flex items-center gap-1.5 text-sm ${marked ? 'pr-7' : ''}`}
      style={{ height: LINE_HEIGHT }}
    >
      {children}
    </div>
  )
}
