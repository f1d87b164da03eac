import { TILE, tileHref } from '#lib/ui/components/entity-href.ts'
import type { ShownTile } from '#lib/views/gallery.ts'

/**
 * A World's preview picture, or one drawn from the numbers that it shows first.
 *
 * @param first Whether to load it eagerly.
 */
export function TilePicture({
  tile: { framed, slug },
  first = false,
}: {
  tile: Pick<ShownTile, 'framed' | 'slug'>
  first?: boolean
}) {
  return (
    // biome-ignore lint/performance/noImgElement: a stranger's picture, from wherever Worlds are served
    <img
      {...TILE}
      src={framed.previewUrl ?? tileHref('world', slug)}
      alt=""
      loading={first ? 'eager' : 'lazy'}
      fetchPriority={first ? 'high' : 'auto'}
      decoding="async"
      className="absolute inset-0 size-full object-cover"
    />
  )
}
