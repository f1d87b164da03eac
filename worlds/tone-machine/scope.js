/* What sounds, as a wave; behind it the loop, each note a bar as high as its pitch. */

const samples = new Float32Array(2048)
/** Sixteenths in sight; a longer loop moves past. */
const SHOWN = 64
/** Periods of the lowest note that sounds. */
const PERIODS = 6

/**
 * @param state The loop, `position` in it (in sixteenths), whether it is `playing`, and the analyser of the machine while
 *   that sounds: without one, the wave is that of the notes.
 */
export function drawScope(canvas, { notes, end, position, playing, analyser }) {
  const scale = devicePixelRatio
  const { clientWidth: width, clientHeight: height } = canvas
  const [wide, high] = [Math.round(width * scale), Math.round(height * scale)]
  if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high })
  const pen = canvas.getContext('2d')
  const style = getComputedStyle(canvas)
  const [mark, glow, line] = [style.color, style.getPropertyValue('accent-color'), style.borderTopColor]
  pen.setTransform(scale, 0, 0, scale, 0, 0)
  pen.fillStyle = style.backgroundColor
  pen.fillRect(0, 0, width, height)
  const sounding = playing
    ? notes.filter(({ start, length }) => position >= start && position < start + length)
    : []
  drawLoop(pen, { notes, end, position, playing, sounding }, { width, height, mark, glow, line })

  const wave = analyser ? heardWave(analyser) : waveOf(sounding)
  pen.lineWidth = 2.5
  pen.lineJoin = 'round'
  pen.strokeStyle = glow
  pen.beginPath()
  for (const [at, value] of wave.entries()) {
    pen.lineTo((at / (wave.length - 1)) * width, height * (0.5 - value * 0.62))
  }
  pen.stroke()
}

/** From where the wave crosses upwards, so that it stands still on the screen. */
function heardWave(analyser) {
  analyser.getFloatTimeDomainData(samples)
  const begin = risingEdge(samples)
  return samples.subarray(begin, begin + samples.length / 2)
}

function waveOf(sounding) {
  const lowest = sounding.reduce((least, { pitch }) => Math.min(least, pitch), 127)
  const share = 0.5 / Math.max(1, sounding.length)
  return Float32Array.from({ length: samples.length / 4 }, (_, at) =>
    sounding.reduce((sum, { pitch, velocity }) => {
      const turns = (PERIODS * 2 ** ((pitch - lowest) / 12) * at * 4) / samples.length
      return sum + share * (velocity / 127) * Math.sin(2 * Math.PI * turns)
    }, 0),
  )
}

function drawLoop(pen, { notes, end, position, playing, sounding }, { width, height, mark, glow, line }) {
  if (end === 0) return
  const shown = Math.min(end, SHOWN)
  const left = Math.max(0, Math.min(end - shown, position - shown / 3))
  const x = (time) => ((time - left) / shown) * width
  pen.fillStyle = line
  for (let beat = Math.ceil(left / 4) * 4; beat < left + shown; beat += 4) {
    pen.globalAlpha = beat % 16 === 0 ? 1 : 0.4
    pen.fillRect(Math.round(x(beat)), 0, 1, height)
  }
  const pitches = notes.map(({ pitch }) => pitch)
  const low = pitches.reduce((least, pitch) => Math.min(least, pitch), 127)
  const high = pitches.reduce((most, pitch) => Math.max(most, pitch), 0)
  const span = high - low + 4
  // As thick as a half tone is high, so that few notes fill the field as many do.
  const thick = Math.max(8, Math.min(32, (height * 0.84 * 0.8) / span))
  for (const note of notes) {
    const { pitch, start, length, velocity } = note
    if (start + length < left || start > left + shown) continue
    const isSounding = sounding.includes(note)
    const top = height * (0.08 + 0.84 * (1 - (pitch - low + 2) / span))
    const box = [x(start) + 1, top - thick / 2, Math.max(4, (length / shown) * width - 2), thick]
    const draw = (colour, alpha) => {
      pen.fillStyle = colour
      pen.globalAlpha = alpha
      pen.beginPath()
      pen.roundRect(...box, Math.min(6, thick / 2))
      pen.fill()
    }
    pen.shadowColor = glow
    pen.shadowBlur = isSounding ? 24 : 0
    if (isSounding) draw(glow, 1)
    else {
      const strength = 0.55 + (velocity / 127) * 0.45
      draw(mark, strength)
      // The higher, the nearer to the colour of what sounds.
      draw(glow, strength * ((pitch - low) / Math.max(1, high - low)) * 0.7)
    }
  }
  pen.shadowBlur = 0
  pen.globalAlpha = 1
  pen.fillStyle = glow
  if (playing) pen.fillRect(Math.round(x(position)), 0, 2, height)
}

/** Where the wave crosses upwards. */
function risingEdge(wave) {
  for (let at = 1; at < wave.length / 2; at += 1) if (wave[at - 1] < 0 && wave[at] >= 0) return at
  return 0
}
