import type { Arrangement } from '#lib/engine/sound/arrangement.ts'
import { isTuned, partOf, REST, rowsOf, STEPS } from '#lib/engine/sound/notes.ts'
import { patternOf } from '#lib/studio/sound/pattern-of.ts'
import { Sequencer } from '#lib/studio/sound/synth/sequencer.ts'
import { loudnessOf } from './loudness.ts'

export const RATE = 44_100
const BLOCK = 128
/** Seconds that ring after the last step. */
const TAIL_SECONDS = 2.5
/** A window quieter than this is silent: 60 dB below full scale. */
const SILENT = 0.001
const WINDOW_SECONDS = 0.02

/** Both channels of an arrangement, played once from its first step, or only for some seconds. */
export function rendered(
  arrangement: Arrangement,
  seconds = Number.POSITIVE_INFINITY,
): readonly [Float32Array, Float32Array] {
  const pattern = patternOf({ ...arrangement, loop: false }, 0)
  const frames = Math.ceil(Math.min(seconds, pattern.steps * pattern.stepSeconds + TAIL_SECONDS) * RATE)
  const sequencer = new Sequencer(RATE, () => {})
  sequencer.handle({ kind: 'pattern', pattern })
  sequencer.handle({ kind: 'play', from: 0 })
  const [left, right] = [new Float32Array(frames), new Float32Array(frames)]
  for (let from = 0; from < frames; from += BLOCK) {
    const to = Math.min(frames, from + BLOCK)
    sequencer.render(left.subarray(from, to), right.subarray(from, to))
  }
  return [left, right]
}

export interface SoundMeasures {
  readonly seconds: number
  /** dBFS. */
  readonly peak: number
  /** LUFS, integrated. */
  readonly loudness: number
  /** Mean of the samples, in thousandths of full scale. */
  readonly dc: number
  /** Moments at which the wave jumps as no instrument does. */
  readonly clicks: number
  /** Share of the time in which nothing is heard. */
  readonly silence: number
  /** Loudness of the difference of both channels against their sum, in dB: below -40 it is mono. */
  readonly width: number
}

export function measureSound(channels: readonly [Float32Array, Float32Array], steps: number): SoundMeasures {
  const [left, right] = channels
  let [peak, sum, middle, side] = [0, 0, 0, 0]
  for (let at = 0; at < left.length; at++) {
    const [one, other] = [left[at]!, right[at]!]
    peak = Math.max(peak, Math.abs(one), Math.abs(other))
    sum += one + other
    middle += (one + other) ** 2
    side += (one - other) ** 2
  }
  const window = Math.round(WINDOW_SECONDS * RATE)
  const played = Math.round(steps * RATE)
  let [windows, silent] = [0, 0]
  for (let from = 0; from + window <= played; from += window) {
    windows += 1
    let most = 0
    for (let at = from; at < from + window; at++) {
      most = Math.max(most, Math.abs(left[at]!), Math.abs(right[at]!))
    }
    if (most < SILENT) silent += 1
  }
  return {
    seconds: steps,
    peak: 20 * Math.log10(peak),
    loudness: loudnessOf(channels, RATE),
    dc: (Math.abs(sum) / (2 * left.length)) * 1000,
    clicks: clicksOf(left) + clicksOf(right),
    silence: windows === 0 ? 0 : silent / windows,
    width: 10 * Math.log10(side / middle),
  }
}

/** A click is a jump by itself: the edges of a saw tooth come again. */
const LEAST_JUMP = 0.04
const TIMES_ITS_NEIGHBOURS = 2.5
const NEAR_SECONDS = 0.001
const FAR_SECONDS = 0.04

function clicksOf(samples: Float32Array): number {
  const jumps = samples.map((sample, at) => Math.abs(sample - (samples[at - 1] ?? 0)))
  const [near, far] = [Math.round(NEAR_SECONDS * RATE), Math.round(FAR_SECONDS * RATE)]
  let clicks = 0
  for (const [at, jump] of jumps.entries()) {
    if (jump < LEAST_JUMP) continue
    const bound = jump / TIMES_ITS_NEIGHBOURS
    const isCalm = (from: number, to: number) =>
      jumps.subarray(Math.max(0, from), to).every((each) => each < bound)
    if (isCalm(at - far, at - near) && isCalm(at + near, at + far)) clicks += 1
  }
  return clicks
}

export interface NoteMeasures {
  readonly notes: number
  readonly velocities: number
  /** Share of steps at which no note begins. */
  readonly rests: number
  /** Share of seconds, sevenths and tritones among the intervals that sound together. */
  readonly dissonant: number
  /** Tuned notes outside the piece's scale. */
  readonly outside: number
}

/** Half tones between two notes, within an octave, that are dissonant. */
const DISSONANT = new Set([1, 2, 6, 10, 11])

export function measureNotes(arrangement: Arrangement): NoteMeasures {
  const { steps, scale, root } = arrangement
  const inScale = new Set(STEPS[scale].map((step) => (step + root) % 12))
  const sounding: number[][] = Array.from({ length: steps }, () => [])
  const velocities = new Set<number>()
  const begins = new Set<number>()
  let [notes, outside] = [0, 0]
  for (const path of arrangement.paths) {
    if (path.muted || path.instrument === 'silent') continue
    for (const row of rowsOf(partOf(path.data, path))) {
      for (const [step, note] of row.notes.entries()) {
        if (note === REST) continue
        notes += 1
        begins.add(step)
        velocities.add(row.levels[step]!)
        if (!isTuned(path.instrument)) continue
        if (!inScale.has(note % 12)) outside += 1
        const lasts = row.lengths?.[step] ?? 1
        for (let at = step; at < Math.min(steps, step + lasts); at++) sounding[at]!.push(note)
      }
    }
  }
  const intervals = sounding.flatMap((together) =>
    together.flatMap((one, index) => together.slice(index + 1).map((other) => Math.abs(one - other) % 12)),
  )
  const harsh = intervals.filter((interval) => DISSONANT.has(interval)).length
  return {
    notes,
    velocities: velocities.size,
    rests: steps === 0 ? 0 : 1 - begins.size / steps,
    dissonant: intervals.length === 0 ? 0 : harsh / intervals.length,
    outside,
  }
}
