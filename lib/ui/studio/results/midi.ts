import { statisticsOf } from './statistics.ts'

/** Steps of a scale in half tones above its root, inside one octave. */
const SCALES = {
  pentatonic: [0, 3, 5, 7, 10],
  major: [0, 2, 4, 5, 7, 9, 11],
  minor: [0, 2, 3, 5, 7, 8, 10],
  chromatic: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
} as const

export type Scale = keyof typeof SCALES

/**
 * How values become notes.
 *
 * - `direct`: the value is the MIDI note; what is above 127 is a rest
 * - `wrap`: the value counts steps of a scale, beginning again after three octaves
 * - `spread`: the smallest value is the lowest step of three octaves, the largest the highest
 */
export type NoteMapping =
  | { readonly kind: 'direct' }
  | { readonly kind: 'wrap' | 'spread'; readonly scale: Scale }

const LOWEST_NOTE = 48
const OCTAVES = 3
const HIGHEST_MIDI_NOTE = 127

/** A MIDI note a step, 0..127, or undefined for a rest. */
export function notesOf(data: readonly number[], mapping: NoteMapping): (number | undefined)[] {
  if (mapping.kind === 'direct') {
    return data.map((value) => (value <= HIGHEST_MIDI_NOTE ? value : undefined))
  }
  const scale = SCALES[mapping.scale]
  // The root closes the last octave.
  const degrees = scale.length * OCTAVES + 1
  const noteOf = (degree: number) =>
    LOWEST_NOTE + 12 * Math.floor(degree / scale.length) + scale[degree % scale.length]!
  if (mapping.kind === 'wrap') return data.map((value) => noteOf(value % (degrees - 1)))
  const { min, max } = statisticsOf(data)
  const middle = Math.floor(degrees / 2)
  return data.map((value) =>
    noteOf(max === min ? middle : Math.round(((value - min) / (max - min)) * (degrees - 1))),
  )
}

/** In hertz, equal temperament with A4 (note 69) at 440. */
export function frequencyOf(note: number): number {
  return 440 * 2 ** ((note - 69) / 12)
}

/** Notes that sound. */
export interface Playing {
  stop(): void
}

export interface PlayOptions {
  readonly notes: readonly (number | undefined)[]
  readonly stepsPerSecond: number
  /** First step that is played. */
  readonly from: number
  /** Called when a step begins to sound. */
  readonly onStep: (step: number) => void
  /** Called once, when the last note is over; not after `stop`. */
  readonly onEnd: () => void
}

/** Notes are handed to the audio clock this long before they sound; timers are not exact enough. */
const AHEAD_SECONDS = 0.2
const TICK_MS = 50
const LOUDNESS = 0.16
const ATTACK_SECONDS = 0.008

/**
 * Plays one voice. Call it while answering a press: browsers allow no sound before.
 *
 * @throws {Error} When the browser has no sound.
 */
export function play({ notes, stepsPerSecond, from, onStep, onEnd }: PlayOptions): Playing {
  const audio = new AudioContext()
  const master = audio.createGain()
  master.gain.value = LOUDNESS
  master.connect(audio.destination)
  const stepSeconds = 1 / stepsPerSecond
  const beganAt = audio.currentTime + 0.05
  let next = from
  let told = from - 1
  let stopped = false

  const timeOf = (step: number) => beganAt + (step - from) * stepSeconds

  const playNote = (note: number, at: number) => {
    const oscillator = audio.createOscillator()
    const envelope = audio.createGain()
    oscillator.type = 'triangle'
    oscillator.frequency.value = frequencyOf(note)
    envelope.gain.setValueAtTime(0, at)
    envelope.gain.linearRampToValueAtTime(1, at + ATTACK_SECONDS)
    envelope.gain.setTargetAtTime(0, at + stepSeconds * 0.6, stepSeconds * 0.12)
    oscillator.connect(envelope).connect(master)
    oscillator.start(at)
    oscillator.stop(at + stepSeconds * 1.4)
  }

  const tick = () => {
    const now = audio.currentTime
    for (; next < notes.length && timeOf(next) < now + AHEAD_SECONDS; next++) {
      const note = notes[next]
      if (note !== undefined) playNote(note, Math.max(now, timeOf(next)))
    }
    const current = Math.min(notes.length - 1, from + Math.floor((now - beganAt) / stepSeconds))
    if (current > told) {
      told = current
      onStep(current)
    }
    if (next >= notes.length && now > timeOf(notes.length)) {
      stop()
      onEnd()
    }
  }

  const timer = setInterval(tick, TICK_MS)
  const stop = () => {
    if (stopped) return
    stopped = true
    clearInterval(timer)
    void audio.close()
  }
  return { stop }
}

