import type { Instrument } from '../../document/sound.ts'
import { DRUM_NOTES } from './pattern.ts'

/** A tuned voice: an oscillator, its envelope and a filter that closes. Times in seconds. */
interface Tuned {
  readonly wave: 'fm' | 'saw' | 'square'
  readonly gain: number
  readonly attack: number
  /** Time constant of the fall to `sustain`, a share of the peak. */
  readonly decay: number
  readonly sustain: number
  readonly release: number
  /** How much of a step the key is held. */
  readonly gate: number
  /** Of the modulator: its frequency as a multiple, its depth at the start and at the end. */
  readonly fm?: { readonly ratio: number; readonly index: number; readonly restIndex: number }
  /** Of the filter, in multiples of the note's frequency: where it begins and where it comes to rest. */
  readonly cutoff?: { readonly open: number; readonly rest: number; readonly decay: number }
  /** Ratio of a second oscillator. */
  readonly detune?: number
  /** Share that goes to the room. */
  readonly room: number
}

const TUNED: Readonly<Record<'keys' | 'pluck' | 'bass' | 'lead' | 'bell' | 'pad', Tuned>> = {
  keys: {
    ...{ wave: 'fm', gain: 0.9, attack: 0.004, decay: 0.55, sustain: 0.12, release: 0.12, gate: 0.95 },
    fm: { ratio: 1, index: 1.7, restIndex: 0.25 },
    room: 0.16,
  },
  pluck: {
    ...{ wave: 'saw', gain: 0.8, attack: 0.003, decay: 0.28, sustain: 0, release: 0.09, gate: 0.9 },
    cutoff: { open: 11, rest: 1.2, decay: 0.07 },
    room: 0.2,
  },
  bass: {
    ...{ wave: 'saw', gain: 1, attack: 0.005, decay: 0.35, sustain: 0.45, release: 0.06, gate: 0.85 },
    cutoff: { open: 7, rest: 2.2, decay: 0.09 },
    detune: 0.5,
    room: 0.03,
  },
  lead: {
    ...{ wave: 'square', gain: 0.55, attack: 0.006, decay: 0.3, sustain: 0.55, release: 0.08, gate: 0.8 },
    cutoff: { open: 8, rest: 4, decay: 0.15 },
    room: 0.18,
  },
  bell: {
    ...{ wave: 'fm', gain: 0.6, attack: 0.002, decay: 0.9, sustain: 0, release: 0.9, gate: 1 },
    fm: { ratio: 3.51, index: 2.4, restIndex: 0.1 },
    room: 0.35,
  },
  pad: {
    ...{ wave: 'saw', gain: 0.5, attack: 0.12, decay: 0.8, sustain: 0.7, release: 0.5, gate: 1 },
    cutoff: { open: 3, rest: 2.5, decay: 0.5 },
    detune: 1.006,
    room: 0.35,
  },
}

type Drum = keyof typeof DRUM_NOTES

const DRUM_ROOM: Readonly<Record<Drum, number>> = { kick: 0.02, snare: 0.14, clap: 0.2, hat: 0.08 }
/** Silence: 80 dB below the peak. */
const FLOOR = 1e-4
/** Of a voice that makes place for another. */
const QUICK_RELEASE_SECONDS = 0.006

/** One sounding note. */
export class Voice {
  active = false
  /** Key of its track, of which only the newest note is held. */
  track = ''
  /** Count of triggers at which it began: the oldest makes place first. */
  order = 0
  room = 0
  #tuned: Tuned | undefined
  #drum: Drum = 'kick'
  #rate: number
  #age = 0
  #heldFrames = 0
  #phase = 0
  #phase2 = 0
  #increment = 0
  #level = 0
  #released = false
  #attackStep = 0
  #decay = 0
  #release = 0
  #low = 0
  #low2 = 0
  #gain = 0
  #left = 0
  #right = 0
  #noise = 1

  constructor(rate: number) {
    this.#rate = rate
  }

