'use client'

import { useStudio } from '../context.tsx'
import { argsCountOfPart } from '../document/call-problems.ts'
import type { Problem } from '../document/problem.ts'
import { NameField, NumberField } from './fields.tsx'

/** The name of a transformation or condition and a field for each argument it takes. */
export function CallFields({
  kind,
  label,
  call,
  problems,
  describedBy,
  readOnly,
  onName,
  onArgument,
  onArguments,
}: {
  kind: 'transformation' | 'condition'
  /** What the name field is called for people who hear the page. */
  label: string
  call: { readonly name: string; readonly args: readonly string[] }
  problems: readonly Problem[] | undefined
  describedBy: string
  readOnly: boolean
  onName: (name: string) => void
  onArgument: (index: number, text: string) => void
  onArguments: (args: readonly string[]) => void
}) {
  const { parts } = useStudio()
  const takes = call.name === '' ? undefined : argsCountOfPart(parts.find(kind, call.name))
  const shown = Math.min(Math.max(call.args.length, takes ?? 0), 64)
  const extra = takes === undefined ? 0 : call.args.length - takes
  const wrongName = problems?.some(({ field, severity }) => field === undefined && severity === 'error')
  const wrongArgument = (index: number) =>
    problems?.some(({ field }) => field?.name === 'args' && field.index === index) ||
    (extra > 0 && index >= takes!)
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-1.5">
      <NameField
        of={kind}
        value={call.name}
        onText={onName}
        wrong={wrongName}
        readOnly={readOnly}
        aria-label={label}
        aria-describedby={problems ? describedBy : undefined}
        data-field
        className="w-44 max-w-full font-medium read-only:w-auto read-only:min-w-44 read-only:[field-sizing:content]"
      />
      {Array.from({ length: shown }, (_, index) => (
        <NumberField
          // biome-ignore lint/suspicious/noArrayIndexKey: an argument is its index
          key={index}
          value={call.args[index] ?? ''}
          onText={(text) => onArgument(index, text)}
          wrong={wrongArgument(index)}
          readOnly={readOnly}
          aria-label={`Argument ${index + 1} of ${call.name || label}`}
          aria-describedby={problems ? describedBy : undefined}
        />
      ))}
      {extra > 0 && !readOnly ? (
        <button
          type="button"
          className="min-h-9 cursor-pointer rounded-md px-2 text-sm underline decoration-accent decoration-2 underline-offset-4 hover:text-accent"
          onClick={() => onArguments(call.args.slice(0, takes))}
        >
          Drop {extra === 1 ? 'the last one' : `the last ${extra}`}
        </button>
      ) : null}
      {takes === 0 && shown === 0 ? <span className="text-ink-soft text-sm">no arguments</span> : null}
    </span>
  )
}
