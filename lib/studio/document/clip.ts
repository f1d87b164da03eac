import '#lib/browser/zod-without-eval.ts'
import * as z from 'zod/mini'
import { withDimensions } from './commands/dimensions.ts'
import type { NodeRef } from './node-ref.ts'
import { normaliseEntry } from './normalise.ts'
import { clipSchema, schemaProblems } from './schema.ts'
import type { DraftCall, DraftDimension, Entry, Id, NewId, StudioDocument } from './types.ts'

/** Copied nodes. Their ids are those of the originals; pasting assigns new ones. */
export type Clip =
  | { readonly of: 'entries'; readonly entries: readonly Entry[] }
  | { readonly of: 'dimensions'; readonly dimensions: readonly DraftDimension[] }
  | { readonly of: 'calls'; readonly calls: readonly DraftCall[] }

const clipFileSchema = z.strictObject({ weft: z.literal('clip'), version: z.literal(1), clip: clipSchema })

/** Maximum length of pasted text, in UTF-16 units. */
const MAX_CLIP_LENGTH = 4 * 1024 * 1024

/**
 * Copies a selection: whole entries, else whole dimensions, else calls, in the order of the document. Returns
 * undefined for nothing to copy.
 */
export function copy(document: StudioDocument, selection: readonly NodeRef[]): Clip | undefined {
  const chosen = (kind: NodeRef['kind'], matches: (ref: NodeRef) => boolean) =>
    selection.some((ref) => ref.kind === kind && matches(ref))
  const entries = document.entries.filter(({ id }) => chosen('entry', (ref) => ref.entryId === id))
  if (entries.length > 0) return { of: 'entries', entries }
  const all = document.entries.flatMap((entry) => (entry.kind === 'connector' ? entry.dimensions : []))
  const dimensions = all.filter(({ id }) =>
    chosen('dimension', (ref) => 'dimensionId' in ref && ref.dimensionId === id),
  )
  if (dimensions.length > 0) return { of: 'dimensions', dimensions }
  const calls = all
    .flatMap((dimension) => dimension.calls)
    .filter(({ id }) => chosen('call', (ref) => ref.kind === 'call' && ref.callId === id))
  return calls.length > 0 ? { of: 'calls', calls } : undefined
}

/** Serialises a clip for the system clipboard. */
export function writeClip(clip: Clip): string {
  return JSON.stringify({ weft: 'clip', version: 1, clip }, null, 2)
}

export type ClipRead =
  | { readonly ok: true; readonly clip: Clip }
  | { readonly ok: false; readonly sentence: string }

/** Parses and validates pasted text. */
export function readClip(text: string): ClipRead {
  const refused = (sentence: string): ClipRead => ({ ok: false, sentence })
  if (text.length > MAX_CLIP_LENGTH) return refused('What was pasted is too long.')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return refused('The clipboard holds nothing from the studio.')
  }
  if (typeof json !== 'object' || json === null || !('weft' in json) || json.weft !== 'clip') {
    return refused('The clipboard holds nothing from the studio.')
  }
  const read = clipFileSchema.safeParse(json)
  if (read.success) return { ok: true, clip: read.data.clip }
  return refused(`What was pasted cannot be read. ${schemaProblems(read.error)[0] ?? ''}`)
}

/** Where pasted things go: beside what the last of these refers to. */
export interface PasteTarget {
  readonly at: NodeRef | undefined
  readonly newId: NewId
}

export interface Pasted {
  readonly document: StudioDocument
  /** What was added. */
  readonly added: readonly NodeRef[]
}

/**
 * Pastes a clip. Entries are inserted after the target's entry, under free names; dimensions and calls after the
 * target node in its connector. Returns the document unchanged when there is no place for them.
 */
export function paste(document: StudioDocument, clip: Clip, { at, newId }: PasteTarget): Pasted {
  if (clip.of === 'entries') return pasteEntries(document, clip.entries, at?.entryId, newId)
  const index = document.entries.findIndex(({ id }) => id === at?.entryId)
  const entry = document.entries[index]
  if (entry?.kind !== 'connector' || at === undefined) return { document, added: [] }
  const dimensionId = 'dimensionId' in at ? at.dimensionId : entry.dimensions.at(-1)?.id
  const to = entry.dimensions.findIndex(({ id }) => id === dimensionId)
  const replaced = (dimensions: readonly DraftDimension[]): StudioDocument => ({
    ...document,
    entries: document.entries.with(index, withDimensions(entry, dimensions)),
  })

  if (clip.of === 'dimensions') {
    const fresh = clip.dimensions.map((dimension) => renewed(dimension, newId))
    const dimensions = [...entry.dimensions.slice(0, to + 1), ...fresh, ...entry.dimensions.slice(to + 1)]
    const added = fresh.map(({ id }) => ({ kind: 'dimension', entryId: entry.id, dimensionId: id }) as const)
    return { document: replaced(dimensions), added }
  }
  const dimension = entry.dimensions[to]
  if (dimension === undefined) return { document, added: [] }
  const after = at.kind === 'call' ? dimension.calls.findIndex(({ id }) => id === at.callId) : -1
  const place = after === -1 ? dimension.calls.length : after + 1
  const fresh = clip.calls.map((call) => ({ ...call, id: newId() }))
  const calls = [...dimension.calls.slice(0, place), ...fresh, ...dimension.calls.slice(place)]
  return {
    document: replaced(entry.dimensions.with(to, { ...dimension, calls })),
    added: fresh.map(
      ({ id }) => ({ kind: 'call', entryId: entry.id, dimensionId: dimension.id, callId: id }) as const,
    ),
  }
}

function pasteEntries(
  document: StudioDocument,
  entries: readonly Entry[],
  afterId: Id | undefined,
  newId: NewId,
): Pasted {
  const added: Entry[] = []
  for (const entry of entries) {
    const fresh = normaliseEntry(entry, newId)
    added.push({ ...fresh, name: freeName([...document.entries, ...added], fresh.kind, fresh.name) })
  }
  const index = document.entries.findIndex(({ id }) => id === afterId)
  const place = index === -1 ? document.entries.length : index + 1
  return {
    document: {
      ...document,
      entries: [...document.entries.slice(0, place), ...added, ...document.entries.slice(place)],
    },
    added: added.map(({ id }) => ({ kind: 'entry', entryId: id }) as const),
  }
}

/** `name`, or with a number after it the first that no entry of the kind has: `pitch`, `pitch_2`, `pitch_3`. */
export function freeName(entries: readonly Entry[], kind: Entry['kind'], name: string): string {
  const taken = new Set(entries.filter((entry) => entry.kind === kind).map((entry) => entry.name))
  if (!taken.has(name)) return name
  const [, stem = name] = /^(.+)_[0-9]+$/.exec(name) ?? []
  for (let number = 2; ; number++) {
    const next = `${stem}_${number}`
    if (!taken.has(next)) return next
  }
}

function renewed(dimension: DraftDimension, newId: NewId): DraftDimension {
  return {
    ...dimension,
    id: newId(),
    calls: dimension.calls.map((call) => ({ ...call, id: newId() })),
    bindings: dimension.bindings.toSorted((a, b) => a.slot - b.slot),
  }
}
