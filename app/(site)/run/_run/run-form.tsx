'use client'

import { useId, useState } from 'react'
import { type RunLink, writeStarts } from '#lib/protocol/run-link.ts'
import type { StartLine } from '#lib/protocol/running-instance.ts'
import { writeSlots } from '#lib/protocol/world-slots.ts'
import { readTypedStarts, typedStartsOf } from '#lib/studio/runs/typed-starts.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { HiddenField, NumberField } from '#lib/ui/kit/field.tsx'
import { StartFields } from '#lib/ui/run/start-fields.tsx'
import { MAX_PARTICLES, MIN_PARTICLES } from '#lib/views/run.ts'

/** The form for another run of the connector; works without a script. */
export function RunForm({
  link,
  starts,
  executable,
}: {
  link: RunLink
  starts: { readonly lines: readonly StartLine[]; readonly more: boolean } | undefined
  /** Whether it is published and a chain is configured. */
  executable: boolean
}) {
  const count = useId()
  const [typed, setTyped] = useState(() => typedStartsOf(link.dynamicRi))
  const read = readTypedStarts(typed)
  const listed = new Set(starts?.lines.map(({ position }) => position))
  const others = link.dynamicRi.filter(({ position }) => !listed.has(position))
  return (
    <form action={`/run/${encodeURIComponent(link.connector)}`} className="space-y-4">
      <div>
        <label htmlFor={count} className="block text-sm">
          Steps
        </label>
        <NumberField
          id={count}
          name="count"
          type="number"
          required
          min={MIN_PARTICLES}
          max={MAX_PARTICLES}
          defaultValue={link.count}
          className="mt-1 block w-32"
        />
      </div>
      {others.length > 0 ? <HiddenField name="ri" value={writeStarts(others)} /> : null}
      {link.world === undefined ? null : <HiddenField name="world" value={link.world} />}
      {link.slots ? <HiddenField name="slots" value={writeSlots(link.slots)} /> : null}
      {starts ? (
        <details open={link.dynamicRi.length > 0 || starts.lines.length <= 6}>
          <summary className="min-h-11 cursor-pointer py-2.5 font-medium text-sm">Starts</summary>
          <p className="pb-2 text-ink-soft text-sm">
            Where each voice begins, and how many of its steps it skips at first. What stays empty starts by
            itself.
          </p>
          <StartFields lines={starts.lines} more={starts.more} typed={typed} read={read} onTyped={setTyped} />
        </details>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look={link.block ? 'outline' : 'filled'} disabled={!read.ok}>
          Run
        </Button>
        {executable ? (
          <Button
            type="submit"
            name="at"
            value="newest"
            look={link.block ? 'filled' : 'outline'}
            disabled={!read.ok}
          >
            Run on chain
          </Button>
        ) : null}
      </div>
      {executable ? (
        <p className="text-ink-soft text-xs">
          A run on chain only reads: no transaction, no fee, no account. The result is pinned to its block,
          and anybody can verify it.
        </p>
      ) : null}
    </form>
  )
}
