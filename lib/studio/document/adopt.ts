import { withFreeNames } from './free-names.ts'
import { entriesBelow, entryIdOfKey, ownKey } from './node-ref.ts'
import { normaliseEntry } from './normalise.ts'
import type { LibrarySource } from './parts.ts'
import {
  type AttachedWorld,
  type Id,
  type NewId,
  type StudioDocument,
  type StudioView,
  tabKey,
} from './types.ts'

interface Work {
  readonly document: StudioDocument
  readonly view: StudioView
}

/** An entry and what it is made of inside its document, with the places and Worlds of these; the entry is in front. */
export function partWith(document: StudioDocument, entryId: Id): Work {
  const root = document.entries.find(({ id }) => id === entryId)
  const ids = new Set(root && entriesBelow(document, root).map(({ id }) => id))
  const worlds = (document.worlds ?? []).filter(({ of }) => ids.has(of.replace(/^entry\//, '')))
  const tab = { kind: 'entry', entryId } as const
  const parts = document.entries.filter(({ id }) => ids.has(id))
  return {
    document: {
      entries: parts.toSorted((a, b) => Number(b.id === entryId) - Number(a.id === entryId)),
      places: document.places.filter((place) => ids.has(place.entryId)),
      ...(worlds.length > 0 && { worlds }),
    },
    view: { tabs: [tab], active: tabKey(tab) },
  }
}

/** A document and its view with an id of `newId` for every id, wherever it occurs. Ids are unique in the document. */
export function withIds({ document, view }: Work, newId: NewId): Work {
  const ids = new Map<Id, Id>()
  const renewed = (id: Id): Id => {
    const known = ids.get(id)
    if (known !== undefined) return known
    const fresh = newId()
    ids.set(id, fresh)
    return fresh
  }
  const entries = document.entries.map((entry) => normaliseEntry(entry, renewed))
  const key = (of: string) => (of.startsWith('entry/') ? `entry/${renewed(of.slice('entry/'.length))}` : of)
  const tabs = view.tabs.map((tab) =>
    tab.kind === 'entry' ? { ...tab, entryId: renewed(tab.entryId) } : tab,
  )
  const worlds = document.worlds?.map((attached) => ({ ...attached, of: key(attached.of) }))
  return {
    document: {
      entries,
      places: document.places.map((place) => {
        const own = entryIdOfKey(place.node)
        const node = own === undefined ? place.node : ownKey(renewed(own))
        return { ...place, entryId: renewed(place.entryId), node }
      }),
      ...(worlds && { worlds }),
    },
    view: { tabs, active: view.active === null ? null : key(view.active) },
  }
}

/**
 * Another document with new ids, and with names that are free beside `document`, on the server and on chain: fit to be
 * added to it.
 */
export async function withFreeIdentity(
  other: Work,
  document: StudioDocument,
  library: Pick<LibrarySource, 'find' | 'read'>,
  newId: NewId,
): Promise<Work> {
  const renewed = withIds(other, newId)
  const entries = await withFreeNames(renewed.document.entries, document, library)
  const names = new Map<string, string>()
  for (const [index, { kind, name }] of renewed.document.entries.entries()) {
    if (kind === 'connector' && !names.has(name)) names.set(name, entries[index]?.name ?? name)
  }
  const worlds = renewed.document.worlds?.map((attached) => withSlotNames(attached, names))
  return {
    document: { ...renewed.document, entries, ...(worlds && { worlds }) },
    view: renewed.view,
  }
}

/** Adds a document whose ids are new to another one. */
export function withDocument(document: StudioDocument, added: StudioDocument): StudioDocument {
  const worlds = [...(document.worlds ?? []), ...(added.worlds ?? [])]
  return {
    entries: [...document.entries, ...added.entries],
    places: [...document.places, ...added.places],
    ...(worlds.length > 0 && { worlds }),
  }
}

function withSlotNames(attached: AttachedWorld, names: ReadonlyMap<string, string>): AttachedWorld {
  const { slots } = attached
  if (slots === undefined) return attached
  return {
    ...attached,
    slots: slots.map((slot) => ({ ...slot, connector: names.get(slot.connector) ?? slot.connector })),
  }
}
