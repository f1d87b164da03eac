/* Bells on a beam, and under them the tape that strikes them. */

const LIGHT = {
  wall: ['#f5efe3', '#e6dac5'],
  beam: ['#6b4a2c', '#46301c'],
  rim: '#fff3c9',
  bronze: ['#f1cf7e', '#b8802f', '#6c4415'],
  tape: '#fffaf0',
  hole: '#3a2c17',
  line: '#a8243f',
  soft: '#a3927a',
  ring: '#b8802f',
  clapper: '#3a2c17',
}
const DARK = {
  wall: ['#0a0d1c', '#1a1830'],
  beam: ['#2f2a38', '#17141f'],
  rim: '#ffe9ad',
  bronze: ['#ffd98a', '#b9772b', '#4a2a0d'],
  tape: '#10121f',
  hole: '#ffd98a',
  line: '#ff8d8d',
  soft: '#4a4a66',
  ring: '#ffd98a',
  clapper: '#120b05',
}

/** Where each bell hangs, and where its strokes run. */
export function layoutOf(bells, width, height) {
  const count = Math.max(1, bells.length)
  const margin = Math.max(10, width * 0.045)
  const cell = (width - 2 * margin) / count
  const beam = Math.max(10, height * 0.035)
  const room = height * 0.56 - beam
  // Where they are narrow, every second one hangs on a longer rope, and all are larger.
  const isStaggered = count > 5 && cell < room * 0.42
  const most = isStaggered ? Math.min(cell * 1.6, room * 0.44) : Math.min(cell * 1.02, room * 0.68)
  const [low, high] = [bells[0]?.pitch ?? 0, bells.at(-1)?.pitch ?? 1]
  const tape = Math.min(beam + room, beam + most * (isStaggered ? 2.25 : 1.5) + 12)
  return {
    beam,
    tape,
    places: bells.map(({ pitch }, index) => {
      // Deep bells are large, as they are.
      const small = high > low ? (pitch - low) / (high - low) : 0.5
      const size = Math.max(14, most * (0.94 - 0.42 * small))
      const rope = isStaggered && index % 2 === 1 ? most * 1.02 : 0
      return { x: margin + cell * (index + 0.5), y: beam + rope + Math.max(8, size * 0.12), size, cell }
    }),
  }
}

/**
 * @param {object} shown
 * @param {number[]} shown.swing Angle of each bell in radians.
 * @param {number[]} shown.since Seconds since each bell was struck.
 */
export function drawTower(
  pen,
  { width, height, isDark, isStill },
  { bells, strokes, swing, since, position, chosen },
) {
  const face = isDark ? DARK : LIGHT
  const layout = layoutOf(bells, width, height)
  const wall = pen.createLinearGradient(0, 0, 0, height)
  wall.addColorStop(0, face.wall[0])
  wall.addColorStop(1, face.wall[1])
  pen.fillStyle = wall
  pen.fillRect(0, 0, width, height)
  if (isDark) drawStars(pen, width, layout.tape)
  drawTape(pen, { width, height, layout, face, strokes, position })
  drawWaves(pen, layout, face, since, isStill)
  const beam = pen.createLinearGradient(0, 0, 0, layout.beam)
  beam.addColorStop(0, face.beam[0])
  beam.addColorStop(1, face.beam[1])
  pen.fillStyle = beam
  pen.fillRect(0, 0, width, layout.beam)
  for (const [index, place] of layout.places.entries()) {
    drawBell(pen, place, layout.beam, face, swing[index] ?? 0, Math.max(0, 1 - (since[index] ?? 9) / 0.9))
    if (index !== chosen) continue
    pen.strokeStyle = face.line
    pen.lineWidth = 2
    pen.setLineDash([4, 4])
    pen.strokeRect(place.x - place.size * 0.56, place.y - 2, place.size * 1.12, place.size * 1.18)
    pen.setLineDash([])
  }
}

