/* The face of the machine: a panel with a display, lamps and pads. */

const LIGHT = {
  room: ['#e4e1d8', '#cfcabd'],
  panel: ['#f7f4ec', '#e6e1d4'],
  edge: '#b9b2a0',
  ink: '#1d2033',
  soft: '#6f6a5c',
  pads: ['#b3283f', '#c7702f', '#caa02a', '#3c4258'],
  rest: 'rgb(29 32 51 / 0.09)',
  glass: '#1b1f2b',
  glow: '#ff7a5c',
  lamp: '#ff4a3d',
  off: '#c9c2b2',
}
const DARK = {
  room: ['#0c0d13', '#06070b'],
  panel: ['#262936', '#191b25'],
  edge: '#3a3e50',
  ink: '#eceef0',
  soft: '#8d92a6',
  pads: ['#ff6b6b', '#f0975a', '#e8c24c', '#d9dbe2'],
  rest: 'rgb(255 255 255 / 0.07)',
  glass: '#07080c',
  glow: '#ff8d6b',
  lamp: '#ff5a4a',
  off: '#343848',
}
const PAGE = 16

/**
 * @param {object} shown
 * @param {{ label: string, drum: string, strengths: number[], isSilent: boolean }[]} shown.kit
 * @param {number} shown.step Present step, -1 for none.
 * @param {number[]} shown.glow How long ago each voice was struck, as 1 to 0.
 */
export function drawFace(pen, { width, height, isDark }, { kit, step, glow, count, tempo }) {
  const face = isDark ? DARK : LIGHT
  fill(pen, 0, 0, width, height, face.room, height)
  const margin = Math.max(6, Math.min(width, height) * 0.03)
  const wide = Math.min(width - 2 * margin, (height - 2 * margin) * 2.4)
  const lines = wide < 540 ? 2 : 1
  const high = Math.min(height - 2 * margin, wide * (lines === 2 ? 2.1 : 0.86))
  const [left, top] = [(width - wide) / 2, (height - high) / 2]
  drawPanel(pen, left, top, wide, high, face)
  const pad = Math.max(10, wide * 0.028)
  const head = Math.max(44, Math.min(180, high * 0.17))
  drawHead(pen, { x: left + pad, y: top + pad, wide: wide - 2 * pad, high: head - pad * 0.4 }, face, {
    tempo,
    step,
    count,
    kit,
  })
  const page = step < 0 ? 0 : Math.floor(step / PAGE)
  const label = lines === 2 ? 0 : Math.max(76, Math.min(280, wide * 0.15))
  const grid = {
    x: left + pad + label,
    y: top + pad + head,
    wide: wide - 2 * pad - label,
    high: high - 2 * pad - head,
  }
  const lamps = Math.max(12, grid.high * 0.05)
  const rows = Math.max(1, kit.length)
  const row = (grid.high - lamps) / Math.max(lines === 2 ? 3 : 4, rows)
  const columns = PAGE / lines
  const cell = grid.wide / columns
  const offset = grid.y + lamps + (grid.high - lamps - row * rows) / 2
  for (let column = 0; column < columns && lines === 1; column += 1) {
    drawLamp(
      pen,
      grid.x + (column + 0.5) * cell,
      offset - lamps / 2,
      Math.max(2, lamps * 0.2),
      step >= 0 && step % PAGE === column,
      face,
    )
  }
  for (const [voice, each] of kit.entries()) {
    const y = offset + voice * row
    const name = lines === 2 ? Math.min(18, row * 0.24) : 0
    drawName(
      pen,
      { x: left + pad, y, wide: lines === 2 ? grid.wide : label, high: lines === 2 ? name : row },
      face,
      each,
      glow[voice] ?? 0,
    )
    for (let place = 0; place < PAGE; place += 1) {
      const at = page * PAGE + place
      const strength = each.strengths[at] ?? 0
      const x = grid.x + (place % columns) * cell
      const lineHigh = (row - name) / lines
      const padTop = y + name + Math.floor(place / columns) * lineHigh
      drawPad(pen, { x, y: padTop, wide: cell, high: lineHigh }, face, {
        colour: face.pads[Math.floor(place / 4)],
        strength,
        isNow: at === step,
        isThere: at < Math.max(count, 1),
        glow: at === step ? (glow[voice] ?? 0) : 0,
      })
    }
  }
}

