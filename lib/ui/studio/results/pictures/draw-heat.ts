import { columnsOf, type Palette, plotOf, type Scene, type Size } from './scene.ts'

const SHADES = 256
/** Lower rows touch each other. */
const GAP_FROM_PX = 6

/** A row a path and a column a step: the larger a value, the further its colour is from the ground. */
export function drawHeat(
  context: CanvasRenderingContext2D,
  size: Size,
  { kind, streams, window, ranges, chosen }: Scene,
  { raised, sunk, threads, ink }: Palette,
): void {
  const plot = plotOf(kind, size)
  const steps = window.last - window.first + 1
  const columns = Math.max(1, Math.min(steps, Math.floor(plot.width * globalThis.devicePixelRatio)))
  const rows = Math.max(1, Math.min(streams.length, Math.floor(plot.height)))
  const shades = shadesBetween([sunk, threads[0]!, ink])
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
