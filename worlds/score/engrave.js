/* The score on a canvas: as many systems as it has room for, from the one that is being played. */
import { brush, CLEFS, drawAccidental, drawFlag, drawHead, drawRest } from './glyphs.js'
import { systemsOf } from './layout.js'
import { MEASURE, spell } from './measures.js'

/** Place (`spell`) of the lowest line, and of the line of the clef. */
const STAVES = { treble: { bottom: 30, clef: 32 }, bass: { bottom: 18, clef: 24 } }
/** In spaces: from the top line of one staff to that of the next, and of one system to that of the next. */
const STAFF = 11
const MARGIN = 2
/** Part of the width that stays free at each side: pictures of other shapes are cut there. */
const EDGE = 0.045
/** Pixels of a space of the staff, the largest first, on a page of this width or more and on one of less. */
const NARROW = 560
const [LARGE, SMALL] = [[19, 17, 15, 13, 11, 9.5], [7.5]]
/** Above the top line and below the bottom line of a system: room for ledger lines and stems. */
const AROUND = 5.2

/** Where everything stands at the size of the canvas. */
export function pageOf(canvas, score) {
  const { clientWidth: width, clientHeight: height } = canvas
  const least = 2 * AROUND + STAFF * (score.staves.length - 1) + 4
  const inSpaces = (space) => {
    const margin = Math.max(MARGIN, (EDGE * width) / space)
    return { space, margin, systems: systemsOf(score, width / space - 2 * margin) }
  }
  // A short piece is engraved as large as all of it is on the page.
  let fitting
  for (const size of width < NARROW ? SMALL : LARGE) {
    fitting = inSpaces(size)
    if (fitting.systems.length * least * size <= height) break
  }
  const { space, margin, systems } = fitting
  const rows = Math.min(Math.max(1, Math.floor(height / space / least)), systems.length)
  // A short piece stands in the middle, a full page fills the height.
  const systemHeight = Math.min(height / space / rows, least * 1.5)
  const above = (height / space - rows * systemHeight) / 2
  const top = (systemHeight - least) / 2 + AROUND
  return { width, height, space, margin, above, top, systemHeight, systems, rows }
}

/** The sixteenth at a point of the page that `position` shows. */
export function timeAt({ space, margin, above, systemHeight, systems, rows }, position, x, y) {
  const row = Math.max(0, Math.floor((y / space - above) / systemHeight))
  const system = systems[firstShown({ systems, rows }, position) + Math.min(row, rows - 1)] ?? systems.at(-1)
  const at = x / space - margin
  const { number, offsets } = system.measures.find(({ end }) => at < end) ?? system.measures.at(-1)
  const after = offsets.findIndex((offset) => offset > at)
  return number * MEASURE + Math.max(0, Math.min(MEASURE - 1, after < 0 ? MEASURE - 1 : after - 1))
}

/** Pages turn; they do not scroll. */
function firstShown({ systems, rows }, position) {
  const current = systems.findIndex(({ last }) => position < (last + 1) * MEASURE)
  return Math.floor((current < 0 ? systems.length - 1 : current) / rows) * rows
}

export function engrave(canvas, score, page, { position, playing }) {
  const scale = devicePixelRatio
  const [wide, high] = [Math.round(page.width * scale), Math.round(page.height * scale)]
  if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high })
  const pen = canvas.getContext('2d')
  const style = getComputedStyle(canvas)
  const ink = style.color
  const mark = style.getPropertyValue('accent-color')
  pen.setTransform(scale, 0, 0, scale, 0, 0)
  pen.fillStyle = style.backgroundColor
  pen.fillRect(0, 0, page.width, page.height)
  pen.scale(page.space, page.space)
  const first = firstShown(page, position)
  for (const [row, system] of page.systems.slice(first, first + page.rows).entries()) {
    pen.save()
    pen.translate(page.margin, page.above + row * page.systemHeight + page.top)
    const paint = (from, until) => {
      pen.fillStyle = playing && position >= from && position < until ? mark : ink
    }
    pen.fillStyle = ink
    for (const [staff, { clef, measures }] of score.staves.entries()) {
      pen.save()
      pen.translate(0, staff * STAFF)
      drawStaff(pen, clef, system, ink)
      for (const placed of system.measures) drawMeasure(pen, clef, measures[placed.number], placed, paint)
      pen.restore()
    }
    pen.fillStyle = ink
    drawBars(pen, score, system)
    drawPosition(pen, score, system, position, mark)
    pen.restore()
  }
}

