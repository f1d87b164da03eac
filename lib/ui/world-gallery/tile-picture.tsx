import type { ShownTile } from '../../views/gallery.ts'
import { Weave } from '../components/weave.tsx'

const THREADS = 4
const STEPS = 16

/**
 * A World's preview picture, or a pattern from its hash.
 *
 * @param first Whether to load it eagerly.
 */
export function TilePicture({
  tile: { framed, bundleHash },
  first = false,
}: {
  tile: Pick<ShownTile, 'framed' | 'bundleHash'>
  first?: boolean
}) {
  if (framed.previewUrl === undefined) {
    return (
      <div
        className="absolute inset-0 grid place-items-center overflow-hidden [&>svg]:w-[112%] [&>svg]:max-w-none"
        aria-hidden="true"
      >
        <Weave streams={threadsOf(bundleHash)} steps={STEPS} label="" />
      </div>
    )
  }
  return (
    // biome-ignore lint/performance/noImgElement: a stranger's picture, from wherever Worlds are served
    <img
      src={framed.previewUrl}
      alt=""
      loading={first ? 'eager' : 'lazy'}
      fetchPriority={first ? 'high' : 'auto'}
      decoding="async"
      className="absolute inset-0 size-full object-cover"
    />
  )
}

function threadsOf(hash: string): readonly (readonly number[])[] {
  return Array.from({ length: THREADS }, (_, thread) =>
    Array.from({ length: STEPS }, (_, step) => Number.parseInt(hash[thread * STEPS + step] ?? '0', 16)),
  )
}
