/* Keys, and notes that fall towards them. */
import { THREADS } from './shared/threads.js'

const LIGHT = {
  wall: ['#f3eee3', '#e4dccb'],
  rail: '#8d2535',
  white: ['#fffdf7', '#e9e3d3'],
  black: ['#3a3b45', '#14151c'],
  line: '#b7ab92',
  grid: 'rgb(70 50 20 / 0.1)',
  body: ['#4a2f20', '#2a1a11'],
  voices: THREADS.light,
  glow: 0.28,
}
const DARK = {
  wall: ['#07080e', '#141726'],
  rail: '#7a1f2e',
  white: ['#e9e6dc', '#bdb8ab'],
  black: ['#2c2e3a', '#05060a'],
  line: '#5b5a58',
  grid: 'rgb(255 255 255 / 0.05)',
  body: ['#1b1d29', '#08090e'],
  voices: THREADS.dark,
  glow: 0.7,
}
const BLACK = new Set([1, 3, 6, 8, 10])
/** White keys up to and with each note of an octave. */
const WHITES = [0, 0, 1, 1, 2, 3, 3, 4, 4, 5, 5, 6]

/** Keys from a C to a B around all pitches, at least two octaves, more where there is room. */
export function rangeOf(pitches, width) {
  const [low, high] = pitches.length > 0 ? [Math.min(...pitches), Math.max(...pitches)] : [60, 71]
  let [first, last] = [Math.floor(low / 12) * 12, Math.floor(high / 12) * 12 + 11]
  const wanted = Math.max(2, Math.min(5, Math.round(width / 260)))
  for (let turn = 0; (last - first + 1) / 12 < wanted && turn < 8; turn += 1) {
    if (turn % 2 === 0 && first >= 36) first -= 12
    else if (last <= 96) last += 12
  }
  return { first: Math.max(0, first), last: Math.min(127, last) }
}

/** Where keys are. */
export function layoutOf({ first, last }, width, height) {
  const octaves = (last - first + 1) / 12
  const white = width / (7 * octaves)
  const long = Math.min(height * 0.34, Math.max(64, white * 5.2))
  const top = height - long
  const keyAt = (pitch) => {
    const [octave, note] = [Math.floor((pitch - first) / 12), (pitch - first) % 12]
    const left = (octave * 7 + WHITES[note]) * white
    return BLACK.has(note)
      ? { isBlack: true, left: left + white - white * 0.29, wide: white * 0.58, long: long * 0.63 }
      : { isBlack: false, left, wide: white, long }
  }
  return { white, long, top, keyAt, width, height }
}

/** The key under a place of the canvas; undefined above the keys. */
export function pitchAt({ first, last }, layout, x, y) {
  if (y < layout.top) return undefined
  let at
  for (let pitch = first; pitch <= last; pitch += 1) {
    const { isBlack, left, wide, long } = layout.keyAt(pitch)
    if (x < left || x >= left + wide || y > layout.top + long) continue
    if (isBlack) return pitch
    at = pitch
  }
  return at
}

/**
 * @param {object} shown
 * @param {number} shown.position Steps.
 * @param {Map<number, { voice: number, light: number }>} shown.down Keys that are down, with how bright they are.
 */
export function drawPiano(pen, { width, height, isDark }, { voices, range, position, down, chosen, span }) {
  const face = isDark ? DARK : LIGHT
  const layout = layoutOf(range, width, height)
  const wall = pen.createLinearGradient(0, 0, 0, layout.top)
  wall.addColorStop(0, face.wall[0])
  wall.addColorStop(1, face.wall[1])
  pen.fillStyle = wall
  pen.fillRect(0, 0, width, height)
  drawGrid(pen, range, layout, face)
  drawNotes(pen, { voices, range, position, span, layout, face })
  drawLight(pen, layout, face, down)
  drawKeys(pen, { range, layout, face, down, chosen })
}

function drawGrid(pen, { first, last }, { top, keyAt }, face) {
  pen.fillStyle = face.grid
  for (let pitch = first; pitch <= last; pitch += 1) {
    const { isBlack, left, wide } = keyAt(pitch)
    if (isBlack) pen.fillRect(left, 0, wide, top)
    else if (pitch % 12 === 0) pen.fillRect(left - 0.5, 0, 1, top)
  }
}

