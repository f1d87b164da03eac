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
