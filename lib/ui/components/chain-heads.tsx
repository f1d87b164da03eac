import { formatInteger } from '#lib/browser/format.ts'

/** Heights as block numbers; null for what is not known. */
export interface Heads {
  readonly head: number | null
  readonly processed: number | null
  readonly safe: number | null
  readonly finalized: number | null
}

const WIDTH = 600
const HEIGHT = 64
/** Blocks drawn at most of each stretch after the finalized one. */
const STRETCH = 20

const WARP = 'color-mix(in oklab, var(--color-edge) 55%, var(--color-ground))'
const ZONES = {
  finalized: 'var(--color-verdigris)',
  safe: 'var(--color-indigo)',
  observed: 'var(--color-weld)',
} as const

/**
 * The chain heads as a drawing: each warp thread is a block, the newest at the right; the weft ends at the last block
 * read, coloured by status. Long stretches are shortened.
 *
 * @param lead Finalized blocks to draw: more where the picture is wide.
 */
export function ChainHeads({ heads, lead = 10 }: { heads: Heads; lead?: number }) {
  const picture = layOut(heads, lead)
  const entries = [
    { label: 'Finalized', value: heads.finalized, color: ZONES.finalized },
    { label: 'Safe', value: heads.safe, color: ZONES.safe },
    { label: 'Read here', value: heads.processed, color: 'var(--color-accent)' },
    { label: 'Head of the chain', value: heads.head, color: WARP },
  ]
  return (
    <figure className="min-w-0">
      <div className="relative">
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="block h-16 w-full"
          aria-hidden="true"
          fill="none"
        >
          <path d={picture.warp} stroke={WARP} strokeWidth="2" vectorEffect="non-scaling-stroke" />
          {picture.threads.map(({ color, path, under }) => (
            <g key={color}>
              <path d={path} className="stroke-ground" strokeWidth="9" vectorEffect="non-scaling-stroke" />
              <path d={path} stroke={color} strokeWidth="4" vectorEffect="non-scaling-stroke" />
              <path d={under} className="stroke-ground" strokeWidth="6" vectorEffect="non-scaling-stroke" />
              <path d={under} stroke={WARP} strokeWidth="2" vectorEffect="non-scaling-stroke" />
            </g>
          ))}
        </svg>
        {picture.shuttle === undefined ? null : (
          <span
            aria-hidden="true"
            className="-translate-x-1/2 -translate-y-1/2 absolute top-1/2 h-6 w-3 rounded-full border-2 border-accent bg-raised"
            style={{ left: `${picture.shuttle * 100}%` }}
          />
        )}
      </div>
      <figcaption>
        <dl className="mt-3 grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-[repeat(auto-fit,minmax(8rem,1fr))]">
          {entries.map(({ label, value, color }) => (
            <div key={label} className="flex flex-col-reverse border-l-2 pl-3" style={{ borderColor: color }}>
              <dt className="text-ink-soft text-xs">{label}</dt>
              <dd className="mono font-medium text-sm">{value === null ? '–' : formatInteger(value)}</dd>
            </div>
          ))}
        </dl>
      </figcaption>
    </figure>
  )
}

function layOut({ head, processed, safe, finalized }: Heads, finalizedBlocks: number) {
  const end = processed ?? 0
  const firm = Math.min(finalized ?? 0, end)
  const middle = Math.min(Math.max(safe ?? firm, firm), end)
  const shorten = (blocks: number) => Math.min(STRETCH, Math.max(0, blocks))
  const lead = processed === null ? 0 : Math.min(finalizedBlocks, firm + 1)
  const counts = [lead, shorten(middle - firm), shorten(end - middle), shorten((head ?? end) - end)]
  // Air at the right when there is nothing ahead, so that the shuttle has a place.
  const total = counts.reduce((sum, count) => sum + count, 0) + 1
  const across = (index: number) => ((index + 0.5) / total) * WIDTH
  const at = (from: number, count: number) => Array.from({ length: count }, (_, i) => across(from + i))

  let from = 0
  const threads = [ZONES.finalized, ZONES.safe, ZONES.observed].flatMap((color, zone) => {
    const count = counts[zone] as number
    const xs = at(from, count)
    const start = zone === 0 ? 0 : across(from - 0.5)
    from += count
    if (count === 0) return []
    return [
      {
        color,
        path: `M${start.toFixed(1)} ${HEIGHT / 2}H${across(from - 0.5).toFixed(1)}`,
        under: xs
          .filter((_, i) => (from - count + i) % 2 === 1)
          .map((x) => `M${x.toFixed(1)} ${HEIGHT / 2 - 7}v14`)
          .join(''),
      },
    ]
  })
  return {
    threads,
    warp: at(0, total - 1)
      .map((x) => `M${x.toFixed(1)} 0V${HEIGHT}`)
      .join(''),
    shuttle: processed === null ? undefined : across(from - 0.5) / WIDTH,
  }
}
