import { createWorldSdk } from '../../js/sdk/world-runtime.js'
import { windOf } from './field.js'
import { createClock } from './shared/clock.js'
import { openStage } from './shared/stage.js'
import { hash, stepsOf } from './shared/streams.js'
import { createLights, drawThreads, faceOf } from './threads.js'

/** How far a step turns the whole wind, and how near it comes within a frame. */
const [TURN, EASE] = [1.1, 0.045]
/** The threads are laid anew when the wind has turned by this. */
const LAID_AGAIN = 0.05
const LAID_AGAIN_MS = 160

const canvas = document.querySelector('canvas')
const sdk = createWorldSdk({ worldId: 'flow' })
const ground = document.createElement('canvas')
const laying = ground.getContext('2d')
const drawLights = createLights()

let streams = []
let wind = windOf([], 1)
let windFor = 0
let hue = 0
let laid = ''
/** How far the whole wind is turned, and how far it is to be. */
const turned = { now: 0, to: 0, laid: 0, at: 0 }
/** A whirl where the finger is, 0 to 1 of the width and height. */
const whirl = { x: 0.5, y: 0.5, strength: 0, to: 0, laid: 0 }

const stage = openStage(canvas, paint, 1.75)
const clock = createClock(sdk, document.querySelector('form'), {
  tempo: 200,
  draw: stage.request,
  show: (step) => {
    turned.to = (wind.gust(step) - 0.5) * TURN
  },
})

function angleAt(x, y) {
  const angle = wind.at(x, y) + turned.now
  if (whirl.strength < 0.01) return angle
  const [dx, dy] = [(x - whirl.x) * windFor, y - whirl.y]
  const near = whirl.strength * Math.exp(-(dx * dx + dy * dy) * 14)
  return angle + near * (Math.atan2(dy, dx) + Math.PI / 2 - angle)
}

function paint(pen, view) {
  const { width, height, scale, isDark, isStill } = view
  const face = faceOf(hue, isDark)
  if (windFor !== width / height) {
    windFor = width / height
    wind = windOf(streams, windFor)
  }
  const ease = isStill ? 1 : EASE
  turned.now += (turned.to - turned.now) * ease
  whirl.strength += (whirl.to - whirl.strength) * (isStill ? 1 : 0.08)
  const key = `${width} ${height} ${scale} ${isDark}`
  const isMoved =
    Math.abs(turned.now - turned.laid) > LAID_AGAIN || Math.abs(whirl.strength - whirl.laid) > 0.1
  const now = performance.now()
  if (key !== laid || (isMoved && (isStill || now - turned.at > LAID_AGAIN_MS))) {
    turned.at = now
    Object.assign(ground, { width: canvas.width, height: canvas.height })
    laying.setTransform(scale, 0, 0, scale, 0, 0)
    drawThreads(laying, view, { wind, angleAt, face })
    turned.laid = turned.now
    whirl.laid = whirl.strength
    laid = key
  }
  pen.drawImage(ground, 0, 0, width, height)
  if (isStill || streams.length === 0) return
  drawLights(pen, view, { angleAt, face, speed: clock.isPlaying ? 1 : 0.45 })
  stage.request()
}

function stir({ offsetX, offsetY }) {
  Object.assign(whirl, { x: offsetX / canvas.clientWidth, y: offsetY / canvas.clientHeight, to: 1, laid: -1 })
  stage.request()
}

function calm() {
  whirl.to = 0
  stage.request()
}

canvas.addEventListener('pointerdown', (event) => {
  canvas.setPointerCapture(event.pointerId)
  stir(event)
})
canvas.addEventListener('pointermove', (event) => {
  if (event.buttons > 0) stir(event)
})
for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, calm)
canvas.addEventListener('keydown', (event) => {
  const by = { ArrowLeft: -0.25, ArrowRight: 0.25 }[event.key]
  if (by === undefined) return
  event.preventDefault()
  turned.to += by
  stage.request()
})

sdk.onState(({ payload, requestId }) => {
  streams = payload?.executeOutput ?? []
  hue = hash(
    [...String(payload?.connectorName ?? '')].reduce(
      (sum, letter) => (sum * 33 + letter.charCodeAt(0)) >>> 0,
      5,
    ),
  )
  windFor = 0
  laid = ''
  const count = Math.min(4096, stepsOf(streams))
  clock.load(count)
  canvas.setAttribute(
    'aria-label',
    `Wind steered by the ${count} numbers of ${streams[0]?.path ?? 'nothing'}. Arrow keys turn it`,
  )
  stage.request()
  sdk.reportRendered(requestId)
})
sdk.offerCapture(canvas, stage.paintNow)
sdk.ready()
