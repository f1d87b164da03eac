import type { ParticleStream } from './particles.ts'

/** Digits of the largest value, and the comma after it. */
const VALUE_BYTES = 11
const ZERO = 48
const COMMA = 44
const utf8 = new TextEncoder()

const PATH = utf8.encode('{"path":"')
const DATA = utf8.encode('","data":[')
const END = utf8.encode(']}')
/** The comma between two streams included. */
const STREAM_BYTES = PATH.length + DATA.length + END.length + 1
/** Text that JSON writes as it is, a byte a character. */
const PLAIN = /^[ !#-[\]-~]*$/

/** The four digits of 0 to 9999. */
const DIGITS = new Uint8Array(40_000)
for (let i = 0; i < 10_000; i++) {
  DIGITS[4 * i] = ZERO + Math.trunc(i / 1000)
  DIGITS[4 * i + 1] = ZERO + (Math.trunc(i / 100) % 10)
  DIGITS[4 * i + 2] = ZERO + (Math.trunc(i / 10) % 10)
  DIGITS[4 * i + 3] = ZERO + (i % 10)
}

/**
 * Room for writing, of which a text takes a part only that is known when it is written. What would come and go with
 * every text would soon be most of what the garbage collector does.
 */
let spare: Uint8Array<ArrayBuffer> | undefined
const SPARE_BYTES = 256 * 1024
const LARGEST_SPARE = 4 * 1024 * 1024

/** Bytes that a list of streams has at least: of values nothing is known but their number, and that each has a digit. */
export function leastParticlesBytes(leaves: number, pathBytes: number, particlesCount: number): number {
  return 1 + leaves * (STREAM_BYTES + 2 * particlesCount - 1) + pathBytes
}

/** Bytes of the list of streams, whose paths are ASCII, as `particlesJson` writes it. */
export function particlesBytes(particles: readonly ParticleStream[]): number {
  let bytes = particles.length === 0 ? 2 : 1
  for (const { path, data } of particles) bytes += STREAM_BYTES + path.length + valuesBytes(data)
  return bytes
}

function valuesBytes(values: Uint32Array): number {
  let bytes = Math.max(0, values.length - 1)
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    if (value < 100_000)
      bytes += value < 100 ? (value < 10 ? 1 : 2) : value < 1000 ? 3 : value < 10_000 ? 4 : 5
    else if (value < 10_000_000) bytes += value < 1_000_000 ? 6 : 7
    else bytes += value < 100_000_000 ? 8 : value < 1_000_000_000 ? 9 : 10
  }
  return bytes
}

/** Text before and after the list, for a document that it is a part of. */
export interface Around {
  readonly before?: string
  readonly after?: string
}

/**
 * The streams as UTF-8 of the JSON `[{"path":…,"data":[…]},…]`, byte for byte what `JSON.stringify` gives, which takes
 * several times as long.
 */
export function particlesJson(
  particles: readonly ParticleStream[],
  around?: Around,
): Uint8Array<ArrayBuffer> {
  const writing = writeParticles(particles, around)
  for (;;) {
    const { done, value } = writing.next()
    if (done === true) return value
  }
}

/** The same in pieces: stops after each stream, for others to have their turn. */
export function* writeParticles(
  particles: readonly ParticleStream[],
  { before = '', after = '' }: Around = {},
): Generator<undefined, Uint8Array<ArrayBuffer>> {
  const paths = particles.map(({ path }) => (PLAIN.test(path) ? path : JSON.stringify(path).slice(1, -1)))
  const opening = utf8.encode(`${before}[`)
  const closing = utf8.encode(`]${after}`)
  let most = opening.length + closing.length
  for (const [i, path] of paths.entries()) {
    most += STREAM_BYTES + (path === particles[i]?.path ? path.length : utf8.encode(path).length)
  }
  const exact = most + VALUE_BYTES * particles.reduce((sum, { data }) => sum + data.length, 0) > LARGEST_SPARE
  // What is large is counted first: room for the most there could be, and a copy, would take three times as much.
  for (const { data } of particles) most += exact ? valuesBytes(data) : data.length * VALUE_BYTES
  if (exact && particles.length > 0) most -= 1
  // Who writes has it alone; another who writes meanwhile takes another.
  const fits = !exact && spare !== undefined && spare.length >= most
  const bytes = fits
    ? (spare as Uint8Array<ArrayBuffer>)
    : new Uint8Array(exact ? most : Math.max(most, SPARE_BYTES))
  if (!exact) spare = undefined
  bytes.set(opening)
  let at = opening.length
  for (const [i, { data }] of particles.entries()) {
    if (i > 0) bytes[at++] = COMMA
    bytes.set(PATH, at)
    at += PATH.length
    at += utf8.encodeInto(paths[i] as string, bytes.subarray(at)).written
    bytes.set(DATA, at)
    at = writeValues(bytes, at + DATA.length, data)
    bytes.set(END, at)
    at += END.length
    yield
  }
  bytes.set(closing, at)
  if (exact) return bytes
  spare = bytes
  return bytes.slice(0, at + closing.length)
}

/** @returns Where the next byte goes. */
function writeValues(bytes: Uint8Array, start: number, values: Uint32Array): number {
  let at = start
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    if (value < 10_000) {
      at = writeHead(bytes, at, value)
    } else if (value < 100_000_000) {
      const head = (value / 10_000) >>> 0
      at = writeFour(bytes, writeHead(bytes, at, head), value - head * 10_000)
    } else {
      const head = (value / 100_000_000) >>> 0
      const rest = value - head * 100_000_000
      const middle = (rest / 10_000) >>> 0
      at = writeFour(bytes, writeHead(bytes, at, head), middle)
      at = writeFour(bytes, at, rest - middle * 10_000)
    }
    bytes[at++] = COMMA
  }
  // Without the last comma.
  return values.length === 0 ? at : at - 1
}

/** 0 to 9999 without leading zeros. */
function writeHead(bytes: Uint8Array, at: number, value: number): number {
  if (value >= 1000) return writeFour(bytes, at, value)
  const from = 4 * value
  if (value >= 100) {
    bytes[at] = DIGITS[from + 1] as number
    bytes[at + 1] = DIGITS[from + 2] as number
    bytes[at + 2] = DIGITS[from + 3] as number
    return at + 3
  }
  if (value >= 10) {
    bytes[at] = DIGITS[from + 2] as number
    bytes[at + 1] = DIGITS[from + 3] as number
    return at + 2
  }
  bytes[at] = ZERO + value
  return at + 1
}

function writeFour(bytes: Uint8Array, at: number, value: number): number {
  const from = 4 * value
  bytes[at] = DIGITS[from] as number
  bytes[at + 1] = DIGITS[from + 1] as number
  bytes[at + 2] = DIGITS[from + 2] as number
  bytes[at + 3] = DIGITS[from + 3] as number
  return at + 4
}
