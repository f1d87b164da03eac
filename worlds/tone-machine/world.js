import { createWorldSdk } from '../../js/sdk/world-runtime.js'
import { loopOf } from './notes.js'
import { drawScope } from './scope.js'
import { followPage } from './shared/follow.js'
import { createMachine } from './voices.js'

const AHEAD_SECONDS = 0.12
/** Notes that begin together. */
const MOST_AT_ONCE = 12
function at(id) {
  return document.getElementById(id)
}
const canvas = at('scope')

let loop = loopOf([])
let machine
/** In sixteenths from the start of the loop. */
let position = 0
/** While playing: the next sixteenth, when it sounds, and those that were scheduled. */
let playing
/** What the page sends of its sound; undefined without a transport. */
let followed

function settings() {
  const share = (id) => Number(at(id).value) / 100
  return {
    wave: document.querySelector('[name=wave]:checked').value,
    sixteenth: 60 / Number(at('tempo').value) / 4,
    ...Object.fromEntries(
      ['cutoff', 'resonance', 'attack', 'release', 'echo', 'room', 'volume'].map((id) => [id, share(id)]),
    ),
  }
}

function draw() {
  drawScope(canvas, {
    ...loop,
    position,
    playing: playing !== undefined || followed?.playing === true,
    analyser: playing && machine.analyser,
  })
}

async function play() {
  if (loop.notes.length === 0 || followed) return
  machine ??= createMachine()
  label('Stop', true)
  playing = { next: 0, when: 0, shown: [] }
  const started = playing
  await machine.wake(() => playing === started && stop())
  if (playing !== started) return
  machine.set(settings())
  playing.when = machine.clock() + 0.08
  turn()
}

function stop() {
  playing = undefined
  position = 0
  machine.end()
  machine = undefined
  label('Play', false)
  draw()
}

function label(text, pressed) {
  at('play').textContent = text
  at('play').setAttribute('aria-pressed', String(pressed))
}

/** Schedules sixteenths slightly ahead of time, at the tempo of the moment, and draws where we are. */
function turn() {
  if (!playing) return
  const now = machine.clock()
  const { sixteenth } = settings()
  // A tab that was asleep does not catch up.
  if (playing.when < now - 0.5) playing.when = now
  while (playing.when < now + AHEAD_SECONDS) {
    for (const note of loop.notes.filter(({ start }) => start === playing.next).slice(0, MOST_AT_ONCE)) {
      machine.play(note, Math.max(now, playing.when), note.length * sixteenth * 0.95)
    }
    playing.shown.push({ time: playing.next, when: playing.when })
    playing.next = (playing.next + 1) % loop.end
    playing.when += sixteenth
  }
  while (playing.shown[1]?.when <= now) playing.shown.shift()
  const [{ time, when }] = playing.shown
  position = time + Math.max(0, Math.min(1, (now - when) / sixteenth))
  draw()
  requestAnimationFrame(turn)
}

const UNITS = { tempo: ' bpm' }
function showValues() {
  for (const input of document.querySelectorAll('#dials input')) {
    input.previousElementSibling.textContent = `${input.value}${UNITS[input.id] ?? ' %'}`
  }
}

at('play').addEventListener('click', () => (playing ? stop() : play()))
at('controls').addEventListener('input', () => {
  showValues()
  if (playing) machine.set(settings())
})
at('controls').addEventListener('submit', (event) => event.preventDefault())
new ResizeObserver(draw).observe(canvas)
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw)

const sdk = createWorldSdk({ worldId: 'tone-machine' })
sdk.onState(({ payload, requestId }) => {
  loop = loopOf(payload?.executeOutput ?? [], payload?.connectorBindings)
  if (playing && loop.end > 0) playing.next %= loop.end
  else if (playing) stop()
  canvas.setAttribute(
    'aria-label',
    `${loop.notes.length} notes of ${payload?.connectorName ?? ''} in a loop of ${loop.end / 4} beats`,
  )
  draw()
  sdk.reportRendered(requestId)
})
followPage(sdk, (transport) => {
  if (!followed) {
    if (playing) stop()
    // Its dials are of its own sound.
    at('controls').hidden = true
  }
  followed = transport
  position = loop.end > 0 ? transport.position % loop.end : 0
  draw()
})
showValues()
draw()
sdk.offerCapture(canvas, draw)
sdk.ready()
