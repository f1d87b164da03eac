/* Where the measures of a score stand: how wide each is, and which share a system. */
import { MEASURE } from './measures.js'

/** In spaces: before the first sign of a measure, and for a clef and the metre at the start of a system. */
const LEAD = 1.6
export const HEADER = { clef: 4.2, metre: 2.2 }

/** @param {number} width Of a system, in spaces. */
export function systemsOf({ staves, measures }, width) {
  const shapes = Array.from({ length: measures }, (_, number) =>
    shapeOf(staves.map((staff) => staff.measures[number])),
  )
  const systems = []
  let first = 0
  while (first < measures) {
    const header = HEADER.clef + (first === 0 ? HEADER.metre : 0)
    let last = first
    let used = shapes[first].width
    while (last + 1 < measures && used + shapes[last + 1].width <= width - header)
      used += shapes[++last].width
    const stretch = Math.max(0.6, (width - header) / used)
    // The last line need not fill the page.
    const scale = last === measures - 1 ? Math.min(stretch, 1.4) : stretch
    let x = header
    const placed = shapes.slice(first, last + 1).map((shape, index) => {
      const at = x
      x += shape.width * scale
      return { number: first + index, x: at, end: x, offsets: shape.offsets.map((each) => at + each * scale) }
    })
    systems.push({ first, last, measures: placed, width: x, header })
    first = last + 1
  }
  return systems
}

/** Where every sixteenth of a measure stands: longer signs take more room, but not in proportion. */
function shapeOf(voices) {
  const starts = [...new Set(voices.flat().map(({ start }) => start))].sort((a, b) => a - b)
  const offsets = Array(MEASURE + 1)
  let x = LEAD
  for (const [index, start] of starts.entries()) {
    const next = starts[index + 1] ?? MEASURE
    const room = 2.1 + 1.25 * Math.log2(next - start)
    for (let time = start; time < next; time += 1)
      offsets[time] = x + (room * (time - start)) / (next - start)
    x += room
  }
  offsets[MEASURE] = x
  return { width: x, offsets }
}