function drawStaff(pen, clef, { width, first }, ink) {
  pen.globalAlpha = 0.55
  for (let line = 0; line < 5; line += 1) pen.fillRect(0, line - 0.05, width, 0.1)
  pen.globalAlpha = 1
  pen.save()
  pen.translate(0.8, (STAVES[clef].bottom + 8 - STAVES[clef].clef) / 2)
  CLEFS[clef](pen)
  pen.restore()
  if (first > 0) return
  pen.fillStyle = ink
  pen.font = '700 2.7px Georgia, "Times New Roman", serif'
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  for (const y of [1.05, 3.05]) pen.fillText('4', 5, y)
}

function drawBars(pen, { staves, measures }, { measures: placed, first }) {
  const height = (staves.length - 1) * STAFF + 4
  if (staves.length > 1) pen.fillRect(0, 0, 0.13, height)
  pen.font = '1.5px system-ui, sans-serif'
  pen.textAlign = 'left'
  pen.textBaseline = 'alphabetic'
  pen.globalAlpha = 0.7
  if (first > 0) pen.fillText(String(first + 1), 0, -2.6)
  pen.globalAlpha = 1
  for (const { number, end } of placed) {
    pen.fillRect(end - 0.13, 0, 0.13, height)
    if (number < measures - 1) continue
    pen.fillRect(end - 0.75, 0, 0.13, height)
    pen.fillRect(end - 0.35, 0, 0.35, height)
  }
}

function drawPosition(pen, { staves }, { measures, first, last }, position, mark) {
  const number = Math.floor(position / MEASURE)
  if (number < first || number > last) return
  const { offsets } = measures[number - first]
  const time = position % MEASURE
  const [from, to] = [offsets[Math.floor(time)], offsets[Math.floor(time) + 1]]
  pen.fillStyle = mark
  pen.globalAlpha = 0.75
  pen.fillRect(from + (to - from) * (time % 1) - 0.08, -2.5, 0.2, (staves.length - 1) * STAFF + 9)
  pen.globalAlpha = 1
}

function drawMeasure(pen, clef, signs, { number, offsets, end }, paint) {
  const { bottom } = STAVES[clef]
  const y = (place) => 4 - (place - bottom) / 2
  const altered = new Map()
  const beams = new Map()
  for (const sign of signs) {
    const from = number * MEASURE + sign.start
    if (sign.pitches.length > 0) paint(from, from + sign.length)
    const alone = sign.length === MEASURE && sign.pitches.length === 0
    const x = alone ? (offsets[0] + end) / 2 - 0.6 : offsets[sign.start] + 0.66
    if (sign.pitches.length === 0) drawRestAt(pen, sign.length, x)
    else {
      const chord = chordAt(sign, x, y, bottom)
      drawChord(pen, chord, altered)
      if (sign.tied) drawTies(pen, chord, offsets[sign.start + sign.length] ?? end)
      if (sign.beam === undefined) drawStem(pen, chord)
      else beams.set(sign.beam, [...(beams.get(sign.beam) ?? []), chord])
    }
    paint()
  }
  for (const chords of beams.values()) drawBeam(pen, chords)
}

function drawRestAt(pen, length, x) {
  pen.save()
  pen.translate(x, 2)
  const plain = length % 3 === 0 ? (length / 3) * 2 : length
  drawRest(pen, plain)
  if (plain !== length) pen.fillRect(0.9, -0.65, 0.3, 0.3)
  pen.restore()
}

/** What of a chord its stem and its beam have to know. */
function chordAt({ pitches, length }, x, y, bottom) {
  const heads = pitches.map(spell).sort((a, b) => a.place - b.place)
  const [low, high] = [heads[0].place, heads.at(-1).place]
  const up = bottom + 4 - low >= high - (bottom + 4) && low + high < 2 * (bottom + 4) ? 1 : -1
  return { heads, length, x, y, up, low: y(low), high: y(high), bottom }
}

