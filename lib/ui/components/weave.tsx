import { useId } from 'react'
import { extentOf } from './series.ts'
import { threadColor } from './thread-colors.ts'

const WIDTH = 640
const HEIGHT = 440
const MARGIN = 26
/** How far a warp thread covers what it crosses, up and down. */
const REACH = 8
const WARP = 'color-mix(in oklab, var(--color-edge) 55%, var(--color-ground))'

/**
 * Streams as weft threads on a warp, one warp thread a step: a thread goes over the warp where its value is
 * even and under it where it is odd; its height in its own band follows the value. Server-rendered SVG.
 *
 * @param steps Warp threads to draw; streams are cut to as many values.
 * @param label Text alternative of the picture.
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
  // Whole and relative numbers: pages are shorter, and what repeats is written alike.
  const half = Math.round(WIDTH / steps / 2)
  const width = 2 * half * steps
  const band = (HEIGHT - 2 * MARGIN) / Math.max(1, streams.length)
  const threads = streams.map((values, index) => {
    const shown = values.slice(0, steps)
    const { min, max } = extentOf(shown)
    const middle = MARGIN + (index + 0.5) * band
    const swing = Math.min(band * 0.4, 130)
    const heights = shown.map((value) =>
      Math.round(max === min ? middle : middle + swing - ((value - min) / (max - min)) * 2 * swing),
    )
    return { shown, heights, color: threadColor(index) }
  })
  const warp = `M${half} 0${Array.from({ length: steps }, () => `v${HEIGHT}m${2 * half} ${-HEIGHT}`).join('')}`
  return (
    <svg
      viewBox={`0 0 ${width} ${HEIGHT}`}
      className="block h-auto w-full"
      role="img"
      aria-label={label}
      fill="none"
    >
      <path d={warp} stroke={WARP} strokeWidth="2.5" />
      {/* Each is drawn twice and stands in the page once. */}
      <defs>
        {threads.map(({ heights, color }, index) => (
          <path key={color} id={`${id}${index}`} d={threadPath(heights, half)} />
        ))}
        <path id={`${id}u`} d={crossings(threads, half)} />
      </defs>
      {threads.map(({ color }, index) => (
        <g key={color}>
          <use href={`#${id}${index}`} className="stroke-ground" strokeWidth="11" />
          <use href={`#${id}${index}`} stroke={color} strokeWidth="6" strokeLinejoin="round" />
        </g>
      ))}
      <use href={`#${id}u`} className="stroke-ground" strokeWidth="6.5" />
      <use href={`#${id}u`} stroke={WARP} strokeWidth="2.5" />
    </svg>
  )
}

/** Level at every step, so that crossings read as crossings; runs from edge to edge. */
function threadPath(heights: readonly number[], half: number): string {
  if (heights.length === 0) return ''
  let path = `M-4 ${heights[0]}h${half + 4}`
  for (let step = 1; step < heights.length; step++) {
    const up = heights[step]! - heights[step - 1]!
    path += `c${half} 0 ${half} ${up} ${2 * half} ${up}`
  }
  return `${path}h${half + 4}`
}

/** The pieces of the warp that lie over a thread. */
function crossings(
  threads: readonly { readonly shown: readonly number[]; readonly heights: readonly number[] }[],
  half: number,
): string {
  let path = ''
  for (const { shown, heights } of threads) {
    let last: number | undefined
    for (const [step, value] of shown.entries()) {
      if (value % 2 !== 1) continue
      path +=
        last === undefined
          ? `M${(2 * step + 1) * half} ${heights[step]! - REACH}`
          : `m${2 * half * (step - last)} ${heights[step]! - heights[last]! - 2 * REACH}`
      path += `v${2 * REACH}`
      last = step
    }
  }
  return path
}
