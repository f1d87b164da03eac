'use client'

import { Lock } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { formatInteger } from '#lib/browser/format.ts'
import type { StartLine } from '#lib/protocol/running-instance.ts'
import {
  type ReadStarts,
  type TypedStart,
  type TypedStarts,
  withTypedStart,
} from '#lib/studio/runs/typed-starts.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { NumberField } from '#lib/ui/kit/field.tsx'

const AT_FIRST = 12

/**
 * Start and shift of each position, as the tree of the connector. Values fixed by the piece are read-only.
 *
 * @param more Whether the connector has positions beyond `lines`.
 */
export function StartFields({
  lines,
  more,
  typed,
  read,
  onTyped,
}: {
  lines: readonly StartLine[]
  more: boolean
  typed: TypedStarts
  read: ReadStarts
  onTyped: (typed: TypedStarts) => void
}) {
  const [most, setMost] = useState(AT_FIRST)
  const shownLines = lines.filter(({ position }, index) => index < most || typed.has(position))
  return (
    <div>
      <StartsTable>
        {shownLines.map((line) => (
          <Line
            key={line.position}
            line={line}
            fields={typed.get(line.position)}
            problem={read.ok ? undefined : read.problems.get(line.position)}
            onField={(change) => onTyped(withTypedStart(typed, line.position, change))}
          />
        ))}
      </StartsTable>
      {lines.length > most ? (
        <Button className="scripted mt-3" onClick={() => setMost(most * 4)}>
          Show more starts
        </Button>
      ) : more ? (
        <p className="mt-2 text-ink-soft text-xs">
          These are the first {formatInteger(lines.length)} starts; the API takes the others, too.
        </p>
      ) : null}
    </div>
  )
}

/** A table of positions, each with its start and its shift. */
export function StartsTable({ children }: { children: ReactNode }) {
  return (
    <table className="w-full text-sm">
      <thead>
        <tr className="text-left text-ink-soft text-xs">
          <th scope="col" className="py-1 pr-2 font-normal">
            <span className="sr-only">Number</span>
            <span aria-hidden="true">No.</span>
          </th>
          <th scope="col" className="py-1 pr-2 font-normal">
            Voice
          </th>
          <th scope="col" className="py-1 pr-2 font-normal">
            Start
          </th>
          <th scope="col" className="py-1 font-normal">
            Skips
          </th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

function Line({
  line,
  fields,
  problem,
  onField,
}: {
  line: StartLine
  fields: TypedStart | undefined
  problem: string | undefined
  onField: (change: Partial<TypedStart>) => void
}) {
  const { position, path, depth, name, leadsTo, otherwise, locked } = line
  const notes = useId()
  const called = position === 0 ? 'the whole piece' : name
  const shared = {
    placeholder: fields ? '0' : undefined,
    'aria-invalid': problem !== undefined,
    'aria-describedby': problem ? notes : undefined,
  }
  return (
    <>
      <tr className="border-line border-t align-baseline">
        <th scope="row" className="mono py-1 pr-2 text-left font-normal text-ink-soft text-xs">
          {position}
        </th>
        <td className="py-1 pr-2">
          <span
            className="mono text-sm [overflow-wrap:anywhere]"
            style={{ paddingLeft: `${Math.min(depth, 6)}rem` }}
            title={path || undefined}
          >
            {position === 0 ? <span className="font-sans">the whole piece</span> : name}
            {leadsTo === '' ? null : <span className="text-ink-soft"> ⇢ {leadsTo}</span>}
          </span>
        </td>
        {locked ? (
          <td colSpan={2} className="mono py-2 text-ink-soft text-sm">
            <Lock className="mr-1.5 inline size-3.5 align-baseline" aria-hidden="true" />
            {formatInteger(otherwise.startPoint)}
            {otherwise.transformationShift === 0
              ? ''
              : `, skips ${formatInteger(otherwise.transformationShift)}`}
            <span className="font-sans text-xs"> fixed by the piece</span>
          </td>
        ) : (
          <>
            <td className="py-1 pr-2">
              <StartInput
                {...shared}
                placeholder={shared.placeholder ?? String(otherwise.startPoint)}
                name={`start.${position}`}
                value={fields?.start ?? ''}
                onText={(start) => onField({ start })}
                aria-label={`Start of ${called}, number ${position}`}
              />
            </td>
            <td className="py-1">
              {position === 0 ? null : (
                <StartInput
                  {...shared}
                  placeholder={shared.placeholder ?? String(otherwise.transformationShift)}
                  name={`shift.${position}`}
                  value={fields?.shift ?? ''}
                  onText={(shift) => onField({ shift })}
                  aria-label={`Steps that ${called} skips at first, number ${position}`}
                  narrow
                />
              )}
            </td>
          </>
        )}
      </tr>
      {problem === undefined ? null : (
        <tr>
          <td />
          <td colSpan={3} id={notes} role="alert" className="pb-2 text-madder text-sm">
            {problem}
          </td>
        </tr>
      )}
    </>
  )
}

function StartInput({
  value,
  onText,
  narrow = false,
  ...rest
}: {
  value: string
  onText: (text: string) => void
  narrow?: boolean
  name: string
  placeholder: string
  'aria-label': string
  'aria-invalid': boolean
  'aria-describedby': string | undefined
}) {
  return (
    <NumberField
      look="small"
      maxLength={40}
      {...rest}
      value={value}
      onText={onText}
      className={narrow ? 'w-16' : 'w-24 sm:w-28'}
    />
  )
}
