'use client'

import { Play, Square, Star } from 'lucide-react'
import type { ComponentProps } from 'react'
import type { Variation } from '#lib/studio/explore/messages.ts'
import { Button } from '#lib/ui/kit/button.tsx'

const MAX_CHANGES = 6

/** Bar of the variation in front, with its actions. */
export function VariationBar({
  variation,
  words,
  changes,
  isKept,
  isMarked,
  marked,
  isHeard,
  onOpen,
  onHear,
  onKeep,
  onMoreLike,
  onMark,
  onBreed,
}: {
  variation: Variation
  /** Its difference from the first one. */
  words: readonly string[]
  changes: readonly string[]
  isKept: boolean
  isMarked: boolean
  /** Chosen to breed: two at most. */
  marked: readonly Variation[]
  /** Whether it sounds. */
  isHeard: boolean
  onHear: () => void
  onOpen: () => void
  onKeep: () => void
  onMoreLike: () => void
  onMark: () => void
  onBreed: () => void
}) {
  const more = changes.length - MAX_CHANGES
  return (
    <div className="border-line border-t px-3 py-2">
      <p className="truncate text-xs">
        <span className="font-semibold">
          {variation.index === 0 ? 'Your piece' : `Number ${variation.index}`}
        </span>
        <span className="text-ink-soft">: {words.join(', ')}</span>
      </p>
      <p className="mono h-5 truncate text-ink-soft text-xs" title={changes.join('\n')}>
        {changes.length === 0 ? 'nothing is changed' : changes.slice(0, MAX_CHANGES).join(' · ')}
        {more > 0 ? ` · and ${more} more` : ''}
      </p>
      <div className="mt-1.5 flex flex-wrap gap-1.5">
        <Command keys="Enter" look="filled" onClick={onOpen}>
          Open
        </Command>
        <Command keys="Space" onClick={onHear}>
          {isHeard ? (
            <Square className="size-4 fill-current" aria-hidden="true" />
          ) : (
            <Play className="size-4 fill-current" aria-hidden="true" />
          )}
          {isHeard ? 'Stop' : 'Hear it'}
        </Command>
        <Command keys="S" onClick={onKeep} disabled={isKept}>
          <Star className={`size-4 ${isKept ? 'fill-weld text-weld' : ''}`} aria-hidden="true" />
          {isKept ? 'Kept' : 'Keep'}
        </Command>
        <Command keys="M" onClick={onMoreLike}>
          More like this
        </Command>
        <Command keys="B" onClick={onMark} aria-pressed={isMarked}>
          {isMarked ? 'Chosen' : 'Choose'}
        </Command>
        <Command keys="Shift B" onClick={onBreed} disabled={marked.length < 2}>
          {marked.length < 2
            ? `Breed (choose ${marked.length === 0 ? 'two' : 'one more'})`
            : `Breed ${marked.map(({ index }) => index).join(' and ')}`}
        </Command>
      </div>
    </div>
  )
}

/** A button with its key in the hint. */
function Command({ keys, ...rest }: ComponentProps<typeof Button> & { keys: string }) {
  return (
    <Button
      size="small"
      title={keys}
      aria-keyshortcuts={keys.replace(' ', '+')}
      {...rest}
      className="aria-pressed:border-ink aria-pressed:bg-sunk"
    />
  )
}
