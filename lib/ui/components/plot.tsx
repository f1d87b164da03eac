'use client'

import { useEffect, useRef, useState } from 'react'
import type uPlot from 'uplot'
import { extentOf } from '../../engine/sound/extent.ts'
import { downsample, valueRange } from './series.ts'
import { watchTheme } from './theme-toggle.tsx'

const DOTS_UP_TO = 48

interface Drawing {
  draw(data: readonly number[]): void
  recolor(): void
  destroy(): void
}

/** Canvas cannot read `var(…)` or `light-dark(…)`: let the element resolve its own `color`. */
function resolvedColor(element: HTMLElement): string {
  return getComputedStyle(element).color
}

async function startDrawing(host: HTMLElement): Promise<Drawing> {
  const { default: UPlot } = await import('uplot')
  let color = resolvedColor(host)
  let data: readonly number[] = []
  const options: uPlot.Options = {
    width: Math.max(1, host.clientWidth),
    height: Math.max(1, host.clientHeight),
    padding: [0, 0, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    axes: [{ show: false }, { show: false }],
    scales: {
      x: { time: false, range: () => [0, Math.max(1, data.length - 1)] },
      y: { range: () => valueRange(extentOf(data)) },
    },
    series: [
      {},
      {
        stroke: () => color,
        width: 2,
        points: { show: () => data.length <= DOTS_UP_TO, size: 6, width: 0, fill: () => color },
      },
    ],
  }
  const plot = new UPlot(options, [[], []], host)

  const redraw = () => {
    const { x, y } = downsample(data, Math.max(1, Math.floor(host.clientWidth)))
    const line = plot.series[1]
    if (line) line.width = data.length > 400 ? 1 : 2
    // A single particle is a thread of one value across the whole width.
    plot.setData(
      x.length === 1
        ? [
            [0, 1],
            [y[0]!, y[0]!],
          ]
        : [x, y],
    )
  }
  const resized = new ResizeObserver(() => {
    if (host.clientWidth === 0) return
    plot.setSize({ width: host.clientWidth, height: host.clientHeight })
    redraw()
  })
  resized.observe(host)

  return {
    draw(next) {
      data = next
      redraw()
    },
    recolor() {
      color = resolvedColor(host)
      plot.redraw(false)
    },
    destroy() {
      resized.disconnect()
      plot.destroy()
    },
  }
}

/**
 * One stream as a line that fills its box, drawn by uPlot; smooth with 65,536 values, as it draws two points per pixel
 * column. A `Sparkline` of the same geometry is shown until the script runs, and without scripts. The canvas is
 * invisible to assistive technology: describe it in text beside it.
 */
export function Plot({ data, color }: { data: readonly number[]; color: string }) {
  const host = useRef<HTMLDivElement>(null)
  const latest = useRef(data)
  const [drawing, setDrawing] = useState<Drawing>()

  useEffect(() => {
    latest.current = data
    drawing?.draw(data)
  }, [data, drawing])

  useEffect(() => {
    if (drawing && color) drawing.recolor()
  }, [color, drawing])

  useEffect(() => {
    const element = host.current
    if (!element) return
    let gone = false
    let started: Drawing | undefined
    let unwatch = () => {}
    startDrawing(element).then(
      (ready) => {
        if (gone) return ready.destroy()
        started = ready
        unwatch = watchTheme(() => requestAnimationFrame(ready.recolor))
        ready.draw(latest.current)
        setDrawing(ready)
      },
      // The sparkline stays, which shows the same.
      (error: unknown) => console.warn('The plot stays a still picture:', error),
    )
    return () => {
      gone = true
      unwatch()
      started?.destroy()
    }
  }, [])

  return (
    <div className="absolute inset-0" data-plot={drawing ? 'live' : 'still'}>
      {drawing ? null : <Sparkline data={data} color={color} />}
      <div
        ref={host}
        // Its colour is read in the moment it changes: were that a transition, it would be the one before.
        className="absolute inset-0 overflow-hidden transition-none"
        style={{ color }}
        aria-hidden="true"
      />
    </div>
  )
}

/** More points would be finer than a line on a screen. */
const COLUMNS = 300
const HEIGHT = 200

/** Fills its box with a stream as a line; needs no script. Same geometry as `Plot`, which takes its place. */
function Sparkline({ data, color }: { data: readonly number[]; color: string }) {
  const [low, high] = valueRange(extentOf(data))
  const { x, y } = downsample(data, COLUMNS)
  const heights = y.map((value) => Math.round((1 - (value - low) / (high - low)) * HEIGHT))
  // Steps as they are and whole numbers: pages are shorter, and what repeats is written alike.
  const moves = heights.slice(1).map((height, i) => `${x[i + 1]! - x[i]!} ${height - heights[i]!}`)
  // A single particle is a thread of one value across the whole width.
  if (moves.length === 0) moves.push('1 0')
  const start = `M${x[0] ?? 0} ${heights[0] ?? 0}`
  return (
    <svg
      viewBox={`0 0 ${Math.max(1, data.length - 1)} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="absolute inset-0 size-full overflow-visible"
      fill="none"
      stroke={color}
      strokeLinejoin="round"
      strokeLinecap="round"
    >
      <path
        d={`${start}l${moves.join(' ')}`}
        strokeWidth={data.length > 400 ? 1 : 2}
        vectorEffect="non-scaling-stroke"
      />
      {data.length <= DOTS_UP_TO ? (
        <path
          d={`${start}h0${moves.map((move) => `m${move}h0`).join('')}`}
          strokeWidth="6"
          vectorEffect="non-scaling-stroke"
        />
      ) : null}
    </svg>
  )
}
