import { describe, expect, test } from 'vitest'
import { arrange } from '#lib/engine/sound/arrangement.ts'
import { writeMidi } from '#lib/engine/sound/midi-file.ts'
import { readMidi } from '#test/support/read-midi.ts'

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
        '00903c70 78803c00',
        '78903e56 78803e00',
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

  test('has one instrument on a channel, also with more voices than there are channels', () => {
    const instruments = ['keys', 'pluck', 'bass', 'lead', 'bell', 'pad'] as const
    const voices = Array.from({ length: 20 }, (_, index) => ({ path: `/v:${index}`, data: [60, 61] }))
    const paths = voices.map((_, index) => ({
      path: String(index),
      instrument: index < 12 ? ('keys' as const) : instruments[index % instruments.length]!,
      mapping: 'notes' as const,
    }))
    const { tracks } = readMidi(writeMidi(arrange(voices, { paths })))
    const programs = new Map<number, Set<number | undefined>>()
    for (const { channel, program } of tracks) {
      programs.set(channel, (programs.get(channel) ?? new Set()).add(program))
    }
    expect([...programs.values()].map(({ size }) => size)).toEqual(Array(programs.size).fill(1))
    expect(programs.size).toBe(15)
    expect(programs.has(9)).toBe(false)
  })

  test('has loudness, lengths, swing, level and place; a note that comes again ends the one before', () => {
    const paths = [
      { path: '/a:0/pitch:0', data: [60, 64, 60, 67] },
      { path: '/a:1/velocity:0', data: [90, 60, 70, 50] },
      { path: '/a:2/duration:0', data: [4, 1, 1, 3] },
    ]
    const sound = { swing: 50, paths: [{ path: '0/0', level: 50, pan: -100 }] } as const
    const file = writeMidi(arrange(paths, sound))
    const [track] = readMidi(file).tracks
    expect(track?.notes.toSorted((a, b) => a.at - b.at)).toEqual([
      { note: 60, at: 0, lasts: 240 },
      { note: 64, at: 180, lasts: 60 },
      { note: 60, at: 240, lasts: 180 },
      { note: 67, at: 420, lasts: 300 },
    ])
    expect(track?.end).toBe(720)
    // The level is in the velocities, as in what is heard.
    expect(track?.controllers).toEqual([[10, 0]])
    expect(hex(file)).toContain('00903c2d')
  })

  test('has notes at the times that a path gives, places beside each other, and the room', () => {
    const paths = [
      { path: '/a:0/pitch:0', data: [60, 62, 64, 65] },
      { path: '/a:1/time:0', data: [7, 9, 10, 12] },
      { path: '/b:2/pitch:0', data: [48, 50, 52, 53] },
    ]
    const sound = {
      paths: [
        { path: '0/0', room: 50 },
        { path: '2/0', instrument: 'pluck' },
      ],
    } as const
    const [timed, plain] = readMidi(writeMidi(arrange(paths, sound))).tracks
    expect(timed?.notes).toEqual([
      { note: 60, at: 0, lasts: 240 },
      { note: 62, at: 240, lasts: 120 },
      { note: 64, at: 360, lasts: 240 },
    ])
    expect(timed?.controllers).toEqual([[91, 64]])
    expect(plain?.controllers).toEqual([[10, 93]])
  })

  test('has chords, each note at its place', () => {
    const paths = [
      { path: '/a:0/pitch:0', data: [60, 64, 67, 65] },
      { path: '/a:1/time:0', data: [0, 0, 0, 2] },
      { path: '/a:2/pan:0', data: [64, 64, 64, 0] },
    ]
    const [track, ...others] = readMidi(writeMidi(arrange(paths, {}))).tracks
    expect(others).toEqual([])
    expect(track?.notes).toEqual([
      { note: 60, at: 0, lasts: 240 },
      { note: 64, at: 0, lasts: 240 },
      { note: 67, at: 0, lasts: 240 },
      { note: 65, at: 240, lasts: 240 },
    ])
    expect(track?.controllers).toEqual([
      [10, 64],
      [10, 0],
    ])
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
