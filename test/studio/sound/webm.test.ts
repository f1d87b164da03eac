import { expect, test } from 'vitest'
import { joinWebm } from '#lib/studio/sound/webm.ts'

/* Recordings are written here as browsers do: sizes of a segment and its clusters are unknown. */

const UNKNOWN = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]
const EBML = [0x1a, 0x45, 0xdf, 0xa3, 0x80]
const SEGMENT = [0x18, 0x53, 0x80, 0x67, ...UNKNOWN]
const CLUSTER = [0x1f, 0x43, 0xb6, 0x75, ...UNKNOWN]

function tracks(codec: string): number[] {
  const name = [...new TextEncoder().encode(codec)]
  const entry = [0xd7, 0x81, 7, 0x73, 0xc5, 0x81, 9, 0x86, 0x80 | name.length, ...name]
  return [0x16, 0x54, 0xae, 0x6b, 0x80 | (entry.length + 2), 0xae, 0x80 | entry.length, ...entry]
}

function cluster(ms: number, ...blocks: readonly (readonly number[])[]): number[] {
  return [...CLUSTER, 0xe7, 0x82, ms >> 8, ms & 0xff, ...blocks.flat()]
}

function block(ms: number, isKey: boolean, ...data: readonly number[]): number[] {
  return [0xa3, 0x80 | (4 + data.length), 0x87, ms >> 8, ms & 0xff, isKey ? 0x80 : 0, ...data]
}

/** A block with an addition, as of pictures with transparency; it refers to one before unless it is a key frame. */
function group(ms: number, isKey: boolean, data: number): number[] {
  const parts = [
    0xa1,
    0x85,
    0x87,
    ms >> 8,
    ms & 0xff,
    0,
    data,
    ...(isKey ? [] : [0xfb, 0x81, 1]),
    0x75,
    0xa1,
    0x80,
  ]
  return [0xa0, 0x80 | parts.length, ...parts]
}

/** Frames of a joined file: track, milliseconds, whether it is a key frame, data. Its sizes have eight bytes. */
function framesOf(file: Uint8Array): unknown[] {
  const view = new DataView(file.buffer, file.byteOffset)
  const frames: unknown[] = []
  let from = 0
  for (let at = 0; at < file.length; ) {
    const idLength = Math.clz32(file[at]!) - 23
    const id = [...file.subarray(at, at + idLength)].reduce((sum, byte) => sum * 256 + byte, 0)
    const start = at + idLength + 8
    const end = start + view.getUint32(start - 4)
    const data = file.subarray(start, end)
    if (id === 0xe7) from = data.reduce((sum, byte) => sum * 256 + byte, 0)
    if (id === 0xa3) {
      frames.push([data[0]! & 0x7f, from + view.getInt16(start + 1), data[3] === 0x80, ...data.subarray(4)])
    }
    at = id === 0x18538067 || id === 0x1f43b675 ? start : end
  }
  return frames
}

const picture = Uint8Array.from([
  ...[...EBML, ...SEGMENT, ...tracks('V_VP8')],
  ...cluster(500, block(0, true, 1), block(33, false, 2)),
  ...cluster(1400, group(200, true, 3), group(233, false, 4)),
])
const sound = Uint8Array.from([
  ...[...EBML, ...SEGMENT, ...tracks('A_OPUS')],
  ...cluster(40, block(0, true, 5), block(20, true, 6), block(1100, true, 7), block(1200, true, 8)),
])

test('a clip has its pictures and the sound that was heard with them, by time, until the pictures end', () => {
  expect(framesOf(joinWebm(picture, sound))).toEqual([
    [1, 0, true, 1],
    [2, 0, true, 5],
    [2, 20, true, 6],
    [1, 33, false, 2],
    [1, 1100, true, 3],
    [2, 1100, true, 7],
    [1, 1133, false, 4],
  ])
})

test('it has the tracks of both', () => {
  const text = new TextDecoder('latin1').decode(joinWebm(picture, sound))
  expect(text).toMatch(/V_VP8.*A_OPUS/s)
})

test.each([
  ['nothing', []],
  ['text', [...new TextEncoder().encode('<script>')]],
  ['no frame', [...EBML, ...SEGMENT, ...tracks('V_VP8')]],
])('%s is no recording', (_, bytes) => {
  expect(() => joinWebm(Uint8Array.from(bytes), sound)).toThrow('This is no recording.')
})
