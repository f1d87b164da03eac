'use client'

import { type KeyboardEvent, useRef } from 'react'
import { setNumber } from '#lib/studio/document/commands/knobs.ts'
import type { StudioStore } from '#lib/studio/document/store.ts'
import type { Id } from '#lib/studio/document/types.ts'
import { Press } from '#lib/ui/kit/button.tsx'
import type { Beat } from './rows.ts'

/** One turn of a rhythm that a single function makes, as it is heard; a press on a step begins the rhythm there. */
export function BeatStrip({
  beat,
  entryId,
  position,
  index,
  edit,
  readOnly,
}: {
  beat: Beat
  entryId: Id
  /** Position of the start of its voice. */
  position: number
  /** Index of its voice. */
  index: number
  edit: StudioStore['edit']
  readOnly: boolean
}) {
  const strip = useRef<HTMLSpanElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    event.stopPropagation()
    const steps = [...(strip.current?.querySelectorAll<HTMLElement>('button') ?? [])]
    steps[steps.indexOf(document.activeElement as HTMLElement) + by]?.focus()
  }
  const begin = (value: number) =>
    edit('Set start', (document) =>
      setNumber(document, { entryId, target: { kind: 'start', position } }, String(value)),
    )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a line
    <span
      ref={strip}
      role="group"
      aria-label={`Rhythm of voice ${index + 1}`}
      onKeyDown={onKeyDown}
      className="flex w-full flex-wrap gap-0.5 pb-1"
    >
      {beat.map(({ value, on }, place) => (
        <Press // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
          key={place}
          disabled={readOnly}
          tabIndex={place === 0 ? 0 : -1}
          aria-label={`Begin at step ${place + 1}, ${on ? 'a hit' : 'a rest'}`}
          title="Begin here"
          onClick={() => begin(value)}
          className={`size-5 rounded-sm border touch:size-7 [&:nth-child(4n)]:mr-1 ${readOnly ? 'cursor-default' : 'hover:border-ink'} ${on ? 'border-(--voice) bg-[color-mix(in_oklab,var(--voice)_42%,var(--color-raised))] forced-colors:bg-[Highlight]' : 'border-line bg-sunk'}`}
        />
      ))}
    </span>
  )
}
