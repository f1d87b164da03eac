import { amongEntries, tidyWorlds, withWorlds } from './attached-worlds.ts'
import type { NewId } from './ids.ts'
import {
  type AttachedWorld,
  type Entry,
  type Id,
  type StudioDocument,
  type StudioView,
  tabKey,
} from './types.ts'

/**
 * A document from outside made fit for use: sorted lists, ids that name one thing each, places and tabs of what
 * exists. Of a document that is fit already nothing changes.
 */
export function tidy(
  document: StudioDocument,
  view: StudioView & { readonly worlds?: readonly AttachedWorld[] | undefined },
  newId: NewId,
): { readonly document: StudioDocument; readonly view: StudioView } {
  const taken = new Set<Id>()
  const own = (id: Id): Id => {
    const free = taken.has(id) ? newId() : id
    taken.add(free)
    return free
  }
  const entries = document.entries.map((entry) => tidyEntry(entry, own))
  const ids = new Set(entries.map(({ id }) => id))
  const tabs = view.tabs.filter((tab) => tab.kind === 'published' || ids.has(tab.entryId))
  const single = [...new Map(tabs.map((tab) => [tabKey(tab), tab])).values()]
  const worlds = tidyWorlds(document.worlds ?? view.worlds ?? [], amongEntries(ids))
  const active = single.some((tab) => tabKey(tab) === view.active) ? view.active : null
  return {
    document: withWorlds(
      { entries, places: document.places.filter(({ entryId }) => ids.has(entryId)) },
      worlds,
    ),
    view: {
      tabs: single,
      active: active ?? (single[0] === undefined ? null : tabKey(single[0])),
    },
  }
}

/** An entry with the ids that `own` gives for its present ones, and its lists in order. */
export function tidyEntry(entry: Entry, own: (id: Id) => Id): Entry {
  if (entry.kind !== 'connector') return { ...entry, id: own(entry.id) }
  return {
    ...entry,
    id: own(entry.id),
    dimensions: entry.dimensions.map((dimension) => ({
      ...dimension,
      id: own(dimension.id),
      calls: dimension.calls.map((call) => ({ ...call, id: own(call.id) })),
      bindings: dimension.bindings.toSorted((a, b) => a.slot - b.slot),
    })),
    staticRi: entry.staticRi.toSorted((a, b) => a.position - b.position),
  }
}
