/* Drums by computation alone, each a few hundredths of a second to a second long. */
import { finished, noise } from './shared/sound.js'

/** Loudest first; `place` is where it stands from left to right. */
export const DRUMS = {
  kick: { place: 0, level: 1, room: 0.03 },
  snare: { place: 0.06, level: 0.72, room: 0.16 },
  clap: { place: -0.15, level: 0.62, room: 0.22 },
  hat: { place: 0.32, level: 0.34, room: 0.05 },
  open: { place: 0.32, level: 0.36, room: 0.1 },
  tom: { place: -0.35, level: 0.7, room: 0.14 },
  rim: { place: -0.25, level: 0.5, room: 0.12 },
  cowbell: { place: 0.42, level: 0.4, room: 0.12 },
  conga: { place: -0.45, level: 0.62, room: 0.14 },
  shaker: { place: 0.55, level: 0.3, room: 0.06 },
}

/** Names as paths have them, and the instruments of pages. */
const WORDS = [
  ['open', /open|oh\b|crash|cymbal|ride/],
  ['kick', /kick|bass|bd\b|surdo/],
  ['snare', /snare|sd\b|caixa/],
  ['clap', /clap|cp\b|hand/],
  ['hat', /hat|hh\b|high|hi\b/],
  ['tom', /tom|low|floor/],
  ['rim', /rim|clave|stick|block|click|palito/],
  ['cowbell', /cow|bell|agogo|gong|cascara/],
  ['conga', /conga|bongo|djembe|tumb|quinto|drum/],
  ['shaker', /shak|maraca|tamb|caxixi|guiro/],
]
const IN_TURN = ['kick', 'hat', 'snare', 'clap', 'rim', 'conga', 'cowbell', 'shaker']

/** Which drum each of these names plays: the one it means, else the next that is free. */
export function drumsOf(names) {
  const meant = names.map((name) => WORDS.find(([, pattern]) => pattern.test(name.toLowerCase()))?.[0])
  const free = IN_TURN.filter((drum) => !meant.includes(drum))
  return meant.map((drum, place) => drum ?? free.shift() ?? IN_TURN[place % IN_TURN.length])
}

/** @returns {Float32Array} Peak 1, from silence to silence. */
export function renderDrum(name, rate) {
  const [seconds, sound, attack] = SOUNDS[name]
  const at = sound(rate)
  return finished(
    Float32Array.from({ length: Math.round(seconds * rate) }, (_, place) => at(place / rate)),
    rate,
    attack,
  )
}

/** From 1 to almost nothing. */
function fall(time, seconds) {
  return Math.exp((-6.9 * time) / seconds)
}

/** A tone that slides down. */
function slide(rate, from, to, seconds) {
  let phase = 0
  return (time) => {
    phase += (to + (from - to) * Math.exp(-time / seconds)) / rate
    return Math.sin(2 * Math.PI * phase)
  }
}

/** Noise between two frequencies. */
function hiss(rate, low, high, seed) {
  const random = noise(seed)
  const [keepLow, keepHigh] = [low, high].map((frequency) => 1 - Math.exp((-2 * Math.PI * frequency) / rate))
  let [first, second, third] = [0, 0, 0]
  return () => {
    first += (random() - first) * keepHigh
    second += (first - second) * keepHigh
    third += (second - third) * keepLow
    return second - third
  }
}

/** Metal: square waves that have no note in common. */
function metal(rate, frequencies) {
  const phases = frequencies.map(() => 0)
  return () => {
    let sum = 0
    for (let each = 0; each < frequencies.length; each += 1) {
      phases[each] = (phases[each] + frequencies[each] / rate) % 1
      sum += phases[each] < 0.5 ? 1 : -1
    }
    return sum / frequencies.length
  }
}

/** Takes away what is below a frequency. */
function above(rate, frequency, sound) {
  const keep = 1 - Math.exp((-2 * Math.PI * frequency) / rate)
  let [low, lower] = [0, 0]
  return (time) => {
    const value = sound(time)
    low += (value - low) * keep
    const once = value - low
    lower += (once - lower) * keep
    return once - lower
  }
}

const CYMBAL = [2050, 3042, 3697, 5224, 5413, 8000]

/** Seconds, what sounds, and seconds of the attack. */
const SOUNDS = {
  kick: [
    0.62,
    (rate) => {
      const [body, click] = [slide(rate, 210, 47, 0.035), hiss(rate, 900, 4000, 3)]
      return (time) => Math.tanh(1.6 * body(time) * fall(time, 0.55)) + 0.5 * click(time) * fall(time, 0.02)
    },
  ],
  snare: [
    0.36,
    (rate) => {
      const [low, high, wires] = [
        slide(rate, 240, 182, 0.02),
        slide(rate, 400, 330, 0.02),
        hiss(rate, 1200, 8500, 11),
      ]
      return (time) =>
        0.5 * low(time) * fall(time, 0.16) +
        0.26 * high(time) * fall(time, 0.1) +
        1.5 * wires(time) * fall(time, 0.26)
    },
  ],
  clap: [
    0.4,
    (rate) => {
      const hands = hiss(rate, 900, 2600, 23)
      const struck = (time) =>
        [0, 0.011, 0.023].reduce((sum, at) => sum + (time >= at ? fall(time - at, 0.022) : 0), 0)
      return (time) => hands(time) * (struck(time) + (time > 0.03 ? 0.75 * fall(time - 0.03, 0.28) : 0))
    },
  ],
  hat: [
    0.09,
    (rate) => {
      const [ring, air] = [
        above(rate, 7000, metal(rate, CYMBAL)),
        above(rate, 7500, hiss(rate, 5000, 16_000, 31)),
      ]
      return (time) => (ring(time) + 1.2 * air(time)) * fall(time, 0.06)
    },
    0.0006,
  ],
  open: [
    0.6,
    (rate) => {
      const [ring, air] = [
        above(rate, 6500, metal(rate, CYMBAL)),
        above(rate, 7000, hiss(rate, 5000, 16_000, 37)),
      ]
      return (time) => (ring(time) + 1.1 * air(time)) * fall(time, 0.5)
    },
    0.0008,
  ],
  tom: [
    0.55,
    (rate) => {
      const [body, skin] = [slide(rate, 190, 104, 0.05), hiss(rate, 300, 1800, 41)]
      return (time) => body(time) * fall(time, 0.45) + 0.3 * skin(time) * fall(time, 0.05)
    },
  ],
  rim: [
    0.1,
    (rate) => {
      const [wood, edge] = [slide(rate, 1750, 1680, 0.01), slide(rate, 520, 480, 0.01)]
      return (time) => wood(time) * fall(time, 0.05) + 0.6 * edge(time) * fall(time, 0.06)
    },
    0.0006,
  ],
  cowbell: [
    0.4,
    (rate) => {
      const body = above(rate, 350, metal(rate, [562, 845]))
      return (time) => body(time) * (0.55 * fall(time, 0.05) + 0.45 * fall(time, 0.36))
    },
  ],
  conga: [
    0.42,
    (rate) => {
      const [body, slap] = [slide(rate, 340, 292, 0.02), hiss(rate, 700, 3200, 53)]
      return (time) => body(time) * fall(time, 0.32) + 0.35 * slap(time) * fall(time, 0.03)
    },
  ],
  shaker: [
    0.13,
    (rate) => {
      const beads = above(rate, 4500, hiss(rate, 3500, 11_000, 61))
      return (time) => beads(time) * Math.min(1, time / 0.03) * fall(Math.max(0, time - 0.03), 0.1)
    },
    0.012,
  ],
}
