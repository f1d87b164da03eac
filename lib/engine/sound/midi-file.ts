import type { ArrangedPath, Arrangement } from './arrangement.ts'
import { isTuned, type Part, partOf, REST, rowsOf } from './notes.ts'

/** Programs of General MIDI, from 0. */
const PROGRAMS = { keys: 4, pluck: 25, bass: 38, lead: 80, bell: 14, pad: 89 } as const

const TICKS_PER_QUARTER = 480
/** Channel 10 is for drums. */
const DRUMS = 9
const LONGEST_NAME = 127
/** Controllers. */
const PAN = 10
const REVERB = 91
const END_OF_TRACK = [0, 0xff, 0x2f, 0]

/**
 * All paths that have an instrument as a Standard MIDI File, format 1: a track with the tempo, then one for each path
 * with its program; percussion is on the channel for drums, and voices beyond the channels share with their like.
 */
export function writeMidi(arrangement: Arrangement): Uint8Array<ArrayBuffer> {
  const { bpm, stepsPerBeat, swing, paths } = arrangement
  const tempo = [0, 0xff, 0x51, 3, ...bigEndian(Math.round(60e6 / bpm), 3), ...END_OF_TRACK]
  const sounding = paths.filter(({ instrument }) => instrument !== 'silent')
  const channels = channelsOf(sounding.map(({ instrument }) => instrument))
  const tracks = sounding.map((path, index) => {
    const { instrument } = path
    const channel = channels[index] as number
    const program = instrument in PROGRAMS ? PROGRAMS[instrument as keyof typeof PROGRAMS] : undefined
    const ticksPerStep = TICKS_PER_QUARTER / stepsPerBeat
    const tickOf = (step: number) => Math.round((step + (step % 2 === 0 ? 0 : swing / 100)) * ticksPerStep)
    return trackEvents({ ...path, ...partOf(path.data, path) }, channel, program, tickOf)
  })
  const chunks = [
    chunk('MThd', [
      ...bigEndian(1, 2),
      ...bigEndian(tracks.length + 1, 2),
      ...bigEndian(TICKS_PER_QUARTER, 2),
    ]),
    ...[tempo, ...tracks].map((events) => chunk('MTrk', events)),
  ]
  const file = new Uint8Array(chunks.reduce((length, { byteLength }) => length + byteLength, 0))
  let at = 0
  for (const bytes of chunks) {
    file.set(bytes, at)
    at += bytes.byteLength
  }
  return file
}

/** Sixteen, one of them taken. */
const TUNED_CHANNELS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15]

/**
 * The channel of each path. Each tuned one has its own; of more than there are channels only those of one instrument
 * share, since a channel has one program at a time.
 */
function channelsOf(instruments: readonly Arrangement['paths'][number]['instrument'][]): readonly number[] {
  const tuned = instruments.filter(isTuned)
  const voices = new Map<string, number>()
  for (const each of tuned) voices.set(each, (voices.get(each) ?? 0) + 1)
  const isRoomy = tuned.length <= TUNED_CHANNELS.length
  const shares = isRoomy ? new Map([['', tuned.length]]) : sharesOf(voices)
  const rings = new Map<string, { readonly channels: readonly number[]; next: number }>()
  let offset = 0
  for (const [instrument, share] of shares) {
    rings.set(instrument, { channels: TUNED_CHANNELS.slice(offset, offset + share), next: 0 })
    offset += share
  }
  return instruments.map((instrument) => {
    const ring = rings.get(isRoomy ? '' : instrument)
    if (!isTuned(instrument) || ring === undefined) return DRUMS
    return ring.channels[ring.next++ % ring.channels.length] as number
  })
}

/** Number of channels of each instrument: at least one, and more where most voices share one. */
function sharesOf(voices: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const shares = new Map([...voices.keys()].map((instrument) => [instrument, 1]))
  const crowd = (instrument: string) => (voices.get(instrument) ?? 0) / (shares.get(instrument) ?? 1)
  for (let channelsLeft = TUNED_CHANNELS.length - shares.size; channelsLeft > 0; channelsLeft--) {
    const [first] = [...shares.keys()].toSorted((a, b) => crowd(b) - crowd(a))
    if (first !== undefined) shares.set(first, (shares.get(first) ?? 0) + 1)
  }
  return shares
}

function trackEvents(
  { path, room, ...part }: Pick<ArrangedPath, 'path' | 'room'> & Part,
  channel: number,
  program: number | undefined,
  tickOf: (step: number) => number,
): number[] {
  const text = [...new TextEncoder().encode(path)].slice(-LONGEST_NAME)
  const events = [0, 0xff, 0x03, ...variableLength(text.length), ...text]
  if (program !== undefined) events.push(0, 0xc0 | channel, program)
  // Percussion and voices beyond the channels share theirs: what is chosen for one is the others' as well.
  const rows = rowsOf(part)
  let placed = part.pans ? undefined : midiPan(part.pan)
  if (placed !== undefined && part.pan !== 0) events.push(0, 0xb0 | channel, PAN, placed)
  if (room !== undefined) events.push(0, 0xb0 | channel, REVERB, Math.round((room / 100) * 127))
  let tick = 0
  const write = (step: number, ...bytes: number[]) => {
    const at = tickOf(step)
    events.push(...variableLength(at - tick), ...bytes)
    tick = at
  }
  let lastStep = part.notes.length
  /** Step at which each sounding note ends. */
  const ends = new Map<number, number>()
  const endBefore = (step: number, again = REST) => {
    const due = [...ends]
      .filter(([note, end]) => end <= step || note === again)
      .toSorted((a, b) => a[1] - b[1])
    for (const [note, end] of due) {
      lastStep = Math.max(lastStep, Math.min(end, step))
      write(Math.min(end, step), 0x80 | channel, note, 0)
      ends.delete(note)
    }
  }
  for (let step = 0; step < part.notes.length; step++) {
    endBefore(step)
    for (const { notes, levels, lengths, pans } of rows) {
      const note = notes[step]!
      if (note === REST) continue
      endBefore(step, note)
      // A channel has one place at a time: of notes that sound together the last one's.
      const place = pans ? midiPan(pans[step]!) : placed
      if (place !== placed) write(step, 0xb0 | channel, PAN, place!)
      placed = place
      write(step, 0x90 | channel, note, levels[step]!)
      ends.set(note, step + (lengths?.[step] ?? 1))
    }
  }
  endBefore(Number.POSITIVE_INFINITY)
  // Rests at the end belong to the piece as well.
  write(lastStep, ...END_OF_TRACK.slice(1))
  return events
}

/** A place as the controller has it. @param pan -1 left, 1 right. */
function midiPan(pan: number): number {
  return Math.min(127, Math.round(64 + pan * 64))
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
