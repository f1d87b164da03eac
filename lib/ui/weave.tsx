import { useId } from 'react'
import { extentOf } from './series.ts'
import { threadColor } from './thread-colors.ts'

const WIDTH = 640
const HEIGHT = 440
const MARGIN = 26
const WARP = 'color-mix(in oklab, var(--color-edge) 55%, var(--color-ground))'

/**
 * Streams as weft threads on a warp, one warp thread a step: a thread goes over the warp where its value is
 * even and under it where it is odd; its height in its own band follows the value. Server-rendered SVG.
 *
 * @param steps Warp threads to draw; streams are cut to as many values.
 * @param label What the picture shows, for people who cannot see it.
 */
export function Weave({
  streams,
  steps,
  label,
}: {
  streams: readonly (readonly number[])[]
  steps: number
  label: string
}) {
  const id = useId()
  const gap = WIDTH / steps
  const across = (step: number) => round((step + 0.5) * gap)
  const band = (HEIGHT - 2 * MARGIN) / Math.max(1, streams.length)
  const threads = streams.map((values, index) => {
    const shown = values.slice(0, steps)
    const { min, max } = extentOf(shown)
    const middle = MARGIN + (index + 0.5) * band
    const swing = Math.min(band * 0.4, 130)
    const heights = shown.map((value) =>
      round(max === min ? middle : middle + swing - ((value - min) / (max - min)) * 2 * swing),
    )
    return { shown, heights, color: threadColor(index) }
  })
  const warp = Array.from({ length: steps }, (_, step) => `M${across(step)} 0V${HEIGHT}`).join('')
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="block h-auto w-full"
      role="img"
      aria-label={label}
      fill="none"
    >
      <path d={warp} stroke={WARP} strokeWidth="2.5" />
      {threads.map(({ shown, heights, color }, index) => {
        const line = threadPath(heights, across, WIDTH)
        const under = shown
          .map((value, step) => (value % 2 === 1 ? `M${across(step)} ${round(heights[step]! - 8)}v16` : ''))
          .join('')
        // Each is drawn twice and stands in the page once.
        const [lineId, underId] = [`${id}l${index}`, `${id}u${index}`]
        return (
          <g key={color}>
            <defs>
              <path id={lineId} d={line} />
              <path id={underId} d={under} />
            </defs>
            <use href={`#${lineId}`} className="stroke-ground" strokeWidth="11" />
            <use href={`#${lineId}`} stroke={color} strokeWidth="6" strokeLinejoin="round" />
            <use href={`#${underId}`} className="stroke-ground" strokeWidth="6.5" />
            <use href={`#${underId}`} stroke={WARP} strokeWidth="2.5" />
          </g>
        )
      })}
    </svg>
  )
}

/** Level at every step, so that crossings read as crossings; runs from edge to edge. */
function threadPath(heights: readonly number[], across: (step: number) => number, width: number): string {
  if (heights.length === 0) return ''
  let path = `M-4 ${heights[0]}H${across(0)}`
  for (let step = 1; step < heights.length; step++) {
    const from = across(step - 1)
    const to = across(step)
    const middle = round((from + to) / 2)
    const before = heights[step - 1]
    const here = heights[step]
    path += `C${middle} ${before} ${middle} ${here} ${to} ${here}`
  }
  return `${path}H${width + 4}`
}

/** To a tenth of a unit: nobody sees more, and pages are shorter. */
function round(value: number): number {
  return Math.round(value * 10) / 10
}
