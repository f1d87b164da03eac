/* Rings as SVG: places as dots, those that sound joined to a shape. */
import { THREADS } from './shared/threads.js'

const OUTER = 90
const INNER = 26

function round(value) {
  return value.toFixed(2)
}

/** @returns markup of all rings and the hand. */
export function ringsMarkup(patterns, silent) {
  const gap = patterns.length > 1 ? (OUTER - INNER) / (patterns.length - 1) : 0
  const rings = patterns.map(({ strengths }, ring) => {
    const radius = OUTER - gap * ring
    const colour = THREADS.dark[ring]
    const point = (place) => {
      const angle = (place / strengths.length) * 2 * Math.PI - Math.PI / 2
      return [round(radius * Math.cos(angle)), round(radius * Math.sin(angle))]
    }
    const dots = strengths.map((strength, place) => {
      const [x, y] = point(place)
      if (strength === 0) return `<circle class="rest" cx="${x}" cy="${y}" r="1"/>`
      return `<circle data-place="${ring}-${place}" cx="${x}" cy="${y}" r="${round(1.2 + strength * 2.4)}" fill="${colour}"/>`
    })
    const sounding = strengths.flatMap((strength, place) => (strength > 0 ? [point(place).join(',')] : []))
    const shape =
      sounding.length > 1
        ? `<polygon class="shape" points="${sounding.join(' ')}" fill="${colour}" stroke="${colour}"/>`
        : ''
    return `<g class="${silent.has(ring) ? 'silent' : ''}"><circle class="ring" r="${round(radius)}"/>${shape}${dots.join('')}</g>`
  })
  return `${rings.join('')}<line id="hand" x1="0" y1="${-INNER + 14}" x2="0" y2="${-OUTER - 5}"/>`
}
