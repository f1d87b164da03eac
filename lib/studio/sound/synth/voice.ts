import { DRUM_NOTES } from '#lib/engine/sound/notes.ts'
import type { Instrument } from '#lib/engine/sound/settings.ts'

/** A tuned voice: an oscillator, its envelope and a filter that closes. Times in seconds. */
interface Tuned {
  readonly wave: 'fm' | 'saw' | 'square'
  readonly gain: number
  readonly attack: number
  /** Time constant of the fall to `sustain`, a share of the peak. */
  readonly decay: number
  readonly sustain: number
  readonly release: number
  /** Part of a step for which the key is held. */
  readonly gate: number
  /** Settings of the modulator: its frequency as a multiple, and its depth in turns of the phase, at the start and at rest. */
  readonly fm?: { readonly ratio: number; readonly index: number; readonly restIndex: number }
  /** Settings of the filter, in multiples of the note's frequency: where it begins and where it comes to rest. */
  readonly cutoff?: { readonly open: number; readonly rest: number; readonly decay: number }
  /** Ratio of a second oscillator. */
  readonly detune?: number
  /** Share that goes to the room. */
  readonly room: number
}

const TUNED: Readonly<Record<'keys' | 'pluck' | 'bass' | 'lead' | 'bell' | 'pad', Tuned>> = {
  keys: {
    ...{ wave: 'fm', gain: 0.9, attack: 0.004, decay: 0.55, sustain: 0.12, release: 0.12, gate: 0.95 },
    fm: { ratio: 1, index: 0.24, restIndex: 0.04 },
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
    ...{ wave: 'fm', gain: 0.6, attack: 0.002, decay: 0.5, sustain: 0, release: 0.3, gate: 1 },
    fm: { ratio: 3.51, index: 0.35, restIndex: 0.02 },
    room: 0.35,
  },
  pad: {
    ...{ wave: 'saw', gain: 0.5, attack: 0.12, decay: 0.8, sustain: 0.7, release: 0.3, gate: 1 },
    cutoff: { open: 3, rest: 2.5, decay: 0.5 },
    detune: 1.006,
    room: 0.35,
  },
}

/** An untuned voice. Times are time constants in seconds. */
interface Drum {
  readonly gain: number
  readonly decay: number
  /** Hertz that the tone comes to rest at, the multiple it begins with, and how fast it drops. */
  readonly pitch: number
  readonly drop: number
  readonly dropDecay: number
  readonly tone: number
  readonly toneDecay: number
  readonly noise: number
  /** Higher for brighter noise. */
  readonly bright: number
  /** Whether it is several hits close together. */
  readonly hands: boolean
  readonly room: number
}

const NO_TONE = { pitch: 100, drop: 1, dropDecay: 1, tone: 0, toneDecay: 1 }
const DRUMS: Readonly<Record<(typeof DRUM_NOTES)[keyof typeof DRUM_NOTES], Drum>> = {
  [DRUM_NOTES.kick]: {
    ...{ gain: 1.3, decay: 0.13, pitch: 46, drop: 3.6, dropDecay: 0.03, tone: 1, toneDecay: 10 },
    ...{ noise: 0, bright: 0.5, hands: false, room: 0.02 },
  },
  [DRUM_NOTES.snare]: {
    ...{ gain: 1.1, decay: 0.09, pitch: 185, drop: 1, dropDecay: 1, tone: 0.5, toneDecay: 0.09 },
    ...{ noise: 0.6, bright: 0.35, hands: false, room: 0.14 },
  },
  [DRUM_NOTES.clap]: { ...NO_TONE, gain: 1, decay: 0.1, noise: 0.75, bright: 0.2, hands: true, room: 0.2 },
  [DRUM_NOTES.hat]: { ...NO_TONE, gain: 1, decay: 0.035, noise: 0.6, bright: 0.6, hands: false, room: 0.08 },
}

/** Exponents of the velocity: between a quiet and a loud note lie about 12 dB. */
const VELOCITY_CURVE = 1.5
const DRUM_CURVE = 1.2
const MIDDLE_C = 60
/** Half tones up to which a note rings half as long. */
const RING_HALVES_IN = 24

/** Silence: 70 dB below the peak. */
const FLOOR = 3e-4
/** Release of a voice that makes place for another. */
const QUICK_RELEASE_SECONDS = 0.006