  /** Begins a note. @param gain 0..1. @param stepFrames Length of the step. */
  start(
    instrument: Exclude<Instrument, 'silent'>,
    note: number,
    gain: number,
    pan: number,
    stepFrames: number,
  ): void {
    const rate = this.#rate
    this.active = true
    this.#released = false
    this.#age = 0
    this.#phase = 0
    this.#phase2 = 0
    this.#level = 0
    this.#low = 0
    this.#low2 = 0
    // The same noise each time: a rendering can be repeated exactly.
    this.#noise = 0x9e3779b9
    const angle = ((pan + 1) * Math.PI) / 4
    const tuned = instrument in TUNED ? TUNED[instrument as keyof typeof TUNED] : undefined
    this.#tuned = tuned
    this.#gain = gain * (tuned?.gain ?? 1)
    this.#left = Math.cos(angle) * Math.SQRT2
    this.#right = Math.sin(angle) * Math.SQRT2
    if (tuned === undefined) {
      this.#drum = drumOf(note)
      this.room = DRUM_ROOM[this.#drum]
      this.#release = fall(QUICK_RELEASE_SECONDS, rate)
      this.#level = 1
      return
    }
    this.room = tuned.room
    this.#increment = Math.min(0.45, (440 * 2 ** ((note - 69) / 12)) / rate)
    this.#heldFrames = Math.max(tuned.attack * rate, tuned.gate * stepFrames)
    this.#attackStep = 1 / (tuned.attack * rate)
    this.#decay = fall(tuned.decay, rate)
    this.#release = fall(tuned.release, rate)
  }

  /** Whether it still holds its key. */
  get held(): boolean {
    return this.active && !this.#released
  }

  /** Lets a tuned note fade; percussion fades by itself. */
  letGo(): void {
    if (this.#tuned !== undefined) this.#released = true
  }

  /** Fades within milliseconds. */
  cut(): void {
    this.#released = true
    this.#release = fall(QUICK_RELEASE_SECONDS, this.#rate)
  }

  /** Adds `from` to `to`, exclusive, to both channels and its share to the room. */
  render(left: Float32Array, right: Float32Array, room: Float32Array, from: number, to: number): void {
    for (let at = from; at < to && this.active; at++) {
      const sample =
        (this.#tuned === undefined ? this.#drumSample() : this.#tunedSample(this.#tuned)) * this.#gain
      this.#age += 1
      left[at]! += sample * this.#left
      right[at]! += sample * this.#right
      room[at]! += sample * this.room
    }
  }

  #tunedSample(tuned: Tuned): number {
    const age = this.#age
    if (age >= this.#heldFrames) this.#released = true
    if (this.#released) {
      this.#level *= this.#release
      if (this.#level < FLOOR) this.active = false
    } else if (this.#attackStep > 0) {
      this.#level += this.#attackStep
      if (this.#level >= 1) {
        this.#level = 1
        this.#attackStep = 0
      }
    } else {
      this.#level = tuned.sustain + (this.#level - tuned.sustain) * this.#decay
      if (this.#level < FLOOR) this.active = false
    }
    const increment = this.#increment
    this.#phase += increment
    if (this.#phase >= 1) this.#phase -= 1
    if (tuned.fm !== undefined) {
      this.#phase2 += increment * tuned.fm.ratio
      this.#phase2 -= Math.floor(this.#phase2)
      const depth = tuned.fm.restIndex + (tuned.fm.index - tuned.fm.restIndex) * this.#level
      return Math.sin(TAU * this.#phase + depth * Math.sin(TAU * this.#phase2)) * this.#level
    }
    let sample = wave(tuned.wave, this.#phase, increment)
    if (tuned.detune !== undefined) {
      const other = increment * tuned.detune
      this.#phase2 += other
      if (this.#phase2 >= 1) this.#phase2 -= 1
      sample = (sample + wave(tuned.wave, this.#phase2, other)) * 0.6
    }
    if (tuned.cutoff !== undefined) {
      const { open, rest, decay } = tuned.cutoff
      const multiple = rest + (open - rest) * Math.exp(-age / (decay * this.#rate))
      const bend = Math.min(0.9, TAU * increment * multiple)
      this.#low += bend * (sample - this.#low)
      this.#low2 += bend * (this.#low - this.#low2)
      sample = this.#low2
    }
    return sample * this.#level
  }

  #drumSample(): number {
    const seconds = this.#age / this.#rate
    if (this.#released) {
      this.#level *= this.#release
      if (this.#level < FLOOR) this.active = false
    }
    // A millisecond from nothing: no click.
    const rise = Math.min(1, seconds / 0.001)
    let sample: number
    let body: number
    switch (this.#drum) {
      case 'kick': {
        body = Math.exp(-seconds / 0.16)
        this.#phase += (46 + 120 * Math.exp(-seconds / 0.03)) / this.#rate
        sample = Math.sin(TAU * this.#phase) * body * 1.3
        break
      }
      case 'snare': {
        body = Math.exp(-seconds / 0.11)
        this.#phase += 185 / this.#rate
        sample =
          (Math.sin(TAU * this.#phase) * Math.exp(-seconds / 0.05) * 0.5 + this.#bright(0.35) * 0.6) * body
        break
      }
      case 'clap': {
        body = Math.exp(-seconds / 0.12)
        // Three hands, then the room.
        const hands = seconds < 0.03 ? 1 - ((seconds / 0.01) % 1) * 0.85 : 1
        sample = this.#bright(0.2) * hands * body * 0.75
        break
      }
      default: {
        body = Math.exp(-seconds / 0.035)
        sample = this.#bright(0.75) * body * 0.45
      }
    }
    if (body < FLOOR) this.active = false
    return sample * rise * this.#level
  }

  /** White noise without its low part. */
  #bright(amount: number): number {
    let noise = this.#noise
    noise ^= noise << 13
    noise ^= noise >>> 17
    noise ^= noise << 5
    this.#noise = noise
    const white = noise / 0x80000000
    this.#low += amount * (white - this.#low)
    return white - this.#low
  }
}

const TAU = 2 * Math.PI

/** Factor of a frame, for an exponential fall with a time constant. */
function fall(seconds: number, rate: number): number {
  return Math.exp(-1 / (seconds * rate))
}

function drumOf(note: number): Drum {
  switch (note) {
    case DRUM_NOTES.kick:
      return 'kick'
    case DRUM_NOTES.snare:
      return 'snare'
    case DRUM_NOTES.clap:
      return 'clap'
    default:
      return 'hat'
  }
}

/** A saw or square wave whose edges are rounded (PolyBLEP), so that high notes do not alias. */
function wave(kind: Tuned['wave'], phase: number, increment: number): number {
  const saw = 2 * phase - 1 - edge(phase, increment)
  if (kind !== 'square') return saw
  const half = phase < 0.5 ? phase + 0.5 : phase - 0.5
  return saw - (2 * half - 1 - edge(half, increment))
}

function edge(phase: number, increment: number): number {
  if (phase < increment) {
    const t = phase / increment
    return t + t - t * t - 1
  }
  if (phase > 1 - increment) {
    const t = (phase - 1) / increment
    return t * t + t + t + 1
  }
  return 0
}
