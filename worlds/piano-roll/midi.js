/* A standard MIDI file of one track. */

const TICKS_PER_SIXTEENTH = 120

/** @param {number} tempo Quarters a minute. @returns {Uint8Array} */
export function midiFile(notes, tempo) {
  const events = notes.flatMap(({ pitch, start, length, velocity }) => [
    { tick: start * TICKS_PER_SIXTEENTH, bytes: [0x90, pitch, velocity] },
    { tick: (start + length) * TICKS_PER_SIXTEENTH, bytes: [0x80, pitch, 0] },
  ])
  // A note that ends where the same one begins ends first.
  events.sort((a, b) => a.tick - b.tick || a.bytes[0] - b.bytes[0])
  const track = [0, 0xff, 0x51, 3, ...bigEndian(Math.round(60_000_000 / tempo), 3)]
  let now = 0
  for (const { tick, bytes } of events) {
    track.push(...variableLength(tick - now), ...bytes)
    now = tick
  }
  track.push(0, 0xff, 0x2f, 0)
  const header = [
    ...bigEndian(6, 4),
    ...bigEndian(0, 2),
    ...bigEndian(1, 2),
    ...bigEndian(TICKS_PER_SIXTEENTH * 4, 2),
  ]
  return Uint8Array.from([
    ...letters('MThd'),
    ...header,
    ...letters('MTrk'),
    ...bigEndian(track.length, 4),
    ...track,
  ])
}

function letters(text) {
  return [...text].map((letter) => letter.charCodeAt(0))
}

function bigEndian(value, bytes) {
  return Array.from({ length: bytes }, (_, place) => (value >>> (8 * (bytes - 1 - place))) & 0xff)
}

function variableLength(value) {
  const bytes = [value & 0x7f]
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80)
  return bytes
}
