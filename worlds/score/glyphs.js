/* The signs of the score, drawn by a brush. One space between two staff lines is 1; the pen stands at the sign's origin. */

/** A line through points of [x, y, width], smooth between them: a broad nib's stroke. */
export function brush(pen, points) {
  const sides = [[], []]
  const at = (index) => points[Math.max(0, Math.min(points.length - 1, index))]
  const steps = 10
  for (let index = 0; index < points.length - 1; index += 1) {
    const four = [at(index - 1), at(index), at(index + 1), at(index + 2)]
    for (let step = 0; step < steps; step += 1) edge(sides, four, step / steps)
  }
  edge(sides, [at(-1), ...points.slice(-2), at(points.length)].slice(0, 4), 1)
  pen.beginPath()
  for (const [x, y] of sides[0]) pen.lineTo(x, y)
  for (const [x, y] of sides[1].reverse()) pen.lineTo(x, y)
  pen.closePath()
  pen.fill()
}

/** Adds both edges of the stroke at `t` between the middle two points (Catmull-Rom). */
function edge(sides, [a, b, c, d], t) {
  const along = (axis, derived) => {
    const [p, q, r, s] = [a[axis], b[axis], c[axis], d[axis]]
    const [two, three] = [2 * p - 5 * q + 4 * r - s, 3 * q - p - 3 * r + s]
    return derived
      ? (r - p + 2 * two * t + 3 * three * t * t) / 2
      : (2 * q + (r - p) * t + two * t * t + three * t ** 3) / 2
  }
  const [x, y] = [along(0), along(1)]
  const [dx, dy] = [along(0, true), along(1, true)]
  const half = Math.max(0.02, b[2] + (c[2] - b[2]) * t) / 2 / (Math.hypot(dx, dy) || 1)
  sides[0].push([x - dy * half, y + dx * half])
  sides[1].push([x + dy * half, y - dx * half])
}

function dot(pen, x, y, radius) {
  pen.beginPath()
  pen.arc(x, y, radius, 0, 2 * Math.PI)
  pen.fill()
}

/** Origin: the line of its note (G of the treble, F of the bass clef). */
export const CLEFS = {
  treble(pen) {
    brush(pen, [
      [1.02, 0.5, 0.06],
      [0.78, 0.05, 0.16],
      [1.22, -0.6, 0.24],
      [2.02, -0.4, 0.3],
      [2.3, 0.22, 0.3],
      [1.6, 0.98, 0.16],
      [0.62, 0.72, 0.3],
      [0.14, -0.3, 0.42],
      [0.5, -1.4, 0.36],
      [1.3, -2.35, 0.34],
      [1.82, -3.3, 0.36],
      [1.72, -4.1, 0.2],
      [1.5, -4.3, 0.08],
      [1.16, -3.8, 0.26],
      [1.1, -3.0, 0.24],
      [1.4, -1.2, 0.17],
      [1.72, 0.7, 0.15],
      [1.84, 1.7, 0.16],
      [1.5, 2.36, 0.15],
      [0.95, 2.4, 0.1],
      [0.68, 2.0, 0.1],
    ])
    dot(pen, 0.92, 1.94, 0.34)
  },
  bass(pen) {
    dot(pen, 0.5, 0.08, 0.36)
    brush(pen, [
      [0.22, 0.1, 0.1],
      [0.34, -0.62, 0.14],
      [1.0, -0.98, 0.2],
      [1.66, -0.62, 0.4],
      [1.84, 0.12, 0.48],
      [1.46, 1.16, 0.34],
      [0.78, 1.9, 0.16],
      [0.05, 2.32, 0.05],
    ])
    dot(pen, 2.5, -0.5, 0.2)
    dot(pen, 2.5, 0.5, 0.2)
  },
}

/** Origin: the middle line. @param {number} length Sixteenths; a dotted rest is drawn as the plain one. */
export function drawRest(pen, length) {
  if (length >= 8) pen.fillRect(-0.6, length >= 16 ? -1 : -0.5, 1.2, 0.5)
  else if (length >= 4) {
    brush(pen, [
      [-0.28, -1.45, 0.06],
      [0.3, -0.72, 0.4],
      [-0.12, -0.16, 0.36],
      [0.42, 0.72, 0.08],
    ])
    brush(pen, [
      [0.42, 0.72, 0.08],
      [-0.16, 0.56, 0.4],
      [-0.28, 1.0, 0.2],
      [0.04, 1.42, 0.04],
    ])
  } else {
    const hooks = length === 1 ? 2 : 1
    for (let hook = 0; hook < hooks; hook += 1) {
      const [x, y] = [-hook * 0.22, hook]
      dot(pen, x - 0.32, y - 0.5, 0.22)
      brush(pen, [
        [x - 0.4, y - 0.36, 0.1],
        [x + 0.05, y - 0.24, 0.14],
        [x + 0.46, y - 0.68, 0.08],
      ])
    }
    brush(pen, [
      [0.46, -0.72, 0.14],
      [0.02 - (hooks - 1) * 0.26, hooks, 0.14],
    ])
  }
}

/** Origin: the middle of the head. */
export function drawHead(pen, length) {
  const open = length >= 8
  pen.save()
  if (length < 16) pen.rotate(-0.36)
  pen.beginPath()
  pen.ellipse(0, 0, length >= 16 ? 0.78 : 0.66, 0.46, 0, 0, 2 * Math.PI)
  if (open && length < 16) pen.ellipse(0, 0, 0.56, 0.22, 0.08, 0, 2 * Math.PI, true)
  else if (open) pen.ellipse(0, 0, 0.34, 0.42, -0.5, 0, 2 * Math.PI, true)
  pen.fill('evenodd')
  pen.restore()
}

/** Origin: the end of the stem. @param {number} up Its height: 1, negative for a stem that goes down. */
export function drawFlag(pen, up) {
  pen.save()
  pen.scale(1, up)
  brush(pen, [
    [0, 0.1, 0.32],
    [0.3, 0.85, 0.3],
    [0.82, 1.55, 0.2],
    [0.86, 2.3, 0.12],
    [0.62, 3.0, 0.03],
  ])
  pen.restore()
}

/** Origin: the middle of the head it belongs to, one sign further left. @param {number} alter 1, 0 or -1. */
export function drawAccidental(pen, alter) {
  if (alter < 0) {
    pen.fillRect(-0.36, -1.75, 0.13, 2.4)
    brush(pen, [
      [-0.3, -0.2, 0.08],
      [0.1, -0.46, 0.22],
      [0.24, -0.1, 0.24],
      [-0.3, 0.62, 0.08],
    ])
    return
  }
  const [left, right] = [-0.24, 0.24]
  pen.fillRect(left - 0.06, alter > 0 ? -1.25 : -1.35, 0.12, alter > 0 ? 2.7 : 2.05)
  pen.fillRect(right - 0.06, alter > 0 ? -1.4 : -0.7, 0.12, alter > 0 ? 2.7 : 2.05)
  const wide = alter > 0 ? 0.5 : right
  for (const y of [-0.5, 0.5]) {
    brush(pen, [
      [-wide, y + 0.14, 0.3],
      [wide, y - 0.14, 0.3],
    ])
  }
}