function fill(pen, x, y, wide, high, [from, to], far) {
  const shade = pen.createLinearGradient(0, y, 0, y + far)
  shade.addColorStop(0, from)
  shade.addColorStop(1, to)
  pen.fillStyle = shade
  pen.fillRect(x, y, wide, high)
}

function drawPanel(pen, x, y, wide, high, face) {
  const radius = Math.min(18, wide * 0.025)
  pen.save()
  pen.shadowColor = 'rgb(0 0 0 / 0.35)'
  pen.shadowBlur = 40
  pen.shadowOffsetY = 14
  const shade = pen.createLinearGradient(0, y, 0, y + high)
  shade.addColorStop(0, face.panel[0])
  shade.addColorStop(1, face.panel[1])
  pen.fillStyle = shade
  pen.beginPath()
  pen.roundRect(x, y, wide, high, radius)
  pen.fill()
  pen.restore()
  pen.strokeStyle = face.edge
  pen.lineWidth = 1
  pen.beginPath()
  pen.roundRect(x + 0.5, y + 0.5, wide - 1, high - 1, radius)
  pen.stroke()
  // Screws.
  const [gap, size] = [Math.max(7, radius * 0.75), Math.max(2, radius * 0.2)]
  for (const [sx, sy] of [
    [x + gap, y + gap],
    [x + wide - gap, y + gap],
    [x + gap, y + high - gap],
    [x + wide - gap, y + high - gap],
  ]) {
    pen.fillStyle = face.edge
    pen.beginPath()
    pen.arc(sx, sy, size, 0, 2 * Math.PI)
    pen.fill()
    pen.strokeStyle = face.panel[1]
    pen.beginPath()
    pen.moveTo(sx - size * 0.7, sy + size * 0.4)
    pen.lineTo(sx + size * 0.7, sy - size * 0.4)
    pen.stroke()
  }
}

function drawHead(pen, { x, y, wide, high }, face, { tempo, step, count, kit }) {
  const glass = Math.min(wide * 0.52, Math.max(460, wide * 0.36))
  const size = Math.max(12, Math.min(40, high * 0.26))
  // The display, with a bar for each step and its strongest stroke.
  const [gx, gw] = [x + wide - glass, glass]
  pen.fillStyle = face.glass
  pen.beginPath()
  pen.roundRect(gx, y, gw, high, Math.min(8, high * 0.12))
  pen.fill()
  const shown = Math.min(64, Math.max(16, count))
  const from = step < 0 ? 0 : Math.floor(step / shown) * shown
  const inside = gw - high * 0.3
  for (let place = 0; place < shown; place += 1) {
    const at = from + place
    const tall = kit.reduce((sum, { strengths }) => sum + (strengths[at] ?? 0), 0) / Math.max(1, kit.length)
    pen.fillStyle = face.glow
    pen.globalAlpha = at === step ? 1 : 0.28 + 0.5 * tall
    const bar = Math.max(1.5, tall * high * 0.42)
    pen.fillRect(
      gx + high * 0.15 + (place * inside) / shown,
      y + high * 0.84 - bar,
      Math.max(1, (inside / shown) * 0.62),
      bar,
    )
  }
  pen.globalAlpha = 1
  pen.fillStyle = face.glow
  pen.font = `${Math.max(9, size * 0.62)}px ui-monospace, Menlo, monospace`
  pen.textBaseline = 'top'
  pen.textAlign = 'left'
  const bars = Math.max(1, Math.ceil(count / PAGE))
  pen.fillText(`BAR ${step < 0 ? 1 : Math.floor(step / PAGE) + 1}/${bars}`, gx + high * 0.15, y + high * 0.13)
  pen.textAlign = 'right'
  pen.fillText(`${Math.round(tempo)}`, gx + gw - high * 0.15, y + high * 0.13)
  // The maker's plate.
  pen.textAlign = 'left'
  pen.textBaseline = 'alphabetic'
  pen.fillStyle = face.ink
  pen.font = `700 ${size * 1.2}px "Instrument Sans", ui-sans-serif, system-ui, sans-serif`
  pen.fillText('drum machine', x, y + high * 0.46, wide - glass - high * 0.2)
  pen.fillStyle = face.soft
  pen.font = `500 ${Math.max(9, size * 0.56)}px ui-monospace, Menlo, monospace`
  pen.fillText('RHYTHM COMPOSER', x, y + high * 0.46 + size * 1.05, wide - glass - high * 0.2)
  for (const [index, colour] of face.pads.entries()) {
    pen.fillStyle = colour
    pen.fillRect(x + index * size * 1.4, y + high - size * 0.28, size * 1.4, size * 0.28)
  }
}

