/* Draws stars on a canvas: glow, twinkle, and the line that the run draws from star to star. */

const NIGHT = ['#0b1030', '#070a18', '#120a22']
const COLOURS = ['#9fb4ff', '#dfe6ff', '#fff3d6', '#ffc99a']
const MARGIN = 0.07
/** Pixels from the middle of a drawn star to the end of its glow, which reaches so many times as far as the star. */
const SPRITE = 64
const GLOW = 6
/** From the middle outwards: how far, and how light, as a colour ends. */
const FADE = [
  [0, 'ff'],
  [0.09, 'ff'],
  [0.16, '66'],
  [0.35, '22'],
  [1, '00'],
]
/** Stars of the line, which fades behind the one that shines. */
const TAIL = 12

/**
 * @param {CanvasRenderingContext2D} context
 * @param {{ x: number, y: number, size: number }[]} stars
 * @param {{ width: number, height: number, scale: number, seconds: number, lit: number }} view `lit` is the star that the
 *   run is at, -1 for none.
 */
export function drawSky(context, stars, { width, height, scale, seconds, lit }) {
  const night = context.createLinearGradient(0, 0, width * 0.3, height)
  for (const [at, colour] of NIGHT.entries()) night.addColorStop(at / (NIGHT.length - 1), colour)
  context.globalAlpha = 1
  context.fillStyle = night
  context.fillRect(0, 0, width, height)
  const places = stars.map((star, at) => placeOf(star, at, { width, height, seconds }))
  drawTail(context, places, lit, scale)
  const unit = scale * Math.max(0.7, Math.min(1.6, Math.sqrt(120 / Math.max(1, stars.length))))
  stars.forEach(({ size }, at) => {
    const twinkle = 0.72 + 0.28 * Math.sin(seconds * (0.6 + (at % 7) * 0.17) + at * 2.399)
    drawStar(context, places[at], {
      radius: unit * (0.9 + 2.6 * size) * (at === lit ? 2 : 1),
      light: at === lit ? 1 : twinkle * (0.45 + 0.55 * size),
      colour: COLOURS[at % COLOURS.length],
    })
  })
}

/** Near stars drift further than far ones. */
function placeOf({ x, y, size }, at, { width, height, seconds }) {
  const drift = 0.006 * (0.3 + size)
  const inside = 1 - 2 * MARGIN
  return [
    width * (MARGIN + inside * x + drift * Math.sin(seconds * 0.21 + at)),
    height * (MARGIN + inside * (1 - y) + drift * Math.cos(seconds * 0.17 + at)),
  ]
}

function drawTail(context, places, lit, scale) {
  context.strokeStyle = '#c9d4ff'
  context.lineWidth = scale
  for (let at = Math.max(1, lit - TAIL + 1); at <= lit; at += 1) {
    context.globalAlpha = 0.5 * (1 - (lit - at) / TAIL)
    context.beginPath()
    context.moveTo(...places[at - 1])
    context.lineTo(...places[at])
    context.stroke()
  }
}

function drawStar(context, [x, y], { radius, light, colour }) {
  const reach = radius * GLOW
  context.globalAlpha = light
  context.drawImage(spriteOf(colour), x - reach, y - reach, 2 * reach, 2 * reach)
}

/** A star of each colour is drawn once. */
const sprites = new Map()

function spriteOf(colour) {
  const drawn = sprites.get(colour)
  if (drawn) return drawn
  const sprite = Object.assign(document.createElement('canvas'), { width: 2 * SPRITE, height: 2 * SPRITE })
  const context = sprite.getContext('2d')
  const glow = context.createRadialGradient(SPRITE, SPRITE, 0, SPRITE, SPRITE, SPRITE)
  for (const [at, light] of FADE) glow.addColorStop(at, colour + light)
  context.fillStyle = glow
  context.fillRect(0, 0, 2 * SPRITE, 2 * SPRITE)
  sprites.set(colour, sprite)
  return sprite
}
