import { createWorldSdk } from '../../js/sdk/world-runtime.js'
import { followPage } from './shared/follow.js'
import { drawSky } from './sky.js'
import { MOST_STARS, starsOf } from './stars.js'

const canvas = document.querySelector('canvas')
const context = canvas.getContext('2d')
const still = matchMedia('(prefers-reduced-motion: reduce)')
const STARS_A_SECOND = 3
const FRAME_MS = 30

let stars = []
let moving = false
let drawnAt = 0
/** When the run began to be walked along, in milliseconds of the page. */
let beganAt = 0
/** The star that the page sounds; undefined without a transport, -1 while that is at rest. */
let followed

function draw(now) {
  moving = false
  // Slow as it is, every second frame will do.
  if (now - drawnAt < FRAME_MS) return request()
  drawnAt = now
  drawAt(now)
  if (!still.matches && stars.length > 0) request()
}

function drawAt(now) {
  if (canvas.clientWidth === 0) return
  const scale = Math.min(2, devicePixelRatio)
  const [width, height] = [Math.round(canvas.clientWidth * scale), Math.round(canvas.clientHeight * scale)]
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
  const seconds = still.matches ? 0 : (now - beganAt) / 1000
  const walked =
    still.matches || stars.length === 0 ? -1 : Math.floor(seconds * STARS_A_SECOND) % stars.length
  const lit = followed === undefined ? walked : Math.min(followed, stars.length - 1)
  drawSky(context, stars, { width, height, scale, seconds, lit })
}

function request() {
  if (moving) return
  moving = true
  requestAnimationFrame(draw)
}

still.addEventListener('change', request)
new ResizeObserver(request).observe(canvas)

const sdk = createWorldSdk({ worldId: 'starfield' })
sdk.onState(({ payload, requestId }) => {
  const streams = payload?.executeOutput ?? []
  stars = starsOf(streams)
  beganAt = performance.now()
  const left = (streams[0]?.data.length ?? 0) - stars.length
  const [across, up, bright] = streams.map(({ path }) => path)
  canvas.setAttribute(
    'aria-label',
    [
      `${stars.length} stars`,
      across && `${across} places them across`,
      up && `${up} upwards`,
      bright && `${bright} is their size`,
      left > 0 && `${left} beyond the first ${MOST_STARS} are not shown`,
    ]
      .filter(Boolean)
      .join(', '),
  )
  request()
  sdk.reportRendered(requestId)
})
followPage(sdk, ({ playing, step }) => {
  followed = playing ? step : -1
  request()
})
sdk.offerCapture(canvas, () => drawAt(performance.now()))
sdk.ready()
