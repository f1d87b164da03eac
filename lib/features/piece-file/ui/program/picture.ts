import { extentOf } from '#lib/engine/sound/extent.ts'
import { drawOn } from '#lib/ui/plots/canvas.ts'
import { type Palette, plotOf, type Scene } from '#lib/ui/plots/scene.ts'
import { valueRange } from '#lib/ui/plots/series.ts'
import type { Stream } from './tasks.ts'

/** Paths with a line of their own; more are drawn as bands. */
const LINES = 5
const MAX_DRAWN = 64

/** The values on a canvas, for a piece whose World is not in the file. */
export function createPicture() {
  const canvas = document.createElement('canvas')
  let scene: Scene | undefined
  let step: number | undefined
  const draw = () => {
    if (scene === undefined) return
    const palette = paletteOf(canvas)
    drawOn(canvas, scene, palette)
    const context = canvas.getContext('2d')
    if (step === undefined || context === null) return
    const plot = plotOf(scene.kind, { width: canvas.clientWidth, height: canvas.clientHeight })
    const cell = plot.width / (scene.window.last + 1)
    context.fillStyle = palette.ink
    context.fillRect(plot.left + (step + 0.5) * cell, plot.top, 1, plot.height)
  }
  new ResizeObserver(draw).observe(canvas)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw)
  return {
    canvas,
    draw(all: readonly Stream[]) {
      const kind = all.length > LINES ? 'heat' : 'lines'
      const streams = all.slice(0, MAX_DRAWN)
      const last = Math.max(0, ...streams.map(({ data }) => data.length - 1))
      scene = {
        kind,
        streams,
        before: undefined,
        window: { first: 0, last },
        ranges: streams.map(({ data }) => valueRange(extentOf(data))),
        together: false,
        chosen: 0,
      }
      canvas.setAttribute('role', 'img')
      canvas.setAttribute('aria-label', `${all.length} voices of ${last + 1} steps`)
      draw()
    },
    /** Marks the step that sounds. */
    mark(next: number | undefined) {
      step = next
      if (canvas.isConnected) draw()
    },
  }
}

function paletteOf(canvas: HTMLElement): Palette {
  const style = getComputedStyle(canvas)
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim()
  const threads = [1, 2, 3, 4, 5, 6].map((index) => color(`line-${index}`))
  return {
    threads,
    ink: color('ink'),
    soft: color('soft'),
    line: color('line'),
    raised: color('ground'),
    sunk: color('sunk'),
  }
}
