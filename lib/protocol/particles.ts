import { Failure } from './failure.ts'

/** Values of one leaf, in order. */
export interface ParticleStream {
  /** `/Connector:dimension` segments from the executed connector to the leaf. */
  readonly path: string
  readonly data: Uint32Array
}

export class MalformedParticles extends Error {
  override readonly name = 'MalformedParticles'
}

const WORD = 32

/**
 * Reads what `Runner.generate` returns, the ABI encoding of `(string path, bytes data)[]` with four big-endian
 * bytes a value. The encoder is untrusted: every offset and length is checked.
 *
 * @throws MalformedParticles when the bytes are not such an encoding.
 */
export function decodeParticles(encoded: Uint8Array): ParticleStream[] {
  const view = new DataView(encoded.buffer, encoded.byteOffset, encoded.byteLength)

  /** A word that has to be a small number: an offset or a length. */
  const size = (at: number): number => {
    if (at + WORD > encoded.length) throw new MalformedParticles('ends early')
    for (let i = at; i < at + WORD - 4; i += 4)
      if (view.getUint32(i) !== 0) throw new MalformedParticles('offset too large')
    return view.getUint32(at + WORD - 4)
  }
  const bytesAt = (at: number): Uint8Array => {
    const length = size(at)
    if (at + WORD + length > encoded.length) throw new MalformedParticles('ends early')
    return encoded.subarray(at + WORD, at + WORD + length)
  }

  const list = size(0)
  const count = size(list)
  const heads = list + WORD
  if (heads + count * WORD > encoded.length) throw new MalformedParticles('ends early')
  const text = new TextDecoder('utf-8', { fatal: true })
  const streams: ParticleStream[] = []
  for (let i = 0; i < count; i++) {
    const item = heads + size(heads + i * WORD)
    const path = bytesAt(item + size(item))
    const packed = bytesAt(item + size(item + WORD))
    if (packed.length % 4 !== 0) throw new MalformedParticles('a value is cut')
    streams.push({ path: decodeText(text, path), data: unpackValues(packed) })
  }
  return streams
}

function decodeText(decoder: TextDecoder, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new MalformedParticles('a path is not text')
  }
}

function unpackValues(packed: Uint8Array): Uint32Array {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  const values = new Uint32Array(packed.length / 4)
  for (let i = 0; i < values.length; i++) values[i] = view.getUint32(i * 4)
  return values
}

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
 * The streams as UTF-8 of the JSON `[{"path":…,"data":[…]},…]`, byte for byte the result of `JSON.stringify`, which
 * takes several times as long.
 */
export function particlesJson(
  particles: readonly ParticleStream[],
  { before = '', after = '' }: Around = {},
): Uint8Array<ArrayBuffer> {
  const paths = particles.map(({ path }) => (PLAIN.test(path) ? path : JSON.stringify(path).slice(1, -1)))
  const opening = utf8.encode(`${before}[`)
  const closing = utf8.encode(`]${after}`)
  // The first stream has no comma before it.
  let size = opening.length + closing.length - (particles.length > 0 ? 1 : 0)
  for (const [i, { path, data }] of particles.entries()) {
    const pathText = paths[i] as string
    size += STREAM_BYTES + (PLAIN.test(path) ? path.length : utf8.encode(pathText).length) + valuesBytes(data)
  }
  const bytes = new Uint8Array(size)
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
  }
  bytes.set(closing, at)
  return bytes
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

/**
 * Failure of a run whose result exceeds the size limit.
 *
 * @param bytes Smallest size as JSON.
 * @param limit Largest size, in bytes.
 */
export function answerTooLarge(bytes: number, limit: number): Failure {
  const [size, most] = [bytes, limit].map((value) => value.toLocaleString('en'))
  return new Failure(
    'rejected',
    `Execution rejected: the answer would have at least ${size} bytes, and this server gives at most ${most}; ask for ` +
      'fewer particles, or run a connector of fewer or shorter paths',
  )
}
