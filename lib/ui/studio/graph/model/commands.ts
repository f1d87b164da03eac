import { bindSlot, setComposite, unbindSlot } from '../../document/commands/dimensions.ts'
import { forgetPlaces, placeNodes } from '../../document/commands/places.ts'
import type { NodeRef } from '../../document/node-ref.ts'
import type { Parts } from '../../document/parts.ts'
import type { ConnectorEntry, Id, StudioDocument } from '../../document/types.ts'
import type { Point } from './arrange.ts'
import { ownKey } from './graph-of.ts'

/** Where a link may start: what a dimension leads to, or a slot of that. */
export type LinkStart = Extract<NodeRef, { kind: 'dimension' | 'composite' | 'binding' }>

/** Lets a dimension lead to a connector, or fills a slot with it. An empty name takes the link away. */
export function link(document: StudioDocument, at: LinkStart, name: string): StudioDocument {
  if (at.kind !== 'binding') return setComposite(document, { ...at, name })
  return name === '' ? unbindSlot(document, at) : bindSlot(document, { ...at, name })
}

/**
 * Takes a connector off the graph of another: every link to it from the given connectors, and its place. The
 * connector itself stays among the entries.
 *
 * @param users The entries whose links are taken away.
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

/** Puts nodes somewhere in the graph of an entry. */
export function place(
  document: StudioDocument,
  root: Id,
  places: ReadonlyMap<string, Point>,
): StudioDocument {
  return placeNodes(document, {
    entryId: root,
    places: [...places].map(([node, { x, y }]) => ({ node, x: Math.round(x), y: Math.round(y) })),
  })
}

/** Forgets where nodes were put, except those that nothing leads to: without a place they would not be shown. */
export function forgetLayout(
  document: StudioDocument,
  root: Id,
  loose: ReadonlyMap<string, Point>,
): StudioDocument {
  return place(forgetPlaces(document, { entryId: root }), root, loose)
}

/** Whether a connector of the document would be made of itself if it led to another. */
export function wouldCircle(from: Id, name: string, document: StudioDocument, parts: Parts): boolean {
  const seen = new Set<string>()
  const open = [name]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    const part = parts.find('connector', next)
    if (typeof part === 'string' || part.from !== 'document' || part.entry.kind !== 'connector') continue
    if (part.entry.id === from) return true
    for (const { composite, bindings } of part.entry.dimensions) {
      if (composite !== '') open.push(composite, ...bindings.map((binding) => binding.name))
    }
  }
  return document.entries.some((entry) => entry.id === from && entry.name === name)
}

/** The entry that a key stands for; undefined for what is outside the document. */
export function entryIdOfKey(key: string): Id | undefined {
  return key.startsWith('own/') ? key.slice(4) : undefined
}

/** The node that a reference is in. */
export function nodeOfRef(at: NodeRef): string {
  return ownKey(at.entryId)
}
