import { createWorldSdk } from '../../js/sdk/world-runtime.js'
import { DRUMS, renderDrum } from './drums.js'
import { drawFace, voiceAt } from './face.js'
import { kitOf } from './kit.js'
import { createClock } from './shared/clock.js'
import { openSound } from './shared/sound.js'
import { openStage } from './shared/stage.js'
import { stepsOf } from './shared/streams.js'

const STEPS_A_BEAT = 4
const GLOW_MS = 240

const canvas = document.querySelector('canvas')
const pads = document.getElementById('pads')
const tempo = document.getElementById('tempo')
const sdk = createWorldSdk({ worldId: 'drum-machine' })
const sound = openSound(renderDrum)

let streams = []
let kit = []
let heard
/** When each voice was struck last. */
let struck = []

const stage = openStage(canvas, (pen, view) => {
  follow()
  const now = performance.now()
  const glow = struck.map((at) =>
    view.isStill ? Number(now - at < GLOW_MS) : Math.max(0, 1 - (now - at) / GLOW_MS),
  )
  const step = clock.isPlaying || clock.position > 0 ? Math.floor(clock.position) : -1
  drawFace(pen, view, {
    kit,
    step,
    glow,
    count: stepsOf(streams),
    tempo: 60 / clock.secondsOfStep / STEPS_A_BEAT,
  })
  if (glow.some((each) => each > 0)) stage.request()
})
const clock = createClock(sdk, document.querySelector('form'), {
  tempo: Number(tempo.value) * STEPS_A_BEAT,
  time: sound.time,
  begin: () => {
    sound.wake(() => clock.stop())
    sound.prepare(kit.map(({ drum }) => drum))
  },
  end: sound.hush,
  strike: (step, when) => {
    for (const { drum, strengths } of kit) if (strengths[step] > 0) strike(drum, when, strengths[step])
  },
  show: (step) => {
    for (const [voice, { strengths }] of kit.entries())
      if (strengths[step] > 0) struck[voice] = performance.now()
  },
  draw: () => stage.request(),
})

function strike(drum, when, strength) {
  const { level, place, room } = DRUMS[drum]
  sound.strike(drum, when, { loud: level * strength ** 1.3, place, room, bright: 3000 + 17_000 * strength })
}

/** Strikes a drum by hand; it sounds beside whatever the page plays. */
function hit(voice) {
  if (!kit[voice]) return
  sound.wake()
  strike(kit[voice].drum, undefined, 0.9)
  struck[voice] = performance.now()
  stage.request()
}

/** What the page sounds is what is shown. */
function follow() {
  document.getElementById('speed').hidden = clock.isFollowing
  if (clock.voices === heard) return
  take()
}

function take() {
  heard = clock.voices
  kit = kitOf(streams, heard)
  const rows = kit.map(
    ({ label, drum, strengths }) => `${label} plays the ${drum} ${strengths.filter(Boolean).length} times`,
  )
  canvas.setAttribute(
    'aria-label',
    `A drum machine of ${kit.length} voices: ${rows.join('; ')}. Keys 1 to 8 strike them`,
  )
}

function drawPads() {
  pads.replaceChildren(
    ...kit.map(({ label }, voice) => {
      const button = Object.assign(document.createElement('button'), {
        type: 'button',
        textContent: label.replaceAll('_', ' '),
      })
      button.addEventListener('pointerdown', () => hit(voice))
      button.addEventListener('click', ({ detail }) => detail === 0 && hit(voice))
      return button
    }),
  )
}

canvas.addEventListener('pointerdown', ({ offsetY }) => {
  hit(voiceAt(kit, (offsetY / canvas.clientHeight - 0.25) / 0.7))
})
addEventListener('keydown', ({ key, repeat, ctrlKey, metaKey, altKey }) => {
  if (!repeat && !ctrlKey && !metaKey && !altKey && /^[1-8]$/.test(key)) hit(Number(key) - 1)
})
tempo.addEventListener('input', () => clock.setTempo(Number(tempo.value) * STEPS_A_BEAT))

sdk.onState(({ payload, requestId }) => {
  streams = payload?.executeOutput ?? []
  take()
  struck = kit.map(() => Number.NEGATIVE_INFINITY)
  drawPads()
  clock.load(stepsOf(streams))
  stage.request()
  sdk.reportRendered(requestId)
})
sdk.offerCapture(canvas, stage.paintNow)
sdk.ready()
