import { createWorldSdk } from '../../js/sdk/world-runtime.js'
import { lineOf, MOST_STEPS } from './line.js'
import { createClock } from './shared/clock.js'
import { openStage } from './shared/stage.js'
import { stepsOf } from './shared/streams.js'
import { openSheet } from './sheet.js'

/** By itself, a drawing takes about this long. */
const SECONDS = 10

const canvas = document.querySelector('canvas')
const sdk = createWorldSdk({ worldId: 'plotter' })
const drawSheet = openSheet()

let line = lineOf([])

const stage = openStage(canvas, (pen, view) => {
  const count = line.points.length
  // A sheet that nobody draws on is a finished one.
  const isWhole = !clock.isPlaying && (clock.position === 0 || clock.position >= count)
  drawSheet(pen, view, { line, shown: isWhole ? count : clock.position })
})
const clock = createClock(sdk, document.querySelector('form'), {
  tempo: 240,
  loops: false,
  draw: stage.request,
})

canvas.addEventListener('pointerdown', (event) => {
  canvas.setPointerCapture(event.pointerId)
  clock.stop()
})
canvas.addEventListener('pointermove', ({ buttons, offsetX }) => {
  if (buttons > 0) clock.seek((line.points.length * offsetX) / canvas.clientWidth)
})

let isFirst = true
sdk.onState(({ payload, requestId }) => {
  const streams = payload?.executeOutput ?? []
  line = lineOf(streams)
  const count = Math.min(MOST_STEPS, stepsOf(streams))
  canvas.setAttribute('aria-label', `One line of ${count} steps on paper, drawn by ${line.way}`)
  clock.setTempo(Math.max(120, (count / SECONDS) * 60))
  clock.load(count)
  if (isFirst && count > 0) {
    isFirst = false
    if (!stage.isStill) clock.start()
  }
  stage.request()
  sdk.reportRendered(requestId)
})
sdk.offerCapture(canvas, stage.paintNow)
sdk.ready()
