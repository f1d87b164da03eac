'use client'

import { type CSSProperties, useEffect, useId, useState } from 'react'
import { type WholeRange, within } from '../../../protocol/world-manifest.ts'
import { formatInteger } from '../../components/format.ts'

/** What a slider can still set step by step. */
const SLIDES = 512

/** How many steps a World draws, typed or slid, within its range. */
export function StepCount({
  count,
  range,
  onCount,
}: {
  count: number
  range: WholeRange
  onCount: (count: number) => void
}) {
  const field = useId()
  const [text, setText] = useState(String(count))
  useEffect(() => setText(String(count)), [count])
  const top = Math.max(count, Math.min(range.max, Math.max(SLIDES, range.min)))
  const share = (Math.min(count, top) - range.min) / Math.max(1, top - range.min)
  const take = () => {
    const value = Number(text)
    const next = text.trim() !== '' && Number.isFinite(value) ? within(Math.round(value), range) : count
    setText(String(next))
    if (next !== count) onCount(next)
  }
  if (range.min === range.max) {
    return <p className="text-sm">This World draws {formatInteger(range.min)} steps.</p>
  }
  return (
    <div>
      <div className="flex items-end justify-between gap-4">
        <label htmlFor={field} className="text-sm">
          Steps
          <span className="block text-ink-soft text-xs">
            {formatInteger(range.min)} to {formatInteger(range.max)}
          </span>
        </label>
        <input
          id={field}
          name="count"
          inputMode="numeric"
          autoComplete="off"
          maxLength={8}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            take()
          }}
          className="mono min-h-11 w-28 rounded-md border border-edge bg-raised px-3 text-right text-sm"
        />
      </div>
      <input
        type="range"
        aria-label="Steps, by slider"
        min={range.min}
        max={top}
        value={Math.min(count, top)}
        onChange={(event) => onCount(event.currentTarget.valueAsNumber)}
        className="shuttle scripted mt-2 w-full"
        style={{ '--fill': `${share * 100}%` } as CSSProperties}
      />
    </div>
  )
}
