/* A piano by computation alone: two strings a note, stiff as steel is, struck by felt. */
import { finished, noise } from './shared/sound.js'

/** One string in three is computed; the others are played a little faster or slower, as samples would be. */
const EVERY = 3
const [LOWEST, HIGHEST] = [21, 108]

/** Which string sounds a pitch, and how much faster it is played. */
export function stringOf(pitch) {
  let folded = pitch
  while (folded < LOWEST) folded += 12
  while (folded > HIGHEST) folded -= 12
  const string = LOWEST + Math.round((folded - LOWEST) / EVERY) * EVERY
  return { string, rate: 2 ** ((folded - string) / 12) }
}

/** @returns {Float32Array} Peak 1, from silence to silence. */
export function renderString(pitch, rate) {
  const frequency = 440 * 2 ** ((pitch - 69) / 12)
  const height = (pitch - LOWEST) / (HIGHEST - LOWEST)
  const seconds = 4.2 - 2.6 * height
  const samples = new Float32Array(Math.round(seconds * rate))
  const stiff = 0.00012 * 2 ** (height * 6)
  const fall = 0.55 + 2.1 * height ** 1.3
  for (let partial = 1; partial <= 22; partial += 1) {
    const ideal = frequency * partial * Math.sqrt(1 + stiff * partial * partial)
    if (ideal > 9500 || ideal > rate / 2.3) break
    // The hammer meets the string at an eighth of its length: those that have a node there are weak.
    const strength = (0.25 + Math.abs(Math.sin((Math.PI * partial) / 8))) / partial ** (1.05 + 0.7 * height)
    for (const [cents, share, slower] of [
      [-0.35, 0.6, 1],
      [0.4, 0.4, 0.55],
    ]) {
      add(
        samples,
        rate,
        ideal * 2 ** (cents / 1200),
        strength * share,
        fall * slower * (1 + 0.22 * partial),
        partial * 1.7 + share,
      )
    }
  }
  // The knock of key and hammer.
  const random = noise(pitch)
  let felt = 0
  for (let place = 0; place < rate * 0.05 && place < samples.length; place += 1) {
    felt += (random() - felt) * 0.12
    samples[place] += felt * 0.5 * Math.exp((-place / rate) * 90)
  }
  return finished(samples, rate, 0.0022)
}

/** Adds a tone that dies away: first fast, then slowly, as a soundboard takes it. */
function add(samples, rate, frequency, strength, fall, phase) {
  const [cos, sin] = [Math.cos((2 * Math.PI * frequency) / rate), Math.sin((2 * Math.PI * frequency) / rate)]
  const [fast, slow] = [Math.exp((-fall * 3.2) / rate), Math.exp((-fall * 0.8) / rate)]
  let [x, y] = [Math.cos(phase), Math.sin(phase)]
  let [first, second] = [0.62 * strength, 0.38 * strength]
  for (let place = 0; place < samples.length; place += 1) {
    samples[place] += y * (first + second)
    const next = x * cos - y * sin
    y = x * sin + y * cos
    x = next
    first *= fast
    second *= slow
    if (second < 1e-5) break
  }
}
