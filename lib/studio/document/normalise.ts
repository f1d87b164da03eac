import { existsAmong, normaliseWorlds, withWorlds } from './attached-worlds.ts'
import { withKnobs, withLiveKnobs } from './commands/helpers.ts'
import type { NumberTarget } from './knob.ts'
import {
  type AttachedWorld,
  type ConnectorEntry,
  type Entry,
  type Id,
  type NewId,
  type StudioDocument,
  type StudioView,
  tabKey,
} from './types.ts'

/**
 * Normalises a parsed document: sorts lists, makes ids unique, drops places and tabs of entries that do not
 * exist.
 */
export function normalise(
  document: StudioDocument,
  view: StudioView & { readonly worlds?: readonly AttachedWorld[] | undefined },
  newId: NewId,
): { readonly document: StudioDocument; readonly view: StudioView } {
  const takenIds = new Set<Id>()
  const own = (id: Id): Id => {
    const free = takenIds.has(id) ? newId() : id
    takenIds.add(free)
    return free
  }
  const entries = document.entries.map((entry) => normaliseEntry(entry, own))
  const ids = new Set(entries.map(({ id }) => id))
  const tabs = view.tabs.filter((tab) => tab.kind === 'published' || ids.has(tab.entryId))
  const single = [...new Map(tabs.map((tab) => [tabKey(tab), tab])).values()]
  const worlds = normaliseWorlds(document.worlds ?? view.worlds ?? [], existsAmong(ids))
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

/** Returns an entry with ids mapped by `own` and sorted lists. */
export function normaliseEntry(entry: Entry, own: (id: Id) => Id): Entry {
  if (entry.kind !== 'connector') return { ...entry, id: own(entry.id) }
  const callIds = new Map<Id, Id>()
  const ownCall = (id: Id) => {
    const next = own(id)
    if (!callIds.has(id)) callIds.set(id, next)
    return next
  }
  const connector: ConnectorEntry = {
    ...entry,
    id: own(entry.id),
    dimensions: entry.dimensions.map((dimension) => ({
      ...dimension,
      id: own(dimension.id),
      calls: dimension.calls.map((call) => ({ ...call, id: ownCall(call.id) })),
      bindings: dimension.bindings.toSorted((a, b) => a.slot - b.slot),
    })),
    staticRi: entry.staticRi.toSorted((a, b) => a.position - b.position),
  }
  if (entry.knobs === undefined) return connector
  const knobs = entry.knobs.map((knob) => ({ ...knob, target: withCallId(knob.target, callIds) }))
  return withLiveKnobs(withKnobs(connector, knobs))
}

function withCallId(target: NumberTarget, callIds: ReadonlyMap<Id, Id>): NumberTarget {
  if (target.kind !== 'call') return target
  return { ...target, callId: callIds.get(target.callId) ?? target.callId }
}
