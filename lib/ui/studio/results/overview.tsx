'use client'

import { ZoomIn, ZoomOut } from 'lucide-react'
import { type PointerEvent, useLayoutEffect, useRef } from 'react'
import { extentOf } from '#lib/engine/sound/extent.ts'
import { Button } from '#lib/ui/kit/button.tsx'
import { NumberField } from '#lib/ui/kit/field.tsx'
import { IconButton } from '#lib/ui/kit/icon-button.tsx'
import { clearedContext, useDrawing } from '#lib/ui/plots/canvas.ts'
import { drawSeries } from '#lib/ui/plots/canvas-lines.ts'
import { valueRange } from '#lib/ui/plots/series.ts'
import { between, isClosest, isWhole, pan, type Window, wholeWindow, zoom } from '#lib/ui/plots/window.ts'

/**
 * The whole run as a strip, with the window of the pictures in it: drag beside the window to draw another, inside to move
 * it, and its edges to resize it. With keys the buttons beside it do the same.
 */
export function Overview({
  data,
  window,
  step,
  steps,
  onWindow,
}: {
  data: readonly number[]
  window: Window
  step: number
  steps: number
  onWindow: (window: Window) => void
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const drag = useRef<{ readonly from: number; readonly grip: Grip; readonly window: Window }>(undefined)
  const whole = isWhole(window, steps)
  const { redraw } = useDrawing(canvas, (element, { soft }) => {
    if (element.clientWidth === 0) return
    const context = clearedContext(element)
    if (!context) return
    const box = { left: 0, top: 3, width: element.clientWidth, height: element.clientHeight - 6 }
    const style = { color: soft, isStepped: false, isPinned: false }
    drawSeries(context, data, wholeWindow(steps), box, valueRange(extentOf(data)), style)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn when the values are others
  useLayoutEffect(() => redraw(), [data, steps])

  const stepAt = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const at = Math.floor(((event.clientX - box.left) / Math.max(1, box.width)) * steps)
    return Math.min(steps - 1, Math.max(0, at))
  }
  const percent = (of: number) => `${(of / Math.max(1, steps)) * 100}%`
  return (
    <div className="flex min-w-48 flex-1 items-center gap-1">
      <div
        aria-hidden="true"
        data-overview
        title="Drag to choose a window of steps"
        className="relative h-9 min-w-0 flex-1 cursor-crosshair touch-none overflow-hidden rounded-md border border-line bg-raised touch:h-11"
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          const { clientWidth } = event.currentTarget
          const near = Math.ceil(
            (steps / Math.max(1, clientWidth)) * (event.pointerType === 'mouse' ? 5 : 14),
          )
          const from = stepAt(event)
          drag.current = { from, grip: whole ? 'draw' : gripOf(from, window, near), window }
        }}
        onPointerMove={(event) => {
          if (drag.current && event.buttons > 0) onWindow(dragged(drag.current, stepAt(event), steps))
        }}
        onPointerUp={() => {
          drag.current = undefined
        }}
      >
        <canvas ref={canvas} className="absolute inset-0 size-full [transition-property:opacity]" />
        {whole ? null : (
          <span
            className="absolute inset-y-0 cursor-grab border-accent border-x-3 bg-accent/12"
            style={{ left: percent(window.first), width: percent(window.last - window.first + 1) }}
          />
        )}
        <span className="absolute inset-y-0 w-px bg-ink" style={{ left: percent(step + 0.5) }} />
      </div>
      <IconButton
        label="Closer, around this step"
        title="Closer (+)"
        disabled={isClosest(window)}
        onClick={() => onWindow(zoom(window, 0.5, step, steps))}
      >
        <ZoomIn aria-hidden="true" />
      </IconButton>
      <IconButton
        label="Further away"
        title="Further away (-)"
        disabled={whole}
        onClick={() => onWindow(zoom(window, 2, step, steps))}
      >
        <ZoomOut aria-hidden="true" />
      </IconButton>
      <Button
        look="text"
        size="small"
        title="All steps (0)"
        disabled={whole}
        onClick={() => onWindow(wholeWindow(steps))}
      >
        All
      </Button>
    </div>
  )
}

type Grip = 'draw' | 'move' | 'first' | 'last'

function gripOf(step: number, { first, last }: Window, near: number): Grip {
  if (Math.abs(step - first) <= near) return 'first'
  if (Math.abs(step - last) <= near) return 'last'
  return step > first && step < last ? 'move' : 'draw'
}

function dragged(
  { from, grip, window: { first, last } }: { from: number; grip: Grip; window: Window },
  to: number,
  steps: number,
): Window {
  if (grip === 'move') return pan({ first, last }, to - from, steps)
  if (grip === 'first') return between(to, last, steps)
  return between(grip === 'last' ? first : from, to, steps)
}

/** The chosen step as a number. */
export function StepField({
  step,
  steps,
  onStep,
}: {
  step: number
  steps: number
  onStep: (step: number) => void
}) {
  const last = Math.max(0, steps - 1)
  return (
    <label className="flex items-center gap-2 text-ink-soft text-sm">
      Step
      <NumberField
        look="small"
        type="number"
        aria-label="Step, as a number"
        min={0}
        max={last}
        value={step}
        onChange={({ currentTarget: { valueAsNumber } }) => {
          if (Number.isInteger(valueAsNumber)) onStep(Math.min(last, Math.max(0, valueAsNumber)))
        }}
        className="w-18 text-ink"
      />
    </label>
  )
}
