'use client'

import { Popover } from '@base-ui/react/popover'
import { Dices, SlidersHorizontal, X } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { readNumber, UINT32 } from '#lib/browser/typed-number.ts'
import type { SheetQuestion } from '#lib/studio/explore/messages.ts'
import type { Locks } from '#lib/studio/explore/mutate.ts'
import { FillScreen } from '#lib/ui/components/fill-screen.tsx'
import { Button } from '#lib/ui/kit/button.tsx'
import { Check } from '#lib/ui/kit/choice.tsx'
import { NumberField } from '#lib/ui/kit/field.tsx'
import { IconButton } from '#lib/ui/kit/icon-button.tsx'
import { Select } from '#lib/ui/kit/select.tsx'
import { SORTINGS, type Sorting } from './sorting.ts'

const SIZES = [16, 64, 256] as const
const LOCKS: readonly { readonly lock: keyof Locks; readonly label: string }[] = [
  { lock: 'starts', label: 'where it starts' },
  { lock: 'arguments', label: 'numbers' },
  { lock: 'order', label: 'order' },
]

/** The one row of a sheet: what it shows, its order, another draw, what stays, full screen, and the way out. */
export function SheetControls({
  frame,
  title,
  name,
  status,
  question,
  sorting,
  onSorting,
  onQuestion,
  onAgain,
  onClose,
}: {
  /** Element that fills the screen. */
  frame: RefObject<HTMLElement | null>
  /** Id of the heading. */
  title: string
  name: string
  status: string
  question: SheetQuestion
  sorting: Sorting
  onSorting: (sorting: Sorting) => void
  onQuestion: (change: Partial<SheetQuestion>) => void
  onAgain: () => void
  onClose: () => void
}) {
  return (
    <header className="flex items-center gap-1.5 border-line border-b px-3 py-1 text-sm">
      <h2 id={title} className="min-w-0 flex-1 truncate font-semibold">
        <span className="@max-2xl:sr-only">Variations of </span>
        {name}
      </h2>
      <p role="status" className="sr-only">
        {status}
      </p>
      {question.parents.length === 0 ? null : (
        <Button look="text" size="small" className="px-1" onClick={() => onQuestion({ parents: [] })}>
          Back to what is open
        </Button>
      )}
      <Select
        look="small"
        options={SORTINGS.map((one) => [one.sorting, one.label] as const)}
        onValue={onSorting}
        aria-label="Order"
        value={sorting}
        className="max-w-36"
      />
      <Button size="small" onClick={onAgain}>
        <Dices className="size-4" aria-hidden="true" />
        Again
      </Button>
      <Options frame={frame} question={question} onQuestion={onQuestion} />
      <FillScreen stage={frame} />
      <IconButton label="Leave variations" title="Leave (Esc)" onClick={onClose}>
        <X aria-hidden="true" />
      </IconButton>
    </header>
  )
}

/** Options of a sheet: the number of variations, the locks, and the seed by which they are drawn. */
function Options({
  frame,
  question: { size, seed, locks },
  onQuestion,
}: {
  frame: RefObject<HTMLElement | null>
  question: SheetQuestion
  onQuestion: (change: Partial<SheetQuestion>) => void
}) {
  return (
    <Popover.Root>
      <Popover.Trigger
        render={
          <IconButton label="What varies">
            <SlidersHorizontal aria-hidden="true" />
          </IconButton>
        }
      />
      {/* Within the frame, which may fill the screen. */}
      <Popover.Portal container={frame}>
        <Popover.Positioner align="end" sideOffset={6} collisionPadding={8} className="z-dialog">
          <Popover.Popup className="w-64 space-y-3 rounded-lg border border-edge bg-raised p-4 text-sm shadow-lg">
            <Popover.Title className="font-semibold">What varies</Popover.Title>
            <fieldset>
              <legend className="text-ink-soft">These stay as they are</legend>
              {LOCKS.map(({ lock, label }) => (
                <Check
                  key={lock}
                  onCheck={(checked) => onQuestion({ locks: { ...locks, [lock]: checked } })}
                  checked={locks[lock]}
                >
                  {label}
                </Check>
              ))}
            </fieldset>
            <label className="flex items-center justify-between gap-3">
              How many
              <Select
                look="small"
                options={SIZES.map((one) => [one, one] as const)}
                onValue={(next) => onQuestion({ size: next })}
                value={size}
              />
            </label>
            <SeedField seed={seed} onSeed={(next) => onQuestion({ seed: next })} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
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
      <label className="flex items-center justify-between gap-3">
        Seed
        <NumberField
          look="small"
          wrong={read?.ok === false}
          value={typed ?? String(seed)}
          title={read?.ok === false ? read.sentence : 'The same seed draws the same variations'}
          onText={setTyped}
          onBlur={commit}
          className="w-24"
        />
      </label>
    </form>
  )
}
