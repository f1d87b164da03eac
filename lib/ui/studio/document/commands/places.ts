import type { Id, Place, StudioDocument } from '../types.ts'

/** Puts nodes of an entry's graph somewhere; the other nodes stay. */
export function placeNodes(
  document: StudioDocument,
  { entryId, places }: { readonly entryId: Id; readonly places: readonly Omit<Place, 'entryId'>[] },
): StudioDocument {
  const next = new Map(places.map(({ node, x, y }) => [node, { entryId, node, x, y }]))
  if (next.size === 0) return document
  const kept = document.places.filter((place) => place.entryId !== entryId || !next.has(place.node))
  return { ...document, places: [...kept, ...next.values()] }
}

/** Forgets where the nodes of an entry were put, so that they are laid out again. */
export function forgetPlaces(
  document: StudioDocument,
  { entryId }: { readonly entryId: Id },
): StudioDocument {
  const places = document.places.filter((place) => place.entryId !== entryId)
  return places.length === document.places.length ? document : { ...document, places }
}
