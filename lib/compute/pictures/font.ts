import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'

/** The face in which names are set on the pages, as the package of the site's own fonts delivers it. */
const FILE = 'node_modules/@fontsource/spline-sans-mono/files/spline-sans-mono-latin-400-normal.woff'

/** Points x, y after each other; closed. In units of the em, y upwards. */
export type Contour = readonly number[]

export interface Font {
  /** Outline of a character; a box for one that the face does not have. */
  glyph(character: string): readonly Contour[]
  /** Advance of every character, in ems: the face is monospaced. */
  readonly advance: number
}

let loaded: Font | undefined

/** The font, read on first use. */
export function monoFont(): Font {
  loaded ??= readFont(readFileSync(join(process.cwd(), FILE)))
  return loaded
}

/** Reads outlines of a TrueType font in WOFF 1. The file is ours: its structure is not checked. */
function readFont(woff: Buffer): Font {
  const table = tableReader(woff)
  const em = table('head').readUInt16BE(18)
  const longOffsets = table('head').readInt16BE(50) === 1
  const glyf = table('glyf')
  const loca = table('loca')
  const indexOf = characterMap(table('cmap'))
  const advance = table('hmtx').readUInt16BE(4 * (indexOf.get(0x6d) ?? 0)) / em
  const known = new Map<number, readonly Contour[]>()

  const offset = (index: number) =>
    longOffsets ? loca.readUInt32BE(4 * index) : 2 * loca.readUInt16BE(2 * index)
  const outline = (index: number): readonly Contour[] => {
    const found = known.get(index)
    if (found) return found
    const [from, to] = [offset(index), offset(index + 1)]
    const read = from === to ? [] : readGlyph(glyf.subarray(from, to), em, outline)
    known.set(index, read)
    return read
  }
  return { glyph: (character) => outline(indexOf.get(character.codePointAt(0) ?? 0) ?? 0), advance }
}

function tableReader(woff: Buffer): (tag: string) => Buffer {
  const tables = new Map<string, Buffer>()
  for (let index = 0; index < woff.readUInt16BE(12); index++) {
    const at = 44 + 20 * index
    const [start, packed, plain] = [4, 8, 12].map((field) => woff.readUInt32BE(at + field)) as [
      number,
      number,
      number,
    ]
    const bytes = woff.subarray(start, start + packed)
    tables.set(woff.toString('latin1', at, at + 4), packed < plain ? inflateSync(bytes) : bytes)
  }
  return (tag) => {
    const found = tables.get(tag)
    if (found === undefined) throw new Error(`The font has no table ${tag}`)
    return found
  }
}

/** Code point to glyph, of a subtable in format 4. */
function characterMap(cmap: Buffer): ReadonlyMap<number, number> {
  const map = new Map<number, number>()
  for (let index = 0; index < cmap.readUInt16BE(2); index++) {
    const sub = cmap.subarray(cmap.readUInt32BE(4 + 8 * index + 4))
    if (sub.readUInt16BE(0) !== 4) continue
    const segments = sub.readUInt16BE(6) / 2
    const word = (list: number, segment: number) => 14 + 2 * (list * segments + segment) + (list > 0 ? 2 : 0)
    for (let segment = 0; segment < segments; segment++) {
      const last = sub.readUInt16BE(word(0, segment))
      const first = sub.readUInt16BE(word(1, segment))
      const delta = sub.readUInt16BE(word(2, segment))
      const place = word(3, segment)
      const range = sub.readUInt16BE(place)
      for (let code = first; code <= last && code < 0xffff; code++) {
        const found = range === 0 ? code : sub.readUInt16BE(place + range + 2 * (code - first))
        if (found !== 0) map.set(code, (found + delta) & 0xffff)
      }
    }
    break
  }
  return map
}

function readGlyph(glyph: Buffer, em: number, outline: (index: number) => readonly Contour[]): Contour[] {
  const contours = glyph.readInt16BE(0)
  return contours < 0 ? readComposite(glyph, em, outline) : readSimple(glyph, em, contours)
}

/** Parts moved into their places; none of this face is scaled. */
function readComposite(glyph: Buffer, em: number, outline: (index: number) => readonly Contour[]): Contour[] {
  const parts: Contour[] = []
  let at = 10
  for (let flags = 0x20; flags & 0x20; ) {
    flags = glyph.readUInt16BE(at)
    const index = glyph.readUInt16BE(at + 2)
    const words = (flags & 1) !== 0
    const dx = words ? glyph.readInt16BE(at + 4) : glyph.readInt8(at + 4)
    const dy = words ? glyph.readInt16BE(at + 6) : glyph.readInt8(at + 5)
    at += words ? 8 : 6
    if (flags & 8) at += 2
    else if (flags & 0x40) at += 4
    else if (flags & 0x80) at += 8
    for (const contour of outline(index))
      parts.push(contour.map((value, place) => value + (place % 2 === 0 ? dx : dy) / em))
  }
  return parts
}

interface Point {
  readonly x: number
  readonly y: number
  readonly on: boolean
}

function readSimple(glyph: Buffer, em: number, contours: number): Contour[] {
  const ends = Array.from({ length: contours }, (_, index) => glyph.readUInt16BE(10 + 2 * index))
  const count = (ends.at(-1) ?? -1) + 1
  let at = 10 + 2 * contours
  at += 2 + glyph.readUInt16BE(at)
  const flags: number[] = []
  while (flags.length < count) {
    const flag = glyph.readUInt8(at++)
    flags.push(flag)
    if (flag & 8) for (let times = glyph.readUInt8(at++); times > 0; times--) flags.push(flag)
  }
  const axis = (short: number, same: number) => {
    let value = 0
    return flags.map((flag) => {
      if (flag & short) value += flag & same ? glyph.readUInt8(at++) : -glyph.readUInt8(at++)
      else if (!(flag & same)) {
        value += glyph.readInt16BE(at)
        at += 2
      }
      return value / em
    })
  }
  const xs = axis(2, 16)
  const ys = axis(4, 32)
  const points = flags.map((flag, index): Point => ({ x: xs[index]!, y: ys[index]!, on: (flag & 1) !== 0 }))
  return ends.map((end, index) => flatten(points.slice(index === 0 ? 0 : ends[index - 1]! + 1, end + 1)))
}

const CURVE_STEPS = 6

/** Quadratic curves as straight lines; between two control points is a point of the curve. */
function flatten(points: readonly Point[]): Contour {
  const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, on: true })
  const whole = points.flatMap((point, index) => {
    const next = points[(index + 1) % points.length]!
    return point.on || next.on ? [point] : [point, middle(point, next)]
  })
  const first = Math.max(
    0,
    whole.findIndex(({ on }) => on),
  )
  const ring = [...whole.slice(first), ...whole.slice(0, first + 1)]
  const line: number[] = []
  for (let index = 0; index < ring.length; index++) {
    const point = ring[index]!
    if (point.on) {
      line.push(point.x, point.y)
      continue
    }
    const [from, to] = [ring[index - 1]!, ring[index + 1]!]
    for (let step = 1; step < CURVE_STEPS; step++) {
      const t = step / CURVE_STEPS
      const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2]
      line.push(a * from.x + b * point.x + c * to.x, a * from.y + b * point.y + c * to.y)
    }
  }
  return line
}
