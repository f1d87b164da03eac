import { memo } from 'react'
import { extentOf } from '#lib/engine/sound/extent.ts'
import { threadColor } from '#lib/ui/components/thread-colors.ts'
import { lineBox, linePath } from './line-path.ts'

const DOTS_UP_TO = 48
/**
 * A stream as a line that fills its box; needs no script. It is invisible to assistive technology: describe it in text
 * beside it.
 *
 * @param span Values that its height stands for at least.
 */
export const Plot = memo(function Plot({
  data,
  color,
  span = 0,
}: {
  data: readonly number[]
  color: string
  span?: number
}) {
  const { min, max } = extentOf(data)
  const { start, moves } = linePath(data, { min, max: Math.max(max, min + span) })
  return (
    <svg
      viewBox={lineBox(data.length)}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="absolute inset-0 size-full overflow-visible"
      fill="none"
      stroke={color}
      strokeLinejoin="round"
      strokeLinecap="round"
    >
      <path
        d={`${start}l${moves.join(' ')}`}
        strokeWidth={data.length > 400 ? 1 : 2}
        vectorEffect="non-scaling-stroke"
      />
      {data.length <= DOTS_UP_TO ? (
        <path
          d={`${start}h0${moves.map((move) => `m${move}h0`).join('')}`}
          strokeWidth="6"
          vectorEffect="non-scaling-stroke"
        />
      ) : null}
    </svg>
  )
})

const MAX_LANES = 5

/**
 * Streams as lines one below another: what a page shows before anything can play.
 *
 * @param span Values that the height of each stands for at least.
 */
export function StillPlots({
  streams,
  span,
}: {
  streams: readonly { readonly path: string; readonly data: readonly number[] }[]
  span?: number
}) {
  return (
    <div
      aria-hidden="true"
      className="absolute inset-0 flex flex-col rounded-md border border-line bg-raised"
    >
      {streams.slice(0, MAX_LANES).map(({ path, data }, index) => (
        <div key={path} className="relative min-h-0 flex-1">
          <Plot data={data} color={threadColor(index)} {...(span !== undefined && { span })} />
        </div>
      ))}
    </div>
  )
}

/**
 * The path of a series that holds each value for its step; empty without values.
 *
 * @param box Units of the picture; a constant series runs through the middle.
 */
export function stepPath(
  values: readonly number[],
  { width, top, bottom }: { readonly width: number; readonly top: number; readonly bottom: number },
): string {
  const { min, max } = extentOf(values)
  const wide = width / Math.max(1, values.length)
  const share = (value: number) => (max === min ? 0.5 : (value - min) / (max - min))
  return values
    .map((value, step) => {
      const y = bottom - share(value) * (bottom - top)
      return `${step === 0 ? 'M' : 'L'}${(step * wide).toFixed(1)} ${y.toFixed(1)}h${wide.toFixed(1)}`
    })
    .join('')
}
