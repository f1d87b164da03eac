import { extentOf } from '../../engine/sound/extent.ts'
import { valueRange } from './series.ts'
import { threadColor } from './thread-colors.ts'

const [WIDTH, HEIGHT] = [640, 240]
const MAX_LANES = 5

/** Streams as lines one below another, drawn by the server: what a page shows before anything can play. */
export function StillPlots({
  streams,
}: {
  streams: readonly { readonly path: string; readonly data: readonly number[] }[]
}) {
  const lanes = streams.slice(0, MAX_LANES)
  const height = HEIGHT / Math.max(1, lanes.length)
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="absolute inset-0 size-full rounded-md border border-line bg-raised"
    >
      {lanes.map(({ path, data }, index) => (
        <polyline
          key={path}
          points={pointsOf(data, index * height, height)}
          fill="none"
          stroke={threadColor(index)}
          strokeWidth={2}
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  )
}

function pointsOf(data: readonly number[], top: number, height: number): string {
  const [low, high] = valueRange(extentOf(data))
  const last = Math.max(1, data.length - 1)
  return data
    .map((value, step) => {
      const down = top + height * (0.08 + 0.84 * (1 - (value - low) / (high - low)))
      return `${((step / last) * WIDTH).toFixed(1)},${down.toFixed(1)}`
    })
    .join(' ')
}
