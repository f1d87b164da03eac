'use client'

import { useEffect, useId, useState } from 'react'
import { counted } from '#lib/browser/format.ts'
import { isEntityName } from '#lib/protocol/names.ts'
import type { BoundSet, BoundSlot, SlotChoice } from '#lib/protocol/world-slots.ts'
import { TextField } from '#lib/ui/kit/field.tsx'
import type { useSlots } from './use-slots.ts'

type SlotRun = ReturnType<typeof useSlots>['runs'] extends ReadonlyMap<string, infer R> ? R : never

/**
 * Source of each slot of a World that wants several connectors, and a field for another connector.
 *
 * @param primary Name of the connector that feeds the World as a whole.
 * @param offered Names of connectors to choose from.
 * @param onFeed Called with a choice; an empty name resets it.
 */
export function SlotFields({
  set,
  primary,
  runs,
  offered,
  onFeed,
}: {
  set: BoundSet
  primary: string
  runs: ReadonlyMap<string, SlotRun>
  offered: readonly string[]
  onFeed: (choice: SlotChoice) => void
}) {
  const list = useId()
  const { slots } = set
  return (
    <details open={slots.some(({ chosen }) => chosen) || undefined} className="@container text-sm">
      <summary className="min-h-11 cursor-pointer py-2.5 font-medium">
        {counted(slots.length, 'part')}, each with a piece
      </summary>
      <p className="pb-2 text-ink-soft">
        This World wants several pieces. An empty field leaves a part to{' '}
        <span className="mono [overflow-wrap:anywhere]">{primary}</span> where that has the values, else to
        the piece that the part is named after; an optional part then stays empty.
      </p>
      <datalist id={list}>
        {[...new Set([...slots.map(({ slot }) => slot), ...offered])].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <ul className="grid gap-x-6 gap-y-3 @md:grid-cols-2">
        {slots.map((slot) => (
          <li key={slot.slot}>
            <SlotField
              bound={slot}
              run={slot.connector && !slot.itself ? runs.get(slot.connector) : undefined}
              list={list}
              onFeed={onFeed}
            />
          </li>
        ))}
      </ul>
    </details>
  )
}

function SlotField({
  bound: { slot, optional, connector, itself, chosen },
  run,
  list,
  onFeed,
}: {
  bound: BoundSlot
  run: SlotRun | undefined
  list: string
  onFeed: (choice: SlotChoice) => void
}) {
  const field = useId()
  const now = chosen ? (connector ?? '') : ''
  const [text, setText] = useState(now)
  useEffect(() => setText(now), [now])
  const name = text.trim()
  const wrong = name !== '' && !isEntityName(name)
  const take = () => {
    if (!wrong && name !== now) onFeed({ slot, connector: name })
  }
  return (
    <>
      <label htmlFor={field} className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="mono [overflow-wrap:anywhere]">{slot}</span>
        {optional ? <span className="text-ink-soft text-xs">optional</span> : null}
      </label>
      <TextField
        wrong={wrong}
        code
        id={field}
        list={list}
        value={text}
        placeholder={connector ?? 'nothing'}
        maxLength={128}
        aria-describedby={`${field}-said`}
        onText={setText}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          take()
        }}
        className="mt-1"
      />
      <p id={`${field}-said`} role="status" className="min-h-5 text-ink-soft text-xs">
        {wrong ? 'No piece can be called that.' : slotMessage({ connector, itself, run })}
      </p>
    </>
  )
}

function slotMessage({
  connector,
  itself,
  run,
}: {
  connector: string | undefined
  itself: boolean
  run: SlotRun | undefined
}): string {
  if (connector === undefined) return 'Nothing feeds it.'
  if (itself) return `Fed by ${connector} itself.`
  if (run === undefined) return `Running ${connector}…`
  if (run.state === 'particles') return `Fed by ${connector}, ${counted(run.paths, 'voice')}.`
  if (run.state === 'unknown') return `There is no piece ${connector}: nothing feeds it.`
  return 'message' in run ? `${run.message.replace(/\.?$/, '.')} Nothing feeds it.` : 'Nothing feeds it.'
}
