import { createWorldSdk } from '../../js/sdk/world-runtime.js'
import { drawPiano, layoutOf, pitchAt, rangeOf } from './keys.js'
import { createClock } from './shared/clock.js'
import { byStep, voicesOf } from './shared/notes.js'
import { openSound } from './shared/sound.js'
import { openStage } from './shared/stage.js'
import { renderString, stringOf } from './strings.js'

const STEPS_A_BEAT = 4
/** Steps that are seen before they sound. */
const [FEWEST_SEEN, MOST_SEEN] = [14, 24]
const LIGHT_MS = 420
/** Keys of a typewriter, from C. */
const TYPED = 'awsedftgyhujkolp'

const canvas = document.querySelector('canvas')
const tempo = document.getElementById('tempo')
const sdk = createWorldSdk({ worldId: 'piano' })
const sound = openSound(renderString)

let streams = []
let bindings
let run = { voices: [], end: 0 }
let starts = new Map()
let heard
let title = ''
let range = rangeOf([], 400)
let chosen
/** Keys that were struck by hand, with the time. */
const touched = new Map()
/** The key of each finger. */
const fingers = new Map()

const stage = openStage(canvas, (pen, view) => {
  follow()
  range = rangeOf(
    run.voices.flat().map(({ pitch }) => pitch),
    view.width,
  )
  // At rest the first notes lie on their keys.
  const position = !clock.isPlaying && clock.position === 0 ? 0.3 : clock.position
  const down = keysDown(position, view.isStill)
  const span = Math.max(FEWEST_SEEN, Math.min(MOST_SEEN, view.height / 30))
  drawPiano(pen, view, {
    voices: run.voices,
    range,
    position,
    down,
    chosen: canvas.matches(':focus-visible') ? chosen : undefined,
    span,
  })
  if (touched.size > 0) stage.request()
})
const clock = createClock(sdk, document.querySelector('form'), {
  tempo: Number(tempo.value) * STEPS_A_BEAT,
  time: sound.time,
  begin: () => {
    sound.wake(() => clock.stop())
    sound.prepare(
      new Set(
        run.voices
          .flat()
          .slice(0, 12)
          .map(({ pitch }) => stringOf(pitch).string),
      ),
    )
  },
  end: sound.hush,
  strike: (step, when) => {
    for (const { pitch, length, velocity } of starts.get(step) ?? [])
      strike(pitch, velocity, when, length * clock.secondsOfStep)
  },
  draw: () => stage.request(),
})

function strike(pitch, velocity, when, seconds) {
  const { string, rate } = stringOf(pitch)
  const loud = (velocity / 127) ** 1.4
  sound.strike(string, when, {
    rate,
    loud: 0.5 * loud * (pitch < 48 ? 1.1 : 1),
    // Low strings stand on the left.
    place: Math.max(-0.7, Math.min(0.7, (pitch - 62) / 40)),
    bright: 900 + 9000 * loud + pitch * 20,
    room: 0.2,
    seconds,
  })
}

function keysDown(position, isStill) {
  const down = new Map()
  const now = performance.now()
  if (clock.isPlaying || position > 0) {
    for (const [voice, notes] of run.voices.entries()) {
      for (const { pitch, start, length } of notes) {
        if (start > position) break
        if (position < start + length)
          down.set(pitch, {
            voice,
            light: isStill ? 1 : Math.max(0.35, 1 - (position - start) / Math.max(1, length)),
          })
      }
    }
  }
  for (const [pitch, at] of touched) {
    const light = 1 - (now - at) / LIGHT_MS
    const isHeld = [...fingers.values()].includes(pitch)
    if (light <= 0 && !isHeld) touched.delete(pitch)
    else down.set(pitch, { voice: 1, light: Math.max(light, 0.4) })
  }
  return down
}

/** What the page sounds is what is shown. */
function follow() {
  document.getElementById('speed').hidden = clock.isFollowing
  if (clock.voices !== heard) take()
}

function take() {
  heard = clock.voices
  run = voicesOf(streams, heard, bindings)
  starts = byStep(run.voices)
  const count = run.voices.flat().length
  canvas.setAttribute(
    'aria-label',
    `A piano with ${count} notes of ${title} in ${run.voices.length === 1 ? 'one voice' : `${run.voices.length} voices`}. Arrow keys play its keys, letters from A on those from middle C`,
  )
}

/** Strikes a key by hand; it sounds beside whatever the page plays. */
function press(pitch, velocity = 92) {
  if (pitch === undefined || pitch < 0 || pitch > 127) return
  sound.wake()
  strike(pitch, velocity, undefined, 1.6)
  touched.set(pitch, performance.now())
  chosen = pitch
  stage.request()
}

function keyUnder({ offsetX, offsetY }) {
  return pitchAt(range, layoutOf(range, canvas.clientWidth, canvas.clientHeight), offsetX, offsetY)
}

canvas.addEventListener('pointerdown', (event) => {
  const pitch = keyUnder(event)
  if (pitch === undefined) return
  fingers.set(event.pointerId, pitch)
  press(pitch)
})
canvas.addEventListener('pointermove', (event) => {
  if (!fingers.has(event.pointerId)) return
  const pitch = keyUnder(event)
  if (pitch === fingers.get(event.pointerId)) return
  fingers.set(event.pointerId, pitch)
  press(pitch, 80)
})
for (const end of ['pointerup', 'pointercancel', 'pointerleave'])
  canvas.addEventListener(end, ({ pointerId }) => fingers.delete(pointerId))
canvas.dataset.keys = ''
canvas.addEventListener('keydown', (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: 12, ArrowDown: -12 }[event.key]
  if (by !== undefined) press(Math.max(range.first, Math.min(range.last, (chosen ?? 60) + by)))
  else if (event.key === ' ' || event.key === 'Enter') press(chosen ?? 60)
  else return
  event.preventDefault()
})
addEventListener('keydown', ({ key, repeat, ctrlKey, metaKey, altKey }) => {
  const note = TYPED.indexOf(key.toLowerCase())
  if (note >= 0 && key.length === 1 && !repeat && !ctrlKey && !metaKey && !altKey) press(60 + note)
})
for (const change of ['focus', 'blur']) canvas.addEventListener(change, stage.request)
tempo.addEventListener('input', () => clock.setTempo(Number(tempo.value) * STEPS_A_BEAT))

sdk.onState(({ payload, requestId }) => {
  streams = payload?.executeOutput ?? []
  bindings = payload?.connectorBindings
  title = String(payload?.connectorName ?? '').replaceAll('_', ' ')
  take()
  clock.load(run.end)
  stage.request()
  sdk.reportRendered(requestId)
})
sdk.offerCapture(canvas, stage.paintNow)
sdk.ready()
