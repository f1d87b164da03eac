import { describe, expect, test } from 'vitest'
import { frequencyOf, notesOf, writeMidi } from '../../../lib/ui/studio/results/midi.ts'

function hex(bytes: Uint8Array) {
  return Buffer.from(bytes).toString('hex')
}

describe('notes of values', () => {
  test('are the values themselves, and rests above 127', () => {
    expect(notesOf([0, 60, 127, 128, 4_294_967_295], { kind: 'direct' })).toEqual([
      0,
      60,
      127,
      undefined,
      undefined,
    ])
  })

  test('count through a scale and begin again after three octaves', () => {
    const major = notesOf([0, 1, 7, 20, 21, 4_294_967_295], { kind: 'wrap', scale: 'major' })
    expect(major).toEqual([
      48,
      50,
      60,
      83,
      48,
      notesOf([4_294_967_295 % 21], { kind: 'wrap', scale: 'major' })[0],
    ])
  })

  test('spread over three octaves from the smallest value to the largest', () => {
    expect(notesOf([10, 20, 4_000_000_010], { kind: 'spread', scale: 'chromatic' })).toEqual([48, 48, 84])
    expect(notesOf([0, 50, 100], { kind: 'spread', scale: 'chromatic' })).toEqual([48, 66, 84])
    const [still] = notesOf([5, 5], { kind: 'spread', scale: 'pentatonic' })
    expect(still).toBeGreaterThan(48)
    expect(still).toBeLessThan(84)
  })

  test('have the pitch of the equal temperament', () => {
    expect(frequencyOf(69)).toBe(440)
    expect(frequencyOf(60)).toBeCloseTo(261.6256, 3)
  })
})

describe('a MIDI file', () => {
  test('is byte for byte as the standard specifies', () => {
    const file = writeMidi([{ name: 'a', notes: [60, undefined, 62, undefined] }], 8)
    expect(hex(file)).toBe(
      [
        '4d546864 00000006 0001 0002 01e0',
        // Eight steps a second are 120 quarters a minute: 500,000 microseconds.
        '4d54726b 0000000b 00ff510307a120 00ff2f00',
        '4d54726b 00000019 00ff030161',
        '00903c50 78803c00',
        '78903e50 78803e00',
        '78ff2f00',
      ]
        .join('')
        .replaceAll(' ', ''),
    )
  })

  test('skips the drum channel and writes a track for each voice', () => {
    const tracks = Array.from({ length: 17 }, (_, i) => ({ name: `voice ${i}`, notes: [60] }))
    const read = readMidi(writeMidi(tracks, 4))
    expect(read.tracks.map(({ channel }) => channel)).toEqual([
      ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15],
      ...[0, 1],
    ])
    expect(read.tracks.map(({ name }) => name)).toEqual(tracks.map(({ name }) => name))
  })

  test('brings back every note at its time, also after long rests', () => {
    const notes = Array.from({ length: 5000 }, (_, i) => (i % 700 < 400 ? undefined : i % 128))
    const { tracks, ticksPerQuarter } = readMidi(writeMidi([{ name: '/Ä:0', notes }], 16))
    expect(ticksPerQuarter).toBe(480)
    expect(tracks[0]?.name).toBe('/Ä:0')
    expect(tracks[0]?.notes).toEqual(
      notes.flatMap((note, step) => (note === undefined ? [] : [{ note, at: step * 120, lasts: 120 }])),
    )
    expect(tracks[0]?.end).toBe(5000 * 120)
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
      } else throw new Error(`Unknown status ${status}`)
    }
    expect(at).toBe(end)
    expect(sounding.size).toBe(0)
    if (track > 0) tracks.push(read)
  }
  expect(at).toBe(file.byteLength)
  return { ticksPerQuarter: view.getUint16(12), tracks }
}