function drawStars(pen, width, height) {
  pen.fillStyle = '#ffffff'
  for (let star = 0; star < 70; star += 1) {
    const [a, b] = [(star * 0.618_034) % 1, (star * 0.754_878) % 1]
    pen.globalAlpha = 0.12 + 0.3 * ((star * 0.37) % 1)
    pen.fillRect(a * width, b * height, 1.2, 1.2)
  }
  pen.globalAlpha = 1
}

/** Rings of sound around bells that were struck. */
function drawWaves(pen, { places, tape }, face, since, isStill) {
  pen.save()
  pen.beginPath()
  pen.rect(0, 0, 10_000, tape)
  pen.clip()
  pen.strokeStyle = face.ring
  for (const [index, seconds] of since.entries()) {
    if (!(seconds < 1.8)) continue
    const { x, y, size } = places[index] ?? {}
    for (let wave = 0; wave < 3; wave += 1) {
      const gone = isStill ? 0.25 + wave * 0.2 : seconds - wave * 0.16
      if (gone <= 0) continue
      pen.globalAlpha = Math.max(0, 0.5 * (1 - gone / 1.5)) ** 1.6
      pen.lineWidth = 1 + size * 0.012
      pen.beginPath()
      pen.arc(x, y + size * 0.7, size * (0.5 + gone * 1.15), 0, 2 * Math.PI)
      pen.stroke()
    }
  }
  pen.restore()
}

/** The outline of a bell from its crown at 0, 0, of width 1 and height 1. */
function outline(pen, s) {
  pen.beginPath()
  pen.moveTo(-0.13 * s, 0.02 * s)
  pen.bezierCurveTo(-0.3 * s, 0.04 * s, -0.31 * s, 0.14 * s, -0.32 * s, 0.32 * s)
  pen.bezierCurveTo(-0.335 * s, 0.62 * s, -0.4 * s, 0.78 * s, -0.52 * s, 0.93 * s)
  pen.quadraticCurveTo(-0.53 * s, 0.985 * s, -0.48 * s, 0.99 * s)
  pen.quadraticCurveTo(0, 1.05 * s, 0.48 * s, 0.99 * s)
  pen.quadraticCurveTo(0.53 * s, 0.985 * s, 0.52 * s, 0.93 * s)
  pen.bezierCurveTo(0.4 * s, 0.78 * s, 0.335 * s, 0.62 * s, 0.32 * s, 0.32 * s)
  pen.bezierCurveTo(0.31 * s, 0.14 * s, 0.3 * s, 0.04 * s, 0.13 * s, 0.02 * s)
  pen.closePath()
}

function drawBell(pen, { x, y, size }, beam, face, angle, glow) {
  pen.save()
  pen.translate(x, beam)
  // Yoke.
  pen.fillStyle = face.beam[1]
  pen.fillRect(-size * 0.16, -1, size * 0.32, Math.max(3, size * 0.07))
  const rope = y - beam
  if (rope > size * 0.2) {
    pen.strokeStyle = face.soft
    pen.lineWidth = Math.max(1, size * 0.025)
    pen.beginPath()
    pen.moveTo(0, 0)
    pen.lineTo(0, rope)
    pen.stroke()
    pen.fillRect(-size * 0.16, rope - size * 0.05, size * 0.32, size * 0.07)
  }
  pen.translate(0, rope)
  pen.rotate(angle)
  // The clapper swings further than its bell.
  pen.save()
  pen.translate(0, size * 0.5)
  pen.rotate(-angle * 1.5)
  pen.strokeStyle = face.clapper
  pen.lineWidth = Math.max(1.5, size * 0.035)
  pen.beginPath()
  pen.moveTo(0, 0)
  pen.lineTo(0, size * 0.5)
  pen.stroke()
  pen.fillStyle = face.clapper
  pen.beginPath()
  pen.arc(0, size * 0.52, Math.max(2.5, size * 0.075), 0, 2 * Math.PI)
  pen.fill()
  pen.restore()
  if (glow > 0) {
    pen.shadowColor = face.bronze[0]
    pen.shadowBlur = size * 0.5 * glow
  }
  const metal = pen.createLinearGradient(-size * 0.5, 0, size * 0.5, 0)
  metal.addColorStop(0, face.bronze[2])
  metal.addColorStop(0.2, face.bronze[1])
  metal.addColorStop(0.36, face.bronze[0])
  metal.addColorStop(0.6, face.bronze[1])
  metal.addColorStop(1, face.bronze[2])
  pen.fillStyle = metal
  outline(pen, size)
  pen.fill()
  pen.shadowBlur = 0
  // Bands, where founders put their words.
  pen.strokeStyle = face.bronze[2]
  pen.globalAlpha = 0.55
  pen.lineWidth = Math.max(0.75, size * 0.012)
  for (const [at, half] of [
    [0.2, 0.312],
    [0.25, 0.318],
    [0.74, 0.38],
    [0.79, 0.405],
  ]) {
    pen.beginPath()
    pen.moveTo(-half * size, at * size)
    pen.quadraticCurveTo(0, (at + 0.035) * size, half * size, at * size)
    pen.stroke()
  }
  // The lip, and light along it.
  pen.globalAlpha = 0.75
  pen.strokeStyle = face.rim
  pen.lineWidth = Math.max(1, size * 0.016)
  pen.beginPath()
  pen.moveTo(-0.49 * size, 0.95 * size)
  pen.quadraticCurveTo(0, 1.01 * size, 0.49 * size, 0.95 * size)
  pen.stroke()
  if (glow > 0) {
    pen.globalAlpha = 0.3 * glow
    pen.fillStyle = '#ffffff'
    outline(pen, size)
    pen.fill()
  }
  pen.globalAlpha = 1
  pen.restore()
}

