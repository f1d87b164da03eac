/* Numbers to one line: where the pen is after each step, and how hard it presses. */
import { extentOf, isCount, scaleOf, stepsOf, streamNamed } from './shared/streams.js'

export const MOST_STEPS = 4096
/** Count of different numbers below which a stream turns the pen; above it, it moves the pen. */
const MOST_TURNS = 4
const LONGEST_PERIOD = 96
/** Distance from one point to the next, on average; the sheet is 2 wide. */
const LONGEST_STRIDE = 0.5
/** Places of a paper on which a number may be a rounded one. */
const FEWEST_PLACES = 24
const EASINGS = 24

/**
 * @returns {{ points: { x: number, y: number, press: number }[], corners: boolean, way: string }} Points lie in -1 to 1;
 *   with `corners`, the pen goes straight from one to the next.
 */
export function lineOf(streams) {
  const used = streams.filter(({ data }) => data.length > 0)
  const count = Math.min(MOST_STEPS, stepsOf(used))
  if (count === 0) return { points: [], corners: false, way: 'nothing' }
  const [first, second, third, fourth] = used
  const across = streamNamed(used, 'x') ?? first
  const up = streamNamed(used, 'y') ?? second
  const at = (data, step) => data[step % data.length]
  const steps = Array.from({ length: count }, (_, step) => step)
  if (up === undefined || up === across) return oneStream(first.data.slice(0, count))
  const [countsAcross, countsUp] = [isCount(across.data), isCount(up.data)]
  const scale = third && !fourth ? scaleOf(third.data) : undefined
  const press = (step) => (scale ? 0.55 + 0.9 * scale(at(third.data, step)) : 1)
  if (countsAcross !== countsUp) {
    const [turn, grow] = countsUp ? [across.data, up.data] : [up.data, across.data]
    return spiral(steps, turn, grow, at, press)
  }
  // Four streams are two pendulums for each way of the pen, and the drawing is the sum of both.
  const swings = used.length >= 4 && !used.some(({ data }) => isCount(data))
  const raw = steps.map((step) => ({
    x: at(across.data, step) + (swings ? at(third.data, step) : 0),
    y: at(up.data, step) + (swings ? at(fourth.data, step) : 0),
    press: press(step),
  }))
  const isGrid = raw.every(({ x, y }, step) => step === 0 || x === raw[step - 1].x || y === raw[step - 1].y)
  const points = fitted(isGrid ? raw : ease(raw, swings ? 1 : 0.5))
  // Leaps from side to side, as of a melody, are a scribble: such a run is a rosette.
  if (points === undefined || stride(points) > LONGEST_STRIDE) return oneStream(first.data.slice(0, count))
  return { points: damped(points), corners: isGrid, way: swings ? 'two pendulums each way' : 'across and up' }
}

function oneStream(data) {
  const different = new Set(data)
  const count = data.length
  if (different.size === 1 || count < 3) {
    const points = data.map((_, step) => {
      const far = 0.04 + (0.96 * (step + 1)) / count
      const angle = Math.sqrt(step) * 3.2
      return { x: far * Math.cos(angle), y: far * Math.sin(angle), press: 1 }
    })
    return { points, corners: false, way: 'a spiral of equal steps' }
  }
  if (different.size <= MOST_TURNS)
    return turned(
      data,
      [...different].sort((a, b) => a - b),
    )
  const scale = scaleOf(data)
  // Round by round, closing where it began after as many steps as there are.
  const rounds = coprime(Math.round(count / periodOf(data)) + 1, count)
  const points = data.map((value, step) => {
    const angle = (2 * Math.PI * step * rounds) / count - Math.PI / 2
    const far = 0.22 + 0.78 * scale(value)
    return { x: far * Math.cos(angle), y: far * Math.sin(angle), press: 1 }
  })
  return { points, corners: false, way: `a rosette of ${rounds} rounds` }
}

/** Of two numbers one turns left and the other right; of more they are the ways to go, as on a compass. */
function turned(data, values) {
  let [x, y, heading] = [0, 0, 0]
  const points = [{ x, y, press: 1 }]
  for (const value of data) {
    const place = values.indexOf(value)
    heading = values.length === 2 ? heading + (place === 0 ? 1 : -1) : (place * 4) / values.length
    x += Math.cos((heading * Math.PI) / 2)
    y += Math.sin((heading * Math.PI) / 2)
    points.push({ x, y, press: 1 })
  }
  const line = fitted(points, true)
  const isSmall =
    new Set(points.map((point) => `${Math.round(point.x)} ${Math.round(point.y)}`)).size < data.length / 3
  if (line === undefined || isSmall)
    return {
      points: damped(line ?? points.map(() => ({ x: 0, y: 0, press: 1 }))),
      corners: true,
      way: 'left and right turns',
    }
  return { points: line, corners: true, way: 'left and right turns' }
}

