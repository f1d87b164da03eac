'use client'

import { useEffect, useRef, useState } from 'react'
import type uPlot from 'uplot'
import { downsample, extentOf, valueRange } from './series.ts'
import { Sparkline } from './sparkline.tsx'
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
 * One stream as a line that fills its box, drawn by uPlot; smooth with 65,536 values, as it draws two points a
 * pixel column. Until the script runs, and without scripts, a `Sparkline` of the same geometry stands there.
 * The picture is decoration for people who cannot see it: say what it shows in text beside it.
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
