import { monoFont } from './font.ts'
import { writePng } from './png.ts'

export type Color = readonly [red: number, green: number, blue: number]

/** Corners of the circle at a joint of a stroke. */
const ROUND = 12

/** An opaque picture to draw on, antialiased, without any library of the system. Origin in the upper left corner. */
export class Canvas {
  readonly width: number
  readonly height: number
  readonly #pixels: Uint8Array
  /** Signed area that outlines cover, by pixel, as differences along the row. */
  readonly #cover: Float32Array
  #top = Number.POSITIVE_INFINITY
  #bottom = Number.NEGATIVE_INFINITY

  constructor(width: number, height: number, ground: Color) {
    this.width = width
    this.height = height
    this.#pixels = new Uint8Array(width * height * 3)
    // One column more takes what lies right of the picture.
    this.#cover = new Float32Array((width + 2) * height)
    const [red, green, blue] = ground
    for (let at = 0; at < this.#pixels.length; at += 3) {
      this.#pixels[at] = red
      this.#pixels[at + 1] = green
      this.#pixels[at + 2] = blue
    }
  }

  /** Adds a closed outline of x, y after each other to the shape that `fill` paints. */
  outline(points: readonly number[]): void {
    const last = points.length - 2
    for (let at = 0; at <= last; at += 2) {
      const next = at === last ? 0 : at + 2
      this.#edge(points[at]!, points[at + 1]!, points[next]!, points[next + 1]!)
    }
  }

  rectangle(x: number, y: number, width: number, height: number): void {
    this.outline([x, y, x + width, y, x + width, y + height, x, y + height])
  }

  /** Adds a line with round joints and ends. */
  stroke(points: readonly number[], width: number): void {
    const half = width / 2
    for (let at = 0; at < points.length; at += 2) {
      const [x, y] = [points[at]!, points[at + 1]!]
      const circle: number[] = []
      for (let corner = 0; corner < ROUND; corner++) {
        const angle = (corner / ROUND) * 2 * Math.PI
        circle.push(x + half * Math.cos(angle), y + half * Math.sin(angle))
      }
      this.outline(circle)
      if (at + 2 >= points.length) break
      const [nx, ny] = [points[at + 2]!, points[at + 3]!]
      const length = Math.hypot(nx - x, ny - y)
      if (length === 0) continue
      const [sx, sy] = [(-(ny - y) / length) * half, ((nx - x) / length) * half]
      // Turns as the circles do: what two pieces cover is covered once.
      this.outline([x + sx, y + sy, x - sx, y - sy, nx - sx, ny - sy, nx + sx, ny + sy])
    }
  }

  /** Adds a line of text; its width in pixels. */
  text(text: string, x: number, baseline: number, size: number): number {
    const { glyph, advance } = monoFont()
    let pen = x
    for (const character of text) {
      for (const contour of glyph(character))
        this.outline(
          contour.map((value, at) => (at % 2 === 0 ? pen + value * size : baseline - value * size)),
        )
      pen += advance * size
    }
    return pen - x
  }

  /** Paints what was added since, and forgets it. @param alpha 0 to 1. */
  fill([red, green, blue]: Color, alpha = 1): void {
    const stride = this.width + 2
    const from = Math.max(0, Math.floor(this.#top))
    const to = Math.min(this.height - 1, Math.ceil(this.#bottom))
    for (let y = from; y <= to; y++) {
      let sum = 0
      const row = y * stride
      let at = y * this.width * 3
      for (let x = 0; x < this.width; x++, at += 3) {
        sum += this.#cover[row + x]!
        const share = Math.min(1, Math.abs(sum)) * alpha
        if (share < 1 / 512) continue
        const pixels = this.#pixels
        pixels[at] = pixels[at]! + (red - pixels[at]!) * share + 0.5
        pixels[at + 1] = pixels[at + 1]! + (green - pixels[at + 1]!) * share + 0.5
        pixels[at + 2] = pixels[at + 2]! + (blue - pixels[at + 2]!) * share + 0.5
      }
      this.#cover.fill(0, row, row + stride)
    }
    this.#top = Number.POSITIVE_INFINITY
    this.#bottom = Number.NEGATIVE_INFINITY
  }

  /** The picture as PNG. */
  png(): Promise<Uint8Array> {
    const { width, height } = this
    const rows = Buffer.alloc((3 * width + 1) * height)
    for (let y = 0; y < height; y++) {
      const at = y * (3 * width + 1)
      const above = (y - 1) * 3 * width
      const own = y * 3 * width
      // Differences to the row above: most of a picture continues downwards.
      rows[at] = 2
      for (let i = 0; i < 3 * width; i++)
        rows[at + 1 + i] = this.#pixels[own + i]! - (y === 0 ? 0 : this.#pixels[above + i]!)
    }
    return writePng({ width, height, colorType: 2, rows })
  }

  /** Adds the area between an edge and the right border, row by row. */
  #edge(x0: number, y0: number, x1: number, y1: number): void {
    if (y0 === y1) return
    const down = y0 < y1 ? 1 : -1
    const [ax, ay, bx, by] = down === 1 ? [x0, y0, x1, y1] : [x1, y1, x0, y0]
    this.#top = Math.min(this.#top, ay)
    this.#bottom = Math.max(this.#bottom, by)
    const slope = (bx - ax) / (by - ay)
    const last = Math.min(this.height, Math.ceil(by))
    for (let y = Math.max(0, Math.floor(ay)); y < last; y++) {
      const [from, to] = [Math.max(y, ay), Math.min(y + 1, by)]
      const [xa, xb] = [ax + (from - ay) * slope, ax + (to - ay) * slope]
      this.#span(y, Math.min(xa, xb), Math.max(xa, xb), (to - from) * down)
    }
  }

  /** Adds one row's part of an edge that goes from `left` to `right` and covers `height` of the row. */
  #span(y: number, left: number, right: number, height: number): void {
    const cover = this.#cover
    const row = y * (this.width + 2)
    const bound = (x: number) => Math.min(this.width, Math.max(0, x))
    const [from, to] = [bound(left), bound(right)]
    const first = Math.floor(from)
    if (to - from < 1e-6) {
      const inside = height * (first + 1 - from)
      cover[row + first] = cover[row + first]! + inside
      cover[row + first + 1] = cover[row + first + 1]! + height - inside
      return
    }
    // Of each column what lies right of the edge; the columns after it are covered whole.
    const share = height / (to - from)
    const end = Math.ceil(to)
    let covered = 0
    for (let x = first; x < end; x++) {
      const [a, b] = [Math.max(from, x), Math.min(to, x + 1)]
      const inside = share * (a - from + (b - a) * (x + 1 - (a + b) / 2))
      cover[row + x] = cover[row + x]! + inside - covered
      covered = inside
    }
    cover[row + end] = cover[row + end]! + height - covered
  }
}