/** One sounding note. Its loops work on local variables: they are all that the audio thread does. */
export class Voice {
  active = false
  /** Key of its track, of which only the newest note is held. */
  track = ''
  /** Count of triggers at which it began: the oldest makes place first. */
  order = 0
  #rate: number
  #tuned: Tuned | undefined
  #drum: Drum = DRUMS[42]
  #released = false
  #heldFrames = 0
  #increment = 0
  #phase = 0
  #phase2 = 0
  #level = 0
  /** Level of the noise in a drum, or what is added to the level of a tuned voice until it has its peak. */
  #rise = 0
  #decay = 0
  #release = 0
  #multiple = 0
  #low = 0
  #low2 = 0
  #noise = 1
  #age = 0
  #gain = 0
  #left = 0
  #right = 0
  #toRoom = 0
  #toEcho = 0

  constructor(rate: number) {
    this.#rate = rate
  }

  /**
   * Begins a note.
   *
   * @param loudness Gain of the whole, and velocity from 0 to 1: a hard stroke is louder and brighter.
   * @param stepFrames Length of the step.
   * @param sends Shares that go to the room, by default as much as suits the instrument, and to the echo.
   */
  start(
    instrument: Exclude<Instrument, 'silent'>,
    note: number,
    { gain, velocity }: { readonly gain: number; readonly velocity: number },
    pan: number,
    stepFrames: number,
    sends: { readonly room?: number | undefined; readonly echo?: number | undefined } = {},
  ): void {
    const rate = this.#rate
    this.active = true
    this.#released = false
    this.#age = 0
    this.#phase = 0
    this.#phase2 = 0
    this.#low = 0
    this.#low2 = 0
    this.#level = 0
    // The same noise each time: a rendering can be repeated exactly.
    this.#noise = 0x9e3779b9
    const angle = ((pan + 1) * Math.PI) / 4
    const tuned = instrument in TUNED ? TUNED[instrument as keyof typeof TUNED] : undefined
    this.#tuned = tuned
    this.#left = Math.cos(angle) * Math.SQRT2
    this.#right = Math.sin(angle) * Math.SQRT2
    this.#toEcho = sends.echo ?? 0
    if (tuned === undefined) {
      const drum = DRUMS[note as keyof typeof DRUMS] ?? DRUMS[42]
      this.#drum = drum
      this.#toRoom = sends.room ?? drum.room
      this.#gain = gain * drum.gain * velocity ** DRUM_CURVE
      this.#release = fall(QUICK_RELEASE_SECONDS, rate)
      this.#increment = drum.pitch / rate
      this.#multiple = drum.drop
      this.#decay = fall(drum.decay, rate)
      this.#rise = 1
      this.#level = 1
      return
    }
    this.#gain = gain * tuned.gain * velocity ** VELOCITY_CURVE
    this.#toRoom = sends.room ?? tuned.room
    this.#increment = Math.min(0.45, (440 * 2 ** ((note - 69) / 12)) / rate)
    this.#heldFrames = Math.max(tuned.attack * rate, tuned.gate * stepFrames)
    this.#rise = 1 / (tuned.attack * rate)
    // Low strings and bars ring longer than high ones.
    const ring = 2 ** ((MIDDLE_C - note) / RING_HALVES_IN)
    this.#decay = fall(tuned.decay * Math.min(2.5, Math.max(0.4, ring)), rate)
    this.#release = fall(tuned.release, rate)
    const brightness = 0.45 + 0.75 * velocity
    this.#multiple = (tuned.cutoff?.open ?? tuned.fm?.index ?? 0) * brightness
  }

  /** Loudness at the present moment. */
  get loudness(): number {
    return this.#level * this.#gain
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

  /** Adds `from` to `to`, exclusive, to both channels and its shares to room and echo. */
  render(
    left: Float32Array,
    right: Float32Array,
    room: Float32Array,
    echo: Float32Array,
    from: number,
    to: number,
  ): void {
    const scratch = SCRATCH
    const tuned = this.#tuned
    if (tuned === undefined) this.#hit(scratch, from, to)
    else if (tuned.fm === undefined) this.#subtract(tuned, scratch, from, to)
    else this.#modulate(tuned.fm, scratch, from, to)
    const released = this.#released
    const peak = this.#rise
    const sustain = tuned?.sustain ?? 0
    let level = this.#level
    let rise = tuned === undefined ? 0 : peak
    const gain = this.#gain
    const toLeft = this.#left
    const toRight = this.#right
    const toRoom = this.#toRoom
    const toEcho = this.#toEcho
    const held = this.#heldFrames
    const decay = this.#decay
    const release = this.#release
    let age = this.#age
    let fading = released
    for (let at = from; at < to; at++) {
      if (tuned !== undefined && age >= held) fading = true
      if (fading) level *= release
      else if (rise > 0) {
        level += rise
        if (level >= 1) {
          level = 1
          rise = 0
        }
      } else level = sustain + (level - sustain) * decay
      age += 1
      const sample = scratch[at]! * level * gain
      left[at]! += sample * toLeft
      right[at]! += sample * toRight
      room[at]! += sample * toRoom
      echo[at]! += sample * toEcho
    }
    this.#age = age
    this.#level = level
    this.#released = fading
    if (tuned !== undefined) this.#rise = rise
    if (level < FLOOR && (fading || rise === 0)) this.active = false
  }

  /** Frequency modulation, brighter at first. */
  #modulate({ ratio, restIndex }: NonNullable<Tuned['fm']>, out: Float32Array, from: number, to: number) {
    const increment = this.#increment
    const increment2 = increment * ratio
    const decay = this.#decay
    let depth = this.#multiple
    let phase = this.#phase
    let phase2 = this.#phase2
    for (let at = from; at < to; at++) {
      out[at] = sine(phase + depth * sine(phase2))
      phase += increment
      phase2 += increment2
      depth = restIndex + (depth - restIndex) * decay
    }
    this.#multiple = depth
    this.#phase = phase % 1
    this.#phase2 = phase2 % 1
  }

