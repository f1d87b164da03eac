import { createWorldSdk } from '../../js/sdk/world-runtime.js'
import { bellOf, renderBell } from './bronze.js'
import { ringOf } from './ring.js'
import { createClock } from './shared/clock.js'
import { openSound } from './shared/sound.js'
import { openStage } from './shared/stage.js'
import { drawTower, layoutOf } from './tower.js'

const STEPS_A_BEAT = 4
const SWING_SECONDS = 2.4

const canvas = document.querySelector('canvas')
const tempo = document.getElementById('tempo')
const sdk = createWorldSdk({ worldId: 'bells' })
const sound = openSound(renderBell)

let streams = []
let bindings
let ring = { bells: [], strokes: [], end: 0 }
let starts = new Map()
let heard
let title = ''
let chosen = 0
/** When each bell was struck last, in milliseconds of the page. */
let struck = []

const stage = openStage(canvas, (pen, view) => {
  follow()
  const now = performance.now()
  const since = struck.map((at) => (now - at) / 1000)
  const swing = since.map((seconds, index) => (view.isStill ? 0 : swingOf(seconds, index)))
  drawTower(pen, view, {
    ...ring,
    since,
    swing,
    position: clock.position,
    chosen: canvas.matches(':focus-visible') ? chosen : -1,
  })
  if (since.some((seconds) => seconds < SWING_SECONDS)) stage.request()
})
const clock = createClock(sdk, document.querySelector('form'), {
  tempo: Number(tempo.value) * STEPS_A_BEAT,
  time: sound.time,
  begin: () => {
    sound.wake(() => clock.stop())
    sound.prepare(new Set(ring.bells.map(({ pitch }) => bellOf(pitch).bell)))
  },
  end: sound.hush,
  strike: (step, when) => {
    for (const { bell, velocity, pitch } of starts.get(step) ?? []) strike(bell, velocity, when, pitch)
  },
  show: (step) => {
    for (const { bell } of starts.get(step) ?? []) struck[bell] = performance.now()
  },
  draw: () => stage.request(),
})

function swingOf(seconds, index) {
  if (!(seconds < SWING_SECONDS)) return 0
  const side = index % 2 === 0 ? 1 : -1
  return side * 0.3 * Math.sin(seconds * 7) * Math.exp(-1.7 * seconds)
}

function strike(index, velocity, when, pitch = ring.bells[index].pitch) {
  const { bell, rate } = bellOf(pitch)
  const loud = (velocity / 127) ** 1.3
  const { length } = ring.bells
  sound.strike(bell, when, {
    rate,
    loud: 0.34 * loud,
    place: length > 1 ? -0.6 + (1.2 * index) / (length - 1) : 0,
    bright: 2500 + 10_000 * loud,
    room: 0.35,
  })
}

/** Strikes a bell by hand; it sounds beside whatever the page plays. */
function hit(index, velocity = 96) {
  if (!ring.bells[index]) return
  chosen = index
  sound.wake()
  strike(index, velocity)
  struck[index] = performance.now()
  stage.request()
}

/** What the page sounds is what is shown. */
function follow() {
  document.getElementById('speed').hidden = clock.isFollowing
  if (clock.voices !== heard) take()
}

function take() {
  heard = clock.voices
  ring = ringOf(streams, heard, bindings)
  starts = Map.groupBy(ring.strokes, ({ start }) => start)
  struck = ring.bells.map(() => Number.NEGATIVE_INFINITY)
  canvas.setAttribute(
    'aria-label',
    `A tower of ${ring.bells.length} bells, struck ${ring.strokes.length} times by ${title}. Arrow keys choose and strike them, space strikes again`,
  )
  chosen = Math.min(chosen, Math.max(0, ring.bells.length - 1))
}

function nearest(x) {
  const { places } = layoutOf(ring.bells, canvas.clientWidth, canvas.clientHeight)
  return places.reduce(
    (best, place, index) => (Math.abs(place.x - x) < Math.abs(places[best].x - x) ? index : best),
    0,
  )
}

canvas.addEventListener('pointerdown', ({ offsetX }) => hit(nearest(offsetX)))
canvas.addEventListener('pointermove', ({ buttons, offsetX }) => {
  const index = nearest(offsetX)
  if (buttons > 0 && index !== chosen) hit(index, 80)
})
canvas.dataset.keys = ''
canvas.addEventListener('keydown', (event) => {
  const to = { ArrowLeft: chosen - 1, ArrowRight: chosen + 1, Home: 0, End: ring.bells.length - 1 }[event.key]
  if (to !== undefined) hit(Math.max(0, Math.min(ring.bells.length - 1, to)))
  else if (event.key === ' ' || event.key === 'Enter') hit(chosen)
  else return
  event.preventDefault()
})
for (const change of ['focus', 'blur']) canvas.addEventListener(change, stage.request)
tempo.addEventListener('input', () => clock.setTempo(Number(tempo.value) * STEPS_A_BEAT))

sdk.onState(({ payload, requestId }) => {
  streams = payload?.executeOutput ?? []
  bindings = payload?.connectorBindings
  title = String(payload?.connectorName ?? '').replaceAll('_', ' ')
  take()
  clock.load(ring.end)
  stage.request()
  sdk.reportRendered(requestId)
})
sdk.offerCapture(canvas, stage.paintNow)
sdk.ready()
