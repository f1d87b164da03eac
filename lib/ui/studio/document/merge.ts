import { amongEntries, mergeWorlds, tidyWorlds, withWorlds } from './attached-worlds.ts'
import { freeName } from './clip.ts'
import type { NewId } from './ids.ts'
import { same } from './same.ts'
import { tidyEntry } from './tidy.ts'
import type { Entry, Id, StudioDocument } from './types.ts'

/**
 * Brings together what two tabs, or two devices, made of one document. Entries that only one of them touched are taken from that one;
 * an entry that both changed is kept twice, as nothing that was typed may be lost.
 *
 * @param base What both started from.
 * @returns `mine` itself when the other one changed nothing.
 */
export function merge(
  base: StudioDocument,
  mine: StudioDocument,
  theirs: StudioDocument,
  newId: NewId,
): StudioDocument {
  if (same(base, theirs) || same(mine, theirs)) return mine
  if (same(base, mine)) return theirs
  const [old, other] = [byId(base), byId(theirs)]
  const kept: Entry[] = []
  const copies: Entry[] = []
  for (const entry of mine.entries) {
    const [before, beside] = [old.get(entry.id), other.get(entry.id)]
    const changedHere = before === undefined || !same(before, entry)
    if (beside === undefined) {
      // Removed there: gone, unless it is new or was worked on here.
      if (changedHere) kept.push(entry)
    } else if (!changedHere) kept.push(beside)
    else {
      kept.push(entry)
      const changedThere = before === undefined || !same(before, beside)
      if (changedThere && !same(entry, beside)) copies.push(tidyEntry(beside, newId))
    }
  }
  const here = byId(mine)
  for (const entry of theirs.entries) {
    if (here.has(entry.id)) continue
    const before = old.get(entry.id)
    // Removed here: gone, unless it is new or was worked on there.
    if (before === undefined || !same(before, entry)) kept.push(entry)
  }
  for (const copy of copies) kept.push({ ...copy, name: freeName(kept, copy.kind, copy.name) })
  const ids = new Set(kept.map(({ id }) => id))
  const places = same(base.places, mine.places) ? theirs.places : mine.places
  const worlds = mergeWorlds(base.worlds, mine.worlds, theirs.worlds)
  return withWorlds(
    { entries: kept, places: places.filter(({ entryId }) => ids.has(entryId)) },
    tidyWorlds(worlds, amongEntries(ids)),
  )
}

function byId({ entries }: StudioDocument): ReadonlyMap<Id, Entry> {
  return new Map(entries.map((entry) => [entry.id, entry]))
}
