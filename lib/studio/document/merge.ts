import { existsAmong, mergeWorlds, normaliseWorlds, withWorlds } from './attached-worlds.ts'
import { freeName } from './clip.ts'
import { normaliseEntry } from './normalise.ts'
import { same } from './same.ts'
import type { Entry, Id, NewId, StudioDocument } from './types.ts'

/**
 * Three-way merge by entry. An entry changed on one side is taken from it; one changed on both is duplicated, so that
 * nothing typed is lost.
 *
 * @param base The common ancestor.
 * @returns `mine` itself when `theirs` has no changes.
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
  const keptEntries: Entry[] = []
  const copies: Entry[] = []
  for (const entry of mine.entries) {
    const [before, beside] = [old.get(entry.id), other.get(entry.id)]
    const changedHere = before === undefined || !same(before, entry)
    if (beside === undefined) {
      // Removed there: dropped, unless it is new or changed here.
      if (changedHere) keptEntries.push(entry)
    } else if (!changedHere) keptEntries.push(beside)
    else {
      keptEntries.push(entry)
      const changedThere = before === undefined || !same(before, beside)
      if (changedThere && !same(entry, beside)) copies.push(normaliseEntry(beside, newId))
    }
  }
  const here = byId(mine)
  for (const entry of theirs.entries) {
    if (here.has(entry.id)) continue
    const before = old.get(entry.id)
    // Removed here: dropped, unless it is new or changed there.
    if (before === undefined || !same(before, entry)) keptEntries.push(entry)
  }
  for (const copy of copies) keptEntries.push({ ...copy, name: freeName(keptEntries, copy.kind, copy.name) })
  const ids = new Set(keptEntries.map(({ id }) => id))
  const places = same(base.places, mine.places) ? theirs.places : mine.places
  const worlds = mergeWorlds(base.worlds, mine.worlds, theirs.worlds)
  return withWorlds(
    { entries: keptEntries, places: places.filter(({ entryId }) => ids.has(entryId)) },
    normaliseWorlds(worlds, existsAmong(ids)),
  )
}

function byId({ entries }: StudioDocument): ReadonlyMap<Id, Entry> {
  return new Map(entries.map((entry) => [entry.id, entry]))
}
