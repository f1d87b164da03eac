import { createWorldSdk } from '../../js/sdk/world-runtime.js'
import { draftOf } from './draft.js'
import { openLoom } from './loom.js'
import { followPage } from './shared/follow.js'
import { openStage } from './shared/stage.js'
import { drawDraft } from './sheet.js'

const canvas = document.querySelector('canvas')
const weave = openLoom(canvas)
const sheet = document.getElementById('sheet')
const button = document.querySelector('button')
const still = matchMedia('(prefers-reduced-motion: reduce)')

let draft
let moving = false
let drawnAt = 0
/** Thread of the step that sounds; -1 while nothing does. */
let pick = -1
/** Where the light is and where it is going, from the lower left. */
const light = { at: [0.3, 0.8], to: [0.3, 0.8], led: false }

const paper = openStage(sheet, (pen, view) => {
  if (draft) drawDraft(pen, view, draft, pick)
})

function draw(now) {
  moving = false
  // Slow as it is, every second frame will do.
  if (now - drawnAt < 30) return request()
  drawnAt = now
  weaveAt(now)
  if (!still.matches && draft) request()
}

function weaveAt(now) {
  if (!draft || canvas.clientWidth === 0) return
  const scale = Math.min(1.5, devicePixelRatio)
  const [width, height] = [Math.round(canvas.clientWidth * scale), Math.round(canvas.clientHeight * scale)]
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
  const seconds = still.matches ? 0 : now / 1000
  if (!light.led && !still.matches)
    light.to = [0.5 + 0.35 * Math.cos(seconds * 0.3), 0.6 + 0.3 * Math.sin(seconds * 0.23)]
  const ease = still.matches ? 1 : 0.08
  light.at = light.at.map((part, axis) => part + (light.to[axis] - part) * ease)
  weave(draft, { width, height, scale, light: light.at, seconds, pick })
}

/** The first shafts of threads, counted from 1. */
function shaftsOf(bytes) {
  return Array.from({ length: 16 }, (_, thread) => bytes[thread * 4 + 3] + 1).join(' ')
}

function request() {
  if (canvas.hidden) return paper.request()
  if (moving) return
  moving = true
  requestAnimationFrame(draw)
}

canvas.addEventListener('pointermove', ({ offsetX, offsetY }) => {
  light.led = true
  light.to = [offsetX / canvas.clientWidth, 1 - offsetY / canvas.clientHeight]
  request()
})
canvas.addEventListener('pointerleave', () => {
  light.led = false
})
still.addEventListener('change', request)
new ResizeObserver(request).observe(canvas)

const sdk = createWorldSdk({ worldId: 'cloth' })
/** Shows the cloth, or the draft of it; what is shown is what is captured. */
function show(isDraft) {
  canvas.hidden = isDraft
  sheet.hidden = !isDraft
  button.setAttribute('aria-pressed', String(isDraft))
  if (isDraft) sdk.offerCapture(sheet, paper.paintNow)
  else sdk.offerCapture(canvas, () => weaveAt(performance.now()))
  request()
}
button.addEventListener('click', () => show(!canvas.hidden))
sdk.onState(({ payload, requestId }) => {
  const streams = payload?.executeOutput ?? []
  draft = draftOf(streams)
  const [warp, weft = warp] = streams.map(({ path }) => path)
  canvas.setAttribute(
    'aria-label',
    `Cloth of ${draft.threads} threads each way: ${warp} is the warp, ${weft} the weft`,
  )
  sheet.setAttribute(
    'aria-label',
    `Draft of ${draft.threads} threads each way: ${shaftsOf(draft.warp)} is the threading, ${shaftsOf(draft.weft)} the treadling`,
  )
  request()
  sdk.reportRendered(requestId)
})
followPage(sdk, ({ playing, step }) => {
  pick = playing && draft ? step % draft.threads : -1
  request()
})
show(false)
sdk.ready()