function drawChord(pen, { heads, length, x, y, up, bottom }, altered) {
  let aside = false
  let signs = 0
  for (const [index, { place, alter }] of (up > 0 ? heads : heads.toReversed()).entries()) {
    const before = (up > 0 ? heads : heads.toReversed())[index - 1]
    // Two heads a step apart do not fit on one side of the stem.
    aside = before !== undefined && Math.abs(before.place - place) < 2 && !aside
    const at = aside ? x + up * 1.2 : x
    for (let line = bottom - 2; line >= place; line -= 2) pen.fillRect(at - 1, y(line) - 0.07, 2, 0.14)
    for (let line = bottom + 10; line <= place; line += 2) pen.fillRect(at - 1, y(line) - 0.07, 2, 0.14)
    pen.save()
    pen.translate(at, y(place))
    drawHead(pen, length)
    if (length % 3 === 0) {
      pen.beginPath()
      pen.arc(1.2, place % 2 === bottom % 2 ? -0.5 : 0, 0.2, 0, 2 * Math.PI)
      pen.fill()
    }
    if ((altered.get(place) ?? 0) !== alter) {
      pen.translate(x - at - 1.35 - signs * 1.1, 0)
      drawAccidental(pen, alter)
      signs += 1
      altered.set(place, alter)
    }
    pen.restore()
  }
}

function drawTies(pen, { heads, x, y, up }, next) {
  for (const { place } of heads) {
    const [from, to, at] = [x + 0.5, next + 0.2, y(place) + up * 0.75]
    brush(pen, [
      [from, at, 0.04],
      [from + (to - from) * 0.25, at + up * 0.42, 0.16],
      [from + (to - from) * 0.5, at + up * 0.54, 0.22],
      [from + (to - from) * 0.75, at + up * 0.42, 0.16],
      [to, at, 0.04],
    ])
  }
}

const STEM = 3.4

function drawStem(pen, { length, x, up, low, high }) {
  if (length >= MEASURE) return
  const at = x + up * 0.6
  const tip = up > 0 ? Math.min(high - STEM, 2) : Math.max(low + STEM, 2)
  stem(pen, at, up > 0 ? low : high, tip)
  const flags = length === 1 ? 2 : length < 4 ? 1 : 0
  for (let flag = 0; flag < flags; flag += 1) {
    pen.save()
    pen.translate(at - 0.06, tip + up * flag * 0.85)
    drawFlag(pen, up * (flags > 1 ? 0.8 : 1))
    pen.restore()
  }
}

function stem(pen, x, from, to) {
  pen.fillRect(x - 0.06, Math.min(from, to), 0.12, Math.abs(to - from))
}

function drawBeam(pen, chords) {
  const middle = chords.reduce((sum, { low, high }) => sum + low + high, 0) / chords.length / 2
  const up = middle > 2 ? 1 : -1
  const xs = chords.map(({ x }) => x + up * 0.6)
  const tips = chords.map(({ low, high }) => (up > 0 ? high - STEM + 0.2 : low + STEM - 0.2))
  const [left, right] = [xs[0], xs.at(-1)]
  const slope = Math.max(-0.18, Math.min(0.18, (tips.at(-1) - tips[0]) / (right - left)))
  const line = (x) => tips[0] + slope * (x - left)
  // Moved as a whole, until no stem is too short.
  const shift = up * Math.min(...chords.map((_, index) => up * (tips[index] - line(xs[index]))))
  const at = (x) => line(x) + shift
  for (const [index, { low, high }] of chords.entries()) {
    stem(pen, xs[index], up > 0 ? low : high, at(xs[index]))
  }
  const bar = (from, to, level) => {
    const [top, bottom] = [level * 0.8 * up, level * 0.8 * up + 0.5 * up]
    pen.beginPath()
    pen.moveTo(from - 0.06, at(from) + top)
    pen.lineTo(to + 0.06, at(to) + top)
    pen.lineTo(to + 0.06, at(to) + bottom)
    pen.lineTo(from - 0.06, at(from) + bottom)
    pen.fill()
  }
  bar(left, right, 0)
  for (const [index, { length }] of chords.entries()) {
    if (length > 1) continue
    if (chords[index + 1]?.length === 1) bar(xs[index], xs[index + 1], 1)
    else if (chords[index - 1]?.length !== 1) {
      const towards = index === 0 ? 1.1 : -1.1
      bar(Math.min(xs[index], xs[index] + towards), Math.max(xs[index], xs[index] + towards), 1)
    }
  }
}
