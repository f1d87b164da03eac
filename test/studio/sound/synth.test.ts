import { describe, expect, test } from 'vitest'
import { REST } from '#lib/engine/sound/notes.ts'
import type { FromSynth, Pattern } from '#lib/studio/sound/synth/pattern.ts'
import { Sequencer } from '#lib/studio/sound/synth/sequencer.ts'

const RATE = 8_000

function pattern(notes: readonly number[], more: Partial<Pattern> = {}): Pattern {
  return {
    ...{ id: 1, steps: notes.length, stepSeconds: 60 / 97 / 4, loop: true, gain: 0.5 },
    tracks: [
      {
        ...{ key: '0', instrument: 'hat', pan: 0 },
        notes: Int8Array.from(notes),
        levels: new Uint8Array(notes.length).fill(127),
      },
    ],
    ...more,
  }
}

/** @param begun Seconds of the audio clock at which rendering begins. */
function start(first: Pattern, begun = 0) {
  const reports: FromSynth[] = []
  const sequencer = new Sequencer(RATE, (message) => reports.push(message))
  const left = new Float32Array(128)
  const right = new Float32Array(128)
  let frame = begun * RATE
  sequencer.goTo(frame)
  sequencer.handle({ kind: 'pattern', pattern: first })
  sequencer.handle({ kind: 'play', from: 0 })
  return {
    sequencer,
    reports,
    /** Leaves blocks out, as a busy browser does, while its clock goes on. */
    skip(seconds: number) {
      frame += Math.round((seconds * RATE) / 128) * 128
    },
    /** Renders and hands each block to `look`. */
    render(
      seconds: number,
      look: (block: Float32Array, frame: number, right: Float32Array) => void = () => {},
    ) {
      for (const end = frame + seconds * RATE; frame < end; frame += 128) {
        left.fill(0)
        right.fill(0)
        sequencer.goTo(frame)
        sequencer.render(left, right)
        look(left, frame, right)
      }
    },
  }
}

function stepsOf(reports: readonly FromSynth[]) {
  return reports.filter((report) => report.kind === 'step')
}

