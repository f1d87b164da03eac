/* Paper, ink and pen. */

/** Paper is paper, by day and by night. */
const LIGHT = { paper: [247, 242, 230], ink: '#16224a', mark: '#a8243f', soft: '#8a7f6a' }
const DARK = { ...LIGHT, paper: [236, 230, 215] }
/** Share of the sides that meet that bends, at each end of a corner. */
const BEND = 0.22
const GRAIN = 256
/** Opacity of the ink on paper. */
const INK = 0.88

const grains = new Map()

/** A tile of paper: grain, and fibres that lie in it. */
function grainOf({ paper }) {
  const known = grains.get(paper)
  if (known) return known
  const tile = Object.assign(document.createElement('canvas'), { width: GRAIN, height: GRAIN })
  const pen = tile.getContext('2d')
  const image = pen.createImageData(GRAIN, GRAIN)
  let seed = 7
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32
  }
  for (let place = 0; place < GRAIN * GRAIN; place += 1) {
    const light = (random() + random() + random() - 1.5) * 7
    image.data.set([...paper.map((part) => part + light), 255], place * 4)
  }
  pen.putImageData(image, 0, 0)
  for (let fibre = 0; fibre < 150; fibre += 1) {
    const [x, y, angle, long] = [random() * GRAIN, random() * GRAIN, random() * 7, 4 + random() * 14]
    pen.strokeStyle = random() < 0.5 ? 'rgb(255 255 255 / 0.05)' : 'rgb(60 40 10 / 0.05)'
    pen.lineWidth = 0.6
    pen.beginPath()
    pen.moveTo(x, y)
    pen.quadraticCurveTo(
      x + long * Math.cos(angle),
      y + long * Math.sin(angle),
      x + long * Math.cos(angle + 0.6),
      y + long * Math.sin(angle + 0.6),
    )
    pen.stroke()
  }
  grains.set(paper, tile)
  return tile
}

/** Where the drawing is on the sheet, which fills the frame. */
function layout(width, height) {
  const inside = Math.min(width, height) * 0.1
  return { half: Math.min(width, height) / 2 - inside, x: width / 2, y: height / 2, inside }
}

/** Places of the pen along each step, as it will go: round through the points, or straight with a small bend. */
export function pathOf({ points, corners }, half) {
  const at = (index) => points[Math.max(0, Math.min(points.length - 1, index))]
  return points.slice(1).map((to, index) => {
    const from = points[index]
    const far = Math.hypot(to.x - from.x, to.y - from.y) * half
    if (corners) {
      const after = at(index + 2)
      const begin = index === 0 ? from : between(from, to, 0.5)
      if (index === points.length - 2) return [begin, to]
      return [begin, ...bend(between(to, from, BEND), to, between(to, after, BEND)), between(to, after, 0.5)]
    }
    const parts = Math.max(2, Math.min(48, Math.ceil(far / 5)))
    const [before, after] = [at(index - 1), at(index + 2)]
    return Array.from({ length: parts + 1 }, (_, part) => {
      const t = part / parts
      return {
        x: through(before.x, from.x, to.x, after.x, t),
        y: through(before.y, from.y, to.y, after.y, t),
      }
    })
  })
}

function between(a, b, part) {
  return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part }
}

function bend(from, corner, to) {
  return Array.from({ length: 5 }, (_, part) => {
    const t = part / 4
    const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t * t]
    return { x: a * from.x + b * corner.x + c * to.x, y: a * from.y + b * corner.y + c * to.y }
  })
}

/** Catmull and Rom's curve, a little tighter than theirs. */
function through(p0, p1, p2, p3, t) {
  const [m1, m2] = [(p2 - p0) * 0.42, (p3 - p1) * 0.42]
  const [t2, t3] = [t * t, t * t * t]
  return (2 * t3 - 3 * t2 + 1) * p1 + (t3 - 2 * t2 + t) * m1 + (3 * t2 - 2 * t3) * p2 + (t3 - t2) * m2
}

