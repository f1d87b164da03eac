import { createWorldSdk } from '../../js/sdk/world-runtime.js'
import { pluck, wakeStrings } from './pluck.js'
import { followPage } from './shared/follow.js'
import { hangs, stringsOf } from './strings.js'

const harp = document.getElementById('harp')
const canvas = harp.firstElementChild
const pen = canvas.getContext('2d')
const still = matchMedia('(prefers-reduced-motion: reduce)')

let strings = []
let chosen = 0
let last
let drawing = false
/** Timers of what is played through. */
let playing = []

function draw() {
  drawing = false
  for (const string of strings) {
    string.phase += 0.9 + string.place * 0.8
    string.swing *= 0.955
    if (string.swing < 0.3) string.swing = 0
  }
  paint()
  if (strings.some(({ swing }) => swing > 0)) request()
}

function paint() {
  const scale = devicePixelRatio
  const { clientWidth: width, clientHeight: height } = canvas
  const [wide, high] = [Math.round(width * scale), Math.round(height * scale)]
  if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high })
  pen.setTransform(scale, 0, 0, scale, 0, 0)
  pen.fillStyle = '#0c1016'
  pen.fillRect(0, 0, width, height)
  pen.lineCap = 'round'
  if (strings.length === 0) return
  drawNeck(width, height)
  for (const [place, string] of strings.entries()) {
    const { x, top, bottom } = hangs(strings, place, width, height)
    const bend = still.matches ? 0 : string.swing * Math.sin(string.phase)
    pen.strokeStyle = string.colour
    pen.globalAlpha = 0.5 + Math.min(0.5, string.swing / 8)
    pen.lineWidth = 1.2 + (1 - string.place) * 2.2
    pen.shadowColor = string.colour
    pen.shadowBlur = string.swing * 2.5
    pen.beginPath()
    pen.moveTo(x, top)
    pen.quadraticCurveTo(x + bend * 2, (top + bottom) / 2, x, bottom)
    pen.stroke()
    pen.shadowBlur = 0
    pen.globalAlpha = 1
    pen.fillStyle = string.colour
    for (const y of [top, bottom]) {
      pen.beginPath()
      pen.arc(x, y, place === chosen && document.activeElement === harp ? 6 : 3, 0, 2 * Math.PI)
      pen.fill()
    }
  }
}

/** The curve that the upper ends hang from, and the board that holds the lower ones. */
function drawNeck(width, height) {
  const { bottom } = hangs(strings, 0, width, height)
  pen.strokeStyle = '#252d3a'
  pen.lineWidth = 3
  pen.lineJoin = 'round'
  pen.beginPath()
  for (let place = 0; place < strings.length; place += 1) {
    const { x, top } = hangs(strings, place, width, height)
    if (place === 0) pen.moveTo(x, top)
    else {
      const before = hangs(strings, place - 1, width, height)
      const middle = (before.x + x) / 2
      pen.bezierCurveTo(middle, before.top, middle, top, x, top)
    }
  }
  pen.stroke()
  pen.beginPath()
  pen.moveTo(12, bottom)
  pen.lineTo(width - 12, bottom)
  pen.stroke()
}

function request() {
  if (drawing) return
  drawing = true
  requestAnimationFrame(draw)
}

function sound(place, loud) {
  const string = strings[place]
  string.swing = 4 + loud * 12
  pluck(string.pitch, loud)
  request()
}

function choose(place) {
  chosen = Math.max(0, Math.min(strings.length - 1, place))
  harp.setAttribute('aria-valuenow', String(chosen + 1))
  harp.setAttribute(
    'aria-valuetext',
    `String ${chosen + 1} of ${strings.length}, number ${strings[chosen]?.value ?? 'none'}`,
  )
  request()
}

/** Plucks what lies between two places of the pointer. */
function stroke(from, to, loud) {
  const { clientWidth: width, clientHeight: height } = canvas
  const [left, right] = [Math.min(from, to), Math.max(from, to)]
  for (let place = 0; place < strings.length; place += 1) {
    const { x } = hangs(strings, place, width, height)
    if (x > left && x <= right) sound(place, loud)
  }
}

harp.addEventListener('pointerdown', (event) => {
  wakeStrings()
  harp.setPointerCapture(event.pointerId)
  last = event.offsetX
  // A touch between two strings takes the nearer one.
  const distances = strings.map((_, place) =>
    Math.abs(hangs(strings, place, canvas.clientWidth, canvas.clientHeight).x - last),
  )
  const nearest = distances.indexOf(Math.min(...distances))
  if (nearest < 0) return
  choose(nearest)
  sound(nearest, 0.7)
})
harp.addEventListener('pointermove', ({ offsetX }) => {
  if (last !== undefined && last !== offsetX)
    stroke(last, offsetX, Math.min(0.9, 0.3 + Math.abs(offsetX - last) / 60))
  last = offsetX
})
harp.addEventListener('pointerleave', () => {
  last = undefined
})
harp.addEventListener('keydown', (event) => {
  const to = {
    ArrowLeft: chosen - 1,
    ArrowDown: chosen - 1,
    ArrowRight: chosen + 1,
    ArrowUp: chosen + 1,
    Home: 0,
    End: strings.length - 1,
  }[event.key]
  if (to !== undefined) choose(to)
  else if ((event.key !== ' ' && event.key !== 'Enter') || strings.length === 0) return
  event.preventDefault()
  wakeStrings()
  sound(chosen, 0.7)
})
for (const change of ['focus', 'blur']) harp.addEventListener(change, request)

document.getElementById('through').addEventListener('click', () => {
  wakeStrings()
  for (const timer of playing) clearTimeout(timer)
  playing = strings.map((_, place) => setTimeout(() => sound(place, 0.55), 60 + place * 150))
})
new ResizeObserver(request).observe(canvas)

const sdk = createWorldSdk({ worldId: 'harp' })
sdk.onState(({ payload, requestId }) => {
  for (const timer of playing) clearTimeout(timer)
  strings = stringsOf(payload?.executeOutput ?? [])
  harp.setAttribute('aria-valuemax', String(Math.max(1, strings.length)))
  choose(0)
  sdk.reportRendered(requestId)
})
/** The step that the page sounds; undefined without a transport, -1 while that is at rest. */
let followed
followPage(sdk, ({ playing: isPlaying, step }) => {
  if (followed === undefined) {
    for (const timer of playing) clearTimeout(timer)
    document.getElementById('through').hidden = true
  }
  const now = isPlaying ? step : -1
  // The page sounds the string that is seen to swing.
  if (now !== followed && strings[now]) {
    strings[now].swing = 11
    request()
  }
  followed = now
})
sdk.offerCapture(canvas, paint)
sdk.ready()
