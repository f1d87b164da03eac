/* A bell by computation alone: partials that are no harmonics, each in a pair that beats. */
import { finished, noise } from './shared/sound.js'

const EVERY = 4
const [LOWEST, HIGHEST] = [36, 96]

/** Name, share of the pitch, strength, and how long it sounds: as founders tune them, with a minor third. */
const PARTIALS = [
  ['hum', 0.5, 0.5, 1],
  ['prime', 1, 0.7, 0.62],
  ['tierce', 1.189, 0.62, 0.5],
  ['quint', 1.5, 0.22, 0.36],
  ['nominal', 2, 1, 0.34],
  ['deciem', 2.52, 0.24, 0.22],
  ['undeciem', 2.67, 0.2, 0.19],
  ['duodeciem', 3.01, 0.34, 0.16],
  ['octave', 4.17, 0.26, 0.11],
  ['above', 5.43, 0.15, 0.075],
  ['higher', 6.8, 0.09, 0.05],
]

/** Which bell sounds a pitch, and how much faster it is played. */
export function bellOf(pitch) {
  let folded = pitch
  while (folded < LOWEST) folded += 12
  while (folded > HIGHEST) folded -= 12
  const bell = LOWEST + Math.round((folded - LOWEST) / EVERY) * EVERY
  return { bell, rate: 2 ** ((folded - bell) / 12) }
}

/** @returns {Float32Array} Peak 1, from silence to silence. */
export function renderBell(pitch, rate) {
  const frequency = 440 * 2 ** ((pitch - 69) / 12)
  const high = (pitch - LOWEST) / (HIGHEST - LOWEST)
  const seconds = 5.5 - 2.8 * high
  const samples = new Float32Array(Math.round(seconds * rate))
  for (const [index, [, share, strength, lasts]] of PARTIALS.entries()) {
    if (frequency * share > Math.min(12_000, rate / 2.3)) continue
    for (const side of [-1, 1]) {
      const beats = side * (0.25 + 0.2 * index)
      ring(samples, rate, {
        frequency: frequency * share + beats,
        strength: strength * (side < 0 ? 0.62 : 0.38),
        seconds: seconds * lasts,
        phase: index * 2.1 + side,
      })
    }
  }
  // The clapper.
  const random = noise(pitch)
  let before = 0
  for (let place = 0; place < rate * 0.02; place += 1) {
    const value = random()
    samples[place] += (value - before) * 0.35 * Math.exp((-place / rate) * 320)
    before = value
  }
  return finished(samples, rate, 0.0012)
}

function ring(samples, rate, { frequency, strength, seconds, phase }) {
  const turn = (2 * Math.PI * frequency) / rate
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  const keep = Math.exp(-6.2 / (seconds * rate))
  let [x, y] = [strength * Math.cos(phase), strength * Math.sin(phase)]
  for (let place = 0; place < samples.length; place += 1) {
    samples[place] += y
    const next = (x * cos - y * sin) * keep
    y = (x * sin + y * cos) * keep
    x = next
  }
}
