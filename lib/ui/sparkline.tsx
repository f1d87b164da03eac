import { downsample, extentOf, valueRange } from './series.ts'

const WIDTH = 600
const HEIGHT = 100
const DOTS_UP_TO = 48

/** Fills its box with a stream as a line; needs no script. Same geometry as `Plot`, which takes its place. */
export function Sparkline({ data, color }: { data: readonly number[]; color: string }) {
  const [low, high] = valueRange(extentOf(data))
  const { x, y } = downsample(data, WIDTH / 2)
  const last = Math.max(1, data.length - 1)
  const points = x.map((step, i) => {
    const left = (step / last) * WIDTH
    const top = (1 - (y[i]! - low) / (high - low)) * HEIGHT
    return `${left.toFixed(1)} ${top.toFixed(1)}`
  })
  if (points.length === 1) points.push(`${WIDTH} ${points[0]!.split(' ')[1]}`)
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="absolute inset-0 size-full overflow-visible"
      fill="none"
      stroke={color}
      strokeLinejoin="round"
      strokeLinecap="round"
    >
      <path
        d={`M${points.join('L')}`}
        strokeWidth={data.length > 400 ? 1 : 2}
        vectorEffect="non-scaling-stroke"
      />
      {data.length <= DOTS_UP_TO ? (
        <path
          d={points.map((point) => `M${point}h0`).join('')}
          strokeWidth="6"
          vectorEffect="non-scaling-stroke"
        />
      ) : null}
    </svg>
  )
}