/** Punched paper that runs up under the bells; a hole at its upper edge strikes. */
function drawTape(pen, { width, height, layout: { tape, places }, face, strokes, position }) {
  pen.save()
  pen.shadowColor = 'rgb(0 0 0 / 0.3)'
  pen.shadowBlur = 18
  pen.fillStyle = face.tape
  pen.fillRect(0, tape, width, height - tape)
  pen.restore()
  pen.save()
  pen.beginPath()
  pen.rect(0, tape, width, height - tape)
  pen.clip()
  pen.strokeStyle = face.soft
  pen.globalAlpha = 0.35
  pen.lineWidth = 0.75
  pen.beginPath()
  for (const { x } of places) {
    pen.moveTo(x, tape)
    pen.lineTo(x, height)
  }
  pen.stroke()
  const row = Math.max(11, Math.min(30, (height - tape) / 15))
  const yOf = (start) => tape + row * 0.9 + (start - position) * row
  const first = position - 1
  const last = position + (height - tape) / row + 1
  for (let step = Math.ceil(first / 4) * 4; step < last; step += 4) {
    pen.globalAlpha = step % 16 === 0 ? 0.5 : 0.18
    pen.beginPath()
    pen.moveTo(0, yOf(step))
    pen.lineTo(width, yOf(step))
    pen.stroke()
  }
  const seen = strokes.filter(({ start }) => start >= first - 2 && start <= last + 2)
  // The line that ringers follow: from stroke to stroke.
  pen.globalAlpha = 0.8
  pen.strokeStyle = face.line
  pen.lineWidth = Math.max(1.25, row * 0.085)
  pen.lineJoin = 'round'
  pen.beginPath()
  let before
  for (const { bell, start } of seen) {
    if (start === before) continue
    if (before === undefined) pen.moveTo(places[bell].x, yOf(start))
    else pen.lineTo(places[bell].x, yOf(start))
    before = start
  }
  pen.stroke()
  pen.fillStyle = face.hole
  for (const { bell, start, velocity } of seen) {
    const isNow = start <= position && position < start + 1
    const size = row * (0.16 + 0.2 * (velocity / 127)) * (isNow ? 1.35 : 1)
    pen.globalAlpha = start < Math.floor(position) ? 0.35 : 1
    pen.beginPath()
    pen.arc(places[bell].x, yOf(start), size, 0, 2 * Math.PI)
    pen.fill()
  }
  pen.globalAlpha = 1
  pen.restore()
  pen.fillStyle = face.line
  pen.fillRect(0, tape - 1, width, 2)
}
