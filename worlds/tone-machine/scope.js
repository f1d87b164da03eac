/* What sounds, as a wave; behind it the loop, each note a line as high as its pitch. */

const samples = new Float32Array(2048)

/** @param state The loop, `position` in it (in sixteenths), and the analyser of the machine while it sounds. */
export function drawScope(canvas, { notes, end, position, analyser }) {
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
  drawLoop(
    pen,
    { notes, end, position, playing: analyser !== undefined },
    { width, height, mark, glow, line },
  )

  const middle = height / 2
  pen.lineWidth = 2.5
  pen.lineJoin = 'round'
  pen.strokeStyle = glow
  pen.beginPath()
  if (analyser) {
    analyser.getFloatTimeDomainData(samples)
    const begin = risingEdge(samples)
    const shown = samples.length / 2
    for (let at = 0; at < shown; at += 2) {
      pen.lineTo((at / shown) * width, middle - samples[begin + at] * height * 0.62)
    }
  } else {
    pen.moveTo(0, middle)
    pen.lineTo(width, middle)
  }
  pen.stroke()
}

function drawLoop(pen, { notes, end, position, playing }, { width, height, mark, glow, line }) {
  if (end === 0) return
  const x = (time) => (time / end) * width
  pen.fillStyle = line
  for (let beat = 0; beat < end; beat += x(4) < 6 ? 16 : 4) pen.fillRect(Math.round(x(beat)), 0, 1, height)
  const pitches = notes.map(({ pitch }) => pitch)
  const low = pitches.reduce((least, pitch) => Math.min(least, pitch), 127) - 2
  const high = pitches.reduce((most, pitch) => Math.max(most, pitch), 0) + 2
  // As thick as a half tone is high, so that few notes fill the field as many do.
  const thick = Math.max(6, Math.min(28, ((height * 0.84) / (high - low)) * 0.7))
  for (const { pitch, start, length, velocity } of notes) {
    const sounding = playing && position >= start && position < start + length
    const top = height * (0.08 + 0.84 * (1 - (pitch - low) / (high - low)))
    pen.globalAlpha = sounding ? 1 : 0.4 + (velocity / 127) * 0.5
    pen.fillStyle = sounding ? glow : mark
    pen.beginPath()
    pen.roundRect(
      x(start) + 0.5,
      top - thick / 2,
      Math.max(3, x(length) - 1.5),
      thick,
      Math.min(6, thick / 2),
    )
    pen.fill()
  }
  pen.globalAlpha = 1
  pen.fillStyle = glow
  if (playing) pen.fillRect(Math.round(x(position)), 0, 2, height)
}

/** Where the wave crosses upwards, so that it stands still on the screen. */
function risingEdge(wave) {
  for (let at = 1; at < wave.length / 2; at += 1) if (wave[at - 1] < 0 && wave[at] >= 0) return at
  return 0
}