function drawNotes(pen, { voices, range, position, span, layout, face }) {
  const { top, keyAt } = layout
  const step = top / span
  for (const [voice, notes] of voices.entries()) {
    const colour = face.voices[voice % face.voices.length]
    for (const { pitch, start, length, velocity } of notes) {
      const foot = top - (start - position) * step
      const head = foot - length * step
      if (foot < 0 || head > top || pitch < range.first || pitch > range.last) continue
      const { left, wide, isBlack } = keyAt(pitch)
      const gap = isBlack ? wide * 0.06 : wide * 0.16
      const isDown = start <= position && position < start + length
      const box = [left + gap, head + 1.5, wide - 2 * gap, Math.max(4, Math.min(foot, top) - head - 3)]
      const radius = Math.min(box[2] / 2, 9, box[3] / 2)
      pen.globalAlpha = isDown ? 1 : 0.5 + (velocity / 127) * 0.45
      pen.save()
      if (isDown) {
        pen.shadowColor = colour
        pen.shadowBlur = 24 * face.glow
      }
      const shade = pen.createLinearGradient(0, head, 0, foot)
      shade.addColorStop(0, `color-mix(in oklab, ${colour} 62%, ${face.wall[1]})`)
      shade.addColorStop(1, isDown ? `color-mix(in oklab, ${colour}, white 35%)` : colour)
      pen.fillStyle = shade
      pen.beginPath()
      pen.roundRect(...box, radius)
      pen.fill()
      pen.restore()
    }
  }
  pen.globalAlpha = 1
}

/** Light that rises from keys that are struck. */
function drawLight(pen, { top, keyAt }, face, down) {
  for (const [pitch, { voice, light }] of down) {
    const { left, wide } = keyAt(pitch)
    const [x, far] = [left + wide / 2, wide * (2.2 + 2 * light)]
    const glow = pen.createRadialGradient(x, top, 0, x, top, far)
    const colour = face.voices[voice % face.voices.length]
    glow.addColorStop(
      0,
      `color-mix(in srgb, ${colour} ${Math.round(70 * light * face.glow + 12)}%, transparent)`,
    )
    glow.addColorStop(1, 'transparent')
    pen.fillStyle = glow
    pen.fillRect(x - far, Math.max(0, top - far), 2 * far, Math.min(far, top))
  }
}

function drawKeys(pen, { range: { first, last }, layout, face, down, chosen }) {
  const { top, long, width, keyAt, white } = layout
  const rail = Math.max(3, long * 0.035)
  const body = pen.createLinearGradient(0, top - rail * 2, 0, top)
  body.addColorStop(0, face.body[0])
  body.addColorStop(1, face.body[1])
  pen.fillStyle = body
  pen.fillRect(0, top - rail * 2, width, rail * 2)
  for (const wantsBlack of [false, true]) {
    for (let pitch = first; pitch <= last; pitch += 1) {
      const key = keyAt(pitch)
      if (key.isBlack !== wantsBlack) continue
      const held = down.get(pitch)
      const colours = wantsBlack ? face.black : face.white
      const deep = held ? Math.max(1, long * 0.012) : 0
      const shade = pen.createLinearGradient(0, top, 0, top + key.long)
      const voice = held && face.voices[held.voice % face.voices.length]
      const lit = (colour, share) =>
        voice
          ? `color-mix(in oklab, ${voice} ${Math.round(share * (0.35 + 0.65 * held.light))}%, ${colour})`
          : colour
      shade.addColorStop(0, lit(colours[wantsBlack ? 0 : 1], 55))
      shade.addColorStop(wantsBlack ? 0.85 : 0.12, lit(colours[wantsBlack ? 1 : 0], 70))
      shade.addColorStop(1, lit(colours[wantsBlack ? 0 : 1], 85))
      const gap = wantsBlack ? 0 : Math.max(0.5, white * 0.025)
      const radius = Math.min(5, key.wide * 0.13)
      const box = [key.left + gap, top + deep, key.wide - 2 * gap, key.long - 2 - (held ? 0 : deep)]
      if (wantsBlack) {
        pen.fillStyle = 'rgb(0 0 0 / 0.28)'
        pen.beginPath()
        pen.roundRect(box[0] + 2, box[1], box[2] + 1.5, box[3] + 3, [0, 0, radius, radius])
        pen.fill()
      }
      pen.fillStyle = shade
      pen.beginPath()
      pen.roundRect(...box, [0, 0, radius, radius])
      pen.fill()
      if (!wantsBlack) {
        pen.fillStyle = face.line
        pen.globalAlpha = 0.5
        pen.fillRect(key.left + key.wide - 0.5, top, 1, key.long)
        pen.globalAlpha = 1
      }
      if (chosen === pitch) {
        pen.strokeStyle = face.voices[1]
        pen.lineWidth = 2
        pen.strokeRect(box[0] + 2, box[1] + 2, box[2] - 4, box[3] - 4)
      }
      if (pitch % 12 === 0 && white > 15) {
        pen.fillStyle = '#6d6553'
        pen.font = `${Math.min(12, white * 0.42)}px ui-sans-serif, system-ui, sans-serif`
        pen.textAlign = 'center'
        pen.textBaseline = 'alphabetic'
        pen.fillText(`C${pitch / 12 - 1}`, key.left + key.wide / 2, top + key.long - 9)
      }
    }
  }
  pen.fillStyle = face.rail
  pen.fillRect(0, top - 1, width, rail)
  const shadow = pen.createLinearGradient(0, top + rail, 0, top + rail * 4)
  shadow.addColorStop(0, 'rgb(0 0 0 / 0.3)')
  shadow.addColorStop(1, 'transparent')
  pen.fillStyle = shadow
  pen.fillRect(0, top + rail - 1, width, rail * 3)
}
