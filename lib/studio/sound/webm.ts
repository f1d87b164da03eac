/*
 * WebM files as browsers record them, joined: a World's picture comes from its frame and the sound from the page, each in
 * a file of its own. `docs/world-sdk.md` says what a clip is.
 */

const ID = {
  header: 0x1a45dfa3,
  segment: 0x18538067,
  info: 0x1549a966,
  timecodeScale: 0x2ad7b1,
  duration: 0x4489,
  app: 0x4d80,
  writer: 0x5741,
  tracks: 0x1654ae6b,
  track: 0xae,
  trackNumber: 0xd7,
  trackUid: 0x73c5,
  cluster: 0x1f43b675,
  time: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
  reference: 0xfb,
} as const

/** Elements that are read through: their children follow as if they stood beside them. */
const OPEN: ReadonlySet<number> = new Set([ID.segment, ID.tracks, ID.cluster])
/** Times in a cluster are 16 bits with a sign; players also begin at clusters. */
const CLUSTER_MS = 1000
const KEY_FRAME = 0x80
/** A millisecond in nanoseconds, as browsers record. */
const TIMECODE_SCALE = 1_000_000

interface Element {
  readonly id: number
  readonly data: Uint8Array
  /** Place after it. */
  readonly end: number
}

interface Frame {
  readonly track: number
  /** Milliseconds since the first frame of its file. */
  readonly ms: number
  readonly isKey: boolean
  readonly data: Uint8Array
}

/** @returns the pictures of the first file with the sound of the second, which ends with them. @throws {Error} For what is no recording. */
export function joinWebm(picture: Uint8Array, sound: Uint8Array): Uint8Array<ArrayBuffer> {
  const [shown, heard] = [readWebm(picture, 1), readWebm(sound, 2)]
  const length = Math.max(...shown.frames.map(({ ms }) => ms))
  const frames = [...shown.frames, ...heard.frames.filter(({ ms }) => ms <= length)].toSorted(
    (one, other) => one.ms - other.ms || one.track - other.track,
  )
  const clusters = Map.groupBy(frames, ({ ms }) => Math.floor(ms / CLUSTER_MS) * CLUSTER_MS)
  const float = new DataView(new ArrayBuffer(8))
  float.setFloat64(0, length)
  return write([
    element(ID.header, [
      element(0x4286, [number(1)]),
      element(0x42f7, [number(1)]),
      element(0x42f2, [number(4)]),
      element(0x42f3, [number(8)]),
      element(0x4282, [text('webm')]),
      element(0x4287, [number(4)]),
      element(0x4285, [number(2)]),
    ]),
    element(ID.segment, [
      element(ID.info, [
        element(ID.timecodeScale, [number(TIMECODE_SCALE)]),
        element(ID.duration, [new Uint8Array(float.buffer)]),
        element(ID.app, [text('weft')]),
        element(ID.writer, [text('weft')]),
      ]),
      element(ID.tracks, [shown.track, heard.track]),
      ...[...clusters].map(([from, each]) =>
        element(ID.cluster, [
          element(ID.time, [number(from)]),
          ...each.map(({ track, ms, isKey, data }) =>
            element(ID.simpleBlock, [
              Uint8Array.of(0x80 | track, (ms - from) >> 8, (ms - from) & 0xff, isKey ? KEY_FRAME : 0),
              data,
            ]),
          ),
        ]),
      ),
    ]),
  ])
}

/** The first track of a file under another number, and its frames. */
function readWebm(
  file: Uint8Array,
  newNumber: number,
): { readonly track: Uint8Array; readonly frames: readonly Frame[] } {
  let track: Uint8Array | undefined
  let cluster = 0
  const frames: Frame[] = []
  const add = (block: Uint8Array, isKey: boolean) => {
    const ms = cluster + new DataView(block.buffer, block.byteOffset + 1, 2).getInt16(0)
    frames.push({ track: newNumber, ms, isKey, data: block.subarray(4) })
  }
  for (const { id, data } of elementsOf(file)) {
    if (id === ID.track) track ??= renumbered(data, newNumber)
    else if (id === ID.time) cluster = numberOf(data)
    else if (id === ID.simpleBlock) add(data, (data[3]! & KEY_FRAME) !== 0)
    else if (id === ID.blockGroup) {
      const parts = [...elementsOf(data)]
      const block = parts.find((each) => each.id === ID.block)
      // What a player would blend below is left out.
      if (block)
        add(
          block.data,
          parts.every((each) => each.id !== ID.reference),
        )
    }
  }
  const first = frames[0]?.ms
  if (track === undefined || first === undefined) throw new Error('This is no recording.')
  return { track, frames: frames.map((frame) => ({ ...frame, ms: Math.max(0, frame.ms - first) })) }
}

function renumbered(entry: Uint8Array, newNumber: number): Uint8Array {
  const others = [...elementsOf(entry)].filter(({ id }) => id !== ID.trackNumber && id !== ID.trackUid)
  return element(ID.track, [
    element(ID.trackNumber, [number(newNumber)]),
    element(ID.trackUid, [number(newNumber)]),
    ...others.map(({ id, data }) => element(id, [data])),
  ])
}

/** Elements in their order. A recording that was not finished has sizes that are unknown: those end with the file. */
function* elementsOf(bytes: Uint8Array): Generator<Element> {
  for (let at = 0; at < bytes.length; ) {
    const idLength = lengthAt(bytes, at)
    const id = numberOf(bytes.subarray(at, at + idLength))
    const sizeLength = lengthAt(bytes, at + idLength)
    const start = at + idLength + sizeLength
    const size = bytes.slice(at + idLength, start)
    size[0] = size[0]! & (0xff >> sizeLength)
    const isUnknown = numberOf(size) >= 2 ** (7 * sizeLength) - 1
    const end = isUnknown ? bytes.length : start + numberOf(size)
    yield { id, data: bytes.subarray(start, end), end }
    at = OPEN.has(id) ? start : end
  }
}

/** Bytes of the number that begins there: one more than its first byte has leading zeros. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const length = Math.clz32(bytes[at] ?? 0) - 23
  if (length > 8) throw new Error('This is no recording.')
  return length
}

function numberOf(bytes: Uint8Array): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0)
}

function number(value: number): Uint8Array {
  const bytes: number[] = []
  for (let rest = value; bytes.length === 0 || rest > 0; rest = Math.floor(rest / 256))
    bytes.unshift(rest % 256)
  return Uint8Array.from(bytes)
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value)
}

function element(id: number, parts: readonly Uint8Array[]): Uint8Array {
  const size = parts.reduce((sum, { length }) => sum + length, 0)
  const sized = new DataView(new ArrayBuffer(8))
  sized.setUint32(4, size)
  sized.setUint8(0, 1)
  return write([number(id), new Uint8Array(sized.buffer), ...parts])
}

function write(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