  /** One or two oscillators through a filter of two poles that closes. */
  #subtract({ wave: kind, detune, cutoff }: Tuned, out: Float32Array, from: number, to: number) {
    const increment = this.#increment
    const increment2 = increment * (detune ?? 0)
    let phase = this.#phase
    let phase2 = this.#phase2
    let low = this.#low
    let low2 = this.#low2
    let multiple = this.#multiple
    const { rest = 0, decay = 1 } = cutoff ?? {}
    const closing = fall(decay, this.#rate)
    for (let at = from; at < to; at++) {
      let sample = wave(kind, phase, increment)
      phase += increment
      if (phase >= 1) phase -= 1
      if (detune !== undefined) {
        sample = (sample + wave(kind, phase2, increment2)) * 0.6
        phase2 += increment2
        if (phase2 >= 1) phase2 -= 1
      }
      multiple = rest + (multiple - rest) * closing
      const bend = Math.min(0.9, TAU * increment * multiple)
      low += bend * (sample - low)
      low2 += bend * (low - low2)
      out[at] = low2
    }
    this.#phase = phase
    this.#phase2 = phase2
    this.#low = low
    this.#low2 = low2
    this.#multiple = multiple
  }

  /** A drum: a tone that drops, and noise without its low part. */
  #hit(out: Float32Array, from: number, to: number) {
    const { drop, dropDecay, tone, toneDecay, noise: loudness, bright, hands } = this.#drum
    const rate = this.#rate
    const increment = this.#increment
    const dropping = fall(dropDecay, rate)
    const toneFall = fall(toneDecay, rate)
    // A millisecond from nothing: no click.
    const riseFrames = rate / 1000
    let multiple = this.#multiple
    let toneLevel = this.#rise
    let phase = this.#phase
    let low = this.#low
    let random = this.#noise
    const age = this.#age
    for (let at = from; at < to; at++) {
      random ^= random << 13
      random ^= random >>> 17
      random ^= random << 5
      const white = random / 0x80000000
      low += bright * (white - low)
      const since = age + at - from
      // Hands do not clap at once.
      const clap = hands && since < 0.03 * rate ? 1 - ((since / (0.01 * rate)) % 1) * 0.85 : 1
      const sample = sine(phase) * tone * toneLevel + (white - low) * loudness * clap
      out[at] = since < riseFrames ? (sample * since) / riseFrames : sample
      phase += increment * multiple
      multiple = 1 + (multiple - 1) * (drop > 1 ? dropping : 1)
      toneLevel *= toneFall
    }
    this.#multiple = multiple
    this.#rise = toneLevel
    this.#phase = phase % 1
    this.#low = low
    this.#noise = random
  }
}

const TAU = 2 * Math.PI

/** Factor of a frame, for an exponential fall with a time constant. */
function fall(seconds: number, rate: number): number {
  return Math.exp(-1 / (seconds * rate))
}

const TABLE_SIZE = 2048
const TABLE = Float32Array.from({ length: TABLE_SIZE + 1 }, (_, index) =>
  Math.sin((TAU * index) / TABLE_SIZE),
)
/** Between two steps of the table. */
function sine(turns: number): number {
  const place = (turns - Math.floor(turns)) * TABLE_SIZE
  const index = place | 0
  const below = TABLE[index]!
  return below + (TABLE[index + 1]! - below) * (place - index)
}

/** As long as a block of the browser. */
const SCRATCH = new Float32Array(128)

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
