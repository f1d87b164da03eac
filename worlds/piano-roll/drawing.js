/* The roll: keys on the left, time to the right, a note as a bar in the colour of its place in the octave. */

const THREADS = [
  '#93a7ff',
  '#b79cf5',
  '#ea94d3',
  '#ff8d8d',
  '#ee9f8a',
  '#dba877',
  '#e2b860',
  '#e8c24c',
  '#9fd07c',
  '#54d1b5',
  '#6cc3d2',
  '#80b5e6',
]
const KEYS = 34
const BLACK = new Set([1, 3, 6, 8, 10])
const LEAST_SIXTEENTH = 7

/** How wide a sixteenth is, and which one is at the left, so that `position` is in sight. */
export function viewOf(width, end, position) {
  const room = width - KEYS
  const sixteenth = Math.max(LEAST_SIXTEENTH, room / Math.max(16, end))
  const shown = room / sixteenth
  const left = Math.max(0, Math.min(position - shown * 0.3, end - shown))
  return { sixteenth, left, at: (x) => left + (x - KEYS) / sixteenth }
}

export function drawRoll(canvas, { notes, end, position, playing }) {
  const scale = devicePixelRatio
  const { clientWidth: width, clientHeight: height } = canvas
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale)
    canvas.height = Math.round(height * scale)
  }
  const pen = canvas.getContext('2d')
  pen.setTransform(scale, 0, 0, scale, 0, 0)
  pen.fillStyle = '#10121b'
  pen.fillRect(0, 0, width, height)
  const pitches = notes.map(({ pitch }) => pitch)
  const low = Math.max(0, Math.min(60, ...pitches) - 3)
  const high = Math.min(127, Math.max(72, ...pitches) + 3)
  const row = height / (high - low + 1)
  const top = (pitch) => (high - pitch) * row
  const { sixteenth, left } = viewOf(width, end, position)
  const x = (time) => KEYS + (time - left) * sixteenth

  for (let pitch = low; pitch <= high; pitch += 1) {
    if (BLACK.has(pitch % 12)) {
      pen.fillStyle = '#0b0d14'
      pen.fillRect(KEYS, top(pitch), width, row)
    }
    if (pitch % 12 === 0) {
      pen.fillStyle = '#2a2e3f'
      pen.fillRect(KEYS, top(pitch) + row - 1, width, 1)
    }
  }
  for (let time = Math.ceil(left / 4) * 4; x(time) < width; time += 4) {
    pen.fillStyle = time % 16 === 0 ? '#343950' : '#1c2030'
    pen.fillRect(Math.round(x(time)), 0, 1, height)
  }
  for (const { pitch, start, length, velocity } of notes) {
    const sounding = playing && position >= start && position < start + length
    pen.globalAlpha = sounding ? 1 : 0.35 + (velocity / 127) * 0.55
    pen.fillStyle = sounding ? '#ffffff' : THREADS[pitch % 12]
    pen.beginPath()
    pen.roundRect(
      x(start) + 1,
      top(pitch) + row * 0.08,
      Math.max(3, length * sixteenth - 2),
      Math.max(2, row * 0.84),
      Math.min(4, row / 3),
    )
    pen.fill()
  }
  pen.globalAlpha = 1
  drawKeys(pen, {
    low,
    high,
    row,
    top,
    height,
    down: playing ? notes.filter(({ start, length }) => position >= start && position < start + length) : [],
  })
  pen.fillStyle = '#ff9a9a'
  pen.fillRect(Math.round(x(position)), 0, 2, height)
}

function drawKeys(pen, { low, high, row, top, height, down }) {
  const held = new Set(down.map(({ pitch }) => pitch))
  pen.fillStyle = '#10121b'
  pen.fillRect(0, 0, KEYS, height)
  for (let pitch = low; pitch <= high; pitch += 1) {
    const black = BLACK.has(pitch % 12)
    pen.fillStyle = held.has(pitch) ? THREADS[pitch % 12] : black ? '#23273a' : '#d3d6de'
    pen.fillRect(0, top(pitch) + 0.5, black ? KEYS * 0.62 : KEYS - 4, Math.max(1, row - 1))
    if (pitch % 12 !== 0 || row < 9) continue
    pen.fillStyle = '#4e5268'
    pen.font = `${Math.min(11, row)}px system-ui, sans-serif`
    pen.textBaseline = 'middle'
    pen.fillText(`C${pitch / 12 - 1}`, 6, top(pitch) + row / 2)
  }
}
