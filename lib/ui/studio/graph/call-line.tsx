'use client'

import type { Problem } from '../document/problem.ts'
import { NameField } from '../outline/fields.tsx'
import { ARGS_A_ROW, ARGS_BESIDE, fieldsOf, LINE_HEIGHT } from './model/sizes.ts'
import { SmallNumber } from './small-number.tsx'

/** A transformation or condition in a node: its name and a field for each argument it takes. */
export function CallLine({
  kind,
  call,
  takes,
  problems,
  editable,
  tabbable,
  marked,
  describedBy,
  onName,
  onArgument,
  onArguments,
}: {
  kind: 'transformation' | 'condition'
  call: { readonly name: string; readonly args: readonly string[] }
  takes: number | undefined
  problems: readonly Problem[]
  editable: boolean
  tabbable: boolean
  marked: boolean
  describedBy: string | undefined
  onName: (name: string) => void
  onArgument: (index: number, text: string) => void
  onArguments: (args: readonly string[]) => void
}) {
  const tabIndex = tabbable ? undefined : -1
  const fields = fieldsOf(call.args, takes)
  const extra = takes === undefined ? 0 : call.args.length - takes
  const argument = (index: number) => (
    <SmallNumber
      key={index}
      editable={editable}
      value={call.args[index] ?? ''}
      onText={(text) => onArgument(index, text)}
      wrong={
        problems.some(({ field }) => field?.name === 'args' && field.index === index) ||
        (extra > 0 && index >= takes!)
      }
      aria-label={`Argument ${index + 1} of ${call.name || kind}`}
      aria-describedby={describedBy}
      tabIndex={tabIndex}
    />
  )
  const rows = Math.ceil(Math.max(0, fields - ARGS_BESIDE) / ARGS_A_ROW)
  return (
    <div className="text-sm">
      <div className={`flex items-center gap-1.5 ${marked ? 'pr-7' : ''}`} style={{ height: LINE_HEIGHT }}>
        {editable ? (
          <NameField
            of={kind}
            value={call.name}
            onText={onName}
            wrong={problems.some(({ field, severity }) => field === undefined && severity === 'error')}
            aria-label={kind === 'condition' ? 'Condition' : 'Transformation'}
            aria-describedby={describedBy}
            tabIndex={tabIndex}
            placeholder={kind}
            data-field
            className="nodrag nopan min-h-[30px]! min-w-0 flex-1 font-medium"
          />
        ) : (
          <span className="mono min-w-0 flex-1 truncate font-medium">
            {kind === 'condition' ? <span className="text-ink-soft">if </span> : null}
            {call.name || '…'}
          </span>
        )}
        {range(0, Math.min(fields, ARGS_BESIDE)).map(argument)}
        {extra > 0 && editable ? (
          <button
            type="button"
            tabIndex={tabIndex}
            aria-label={`Drop the last ${extra === 1 ? 'argument' : `${extra} arguments`} of ${call.name}`}
            title={`${call.name} takes ${takes}: drop the last ${extra === 1 ? 'one' : extra}`}
            onClick={() => onArguments(call.args.slice(0, takes))}
            className="nodrag grid size-7 shrink-0 cursor-pointer place-items-center rounded-md border border-madder text-madder hover:bg-sunk"
          >
            −
          </button>
        ) : null}
      </div>
      {range(0, rows).map((row) => (
        <div key={row} className="flex items-center gap-1.5" style={{ height: LINE_HEIGHT }}>
          {range(ARGS_BESIDE + row * ARGS_A_ROW, Math.min(fields, ARGS_BESIDE + (row + 1) * ARGS_A_ROW)).map(
            argument,
          )}
        </div>
      ))}
    </div>
  )
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
}
