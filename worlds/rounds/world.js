import { createWorldSdk } from '../../js/sdk/world-runtime.js'
import { ringsMarkup } from './drawing.js'
import { drumClock, restDrums, strike, wakeDrums } from './drums.js'
import { MOST_RINGS, patternsOf } from './patterns.js'
import { followPage } from './shared/follow.js'
import { THREADS } from './shared/threads.js'

const AHEAD_SECONDS = 0.12
function at(id) {
  return document.getElementById(id)
}

let streams = []
let patterns = []
const silent = new Set()
/** While it turns: the clock at the last whole round, and the next place to be sounded. */
let turning
/** The step that the page sounds; undefined without a transport, -1 while that is at rest. */
let followed

function places() {
  return Number(at('places').value)
}
/** A round of any number of places takes a bar of four beats. */
function placeSeconds() {
  return (60 / Number(at('tempo').value)) * (4 / places())
}

function draw() {
  at('rings').innerHTML = ringsMarkup(patterns, silent)
  const shown = patterns.map(({ label, strengths }) => {
    const met = strengths.flatMap((strength, place) => (strength > 0 ? [place] : []))
    return `${label} sounds at ${met.join(', ')}`
  })
  const more =
    streams.length > MOST_RINGS ? `; ${streams.length - MOST_RINGS} more streams are not shown` : ''
  at('rings').setAttribute(
    'aria-label',
    `${patterns.length} rings of ${places()} places: ${shown.join('; ')}${more}`,
  )
}

function drawTracks() {
  at('tracks').replaceChildren(
    ...patterns.map(({ label }, ring) => {
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: label })
      button.style.setProperty('--thread', THREADS.dark[ring])
      button.setAttribute('aria-pressed', String(!silent.has(ring)))
      button.addEventListener('click', () => {
        if (!silent.delete(ring)) silent.add(ring)
        button.setAttribute('aria-pressed', String(!silent.has(ring)))
        at('rings').children[ring].classList.toggle('silent', silent.has(ring))
      })
      return button
    }),
  )
}

function take() {
  patterns = patternsOf(streams, places())
  draw()
}

function play() {
  if (followed !== undefined) return
  wakeDrums(() => turning && stop())
  turning = { zero: drumClock() + 0.06, next: 0, shown: [] }
  at('play').textContent = 'Stop'
  at('play').setAttribute('aria-pressed', 'true')
  turn()
}

function stop() {
  turning = undefined
  restDrums()
  at('play').textContent = 'Play'
  at('play').setAttribute('aria-pressed', 'false')
}

/** Sounds what comes next, slightly ahead of time; shows what sounds now. */
function turn() {
  if (!turning) return
  const now = drumClock()
  const step = placeSeconds()
  for (; turning.zero + turning.next * step < now + AHEAD_SECONDS; turning.next += 1) {
    const place = turning.next % places()
    const when = Math.max(now, turning.zero + turning.next * step)
    for (const [ring, { strengths }] of patterns.entries()) {
      if (strengths[place] === 0 || silent.has(ring)) continue
      strike(ring, when, strengths[place])
      turning.shown.push({ when, id: `${ring}-${place}` })
    }
  }
  while (turning.shown.length > 0 && turning.shown[0].when <= now) flash(turning.shown.shift().id)
  const turns = Math.max(0, now - turning.zero) / step / places()
  at('hand')?.setAttribute('transform', `rotate(${((turns % 1) * 360).toFixed(2)})`)
  requestAnimationFrame(turn)
}

function flash(id) {
  const dot = at('rings').querySelector(`[data-place="${id}"]`)
  if (!dot) return
  dot.classList.remove('struck')
  // Read back, so that taking the class away and giving it again is not one change.
  dot.getBoundingClientRect()
  dot.classList.add('struck')
  setTimeout(() => dot.classList.remove('struck'), 450)
}

/** What changes the length of a place begins a new round. */
function begin() {
  if (turning) turning = { zero: drumClock() + 0.03, next: 0, shown: [] }
}

at('play').addEventListener('click', () => (turning ? stop() : play()))
at('places').addEventListener('change', () => {
  take()
  begin()
})
at('tempo').addEventListener('input', begin)
at('controls').addEventListener('submit', (event) => event.preventDefault())

const sdk = createWorldSdk({ worldId: 'rounds' })
sdk.onState(({ payload, requestId }) => {
  streams = payload?.executeOutput ?? []
  take()
  drawTracks()
  sdk.reportRendered(requestId)
})
followPage(sdk, ({ playing, step, position }) => {
  if (followed === undefined) {
    if (turning) stop()
    at('play').hidden = true
    at('tempo').closest('label').hidden = true
  }
  const now = playing ? step : -1
  if (now !== followed && playing) {
    const place = step % places()
    for (const [ring, { strengths }] of patterns.entries()) {
      if (strengths[place] > 0 && !silent.has(ring)) flash(`${ring}-${place}`)
    }
  }
  followed = now
  at('hand')?.setAttribute('transform', `rotate(${(((position / places()) % 1) * 360).toFixed(2)})`)
})
sdk.ready()
