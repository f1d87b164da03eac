import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { formatInteger } from '#lib/browser/format.ts'
import { watchTheme } from '#lib/ui/components/theme-toggle.tsx'
import { threadColor } from '#lib/ui/components/thread-colors.ts'
import { drawLines } from './canvas-lines.ts'
import { drawRoll } from './canvas-roll.ts'
import { AXIS, HEAD, isApart, type Palette, plotOf, type Scene, type Size } from './scene.ts'
import { columnsOf } from './series.ts'

const TICK_PX = 56
const FONT = '11px ui-monospace, monospace'

/** Draws a picture from its upper left corner on. */
function drawScene(context: CanvasRenderingContext2D, size: Size, scene: Scene, palette: Palette): void {
  drawAxis(context, size, scene, palette)
  if (scene.kind === 'heat') drawHeat(context, size, scene, palette)
  else if (scene.kind === 'roll') drawRoll(context, size, scene, palette)
  else drawLines(context, size, scene, palette)
}

/** Draws a picture on a canvas that has room for it. */
export function drawOn(canvas: HTMLCanvasElement, scene: Scene, palette: Palette): void {
  const size = { width: canvas.clientWidth, height: canvas.clientHeight }
  if (size.width < 2 * HEAD || size.height < 2 * HEAD) return
  const context = clearedContext(canvas)
  if (context) drawScene(context, size, scene, palette)
}

/** Fits a canvas to its box, with as many pixels as the screen has, and clears it. Its unit is the CSS pixel. */
export function clearedContext(canvas: HTMLCanvasElement): CanvasRenderingContext2D | undefined {
  const context = canvas.getContext('2d')
  if (!context) return undefined
  const ratio = globalThis.devicePixelRatio
  const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)]
  if (canvas.width === width && canvas.height === height) {
    context.resetTransform()
    context.clearRect(0, 0, width, height)
  } else {
    canvas.width = width
    canvas.height = height
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  return context
}

/** Numbers of steps at powers of two, with lines up through the plots. */
function drawAxis(
  context: CanvasRenderingContext2D,
  size: Size,
  { kind, window }: Scene,
  { soft, line }: Palette,
): void {
  const plot = plotOf(kind, size)
  const cell = plot.width / (window.last - window.first + 1)
  const every = 2 ** Math.max(0, Math.ceil(Math.log2(TICK_PX / cell)))
  context.font = FONT
  context.textBaseline = 'middle'
  context.textAlign = 'left'
  for (let step = Math.ceil(window.first / every) * every; step <= window.last; step += every) {
    const left = plot.left + (step - window.first) * cell
    context.fillStyle = line
    context.fillRect(Math.round(left), plot.top, 1, plot.height + 4)
    context.fillStyle = soft
    const text = formatInteger(step)
    const room = size.width - context.measureText(text).width
    context.fillText(text, Math.min(left + 3, room), plot.height + AXIS / 2 + 1)
  }
}

/** The colours of a theme, as an element resolves them: canvases read no tokens. */
export function paletteOf(element: HTMLElement): Palette {
  const resolved = (color: string) => {
    element.style.color = color
    return getComputedStyle(element).color
  }
  const palette: Palette = {
    threads: Array.from({ length: 6 }, (_, index) => resolved(threadColor(index))),
    ink: resolved('var(--color-ink)'),
    soft: resolved('var(--color-ink-soft)'),
    line: resolved('var(--color-line)'),
    raised: resolved('var(--color-raised)'),
    sunk: resolved('var(--color-sunk)'),
  }
  element.style.color = ''
  return palette
}

const PNG_SCALE = 2
const TITLE = 28

/** A picture as a file: with its name and its paths, twice as fine as on the screen. */
export async function pngOf(
  title: string,
  size: Size,
  scene: Scene,
  palette: Palette,
): Promise<Blob | undefined> {
  const canvas = document.createElement('canvas')
  canvas.width = size.width * PNG_SCALE
  canvas.height = (size.height + TITLE) * PNG_SCALE
  const context = canvas.getContext('2d')
  if (!context) return undefined
  context.scale(PNG_SCALE, PNG_SCALE)
  context.fillStyle = palette.raised
  context.fillRect(0, 0, size.width, size.height + TITLE)
  drawTitle(context, title, size, scene, palette)
  context.translate(0, TITLE)
  drawScene(context, size, scene, palette)
  if (isApart(scene)) {
    context.font = FONT
    context.fillStyle = palette.ink
    const lane = plotOf(scene.kind, size).height / scene.streams.length
    for (const [index, { path }] of scene.streams.entries()) {
      context.fillText(path, 8, index * lane + HEAD / 2, size.width - 16)
    }
  }
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/png'))
}

