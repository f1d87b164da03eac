import type { DiscoverView, Entry } from '../../../lib/site-data/discover.ts'
import { counted } from '../../../lib/ui/format.ts'
import {
  type HitView,
  viewEntity,
  viewFormat,
  viewPerson,
  viewWorld,
} from '../../../lib/ui/search/hit-view.ts'

/** An entry of the page as people see it, with the names that go with it. */
export function viewEntry(entry: Entry, names: DiscoverView['names']): HitView {
  switch (entry.of) {
    case 'entity': {
      const { entity, createdAtMs } = entry
      const notes = entity.usedBy === 0 ? [] : [`used by ${counted(entity.usedBy, 'connector')}`]
      return { ...viewEntity(entity, { notes, ownerName: names.get(entity.owner) }), atMs: createdAtMs }
    }
    case 'format':
      return viewFormat(entry.format)
    case 'person':
      return viewPerson({ ...entry, name: names.get(entry.address) })
    case 'world': {
      const { owner, manifest } = entry.world
      return viewWorld({ slug: manifest.slug, owner, title: manifest.name }, names.get(owner))
    }
  }
}
