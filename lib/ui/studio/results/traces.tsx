'use client'

import { type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { watchTheme } from '../../components/theme-toggle.tsx'
import { pointsIn, type Window } from './window.ts'

/** One line of a plot. */
export interface Trace {
  readonly data: readonly number[]
  /** CSS colour, also by a token. */
  readonly color: string
  readonly dashed?: boolean
  /** Values at the lower and upper edge of the picture. */
  readonly range: readonly [number, number]
}

const DOTS_UP_TO = 48
const AIR = 4

/**
 * Lines over one axis of steps on a canvas: two points a pixel column each, so that 65,536 values are as quick as a
 * few hundred. The picture is named by `label`; the mark at `step` moves without drawing the lines again.
 *
 * @param onStep Called with the step under the pointer while it is pressed.
 */
export function Traces({
  traces,
  window: shown,
  step,
  label,
  className,
  onStep,
}: {
  traces: readonly Trace[]
  window: Window
  step: number
  label: string
  className: string
  onStep: (step: number) => void
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [redraw, setRedraw] = useState(0)

  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const again = () => setRedraw((n) => n + 1)
    const resized = new ResizeObserver(again)
    resized.observe(element)
    const unwatch = watchTheme(() => requestAnimationFrame(again))
    return () => {
      resized.disconnect()
      unwatch()
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: `redraw` stands for the size and the theme
  useLayoutEffect(() => {
    if (canvas.current) draw(canvas.current, traces, shown)
  }, [traces, shown, redraw])

  const span = shown.last - shown.first
  const follow = (event: PointerEvent<HTMLDivElement>) => {
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId)
    else if (event.buttons === 0) return
    const box = event.currentTarget.getBoundingClientRect()
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / Math.max(1, box.width)))
    onStep(shown.first + Math.round(share * span))
  }
  const inSight = step >= shown.first && step <= shown.last
  return (
    <div className={`relative touch-pan-y ${className}`}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        // Its colour is read in the moment it is set: were that a transition, it would be the one before.
        className="absolute inset-0 size-full [transition-property:opacity]"
      />
      {inSight ? (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 w-px bg-edge"
          style={{ left: `${span === 0 ? 0 : ((step - shown.first) / span) * 100}%` }}
        >
          {traces.map(({ data, color, dashed, range }, index) =>
            dashed || data[step] === undefined ? null : (
              <span
                // biome-ignore lint/suspicious/noArrayIndexKey: a mark has no state
                key={index}
                className="-translate-x-1/2 -translate-y-1/2 absolute left-1/2 size-2.5 rounded-full border-2 bg-raised"
                style={{ borderColor: color, top: `${heightOf(data[step], range) * 100}%` }}
              />
            ),
          )}
        </span>
      ) : null}
      <div
        aria-hidden="true"
        className="absolute inset-0 cursor-crosshair"
        onPointerDown={follow}
        onPointerMove={follow}
      />
    </div>
  )
}

/** From 0 at the top to 1 at the bottom. */
function heightOf(value: number, [low, high]: readonly [number, number]): number {
  return 1 - (value - low) / (high - low)
}

function draw(canvas: HTMLCanvasElement, traces: readonly Trace[], shown: Window): void {
  const width = canvas.clientWidth
  const height = canvas.clientHeight
  const context = canvas.getContext('2d')
  if (!context || width === 0 || height === 0) return
  const ratio = globalThis.devicePixelRatio
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  context.scale(ratio, ratio)
  context.lineJoin = 'round'
  const span = shown.last - shown.first
  for (const { data, color, dashed, range } of traces) {
    const { x, y } = pointsIn(data, shown, Math.max(1, Math.floor(width)))
    const left = (step: number) => (span === 0 ? 0 : ((step - shown.first) / span) * width)
    const top = (value: number) => AIR / 2 + heightOf(value, range) * (height - AIR)
    // Canvas knows no tokens: the element resolves its own `color`.
    canvas.style.color = color
    const paint = getComputedStyle(canvas).color
    context.strokeStyle = paint
    context.fillStyle = paint
    context.setLineDash(dashed ? [4, 3] : [])
    context.lineWidth = x.length > 400 ? 1 : 1.75
    context.beginPath()
    x.forEach((step, at) => {
      if (at === 0) context.moveTo(left(step), top(y[at]!))
      else context.lineTo(left(step), top(y[at]!))
    })
    // A single value is a thread across the whole width.
    if (x.length === 1) context.lineTo(width, top(y[0]!))
    context.stroke()
    if (dashed || span >= DOTS_UP_TO) continue
    x.forEach((step, at) => {
      context.beginPath()
      context.arc(left(step), top(y[at]!), 2.75, 0, Math.PI * 2)
      context.fill()
    })
  }
}
