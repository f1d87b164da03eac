'use client'

import { ZoomIn, ZoomOut } from 'lucide-react'
import { type CSSProperties, useId } from 'react'
import { formatInteger } from '../../components/format.ts'
import { type Window, wholeWindow, zoom } from './window.ts'

const tool =
  'grid size-10 cursor-pointer place-items-center rounded-md transition-colors hover:bg-sunk disabled:cursor-default disabled:opacity-50 pointer-coarse:size-11'

/** Chooses one step, by pointer, keys or number, and how much around it is in sight. */
export function Scrubber({
  step,
  steps,
  window,
  onStep,
  onWindow,
}: {
  step: number
  steps: number
  window: Window
  onStep: (step: number) => void
  /** Absent where all steps are in sight anyway. */
  onWindow: ((window: Window) => void) | undefined
}) {
  const id = useId()
  const last = Math.max(0, steps - 1)
  const fill = { '--fill': `${(step / Math.max(1, last)) * 100}%` } as CSSProperties
  const whole = window.first === 0 && window.last === last
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <label htmlFor={id} className="text-ink-soft text-sm">
        Step
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={last}
        value={step}
        aria-valuetext={`${formatInteger(step)} of ${formatInteger(last)}`}
        onChange={(event) => onStep(event.currentTarget.valueAsNumber)}
        className="shuttle min-w-32 flex-1 pointer-coarse:h-11"
        style={fill}
      />
      <input
        type="number"
        aria-label="Step, as a number"
        min={0}
        max={last}
        value={step}
        onChange={({ currentTarget: { valueAsNumber } }) => {
          if (Number.isInteger(valueAsNumber)) onStep(Math.min(last, Math.max(0, valueAsNumber)))
        }}
        className="mono min-h-10 w-20 rounded-md border border-edge bg-raised px-2 text-right text-sm pointer-coarse:min-h-11"
      />
      {onWindow ? (
        <span className="flex items-center">
          <button
            type="button"
            aria-label="Closer, around this step"
            title="Closer"
            className={tool}
            disabled={window.last - window.first < 8}
            onClick={() => onWindow(zoom(window, 0.5, step, steps))}
          >
            <ZoomIn className="size-4" aria-hidden="true" />
          </button>
          <button
            type="button"
            aria-label="Further away"
            title="Further away"
            className={tool}
            disabled={whole}
            onClick={() => onWindow(zoom(window, 2, step, steps))}
          >
            <ZoomOut className="size-4" aria-hidden="true" />
          </button>
          <button
            type="button"
            className="min-h-10 cursor-pointer rounded-md px-2 text-sm hover:bg-sunk disabled:cursor-default disabled:opacity-50 pointer-coarse:min-h-11"
            disabled={whole}
            onClick={() => onWindow(wholeWindow(steps))}
          >
            All
          </button>
        </span>
      ) : null}
      {whole || !onWindow ? null : (
        <span className="mono text-ink-soft text-xs">
          {formatInteger(window.first)} to {formatInteger(window.last)} in sight
        </span>
      )}
    </div>
  )
}