describe('the sequencer', () => {
  test('begins every second step late where it swings, and keeps the beat', () => {
    const { render, reports, sequencer } = start(pattern([60, 60, 60, 60], { stepSeconds: 0.1, swing: 0.5 }))
    render(0.65)
    const times = () => stepsOf(reports).map(({ atSeconds }) => atSeconds.toFixed(2))
    expect(times()).toEqual(['0.00', '0.15', '0.20', '0.35', '0.40', '0.55', '0.60'])
    sequencer.handle({ kind: 'pattern', pattern: pattern([60, 60], { stepSeconds: 0.2, swing: 0.5 }) })
    render(0.6)
    // The new pattern, its swing and tempo begin at the step after.
    expect(times().slice(7)).toEqual(['0.75', '0.90', '1.20'])
  })

  test('holds a note as long as it lasts, over those that follow', () => {
    const sounding = (lengths: readonly number[] | undefined) => {
      const [track] = pattern([60, REST, REST, REST]).tracks
      const tracks = [{ ...track!, instrument: 'pad' as const, lengths: lengths && Uint8Array.from(lengths) }]
      const { render } = start(pattern([60, REST, REST, REST], { tracks, stepSeconds: 0.5, loop: false }))
      let energy = 0
      render(0.9)
      render(0.5, (block) => {
        energy += block.reduce((sum, value) => sum + value * value, 0)
      })
      return energy
    }
    expect(sounding([4, 0, 0, 0])).toBeGreaterThan(4 * sounding(undefined))
  })

  test('begins the notes of a chord together, each at its place', () => {
    const [track] = pattern([60]).tracks
    const row = { notes: Int8Array.of(67), levels: Uint8Array.of(127) }
    const energies = (chords: Pattern['tracks'][number]['chords'] & {}, pan: number) => {
      const tracks = [
        { ...track!, ...{ instrument: 'keys' as const, room: 0, pans: Float32Array.of(pan), chords } },
      ]
      const { render } = start(pattern([60], { tracks, loop: false }))
      let [left, right] = [0, 0]
      render(0.1, (block, _, other) => {
        left += block.reduce((sum, value) => sum + value * value, 0)
        right += other.reduce((sum, value) => sum + value * value, 0)
      })
      return { left, right }
    }
    const alone = energies([], -1)
    expect(alone.right).toBeLessThan(alone.left / 100)
    const chord = energies([{ ...row, pans: Float32Array.of(1) }], -1)
    expect(chord.left).toBeGreaterThan(alone.left * 0.8)
    expect(chord.right).toBeGreaterThan(alone.left * 0.3)
  })

  test('sends a note to the room and to the echo as far as its track says, and never clips', () => {
    /** Energy of a hit in the windows after it. */
    const energies = (sends: { readonly room?: number; readonly echo?: number }, tempo = 0.1) => {
      const notes = [42, ...Array<number>(39).fill(REST)]
      const [track] = pattern(notes).tracks
      const tracks = [{ ...track!, ...sends }]
      const { render } = start(pattern(notes, { tracks, stepSeconds: tempo, loop: false }))
      const windows = Array<number>(20).fill(0)
      render(2, (block, frame) => {
        const at = Math.floor((frame / RATE) * 10)
        windows[at]! += block.reduce((sum, value) => sum + value * value, 0)
      })
      return windows
    }
    const dry = energies({ room: 0 })
    const quiet = dry[0]! * 1e-4
    expect(dry.slice(4).every((energy) => energy < quiet)).toBe(true)
    const wet = energies({ room: 1 })
    expect(wet[4]).toBeGreaterThan(quiet)
    // It comes back after three steps on the left, then on the right, which is not measured here, then on the left.
    const echoed = energies({ room: 0, echo: 1 })
    expect(echoed[3]).toBeGreaterThan(dry[0]! * 0.2)
    expect(echoed[6]).toBeLessThan(quiet)
    expect(echoed[9]).toBeGreaterThan(quiet)
    expect(echoed[9]).toBeLessThan(echoed[3]! / 4)

    const loud = Array.from({ length: 12 }, (_, index) => ({
      ...{ key: String(index), instrument: 'lead' as const, pan: index % 2 ? 1 : -1, room: 1, echo: 1 },
      notes: new Int8Array(8).fill(60 + index),
      levels: new Uint8Array(8).fill(127),
    }))
    const { render } = start(pattern(Array(8).fill(60), { tracks: loud, gain: 1, stepSeconds: 0.06 }))
    let peak = 0
    render(6, (block) => {
      for (const sample of block) peak = Math.max(peak, Math.abs(sample))
    })
    expect(peak).toBeGreaterThan(0.5)
    expect(peak).toBeLessThanOrEqual(1)
  })

  test('takes a new pattern, tempo and length at the next step, and keeps the count', () => {
    const { render, reports, sequencer } = start(pattern([60, 60, 60, 60], { stepSeconds: 0.1 }))
    render(0.55)
    sequencer.handle({
      kind: 'pattern',
      pattern: pattern([60, 60, 60], { id: 2, stepSeconds: 0.05 }),
    })
    render(0.3)
    const steps = stepsOf(reports)
    expect(steps.map(({ step, pattern: id }) => `${id}:${step}`).slice(0, 9)).toEqual([
      '1:0',
      '1:1',
      '1:2',
      '1:3',
      '1:0',
      '1:1',
      '2:0',
      '2:1',
      '2:2',
    ])
    const at = steps.map(({ atSeconds }) => Math.round(atSeconds * 1000))
    expect(at.slice(4, 9)).toEqual([400, 500, 600, 650, 700])
  })

  // The module takes its time to load, in which the clock runs.
  test.each([0, 0.35])(
    'changes a step that has hardly begun for an edit from before it, and no other: from %d s',
    (begun) => {
      const silent = pattern(Array(8).fill(REST), { stepSeconds: 0.2 })
      const hits = pattern(Array(8).fill(42), { id: 2, stepSeconds: 0.2 })
      /** When it sounds after an edit that arrives as a pattern later. */
      const onset = (editedAt: number, arrivesAt: number) => {
        const { render, sequencer } = start(silent, begun)
        render(arrivesAt)
        sequencer.handle({ kind: 'pattern', pattern: hits, editedAt: begun + editedAt })
        let first: number | undefined
        render(0.5, (block, frame) => {
          const index = block.findIndex((sample) => Math.abs(sample) > 0.005)
          if (index >= 0) first ??= (frame + index) / RATE - begun
        })
        return first
      }
      // The second step begins at 0.2 s. Its blocks are of 16 ms at this rate.
      expect(onset(0.19, 0.224)).toBeCloseTo(0.224, 2)
      expect(onset(0.21, 0.224)).toBeCloseTo(0.4, 2)
      expect(onset(0.19, 0.304)).toBeCloseTo(0.4, 2)
      expect(onset(0.1, 0.16)).toBeCloseTo(0.2, 2)
    },
  )

  test('ends after its last step where the loop is off, also when it had gone round before', () => {
    const { render, reports, sequencer } = start(pattern([60, 60, 60], { stepSeconds: 0.05 }))
    render(0.5)
    sequencer.handle({
      kind: 'pattern',
      pattern: pattern([60, 60, 60], { id: 2, stepSeconds: 0.05, loop: false }),
    })
    render(0.3)
    expect(reports.at(-1)).toEqual({ kind: 'end' })
    const last = stepsOf(reports).filter(({ pattern: id }) => id === 2)
    expect(last.at(-1)?.step).toBe(2)
    expect(last.length).toBeLessThanOrEqual(3)
  })

  test('keeps the clock where the browser leaves blocks out', () => {
    const { render, reports, skip } = start(pattern([60, 60, 60, 60], { stepSeconds: 0.1 }))
    render(0.33)
    skip(0.032)
    render(0.2)
    // Longer than two steps.
    skip(0.24)
    render(0.2)
    const at = stepsOf(reports).map(({ atSeconds }) => Math.round(atSeconds * 1000))
    expect(at).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000])
  })

  test('goes elsewhere at the next step, and is silent after stop', () => {
    const { render, reports, sequencer } = start(pattern(Array(8).fill(42), { stepSeconds: 0.05 }))
    render(0.12)
    sequencer.handle({ kind: 'seek', step: 6 })
    render(0.1)
    expect(stepsOf(reports).map(({ step }) => step)).toEqual([0, 1, 2, 6, 7])
    sequencer.handle({ kind: 'stop' })
    render(3)
    let peak = 0
    render(0.1, (block) => {
      for (const sample of block) peak = Math.max(peak, Math.abs(sample))
    })
    expect(peak).toBeLessThan(1e-4)
    expect(stepsOf(reports)).toHaveLength(5)
  })

  test('finds a voice for the last of 64 paths in every step, however dense they are', () => {
    const notes = [60, 64, 67, 71]
    const [track] = pattern(notes).tracks
    const tracks = Array.from({ length: 64 }, (_, index) => ({
      ...track!,
      ...{ key: String(index), instrument: 'bell' as const },
      // All but the last ring without being heard.
      ...(index < 63 && { levels: new Uint8Array(notes.length) }),
    }))
    const { render } = start(pattern(notes, { tracks, stepSeconds: 0.032 }))
    let quietest = 1
    render(4, (block) => {
      quietest = Math.min(quietest, Math.max(...block.map(Math.abs)))
    })
    expect(quietest).toBeGreaterThan(0.05)
  })
})
