/* Paper, ink and pen. */

/** Paper is paper, by day and by night: only the table is dark. */
const FACE = { paper: [247, 242, 230], ink: '#16224a', mark: '#a8243f', soft: '#8a7f6a' }
const LIGHT = { ...FACE, table: '#d6d2c8', edge: 'rgb(90 70 40 / 0.35)' }
const DARK = { ...FACE, paper: [236, 230, 215], table: '#0b0c11', edge: 'rgb(0 0 0 / 0.8)' }
const GRAIN = 256

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

/** Where the sheet lies, and where the drawing is on it. */
function layout(width, height) {
  const margin = Math.max(8, Math.min(width, height) * 0.035)
  let [wide, high] = [width - 2 * margin, height - 2 * margin]
  wide = Math.min(wide, high * 1.42)
  high = Math.min(high, wide * 1.42)
  const [left, top] = [(width - wide) / 2, (height - high) / 2]
  const inside = Math.min(wide, high) * 0.1
  const foot = Math.max(20, high * 0.045)
  const half = Math.min(wide - 2 * inside, high - 2 * inside - foot) / 2
  return { left, top, wide, high, half, x: left + wide / 2, y: top + (high - foot) / 2, inside }
}

/** Places of the pen along each step, as it will go: round through the points, or straight with a small bend. */
export function pathOf({ points, corners }, half) {
  const at = (index) => points[Math.max(0, Math.min(points.length - 1, index))]
  return points.slice(1).map((to, index) => {
    const from = points[index]
    const far = Math.hypot(to.x - from.x, to.y - from.y) * half
    const parts = corners ? 1 : Math.max(2, Math.min(48, Math.ceil(far / 5)))
    if (corners) {
      const after = at(index + 2)
      const [mid, next] = [middle(from, to), middle(to, after)]
      return index === points.length - 2 ? [mid, to] : bend(mid, to, next)
    }
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

function middle(a, b) {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
}

/** From the middle of one side to that of the next, round the corner. */
function bend(from, corner, to) {
  return Array.from({ length: 9 }, (_, part) => {
    const t = part / 8
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

  return (pen, { width, height, scale, isDark }, { line, shown, title, detail }) => {
    const face = isDark ? DARK : LIGHT
    const sheet = layout(width, height)
    const key = `${width} ${height} ${scale} ${isDark}`
    if (line !== lineBefore || key !== drawn) {
      Object.assign(ink, { width: Math.ceil(sheet.wide * scale), height: Math.ceil(sheet.high * scale) })
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
    const place = ({ x, y }) => [sheet.x - sheet.left + x * sheet.half, sheet.y - sheet.top - y * sheet.half]
    wet.setTransform(scale, 0, 0, scale, 0, 0)
    const whole = Math.min(strokes.length, Math.floor(shown))
    for (; inked < whole; inked += 1)
      stroke(wet, strokes[inked], 1, line.points[inked + 1].press * thick, face, place)

    pen.fillStyle = face.table
    pen.fillRect(0, 0, width, height)
    drawPaper(pen, sheet, face, scale)
    pen.save()
    pen.globalCompositeOperation = 'multiply'
    pen.drawImage(ink, sheet.left, sheet.top, sheet.wide, sheet.high)
    pen.restore()
    pen.save()
    pen.translate(sheet.left, sheet.top)
    if (inked < strokes.length) {
      const tip = stroke(
        pen,
        strokes[inked],
        Math.max(0, shown - inked),
        line.points[inked + 1].press * thick,
        face,
        place,
      )
      drawPen(pen, tip, sheet, face, thick)
    }
    drawFoot(pen, sheet, face, title, detail)
    pen.restore()
  }
}

/** Where there is much to draw, the pen is finer. */
function thickness(half, count) {
  const fine = Math.max(0.5, Math.min(1.5, 1.5 - 0.14 * Math.log2(Math.max(1, count / 40))))
  return Math.max(0.9, (half / 150) * fine)
}

/** @returns where the pen is then. @param {number} part How much of the step is drawn. */
function stroke(pen, places, part, width, face, place) {
  const last = (places.length - 1) * part
  pen.strokeStyle = face.ink
  pen.globalAlpha = 0.88
  pen.lineWidth = width
  pen.lineCap = 'round'
  pen.lineJoin = 'round'
  pen.beginPath()
  let tip = place(places[0])
  pen.moveTo(...tip)
  for (let index = 1; index <= last; index += 1) {
    tip = place(places[index])
    pen.lineTo(...tip)
  }
  const rest = last % 1
  if (rest > 0) {
    const [from, to] = [places[Math.floor(last)], places[Math.floor(last) + 1]]
    tip = place({ x: from.x + (to.x - from.x) * rest, y: from.y + (to.y - from.y) * rest })
    pen.lineTo(...tip)
  }
  pen.stroke()
  pen.globalAlpha = 1
  return tip
}

function drawPaper(pen, { left, top, wide, high, inside }, face, scale) {
  pen.save()
  pen.shadowColor = face.edge
  pen.shadowBlur = 26 * scale
  pen.shadowOffsetY = 6 * scale
  pen.fillStyle = `rgb(${face.paper.join(' ')})`
  pen.fillRect(left, top, wide, high)
  pen.restore()
  pen.save()
  pen.beginPath()
  pen.rect(left, top, wide, high)
  pen.clip()
  const grain = pen.createPattern(grainOf(face), 'repeat')
  // The grain is as fine as the screen.
  grain.setTransform(new DOMMatrix().scale(1 / scale))
  pen.fillStyle = grain
  pen.fillRect(left, top, wide, high)
  const light = pen.createRadialGradient(
    left + wide * 0.35,
    top + high * 0.25,
    0,
    left + wide / 2,
    top + high / 2,
    Math.max(wide, high) * 0.75,
  )
  light.addColorStop(0, 'rgb(255 255 255 / 0.05)')
  light.addColorStop(1, 'rgb(40 25 0 / 0.1)')
  pen.fillStyle = light
  pen.fillRect(left, top, wide, high)
  pen.restore()
  // Crosses of the plotter at the corners.
  pen.strokeStyle = face.soft
  pen.globalAlpha = 0.6
  pen.lineWidth = 0.75
  const arm = Math.max(3, inside * 0.09)
  pen.beginPath()
  for (const x of [left + inside * 0.45, left + wide - inside * 0.45]) {
    for (const y of [top + inside * 0.45, top + high - inside * 0.45]) {
      pen.moveTo(x - arm, y)
      pen.lineTo(x + arm, y)
      pen.moveTo(x, y - arm)
      pen.lineTo(x, y + arm)
    }
  }
  pen.stroke()
  pen.globalAlpha = 1
}

function drawPen(pen, [x, y], { wide, high }, face, thick) {
  pen.strokeStyle = face.mark
  pen.globalAlpha = 0.28
  pen.lineWidth = 0.75
  pen.beginPath()
  pen.moveTo(x, 0)
  pen.lineTo(x, high)
  pen.moveTo(0, y)
  pen.lineTo(wide, y)
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

function drawFoot(pen, { wide, high, inside }, face, title, detail) {
  const size = Math.max(10, Math.min(18, wide / 46))
  const [x, y] = [inside, high - inside * 0.62]
  pen.textBaseline = 'middle'
  pen.textAlign = 'left'
  pen.fillStyle = face.ink
  pen.globalAlpha = 0.85
  pen.font = `italic ${size}px Georgia, "Times New Roman", serif`
  const room = wide - 2 * inside - size * 3
  pen.fillText(title, x, y, room * 0.6)
  const after = x + Math.min(room * 0.6, pen.measureText(title).width) + size
  pen.font = `${size * 0.78}px ui-monospace, Menlo, monospace`
  pen.fillStyle = face.soft
  if (wide > 380) pen.fillText(detail, after, y, Math.max(1, x + room - after))
  pen.globalAlpha = 1
  // The printer's mark: four threads, woven.
  const side = size * 1.5
  pen.save()
  pen.translate(wide - inside - side, y - side / 2)
  pen.fillStyle = face.mark
  for (let row = 0; row < 3; row += 1) {
    for (let column = 0; column < 3; column += 1) {
      const cell = side / 3
      const isOver = (row + column) % 2 === 0
      pen.fillRect(
        column * cell + (isOver ? cell * 0.2 : 0),
        row * cell + (isOver ? 0 : cell * 0.2),
        isOver ? cell * 0.6 : cell,
        isOver ? cell : cell * 0.6,
      )
    }
  }
  pen.restore()
}
