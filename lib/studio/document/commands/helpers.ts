import { type Knob, targetKey } from '../knob.ts'
import type { ConnectorEntry, DraftDimension, Entry, Id, StudioDocument } from '../types.ts'

/*
 * Helpers of the commands. Each returns its input when nothing changes, so that an edit without effect is no undo step;
 * a missing node is no change.
 */

/** Replaces the items for which `change` returns another one. */
export function mapChanged<T>(items: readonly T[], change: (item: T, index: number) => T): readonly T[] {
  let changed = false
  const next = items.map((item, index) => {
    const changedItem = change(item, index)
    if (changedItem !== item) changed = true
    return changedItem
  })
  return changed ? next : items
}

/** `object` with a field replaced; the same object when the value is the same. */
export function withField<T, K extends keyof T>(object: T, key: K, value: T[K]): T {
  return object[key] === value ? object : { ...object, [key]: value }
}

export function changeEntry(
  document: StudioDocument,
  entryId: Id,
  change: (entry: Entry) => Entry,
): StudioDocument {
  return withField(
    document,
    'entries',
    mapChanged(document.entries, (entry) => (entry.id === entryId ? change(entry) : entry)),
  )
}

/** Changes a connector; knobs of numbers that are gone go with them. */
export function changeConnector(
  document: StudioDocument,
  entryId: Id,
  change: (connector: ConnectorEntry) => ConnectorEntry,
): StudioDocument {
  return changeEntry(document, entryId, (entry) =>
    entry.kind === 'connector' ? withLiveKnobs(change(entry)) : entry,
  )
}

/** A connector without knobs of numbers that it does not have. */
export function withLiveKnobs(entry: ConnectorEntry): ConnectorEntry {
  const { knobs, dimensions, condition } = entry
  if (knobs === undefined) return entry
  const args = new Map(dimensions.flatMap(({ calls }) => calls.map((call) => [call.id, call.args.length])))
  const live = without(knobs, ({ target }) => {
    if (target.kind === 'call') return target.index >= (args.get(target.callId) ?? 0)
    return target.kind === 'condition' && target.index >= (condition?.args.length ?? 0)
  })
  return live === knobs ? entry : withKnobs(entry, live)
}

/** A connector with these knobs, the first of each number, and without the field where there are none. */
export function withKnobs(entry: ConnectorEntry, knobs: readonly Knob[]): ConnectorEntry {
  const { knobs: _knobs, ...rest } = entry
  const single = new Map(knobs.toReversed().map((knob) => [targetKey(knob.target), knob]))
  return single.size === 0 ? rest : { ...rest, knobs: [...single.values()].reverse() }
}

export function changeDimension(
  document: StudioDocument,
  { entryId, dimensionId }: { readonly entryId: Id; readonly dimensionId: Id },
  change: (dimension: DraftDimension) => DraftDimension,
): StudioDocument {
  return changeConnector(document, entryId, (connector) =>
    withField(
      connector,
      'dimensions',
      mapChanged(connector.dimensions, (dimension) =>
        dimension.id === dimensionId ? change(dimension) : dimension,
      ),
    ),
  )
}

/** Inserts `item` at `at`, clamped to the list; at the end by default. */
export function inserted<T>(items: readonly T[], item: T, at = items.length): readonly T[] {
  const index = Math.max(0, Math.min(items.length, at))
  return [...items.slice(0, index), item, ...items.slice(index)]
}

/** `items` without those that match; the same list when none does. */
export function without<T>(items: readonly T[], matches: (item: T) => boolean): readonly T[] {
  return items.some(matches) ? items.filter((item) => !matches(item)) : items
}

/** The item of `id` at `to` of the list; the same list when it is there already. */
export function moved<T extends { readonly id: Id }>(items: readonly T[], id: Id, to: number): readonly T[] {
  const from = items.findIndex((item) => item.id === id)
  const item = items[from]
  if (item === undefined) return items
  const index = Math.max(0, Math.min(items.length - 1, to))
  if (index === from) return items
  return inserted(
    items.filter((other) => other !== item),
    item,
    index,
  )
}

/** `items` with the text at `index` replaced; a list that is too short is filled with empty texts. */
export function withText(items: readonly string[], index: number, text: string): readonly string[] {
  if (items[index] === text) return items
  const next = [...items]
  while (next.length <= index) next.push('')
  next[index] = text
  return next
}
