import { describe, expect, test } from 'vitest'
import { FAST, openTransport, page } from '../../ui/studio/transport/transport-driver.ts'
import type { TransportPage } from '../../ui/studio/transport/transport-page.ts'

/* Sound as it is rendered without speakers: offline, and into files. */

openTransport()

describe('what reaches the speakers, by the clock of an offline context', () => {
  const QUIET = -1

  test('is an edit at most 60 ms after its step, and steps without drift over half an hour', async () => {
    const found = await page.evaluate(
      async ([quiet, seconds]) => {
        const rate = 8_000
        const stepSeconds = 0.1
        const loop = (note: number) =>
          ({ stepSeconds, instrument: 'hat', notes: Array<number>(8).fill(note) }) as const
        const blockSeconds = 128 / rate
        // Edits at every place inside of a step, with their run up to 60 ms later, at the beginning of a block.
        const edits = Array.from({ length: 240 }, (_, index) => {
          const editedAt = 1 + index * 7.4 + ((index * 37) % 100) / 1000
          const runAt = editedAt + 0.02 + ((index * 7) % 40) / 1000
          const arrivesAt = Math.floor(runAt / blockSeconds) * blockSeconds
          return { editedAt, arrivesAt, pattern: loop(42) }
        })
        const ends = edits.map(({ editedAt }) => {
          const at = editedAt + 0.65
          return { editedAt: at, arrivesAt: at, pattern: loop(quiet) }
        })
        const samples = await (window as unknown as TransportPage).renderOffline({
          ...{ rate, seconds, first: loop(quiet) },
          edits: edits.flatMap((edit, index) => [edit, ends[index]!]),
        })
        const onsets: number[] = []
        let last = Number.NEGATIVE_INFINITY
        for (let frame = 0; frame < samples.length; frame++) {
          if (Math.abs(samples[frame]!) < 0.1) continue
          if (frame - last > 0.02 * rate) onsets.push(frame / rate)
          last = frame
        }
        const firsts = edits.map(({ editedAt }) => onsets.find((onset) => onset > editedAt) ?? Number.NaN)
        return {
          onsets: onsets.length,
          last: onsets.at(-1)!,
          edits: edits.map(({ editedAt, arrivesAt }, index) => {
            const boundary = Math.ceil(editedAt / stepSeconds) * stepSeconds
            return { afterMs: (firsts[index]! - boundary) * 1000, late: arrivesAt > boundary }
          }),
          driftMs: Math.max(
            ...onsets
              .filter((onset) => !firsts.includes(onset))
              .map((onset) => Math.abs(onset - Math.round(onset / stepSeconds) * stepSeconds) * 1000),
          ),
        }
      },
      [QUIET, 30 * 60] as const,
    )
    expect(found.onsets).toBeGreaterThan(240 * 5)
    expect(found.last).toBeGreaterThan(1_765)
    expect(found.driftMs).toBeLessThan(5)
    const late = found.edits.filter((edit) => edit.late)
    expect(late.length).toBeGreaterThan(40)
    expect(Math.min(...found.edits.map(({ afterMs }) => afterMs))).toBeGreaterThanOrEqual(0)
    expect(Math.max(...late.map(({ afterMs }) => afterMs))).toBeLessThanOrEqual(60)
    // The others are on the beat.
    expect(Math.max(...found.edits.filter((edit) => !edit.late).map(({ afterMs }) => afterMs))).toBeLessThan(
      5,
    )
  })

  test('has no gap and no click while a tone is edited twenty times a second', async () => {
    const found = await page.evaluate(async () => {
      const rate = 44_100
      const stepSeconds = 0.05
      const drone = (note: number) =>
        ({ stepSeconds, instrument: 'pad', notes: Array<number>(16).fill(note) }) as const
      const samples = await (window as unknown as TransportPage).renderOffline({
        ...{ rate, seconds: 4, first: drone(57) },
        edits: Array.from({ length: 60 }, (_, index) => {
          const editedAt = 0.5 + index * 0.0513
          return { editedAt, arrivesAt: editedAt + 0.02, pattern: drone(index % 2 === 0 ? 60 : 57) }
        }),
      })
      // The loudest moment of every 20 ms, and the sharpest bend of the wave.
      const window20 = Math.round(rate / 50)
      let quietest = 1
      for (let at = rate / 2; at + window20 <= samples.length; at += window20) {
        let peak = 0
        for (let k = at; k < at + window20; k++) peak = Math.max(peak, Math.abs(samples[k]!))
        quietest = Math.min(quietest, peak)
      }
      let bend = 0
      for (let k = 2; k < samples.length; k++) {
        bend = Math.max(bend, Math.abs(samples[k]! - 2 * samples[k - 1]! + samples[k - 2]!))
      }
      return { quietest, bend }
    })
    expect(found.quietest).toBeGreaterThan(0.02)
    // A cut wave bends as much as it is loud, here 0.2 and more.
    expect(found.bend).toBeLessThan(0.05)
  })
})

describe('files of sound', () => {
  /** The samples of a WAV of 16 bits in stereo, frame by frame, as numbers. */
  function readWav(base64: string) {
    const bytes = Buffer.from(base64, 'base64')
    expect(bytes.subarray(0, 4).toString()).toBe('RIFF')
    expect(bytes.subarray(8, 16).toString()).toBe('WAVEfmt ')
    expect([bytes.readUInt16LE(20), bytes.readUInt16LE(22), bytes.readUInt16LE(34)]).toEqual([1, 2, 16])
    expect(bytes.readUInt32LE(40)).toBe(bytes.byteLength - 44)
    const rate = bytes.readUInt32LE(24)
    const left = Array.from({ length: (bytes.byteLength - 44) / 4 }, (_, frame) =>
      bytes.readInt16LE(44 + frame * 4),
    )
    return { rate, left }
  }

  function loudest(samples: readonly number[]) {
    return samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  }

  test('WAV has every step at its time, and the stems are what the mix is made of', async () => {
    const hits = [1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    const made = await page.evaluate(
      async ([streams, sound]) => {
        const { mix, stems } = window as unknown as TransportPage
        return { mix: await mix(streams, sound), stems: await stems(streams, sound) }
      },
      [
        [
          { path: '/song:0', data: hits },
          { path: '/song:1', data: hits.toReversed() },
          { path: '/song:2', data: hits },
        ],
        { ...FAST, paths: [{ path: '2', muted: true }] },
      ] as const,
    )
    const { rate, left } = readWav(made.mix)
    // 16 steps of 50 ms, and what rings after them.
    expect(left.length / rate).toBeCloseTo(0.8 + 2.5, 1)
    const around = (seconds: number) =>
      loudest(left.slice(Math.round(seconds * rate), Math.round((seconds + 0.02) * rate)))
    expect(around(0)).toBeGreaterThan(3000)
    expect(around(0.4)).toBeGreaterThan(3000)
    expect(around(3.2)).toBeLessThan(100)
    expect(made.stems.map(({ name }) => name)).toEqual(['01_path_0_kick.wav', '02_path_1_hat.wav'])
    const [kick, hat] = made.stems.map(({ wav }) => readWav(wav).left)
    // The mix is their sum, but for what the limiter bends.
    const apart = left.map((sample, frame) => Math.abs(sample - kick![frame]! - hat![frame]!))
    expect(loudest(apart)).toBeLessThan(loudest(left) * 0.25)
    expect(loudest(hat!)).toBeGreaterThan(500)
  })
})
