import { describe, expect, test } from 'vitest'
import { arrange } from '../../lib/sound/arrangement.ts'
import { writeMidi } from '../../lib/sound/midi-file.ts'

const AS_NOTES = { instrument: 'keys', mapping: 'notes' } as const
/** More than any note: a rest. */
const REST = 4_294_967_295

function hex(bytes: Uint8Array) {
  return Buffer.from(bytes).toString('hex')
}

function streams(...data: readonly (readonly number[])[]) {
  return data.map((values, index) => ({ path: `/a:${index}`, data: values }))
}

describe('a MIDI file', () => {
  test('is byte for byte as the standard specifies', () => {
    const file = writeMidi(
      arrange(streams([60, REST, 62, REST]), { bpm: 120, paths: [{ path: '0', ...AS_NOTES }] }),
    )
    expect(hex(file)).toBe(
      [
        '4d546864 00000006 0001 0002 01e0',
        // 120 quarters a minute: 500,000 microseconds.
        '4d54726b 0000000b 00ff510307a120 00ff2f00',
        // Its name, its program (an electric piano), two notes of a sixteenth.
        '4d54726b 0000001f 00ff03042f613a30 00c004',
        '00903c64 78803c00',
        '78903e64 78803e00',
        '78ff2f00',
      ]
        .join('')
        .replaceAll(' ', ''),
    )
  })

  test('has a channel for each tuned path but the drums, which share theirs', () => {
    const tuned = Array.from({ length: 17 }, (_, index) => ({ path: `/v:${index}`, data: [60, 61] }))
    const drums = { path: '/v:17', data: [1, 0] }
    const silent = { path: '/v:18', data: [60, 61] }
    const paths = [
      ...tuned.map((_, index) => ({ path: String(index), ...AS_NOTES })),
      { path: '17', instrument: 'snare' } as const,
      { path: '18', instrument: 'silent' } as const,
    ]
    const read = readMidi(writeMidi(arrange([...tuned, drums, silent], { paths })))
    expect(read.tracks.map(({ channel }) => channel)).toEqual([
      ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15],
      ...[0, 1, 9],
    ])
    expect(read.tracks.map(({ name }) => name)).toEqual([...tuned, drums].map(({ path }) => path))
    expect(read.tracks.at(-1)?.notes).toEqual([{ note: 38, at: 0, lasts: 120 }])
  })

  test('brings back every note at its time, also after long rests', () => {
    const notes = Array.from({ length: 5000 }, (_, i) => (i % 700 < 400 ? REST : i % 128))
    const sound = { stepsPerBeat: 8, paths: [{ path: '0', ...AS_NOTES }] } as const
    const { tracks, ticksPerQuarter } = readMidi(writeMidi(arrange([{ path: '/Ä:0', data: notes }], sound)))
    expect(ticksPerQuarter).toBe(480)
    expect(tracks[0]?.name).toBe('/Ä:0')
    expect(tracks[0]?.notes).toEqual(
      notes.flatMap((note, step) => (note === REST ? [] : [{ note, at: step * 60, lasts: 60 }])),
    )
    expect(tracks[0]?.end).toBe(5000 * 60)
  })
})

interface ReadTrack {
  name: string
  channel: number
  notes: { note: number; at: number; lasts: number }[]
  end: number
}

/** A reader of the events that the writer uses, made from the standard; anything else is an error. */
function readMidi(file: Uint8Array): { ticksPerQuarter: number; tracks: ReadTrack[] } {
  const view = new DataView(file.buffer)
  expect(Buffer.from(file.subarray(0, 4)).toString()).toBe('MThd')
  const count = view.getUint16(10)
  const tracks: ReadTrack[] = []
  let at = 14
  for (let track = 0; track < count; track++) {
    expect(Buffer.from(file.subarray(at, at + 4)).toString()).toBe('MTrk')
    const end = at + 8 + view.getUint32(at + 4)
    at += 8
    const read: ReadTrack = { name: '', channel: -1, notes: [], end: 0 }
    const sounding = new Map<number, number>()
    let now = 0
    const length = () => {
      let value = 0
      for (;;) {
        const byte = file[at++]!
        value = value * 128 + (byte & 0x7f)
        if (byte < 0x80) return value
      }
    }
    while (at < end) {
      now += length()
      const status = file[at++]!
      if (status === 0xff) {
        const type = file[at++]!
        const size = length()
        if (type === 3) read.name = Buffer.from(file.subarray(at, at + size)).toString()
        if (type === 0x2f) read.end = now
        at += size
      } else if (status >> 4 === 9) {
        read.channel = status & 15
        sounding.set(file[at]!, now)
        at += 2
      } else if (status >> 4 === 8) {
        const note = file[at]!
        const began = sounding.get(note)!
        sounding.delete(note)
        read.notes.push({ note, at: began, lasts: now - began })
        at += 2
      } else if (status >> 4 === 12) {
        at += 1
      } else throw new Error(`Unknown status ${status}`)
    }
    expect(at).toBe(end)
    expect(sounding.size).toBe(0)
    if (track > 0) tracks.push(read)
  }
  expect(at).toBe(file.byteLength)
  return { ticksPerQuarter: view.getUint16(12), tracks }
}
