'use client'

import { type PointerEvent, useRef, useState } from 'react'
import { plainNumber } from '#lib/browser/typed-number.ts'
import { TEMPO } from '#lib/protocol/sound-limits.ts'
import type { Source } from '#lib/studio/sound/transport.ts'
import { NumberField } from '#lib/ui/kit/field.tsx'

const PIXELS_PER_BEAT = 3
/** Smaller movements are a click, which puts the cursor into the field. */
const DRAG_FROM = 4

/** Beats a minute: drag it up and down, type it, or use the arrow keys (with Shift ten at a time). */
export function TempoField({
  source,
  bpm,
  className = 'flex',
}: {
  source: Source
  bpm: number
  className?: string
}) {
  /** Typed text, while it is no tempo or the field has the focus. */
  const [typed, setTyped] = useState<string>()
  const drag = useRef<{ readonly y: number; readonly bpm: number; moved: boolean }>(undefined)
  const set = (next: number) => {
    const within = Math.min(TEMPO.max, Math.max(TEMPO.min, next))
    if (within !== bpm) source.onSound('Change tempo', (sound) => ({ ...sound, bpm: within }), 'sound/bpm')
  }
  const onPointerMove = (event: PointerEvent<HTMLInputElement>) => {
    const began = drag.current
    if (began === undefined) return
    const way = began.y - event.clientY
    if (!began.moved && Math.abs(way) < DRAG_FROM) return
    began.moved = true
    event.preventDefault()
    set(Math.round(began.bpm + way / PIXELS_PER_BEAT))
  }
  return (
    <label className={`${className} shrink-0 items-center gap-1.5`}>
      <NumberField
        look="small"
        inputMode="decimal"
        role="spinbutton"
        aria-label="Tempo, beats a minute"
        aria-valuemin={TEMPO.min}
        aria-valuemax={TEMPO.max}
        aria-valuenow={bpm}
        title="Drag, type, or use the arrow keys"
        value={typed ?? String(Math.round(bpm * 10) / 10)}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value)
          const plain = plainNumber(value).replace(/[,٫]/, '.')
          const number = Number(plain)
          if (plain !== '' && number >= TEMPO.min && number <= TEMPO.max) set(number)
        }}
        onBlur={() => setTyped(undefined)}
        onKeyDown={(event) => {
          const way = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
          if (event.key === 'Enter') setTyped(undefined)
          if (way === 0) return
          event.preventDefault()
          setTyped(undefined)
          set(Math.round(bpm) + way * (event.shiftKey ? 10 : 1))
        }}
        onPointerDown={(event) => {
          drag.current = { y: event.clientY, bpm, moved: false }
          event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerMove={onPointerMove}
        onPointerUp={() => {
          drag.current = undefined
        }}
        onPointerCancel={() => {
          drag.current = undefined
        }}
        className="w-14 cursor-ns-resize touch-none focus:cursor-text"
      />
      <span className="text-ink-soft text-xs">bpm</span>
    </label>
  )
}
