import { join } from 'node:path'
import { createCanvas, GlobalFonts, Path2D, type SKRSContext2D, StrokeCap, StrokeJoin } from '@napi-rs/canvas'

export type Color = readonly [red: number, green: number, blue: number]

/** The face in which names are set on the pages, as the package of the site's own fonts delivers it. */
const FILE = 'node_modules/@fontsource/spline-sans-mono/files/spline-sans-mono-latin-400-normal.woff'
const FACE = 'Spline Sans Mono'
/** Advance of every character in ems: the face is monospaced. */
export const ADVANCE = 0.6

/** An opaque picture to draw on. Origin in the upper left corner. */
export class Canvas {
  readonly width: number
  readonly height: number
  readonly #pen: SKRSContext2D
  #shape = new Path2D()

  constructor(width: number, height: number, ground: Color) {
    this.width = width
    this.height = height
    if (!GlobalFonts.has(FACE)) GlobalFonts.registerFromPath(join(process.cwd(), FILE), FACE)
    this.#pen = createCanvas(width, height).getContext('2d', { alpha: false })
    this.#pen.fillStyle = css(ground)
    this.#pen.fillRect(0, 0, width, height)
  }

  /** Adds a closed outline of x, y after each other to the shape that `fill` paints. */
  outline(points: readonly number[]): void {
    this.#shape.addPath(lineThrough(points))
    this.#shape.closePath()
  }

  rectangle(x: number, y: number, width: number, height: number): void {
    this.#shape.rect(x, y, width, height)
  }

  /** Adds a line with round joints and ends. */
  stroke(points: readonly number[], width: number): void {
    const line = lineThrough(points)
    this.#shape.addPath(line.stroke({ width, cap: StrokeCap.Round, join: StrokeJoin.Round }))
  }

  /** Paints what was added since, and forgets it. @param alpha 0 to 1. */
  fill(color: Color, alpha = 1): void {
    this.#pen.globalAlpha = alpha
    this.#pen.fillStyle = css(color)
    this.#pen.fill(this.#shape)
    this.#pen.globalAlpha = 1
    this.#shape = new Path2D()
  }

  /** Writes a line of text; one that is wider, of characters that the face does not have, is condensed. */
  text(text: string, x: number, baseline: number, size: number, color: Color, maxWidth: number): void {
    this.#pen.font = `${size}px "${FACE}"`
    this.#pen.fillStyle = css(color)
    this.#pen.fillText(text, x, baseline, maxWidth)
  }

  /** The picture as PNG. */
  async png(): Promise<Uint8Array> {
    return new Uint8Array(await this.#pen.canvas.encode('png'))
  }
}

function lineThrough([x = 0, y = 0, ...rest]: readonly number[]): Path2D {
  const line = new Path2D()
  line.moveTo(x, y)
  // A single point is a dot.
  if (rest.length === 0) line.lineTo(x, y)
  for (let at = 0; at < rest.length; at += 2) line.lineTo(rest[at]!, rest[at + 1]!)
  return line
}

function css([red, green, blue]: Color): string {
  return `rgb(${red} ${green} ${blue})`
}