function drawLamp(pen, x, y, size, isLit, face) {
  pen.save()
  if (isLit) {
    pen.shadowColor = face.lamp
    pen.shadowBlur = size * 4
  }
  pen.fillStyle = isLit ? face.lamp : face.off
  pen.beginPath()
  pen.arc(x, y, size, 0, 2 * Math.PI)
  pen.fill()
  pen.restore()
}

function drawName(pen, { x, y, wide, high }, face, { label, drum, isSilent }, glow) {
  const size = Math.max(9.5, Math.min(17, high * 0.3), Math.min(wide * 0.11, high * 0.16))
  const middle = y + high / 2
  drawLamp(pen, x + size * 0.45, middle, size * 0.3, glow > 0.05, face)
  pen.globalAlpha = isSilent ? 0.45 : 1
  pen.textAlign = 'left'
  pen.textBaseline = 'middle'
  pen.fillStyle = face.ink
  pen.font = `600 ${size}px "Instrument Sans", ui-sans-serif, system-ui, sans-serif`
  const isBoth = high > size * 2.6 && label.toLowerCase() !== drum
  pen.fillText(
    label.replaceAll('_', ' '),
    x + size * 1.3,
    middle - (isBoth ? size * 0.6 : 0),
    wide - size * 2,
  )
  if (isBoth) {
    pen.fillStyle = face.soft
    pen.font = `${size * 0.78}px ui-monospace, Menlo, monospace`
    pen.fillText(drum, x + size * 1.3, middle + size * 0.65, wide - size * 2)
  }
  pen.globalAlpha = 1
}

function drawPad(pen, { x, y, wide, high }, face, { colour, strength, isNow, isThere, glow }) {
  const gap = Math.max(1.5, Math.min(wide, high) * 0.09)
  const box = [x + gap, y + gap, wide - 2 * gap, high - 2 * gap]
  const radius = Math.min(6, wide * 0.12)
  pen.beginPath()
  pen.roundRect(...box, radius)
  pen.globalAlpha = isThere ? 1 : 0.35
  pen.fillStyle = face.rest
  pen.fill()
  if (strength > 0) {
    pen.save()
    if (glow > 0) {
      pen.shadowColor = colour
      pen.shadowBlur = 26 * glow
    }
    pen.globalAlpha = 0.3 + 0.7 * strength
    pen.fillStyle = glow > 0 ? `color-mix(in oklab, ${colour}, white ${Math.round(55 * glow)}%)` : colour
    pen.fill()
    pen.restore()
    // A light that falls on it from above.
    pen.globalAlpha = 0.22
    pen.fillStyle = '#ffffff'
    pen.beginPath()
    pen.roundRect(box[0], box[1], box[2], box[3] * 0.32, radius)
    pen.fill()
  }
  pen.globalAlpha = 1
  if (isNow) {
    pen.strokeStyle = face.lamp
    pen.lineWidth = 1.5
    pen.beginPath()
    pen.roundRect(...box, radius)
    pen.stroke()
  }
}

/** The voice at a place of the canvas by its row, for touches. @param {number} y From 0 to 1 within the rows. */
export function voiceAt(kit, y) {
  return Math.max(0, Math.min(kit.length - 1, Math.floor(y * kit.length)))
}
