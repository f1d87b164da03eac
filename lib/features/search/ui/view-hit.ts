import type { Address } from '#lib/protocol/entity.ts'
import { type HitView, viewEntity, viewFormat, viewPerson, viewWorld } from '#lib/ui/lists/hit-view.ts'
import type { Hit } from '../hit.ts'

/**
 * The view of a hit.
 *
 * @param names Display names of owners.
 */
export function viewHit(hit: Hit, names?: ReadonlyMap<Address, string>): HitView {
  if (hit.kind === 'format') return viewFormat(hit)
  if (hit.kind === 'person') return viewPerson(hit)
  const ownerName = names?.get(hit.owner)
  if (hit.kind === 'world') return viewWorld(hit, { ownerName })
  return viewEntity(hit, { notes: hit.draft ? ['draft'] : [], ownerName })
}
