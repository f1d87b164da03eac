/* Threads that lie in the wind, and lights that run along them. */
import { hash } from './shared/streams.js'

/** Ground, and the threads from the lowest tone to the highest; light, then dark. */
const FACES = [
  {
    light: {
      ground: ['#f7f2e7', '#ece4d3'],
      threads: ['#1c2f7a', '#3f63c8', '#0c7562', '#c78a12', '#b3283f'],
      spark: '#171a2e',
    },
    dark: {
      ground: ['#0b0e1c', '#05060c'],
      threads: ['#5c78ff', '#8fb0ff', '#54d1b5', '#f0cf6a', '#ff8d8d'],
      spark: '#ffffff',
    },
  },
  {
    light: {
      ground: ['#f3f1ea', '#e3e6df'],
      threads: ['#0c4a45', '#1f8a76', '#80a02a', '#d59a1f', '#c2502b'],
      spark: '#10201f',
    },
    dark: {
      ground: ['#07131a', '#030709'],
      threads: ['#1fb89a', '#7de0c4', '#b9e07a', '#ffd27a', '#ff9f6b'],
      spark: '#ffffff',
    },
  },
  {
    light: {
      ground: ['#f8efe6', '#efdfd2'],
      threads: ['#5a1a4d', '#93307c', '#b3283f', '#d9662b', '#d9a21f'],
      spark: '#2a0a20',
    },
    dark: {
      ground: ['#150a1c', '#07040a'],
      threads: ['#b56bff', '#ea94d3', '#ff8d8d', '#ffb37a', '#ffe08a'],
      spark: '#ffffff',
    },
  },
]

export function faceOf(place, isDark) {
  const face = FACES[Math.min(FACES.length - 1, Math.floor(place * FACES.length))]
  return isDark ? face.dark : face.light
}

/** A colour between those of the threads. @param {number} tone 0 to 1. */
function colourOf(threads, tone) {
  return threads[Math.max(0, Math.min(threads.length - 1, Math.floor(tone * threads.length)))]
}

/**
 * Draws the whole wind: threads that start evenly and never come too near to each other's start.
 *
 * @param {(x: number, y: number) => number} angleAt In radians, at a place of 0 to 1.
 */
export function drawThreads(pen, { width, height }, { wind, angleAt, face }) {
  const sky = pen.createLinearGradient(0, 0, width * 0.3, height)
  sky.addColorStop(0, face.ground[0])
  sky.addColorStop(1, face.ground[1])
  pen.globalAlpha = 1
  pen.fillStyle = sky
  pen.fillRect(0, 0, width, height)
  const side = Math.sqrt(width * height)
  const gap = Math.max(5, side / 105)
  const [columns, rows] = [Math.ceil(width / gap), Math.ceil(height / gap)]
  const pace = Math.max(2.5, side / 300)
  const taken = new Uint8Array((columns + 2) * (rows + 2))
  const cellAt = (x, y) => (Math.floor(y / gap) + 1) * (columns + 2) + Math.floor(x / gap) + 1
  pen.lineCap = 'round'
  pen.lineJoin = 'round'
  const seeds = Math.min(2600, columns * rows)
  for (let seed = 0; seed < seeds; seed += 1) {
    // Halton's places: even from the first to the last.
    let [x, y] = [halton(seed + 1, 2) * width, halton(seed + 1, 3) * height]
    if (taken[cellAt(x, y)] > 0) continue
    const places = [[x, y]]
    const long = 40 + 110 * hash(seed)
    let last = -1
    for (let step = 0; step < long; step += 1) {
      const angle = angleAt(x / width, y / height)
      x += Math.cos(angle) * pace
      y += Math.sin(angle) * pace
      if (x < -gap || y < -gap || x > width + gap || y > height + gap) break
      const cell = cellAt(Math.max(0, Math.min(width, x)), Math.max(0, Math.min(height, y)))
      if (cell !== last && taken[cell] > 1) break
      if (cell !== last) taken[cell] += 1
      last = cell
      places.push([x, y])
    }
    if (places.length < 5) continue
    const [cx, cy] = places[places.length >> 1]
    const tone = wind.tone(cx / width, cy / height)
    pen.strokeStyle = colourOf(
      face.threads,
      Math.max(0, Math.min(0.999, tone + (hash(seed + 99) - 0.5) * 0.22)),
    )
    pen.lineWidth = gap * (0.16 + 0.42 * hash(seed + 7) ** 2)
    pen.globalAlpha = 0.62 + 0.38 * hash(seed + 3)
    pen.beginPath()
    pen.moveTo(...places[0])
    for (let place = 1; place < places.length; place += 1) pen.lineTo(...places[place])
    pen.stroke()
  }
  pen.globalAlpha = 1
}

function halton(index, base) {
  let [result, share, rest] = [0, 1 / base, index]
  while (rest > 0) {
    result += (rest % base) * share
    rest = Math.floor(rest / base)
    share /= base
  }
  return result
}

/** Lights that the wind carries. */
export function createLights() {
  const lights = Array.from({ length: 260 }, (_, index) => ({
    x: halton(index + 1, 2),
    y: halton(index + 1, 3),
    age: Math.floor(hash(index) * 90),
    trail: [],
  }))
  return (pen, { width, height }, { angleAt, face, speed }) => {
    const pace = Math.max(1.2, Math.sqrt(width * height) / 420) * (0.5 + speed)
    pen.strokeStyle = face.spark
    pen.lineCap = 'round'
    for (const [index, light] of lights.entries()) {
      const angle = angleAt(light.x, light.y)
      light.x += (Math.cos(angle) * pace) / width
      light.y += (Math.sin(angle) * pace) / height
      light.trail.push(light.x, light.y)
      if (light.trail.length > 28) light.trail.splice(0, 2)
      light.age += 1
      if (light.age > 150 || light.x < 0 || light.y < 0 || light.x > 1 || light.y > 1) {
        Object.assign(light, {
          x: hash(index * 31 + light.age + performance.now()),
          y: hash(index * 17 + light.age),
          age: 0,
          trail: [],
        })
      }
      for (let place = 2; place < light.trail.length; place += 2) {
        pen.globalAlpha = 0.75 * (place / light.trail.length) ** 2 * Math.min(1, (150 - light.age) / 40)
        pen.lineWidth = 0.6 + 1.5 * (place / light.trail.length)
        pen.beginPath()
        pen.moveTo(light.trail[place - 2] * width, light.trail[place - 1] * height)
        pen.lineTo(light.trail[place] * width, light.trail[place + 1] * height)
        pen.stroke()
      }
    }
    pen.globalAlpha = 1
  }
}
