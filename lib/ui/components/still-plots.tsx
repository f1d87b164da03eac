import { Plot } from './plot.tsx'
import { threadColor } from './thread-colors.ts'

const MAX_LANES = 5

/** Streams as lines one below another: what a page shows before anything can play. */
export function StillPlots({
  streams,
}: {
  streams: readonly { readonly path: string; readonly data: readonly number[] }[]
}) {
  return (
    <div
      aria-hidden="true"
      className="absolute inset-0 flex flex-col rounded-md border border-line bg-raised"
    >
      {streams.slice(0, MAX_LANES).map(({ path, data }, index) => (
        <div key={path} className="relative min-h-0 flex-1">
          <Plot data={data} color={threadColor(index)} />
        </div>
      ))}
    </div>
  )
}
