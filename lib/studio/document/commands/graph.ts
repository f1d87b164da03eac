import type { NodeRef } from '../node-ref.ts'
import type { ConnectorEntry, Id, Point, StudioDocument } from '../types.ts'
import { bindSlot, setComposite, unbindSlot } from './connector.ts'

/** Where a link may start: a dimension, its composite, or one of its slots. */
export type LinkStart = Extract<NodeRef, { kind: 'dimension' | 'composite' | 'binding' }>

/** Links a dimension or slot to a connector. An empty name removes the link. */
export function link(document: StudioDocument, at: LinkStart, name: string): StudioDocument {
  if (at.kind !== 'binding') return setComposite(document, { ...at, name })
  return name === '' ? unbindSlot(document, at) : bindSlot(document, { ...at, name })
}

/**
 * Removes a connector from the graph of another: every link to it from `users`, and its place. The connector itself
 * stays among the entries.
 */
export function takeOff(
  document: StudioDocument,
  { root, key, name, users }: { root: Id; key: string; name: string; users: ReadonlySet<Id> },
): StudioDocument {
  const unlinked = document.entries.map((entry) =>
    entry.kind === 'connector' && users.has(entry.id) ? withoutLinks(entry, name) : entry,
  )
  const changed = unlinked.some((entry, index) => entry !== document.entries[index])
  const places = document.places.filter((place) => place.entryId !== root || place.node !== key)
  if (!changed && places.length === document.places.length) return document
  return { ...document, entries: changed ? unlinked : document.entries, places }
}

function withoutLinks(entry: ConnectorEntry, name: string): ConnectorEntry {
  const uses = entry.dimensions.some(
    ({ composite, bindings }) => composite === name || bindings.some((binding) => binding.name === name),
  )
  if (!uses) return entry
  return {
    ...entry,
    dimensions: entry.dimensions.map((dimension) => {
      if (dimension.composite === name) return { ...dimension, composite: '', bindings: [] }
      return { ...dimension, bindings: dimension.bindings.filter((binding) => binding.name !== name) }
    }),
  }
}

/** Sets the places of nodes, by key, in the graph of an entry; the other nodes stay. */
export function placeNodes(
  document: StudioDocument,
  entryId: Id,
  places: ReadonlyMap<string, Point>,
): StudioDocument {
  if (places.size === 0) return document
  const others = document.places.filter((place) => place.entryId !== entryId || !places.has(place.node))
  const placed = [...places].map(([node, { x, y }]) => ({
    entryId,
    node,
    x: Math.round(x),
    y: Math.round(y),
  }))
  return { ...document, places: [...others, ...placed] }
}

/** Removes the places of an entry's graph except `loose`, those of nodes that no link leads to. */
export function forgetPlaces(
  document: StudioDocument,
  entryId: Id,
  loose: ReadonlyMap<string, Point> = new Map(),
): StudioDocument {
  const places = document.places.filter((place) => place.entryId !== entryId)
  const changed = places.length !== document.places.length
  return placeNodes(changed ? { ...document, places } : document, entryId, loose)
}