function spiral(steps, turn, grow, at, press) {
  const [, most] = extentOf(turn)
  const scale = scaleOf(grow)
  const points = steps.map((step) => {
    const angle = (2 * Math.PI * at(turn, step)) / (most + 1) - Math.PI / 2
    const far = Math.sqrt(0.004 + 0.996 * scale(at(grow, step)))
    return { x: far * Math.cos(angle), y: far * Math.sin(angle), press: press(step) }
  })
  return { points, corners: false, way: 'round and outwards' }
}

/** Into -1 to 1; undefined of points that are all the same. @param keep Whether both ways keep one scale. */
function fitted(points, keep = false) {
  const box = ['x', 'y'].map((way) => {
    const all = points.map((point) => point[way])
    const [low, high] = [all.reduce((a, b) => Math.min(a, b)), all.reduce((a, b) => Math.max(a, b))]
    return { middle: (low + high) / 2, half: (high - low) / 2 }
  })
  const [across, up] = box
  if (across.half === 0 && up.half === 0) return undefined
  const most = Math.max(across.half, up.half)
  // Ways of about one size are of one kind: a circle stays a circle.
  const isAlike = keep || Math.min(across.half, up.half) * 1.6 > most
  const half = (way) => (isAlike ? most : way.half || 1)
  return points.map(({ x, y, press }) => ({
    x: (x - across.middle) / half(across),
    y: (y - up.middle) / half(up),
    press,
  }))
}

/**
 * A number stands for all that round to it: the pen takes the calmest way through those places. On a paper of few places
 * each of them is meant.
 *
 * @param slack How far from its number a place is at most.
 */
function ease(raw, slack) {
  const places = (way) => new Set(raw.map((point) => point[way])).size
  if (Math.min(places('x'), places('y')) < FEWEST_PLACES) return raw
  let points = raw
  for (let turn = 0; turn < EASINGS; turn += 1) {
    points = points.map((point, step) => {
      const [before, after] = [points[step - 1], points[step + 1]]
      if (!before || !after) return point
      const near = (way) => {
        const calm = (before[way] + 2 * point[way] + after[way]) / 4
        return Math.max(raw[step][way] - slack, Math.min(raw[step][way] + slack, calm))
      }
      return { ...point, x: near('x'), y: near('y') }
    })
  }
  return points
}

/** A figure that comes back upon itself dies down and turns, as a pendulum's does, so that each round is seen. */
function damped(points) {
  const places = new Set(points.map(({ x, y }) => `${x.toFixed(3)} ${y.toFixed(3)}`))
  if (places.size > points.length * 0.55 || points.length < 8) return points
  return points.map(({ x, y, press }, step) => {
    const gone = step / points.length
    const [far, angle] = [1 - 0.8 * gone, 1.1 * gone]
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    return { x: 0.84 * far * (x * cos - y * sin), y: 0.84 * far * (x * sin + y * cos), press }
  })
}

function stride(points) {
  let sum = 0
  for (let step = 1; step < points.length; step += 1) {
    sum += Math.hypot(points[step].x - points[step - 1].x, points[step].y - points[step - 1].y)
  }
  return sum / Math.max(1, points.length - 1)
}

/** The next number from `from` on that has no divisor in common with `count`: only then does a figure use all its points. */
function coprime(from, count) {
  const divisor = (a, b) => (b === 0 ? a : divisor(b, a % b))
  let number = Math.max(2, from)
  while (divisor(number, count) > 1) number += 1
  return number
}

/** After how many steps a stream repeats itself. */
function periodOf(data) {
  for (let period = 2; period <= Math.min(LONGEST_PERIOD, data.length / 2); period += 1) {
    let same = 0
    for (let step = period; step < data.length; step += 1) same += data[step] === data[step - period] ? 1 : 0
    if (same >= (data.length - period) * 0.9)
      return period < 5 ? period * 3 + 1 : period / Math.ceil(period / 11)
  }
  return Math.max(5, Math.round(Math.sqrt(data.length)))
}
