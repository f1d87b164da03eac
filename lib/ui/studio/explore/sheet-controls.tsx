'use client'

import { Dices } from 'lucide-react'
import { useState } from 'react'
import { readNumber, UINT32 } from '#lib/browser/typed-number.ts'
import type { SheetQuestion } from '#lib/studio/explore/messages.ts'
import type { Locks } from '#lib/studio/explore/mutate.ts'
import { Button } from '#lib/ui/components/button.tsx'
import { SORTINGS, type Sorting } from './sorting.ts'

const SIZES = [16, 64, 256] as const
const LOCKS: readonly { readonly lock: keyof Locks; readonly label: string }[] = [
  { lock: 'starts', label: 'starts' },
  { lock: 'arguments', label: 'arguments' },
  { lock: 'order', label: 'order' },
]

const field = 'min-h-9 rounded-md border border-edge bg-raised px-2 text-sm pointer-coarse:min-h-11'

/** What a sheet is made of and how it is sorted. */
export function SheetControls({
  question,
  sorting,
  onSorting,
  onQuestion,
  onAgain,
}: {
  question: SheetQuestion
  sorting: Sorting
  onSorting: (sorting: Sorting) => void
  onQuestion: (change: Partial<SheetQuestion>) => void
  onAgain: () => void
}) {
  const { size, seed, locks, parents } = question
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 border-line border-b px-3 py-1.5 text-sm">
      <label className="flex items-center gap-1.5">
        Show
        <select
          value={size}
          onChange={(event) => onQuestion({ size: Number(event.currentTarget.value) })}
          className={field}
        >
          {SIZES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <label className="flex items-center gap-1.5">
        Sort by
        <select
          value={sorting}
          onChange={(event) => {
            const chosen = SORTINGS.find((one) => one.sorting === event.currentTarget.value)
            if (chosen) onSorting(chosen.sorting)
          }}
          className={field}
        >
          {SORTINGS.map((one) => (
            <option key={one.sorting} value={one.sorting}>
              {one.label}
            </option>
          ))}
        </select>
      </label>
      <fieldset className="flex items-center gap-2.5">
        <legend className="float-left contents">Lock</legend>
        {LOCKS.map(({ lock, label }) => (
          <label
            key={lock}
            className="flex min-h-9 cursor-pointer items-center gap-1 pointer-coarse:min-h-11"
          >
            <input
              type="checkbox"
              checked={locks[lock]}
              onChange={(event) => onQuestion({ locks: { ...locks, [lock]: event.currentTarget.checked } })}
              className="size-4 accent-accent"
            />
            {label}
          </label>
        ))}
      </fieldset>
      <div className="flex items-center gap-1.5">
        <SeedField seed={seed} onSeed={(next) => onQuestion({ seed: next })} />
        <Button size="small" onClick={onAgain}>
          <Dices className="size-4" aria-hidden="true" />
          Again
        </Button>
      </div>
      {parents.length === 0 ? null : (
        <Button look="link" size="small" onClick={() => onQuestion({ parents: [] })}>
          Back to what is open
        </Button>
      )}
    </div>
  )
}

/** The seed, typed; a new one is taken when typing has ended. */
function SeedField({ seed, onSeed }: { seed: number; onSeed: (seed: number) => void }) {
  const [typed, setTyped] = useState<string>()
  const read = typed === undefined ? undefined : readNumber(typed, UINT32)
  const commit = () => {
    setTyped(undefined)
    if (read?.ok) onSeed(read.value)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        commit()
      }}
    >
      <label className="flex items-center gap-1.5">
        Seed
        <input
          inputMode="numeric"
          autoComplete="off"
          value={typed ?? String(seed)}
          aria-invalid={read?.ok === false}
          title={read?.ok === false ? read.sentence : 'The same seed draws the same variations'}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={commit}
          className={`mono w-20 text-right ${field}`}
        />
      </label>
    </form>
  )
}
