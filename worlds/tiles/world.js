import { createWorldSdk } from '../../js/sdk/world-runtime.js'
import { fieldOf } from './field.js'
import { createClock } from './shared/clock.js'
import { openStage } from './shared/stage.js'
import { hash, stepsOf } from './shared/streams.js'
import { drawTile, paletteOf } from './tile.js'

const TURN_MS = 260
/** Tiles of a row of bits are marked together, and not laid anew. */
const MOST_TURNING = 8

const canvas = document.querySelector('canvas')
const choice = document.getElementById('kind')
const sdk = createWorldSdk({ worldId: 'tiles' })

let streams = []
let hue = 0
let field = fieldOf([], 1)
/** What the laid field is of. */
let laid = ''
/** Tiles of each step, and how often each tile was turned by the steps and by hand. */
let tilesOf = new Map()
let turned = new Map()
/** Places of tiles that are being laid anew, with the time when that began. */
const turning = new Map()
let cursor = 0
const ground = document.createElement('canvas')
const mason = ground.getContext('2d')

const stage = openStage(canvas, paint)
const clock = createClock(sdk, document.querySelector('form'), {
  tempo: 240,
  draw: stage.request,
  show: turnStep,
})

function kindOf() {
  return choice.value || field.kind
}

function layout(width, height) {
  const dots = canvas.width / width
  const whole = (pixels) => Math.ceil(pixels * dots) / dots
  // Whole dots of the screen: between tiles that end within one there would be seams.
  const side = whole(Math.max(width / Math.max(1, field.columns), height / Math.max(1, field.rows)))
  return {
    side,
    left: whole((width - side * field.columns) / 2),
    top: whole((height - side * field.rows) / 2),
  }
}

function tileAt(place) {
  const tile = field.tiles[place]
  const turns = turned.get(place) ?? 0
  return {
    ...tile,
    turn: tile.turn + turns,
    on: tile.on !== (turns % 2 === 1),
    column: place % field.columns,
    row: Math.floor(place / field.columns),
  }
}

function lay(pen, place, look, { side, left, top }) {
  const tile = tileAt(place)
  const [x, y] = [left + tile.column * side, top + tile.row * side]
  pen.save()
  pen.translate(x, y)
  // The ink runs through the whole field, so it is set where that begins.
  drawTile(pen, kindOf(), tile, side, { ...look, ink: inkOf(pen, look, x, y) })
  pen.restore()
}

function inkOf(pen, { from, to, size: [width, height] }, x, y) {
  const ink = pen.createLinearGradient(-x, -y, width - x, height - y)
  ink.addColorStop(0.1, from)
  ink.addColorStop(0.9, to)
  return ink
}

function paint(pen, { width, height, scale, isDark, isStill }) {
  const look = { ...paletteOf(hue, isDark), size: [width, height] }
  const key = `${width} ${height} ${scale} ${isDark} ${kindOf()}`
  if (key !== laid) {
    field = fieldOf(streams, width / height)
    tilesOf = Map.groupBy(field.tiles.keys(), (place) => field.tiles[place].step)
    Object.assign(ground, { width: canvas.width, height: canvas.height })
    mason.setTransform(scale, 0, 0, scale, 0, 0)
    mason.fillStyle = look.ground
    mason.fillRect(0, 0, width, height)
    turning.clear()
    const place = layout(width, height)
    for (const each of field.tiles.keys()) lay(mason, each, look, place)
    // The kind may follow from the new run.
    laid = `${width} ${height} ${scale} ${isDark} ${kindOf()}`
  }
  const place = layout(width, height)
  pen.drawImage(ground, 0, 0, width, height)
  const now = performance.now()
  for (const [each, since] of turning) {
    const gone = isStill ? 1 : (now - since) / TURN_MS
    if (gone >= 1) {
      lay(mason, each, look, place)
      turning.delete(each)
    }
    layGrowing(pen, each, Math.min(1, gone), look, place)
  }
  if (clock.isPlaying) mark(pen, Math.floor(clock.position), look, place)
  if (document.activeElement === canvas && canvas.matches(':focus-visible'))
    outline(pen, cursor, look.mark, place)
  if (turning.size > 0) stage.request()
}

/** A tile that is laid grows over the one that lies there. */
function layGrowing(pen, each, gone, look, place) {
  const { side, left, top } = place
  const eased = 1 - (1 - gone) ** 3
  const [x, y] = [left + (each % field.columns) * side, top + Math.floor(each / field.columns) * side]
  pen.save()
  pen.beginPath()
  pen.rect(x + (side * (1 - eased)) / 2, y + (side * (1 - eased)) / 2, side * eased, side * eased)
  pen.clip()
  lay(pen, each, look, place)
  pen.restore()
}

function mark(pen, step, { mark: colour }, { side, left, top }) {
  const places = tilesOf.get(step) ?? []
  pen.save()
  if (places.length > MOST_TURNING) {
    const row = Math.floor(places[0] / field.columns)
    pen.globalAlpha = 0.3
    pen.fillStyle = colour
    pen.fillRect(left, top + row * side, field.columns * side, side)
  } else for (const each of places) outline(pen, each, colour, { side, left, top })
  pen.restore()
}

function outline(pen, each, colour, { side, left, top }) {
  const line = Math.max(1.5, side * 0.06)
  pen.strokeStyle = colour
  pen.lineWidth = line
  pen.strokeRect(
    left + (each % field.columns) * side + line / 2,
    top + Math.floor(each / field.columns) * side + line / 2,
    side - line,
    side - line,
  )
}

function turn(place) {
  if (!field.tiles[place]) return
  turned.set(place, ((turned.get(place) ?? 0) + 1) % 4)
  turning.set(place, performance.now())
  stage.request()
}

function turnStep(step) {
  const places = tilesOf.get(step) ?? []
  if (places.length <= MOST_TURNING) for (const each of places) turn(each)
}

canvas.addEventListener('pointerdown', ({ offsetX, offsetY }) => {
  const { side, left, top } = layout(canvas.clientWidth, canvas.clientHeight)
  cursor = Math.floor((offsetY - top) / side) * field.columns + Math.floor((offsetX - left) / side)
  turn(cursor)
})
canvas.dataset.keys = ''
canvas.addEventListener('keydown', (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -field.columns, ArrowDown: field.columns }[event.key]
  if (by !== undefined && field.tiles[cursor + by]) cursor += by
  else if (event.key === ' ' || event.key === 'Enter') turn(cursor)
  else return
  event.preventDefault()
  stage.request()
})
for (const change of ['focus', 'blur']) canvas.addEventListener(change, stage.request)
choice.addEventListener('change', stage.request)

let isFirst = true
sdk.onState(({ payload, requestId }) => {
  streams = payload?.executeOutput ?? []
  hue = hash(
    [...String(payload?.connectorName ?? '')].reduce(
      (sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0,
      7,
    ),
  )
  laid = ''
  turned = new Map()
  const count = Math.min(4096, stepsOf(streams))
  clock.load(count)
  canvas.setAttribute(
    'aria-label',
    `A field of ${count} tiles, turned by ${streams[0]?.path ?? 'nothing'}. Arrow keys choose a tile, space turns it`,
  )
  if (isFirst && count > 0) {
    isFirst = false
    if (!stage.isStill) clock.start()
  }
  stage.request()
  sdk.reportRendered(requestId)
})
sdk.offerCapture(canvas, stage.paintNow)
sdk.ready()