/** Draws a line on a sheet; what is inked already is not drawn again. */
export function openSheet() {
  const ink = document.createElement('canvas')
  const wet = ink.getContext('2d')
  let drawn = ''
  let inked = 0
  let strokes = []
  let lineBefore

  return (pen, { width, height, scale, isDark }, { line, shown }) => {
    const face = isDark ? DARK : LIGHT
    const sheet = layout(width, height)
    const key = `${width} ${height} ${scale} ${isDark}`
    if (line !== lineBefore || key !== drawn) {
      Object.assign(ink, { width: Math.ceil(width * scale), height: Math.ceil(height * scale) })
      strokes = pathOf(line, sheet.half)
      inked = 0
      lineBefore = line
      drawn = key
    }
    if (shown < inked) {
      wet.setTransform(1, 0, 0, 1, 0, 0)
      wet.clearRect(0, 0, ink.width, ink.height)
      inked = 0
    }
    const thick = thickness(sheet.half, line.points.length)
    const place = ({ x, y }) => [sheet.x + x * sheet.half, sheet.y - y * sheet.half]
    const widths = (step) => [line.points[step].press * thick, line.points[step + 1].press * thick]
    wet.setTransform(scale, 0, 0, scale, 0, 0)
    const whole = Math.min(strokes.length, Math.floor(shown))
    while (inked < whole) {
      const [from, to] = widths(inked)
      const first = inked
      // A line of one width is one stroke: where two meet, their edges would show.
      do inked += 1
      while (from === to && inked < whole && line.points[inked + 1].press === line.points[inked].press)
      stroke(wet, strokes.slice(first, inked).flat(), 1, [from, to], face, place)
    }

    drawPaper(pen, { width, height, inside: sheet.inside }, face, scale)
    pen.save()
    // One wash for the whole line: where two steps meet, the ink is not laid twice.
    pen.globalAlpha = INK
    pen.globalCompositeOperation = 'multiply'
    pen.drawImage(ink, 0, 0, width, height)
    pen.restore()
    if (inked < strokes.length) {
      const part = Math.max(0, shown - inked)
      pen.globalAlpha = INK
      const tip = stroke(pen, strokes[inked], part, widths(inked), face, place)
      pen.globalAlpha = 1
      drawPen(pen, tip, { width, height }, face, thick)
    }
  }
}

/** Where there is much to draw, the pen is finer. */
function thickness(half, count) {
  const fine = Math.max(0.5, Math.min(1.5, 1.5 - 0.14 * Math.log2(Math.max(1, count / 40))))
  return Math.max(0.9, (half / 150) * fine)
}

/** @returns where the pen is then. @param {number} part How much of the step is drawn. @param widths At its ends. */
function stroke(pen, places, part, [thin, thick], face, place) {
  const last = places.length - 1
  const end = last * part
  pen.strokeStyle = face.ink
  pen.lineCap = 'round'
  pen.lineJoin = 'round'
  pen.lineWidth = thin
  pen.beginPath()
  let tip = place(places[0])
  pen.moveTo(...tip)
  for (let index = 0; index < end; index += 1) {
    if (thin !== thick && index > 0) {
      pen.stroke()
      pen.lineWidth = thin + ((thick - thin) * index) / last
      pen.beginPath()
      pen.moveTo(...tip)
    }
    tip = place(between(places[index], places[index + 1], Math.min(1, end - index)))
    pen.lineTo(...tip)
  }
  pen.stroke()
  return tip
}

function drawPaper(pen, { width, height, inside }, face, scale) {
  pen.save()
  const grain = pen.createPattern(grainOf(face), 'repeat')
  // The grain is as fine as the screen.
  grain.setTransform(new DOMMatrix().scale(1 / scale))
  pen.fillStyle = grain
  pen.fillRect(0, 0, width, height)
  const far = Math.max(width, height) * 0.75
  const light = pen.createRadialGradient(width * 0.35, height * 0.25, 0, width / 2, height / 2, far)
  light.addColorStop(0, 'rgb(255 255 255 / 0.05)')
  light.addColorStop(1, 'rgb(40 25 0 / 0.1)')
  pen.fillStyle = light
  pen.fillRect(0, 0, width, height)
  pen.restore()
  // Crosses of the plotter at the corners.
  pen.strokeStyle = face.soft
  pen.globalAlpha = 0.6
  pen.lineWidth = 0.75
  const arm = Math.max(3, inside * 0.09)
  pen.beginPath()
  for (const x of [inside * 0.85, width - inside * 0.85]) {
    for (const y of [inside * 0.85, height - inside * 0.85]) {
      pen.moveTo(x - arm, y)
      pen.lineTo(x + arm, y)
      pen.moveTo(x, y - arm)
      pen.lineTo(x, y + arm)
    }
  }
  pen.stroke()
  pen.globalAlpha = 1
}

function drawPen(pen, [x, y], { width, height }, face, thick) {
  pen.strokeStyle = face.mark
  pen.globalAlpha = 0.28
  pen.lineWidth = 0.75
  pen.beginPath()
  pen.moveTo(x, 0)
  pen.lineTo(x, height)
  pen.moveTo(0, y)
  pen.lineTo(width, y)
  pen.stroke()
  pen.globalAlpha = 1
  pen.fillStyle = face.mark
  pen.beginPath()
  pen.arc(x, y, Math.max(2.5, thick * 1.7), 0, 2 * Math.PI)
  pen.fill()
  pen.lineWidth = 1
  pen.beginPath()
  pen.arc(x, y, Math.max(7, thick * 5), 0, 2 * Math.PI)
  pen.stroke()
}