function drawTitle(
  context: CanvasRenderingContext2D,
  title: string,
  { width }: Size,
  scene: Scene,
  { threads, ink }: Palette,
): void {
  context.textBaseline = 'middle'
  context.textAlign = 'left'
  context.font = '600 13px system-ui, sans-serif'
  context.fillStyle = ink
  context.fillText(title, 8, TITLE / 2, width - 16)
  if (isApart(scene)) return
  let left = 20 + context.measureText(title).width
  context.font = FONT
  for (const [index, { path }] of scene.streams.entries()) {
    const wide = context.measureText(path).width
    if (left + wide > width - 8) return
    context.fillStyle = threads[index % threads.length]!
    context.fillText(path, left, TITLE / 2)
    left += wide + 12
  }
}

const SHADES = 256
/** Lower rows touch each other. */
const GAP_FROM_PX = 6

/** A row a path and a column a step: the larger a value, the further its colour is from the ground. */
function drawHeat(
  context: CanvasRenderingContext2D,
  size: Size,
  { kind, streams, window, ranges, chosen }: Scene,
  { raised, sunk, threads, ink }: Palette,
): void {
  const plot = plotOf(kind, size)
  const steps = window.last - window.first + 1
  const columns = Math.max(1, Math.min(steps, Math.floor(plot.width * globalThis.devicePixelRatio)))
  const rows = Math.max(1, Math.min(streams.length, Math.floor(plot.height)))
  const shades = shadesBetween([sunk, ...byContrast([threads[1]!, threads[3]!], sunk), ink])
  const image = new ImageData(columns, rows)
  const pixels = new Uint32Array(image.data.buffer)
  for (let row = 0; row < rows; row++) {
    const index = Math.floor((row * streams.length) / rows)
    const { data } = streams[index]!
    const [low, high] = ranges[index]!
    const { mean } = columnsOf(data, window, columns)
    for (let column = 0; column < columns; column++) {
      const share = (mean[column]! - low) / (high - low)
      pixels[row * columns + column] =
        shades[Math.max(0, Math.min(SHADES - 1, Math.round(share * (SHADES - 1))))]!
    }
  }
  const small = document.createElement('canvas')
  small.width = columns
  small.height = rows
  small.getContext('2d')?.putImageData(image, 0, 0)
  context.imageSmoothingEnabled = false
  context.drawImage(small, plot.left, plot.top, plot.width, plot.height)
  const height = plot.height / streams.length
  if (height < GAP_FROM_PX) return
  context.fillStyle = raised
  for (let row = 1; row < streams.length; row++) {
    context.fillRect(plot.left, Math.round(plot.top + row * height), plot.width, 1)
  }
  context.fillStyle = threads[chosen % threads.length]!
  context.fillRect(0, plot.top + chosen * height + 1, 3, height - 1)
}

/** Colours in the order in which they differ in lightness from a ground: the least first. */
function byContrast(colors: readonly string[], ground: string): readonly string[] {
  const lightness = (color: string) => {
    const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map(Number)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const from = lightness(ground)
  return colors.toSorted((one, other) => Math.abs(lightness(one) - from) - Math.abs(lightness(other) - from))
}

/** Little-endian RGBA of `SHADES` colours through the given ones, as computed styles write them. */
function shadesBetween(colors: readonly string[]): Uint32Array {
  const stops = colors.map((color) => (color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number))
  return Uint32Array.from({ length: SHADES }, (_, shade) => {
    const at = (shade / (SHADES - 1)) * (stops.length - 1)
    const stop = Math.min(stops.length - 2, Math.floor(at))
    const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((channel) => {
      const from = stops[stop]?.[channel] ?? 0
      const to = stops[stop + 1]?.[channel] ?? 0
      return Math.round(from + (to - from) * (at - stop))
    })
    return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0
  })
}

/**
 * Draws a canvas in the colours of its theme: when `redraw` is called, when its box changes, and in another theme.
 *
 * @returns `palette`: the colours of the last drawing. Resolving them costs a style recalculation each.
 */
export function useDrawing(
  canvas: RefObject<HTMLCanvasElement | null>,
  draw: (element: HTMLCanvasElement, palette: Palette) => void,
): { readonly redraw: () => void; readonly palette: RefObject<Palette | undefined> } {
  const palette = useRef<Palette>(undefined)
  const redraw = () => {
    const element = canvas.current
    if (!element) return
    palette.current ??= paletteOf(element)
    draw(element, palette.current)
  }
  const again = useEffectEvent(redraw)
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const resized = new ResizeObserver(() => again())
    resized.observe(element)
    const unwatch = watchTheme(() => {
      palette.current = undefined
      requestAnimationFrame(() => again())
    })
    return () => {
      resized.disconnect()
      unwatch()
    }
  }, [canvas])
  return { redraw, palette }
}