/** One voice: a note or a rest a step. */
export interface MidiTrack {
  readonly name: string
  readonly notes: readonly (number | undefined)[]
}

const TICKS_PER_QUARTER = 480
/** A step is a sixteenth. */
const TICKS_PER_STEP = TICKS_PER_QUARTER / 4
const STEPS_PER_QUARTER = 4
const VELOCITY = 80
/** Channel 10 is for drums. */
const DRUMS = 9
const LONGEST_NAME = 127

/**
 * Tracks as a Standard MIDI File, format 1: a track with the tempo, then one for each voice. Every step is a
 * sixteenth and every note lasts a step.
 *
 * @param stepsPerSecond 0.25 or more.
 */
export function writeMidi(tracks: readonly MidiTrack[], stepsPerSecond: number): Uint8Array<ArrayBuffer> {
  const microsecondsPerQuarter = Math.min(0xffffff, Math.round((STEPS_PER_QUARTER / stepsPerSecond) * 1e6))
  const tempo = [0, 0xff, 0x51, 3, ...bigEndian(microsecondsPerQuarter, 3), ...END_OF_TRACK]
  const chunks = [
    chunk('MThd', [
      ...bigEndian(1, 2),
      ...bigEndian(tracks.length + 1, 2),
      ...bigEndian(TICKS_PER_QUARTER, 2),
    ]),
    chunk('MTrk', tempo),
    ...tracks.map((track, index) => chunk('MTrk', trackEvents(track, channelOf(index)))),
  ]
  const file = new Uint8Array(chunks.reduce((length, { byteLength }) => length + byteLength, 0))
  let at = 0
  for (const bytes of chunks) {
    file.set(bytes, at)
    at += bytes.byteLength
  }
  return file
}

const END_OF_TRACK = [0, 0xff, 0x2f, 0]

/** Sixteen channels, one of them taken. */
function channelOf(index: number): number {
  const channel = index % 15
  return channel < DRUMS ? channel : channel + 1
}

function trackEvents({ name, notes }: MidiTrack, channel: number): number[] {
  const text = [...new TextEncoder().encode(name)].slice(-LONGEST_NAME)
  const events = [0, 0xff, 0x03, ...variableLength(text.length), ...text]
  let silence = 0
  for (const note of notes) {
    if (note === undefined) {
      silence += TICKS_PER_STEP
      continue
    }
    events.push(...variableLength(silence), 0x90 | channel, note, VELOCITY)
    events.push(...variableLength(TICKS_PER_STEP), 0x80 | channel, note, 0)
    silence = 0
  }
  // Rests at the end belong to the piece as well.
  events.push(...variableLength(silence), ...END_OF_TRACK.slice(1))
  return events
}

function chunk(type: string, body: readonly number[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8 + body.length)
  bytes.set(new TextEncoder().encode(type))
  bytes.set(bigEndian(body.length, 4), 4)
  bytes.set(body, 8)
  return bytes
}

function bigEndian(value: number, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** (bytes - 1 - index)) % 256)
}

/** Seven bits a byte, highest first, all but the last one marked. Below 2^28. */
function variableLength(value: number): number[] {
  const bytes = [value & 0x7f]
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80)
  return bytes
}
