'use client'

import { useId, useState } from 'react'
import { counted, formatInteger } from '#lib/browser/format.ts'
import { plainNumber } from '#lib/browser/typed-number.ts'
import type { StartLine } from '#lib/protocol/running-instance.ts'
import type { ReadStarts, TypedStarts } from '#lib/studio/runs/typed-starts.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { NumberField } from '#lib/ui/kit/field.tsx'
import { StartFields } from '#lib/ui/run/start-fields.tsx'

const MAX_PARTICLES = 65_536

/** Field for the number of particles: any number, or one of the powers that are often wanted. */
export function CountField({ count, onCount }: { count: number; onCount: (count: number) => void }) {
  const id = useId()
  const [typed, setTyped] = useState<string>()
  const [limit, setLimit] = useState('')
  const commit = (text: string | undefined) => {
    setTyped(undefined)
    if (text === undefined) return
    const plain = plainNumber(text)
    const value = Number(plain === '' ? Number.NaN : plain)
    const most = formatInteger(MAX_PARTICLES)
    if (!Number.isInteger(value) || value < 1) return setLimit(`Type a whole number from 1 to ${most}.`)
    setLimit(value > MAX_PARTICLES ? `At most ${most} at once: that many are shown.` : '')
    onCount(Math.min(MAX_PARTICLES, value))
  }
  const change = (next: number) => {
    setLimit('')
    onCount(Math.floor(next))
  }
  return (
    <form
      className="flex flex-wrap items-center gap-2 py-1"
      onSubmit={(event) => {
        event.preventDefault()
        commit(typed)
      }}
    >
      <label className="flex items-center gap-2 text-sm">
        How many
        <NumberField
          look="small"
          value={typed ?? String(count)}
          aria-describedby={limit === '' ? undefined : id}
          onText={setTyped}
          onBlur={() => commit(typed)}
        />
      </label>
      {(
        [
          ['Half as many', '÷2', count / 2],
          ['Twice as many', '×2', count * 2],
        ] as const
      ).map(([label, sign, next]) => (
        <Button
          size="small"
          key={label}
          aria-label={label}
          disabled={next < 1 || next > MAX_PARTICLES}
          onClick={() => change(next)}
          className="mono min-w-9 px-0 font-normal touch:min-w-11"
        >
          {sign}
        </Button>
      ))}
      <p id={id} role="status" className={limit === '' ? 'sr-only' : 'w-full text-madder text-xs'}>
        {limit}
      </p>
    </form>
  )
}

/** The starts of this run, collapsed by default. */
export function RunStarts({
  starts,
  typed,
  read,
  onTyped,
}: {
  /** Undefined while the tree is not known. */
  starts: { readonly lines: readonly StartLine[]; readonly more: boolean } | undefined
  typed: TypedStarts
  read: ReadStarts
  onTyped: (typed: TypedStarts) => void
}) {
  return (
    <details className="border-line border-b">
      <summary className="min-h-11 cursor-pointer py-2.5 text-sm">
        Starts of this run: {typed.size === 0 ? 'none set' : counted(typed.size, 'start')}
        {read.ok ? null : <span className="text-madder">, one is no number</span>}
      </summary>
      <div className="pb-4">
        {starts === undefined ? (
          <p className="text-ink-soft text-sm">They appear once everything that the piece plays is known.</p>
        ) : (
          <>
            <p className="pb-2 text-ink-soft text-sm">
              For trying out: these go with the run, not into the piece.
            </p>
            <StartFields
              lines={starts.lines}
              more={starts.more}
              typed={typed}
              read={read}
              onTyped={onTyped}
            />
          </>
        )}
      </div>
    </details>
  )
}
