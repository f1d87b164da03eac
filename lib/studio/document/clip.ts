import '#lib/browser/zod-without-eval.ts'
import * as z from 'zod/mini'
import { MAX_PATH_SOUNDS, type PathSound } from '#lib/engine/sound/settings.ts'
import { firstPositions, type SpanOf, scalarSpan, withDimensions } from './commands/dimensions.ts'
import type { NodeRef } from './node-ref.ts'
import { normaliseEntry } from './normalise.ts'
import { clipSchema, schemaProblems } from './schema.ts'
import type {
  ConnectorEntry,
  DraftCall,
  DraftDimension,
  DraftRunningInstance,
  Entry,
  Id,
  NewId,
  StudioDocument,
} from './types.ts'

/** A dimension with what its connector has for it. */
export interface ClippedDimension extends DraftDimension {
  /** Its starts; position 0 is its own. */
  readonly starts?: readonly DraftRunningInstance[] | undefined
  /** Sounds of its paths, without its number at their beginning. */
  readonly sounds?: readonly PathSound[] | undefined
}

/** Copied nodes. Their ids are those of the originals; pasting assigns new ones. */
export type Clip =
  | { readonly of: 'entries'; readonly entries: readonly Entry[] }
  | { readonly of: 'dimensions'; readonly dimensions: readonly ClippedDimension[] }
  | { readonly of: 'calls'; readonly calls: readonly DraftCall[] }

const clipFileSchema = z.strictObject({ weft: z.literal('clip'), version: z.literal(1), clip: clipSchema })

/** Maximum length of pasted text, in UTF-16 units. */
const MAX_CLIP_LENGTH = 4 * 1024 * 1024

/**
 * Copies a selection: whole entries, else whole dimensions, else calls, in the order of the document. Returns
 * undefined for nothing to copy.
 *
 * @param spanOf By default starts of dimensions beside composites are not copied.
 */
export function copy(
  document: StudioDocument,
  selection: readonly NodeRef[],
  spanOf = scalarSpan,
): Clip | undefined {
  const chosen = (kind: NodeRef['kind'], matches: (ref: NodeRef) => boolean) =>
    selection.some((ref) => ref.kind === kind && matches(ref))
  const entries = document.entries.filter(({ id }) => chosen('entry', (ref) => ref.entryId === id))
  if (entries.length > 0) return { of: 'entries', entries }
  const connectors = document.entries.filter((entry) => entry.kind === 'connector')
  const dimensions = connectors.flatMap((entry) =>
    entry.dimensions.flatMap((dimension, index) =>
      chosen('dimension', (ref) => 'dimensionId' in ref && ref.dimensionId === dimension.id)
        ? [clipped(entry, index, spanOf)]
        : [],
    ),
  )
  if (dimensions.length > 0) return { of: 'dimensions', dimensions }
  const calls = connectors
    .flatMap((entry) => entry.dimensions.flatMap((dimension) => dimension.calls))
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
  /** By default starts beside composites stay where they are. */
  readonly spanOf?: SpanOf
}

export interface Pasted {
  readonly document: StudioDocument
  /** Nodes that were added. */
  readonly added: readonly NodeRef[]
}

/**
 * Pastes a clip. Entries are inserted after the target's entry, under free names; dimensions and calls after the
 * target node in its connector. Returns the document unchanged when there is no place for them.
 */
export function paste(document: StudioDocument, clip: Clip, { at, newId, spanOf }: PasteTarget): Pasted {
  if (clip.of === 'entries') return pasteEntries(document, clip.entries, at?.entryId, newId)
  const index = document.entries.findIndex(({ id }) => id === at?.entryId)
  const entry = document.entries[index]
  if (entry?.kind !== 'connector' || at === undefined) return { document, added: [] }
  const dimensionId = 'dimensionId' in at ? at.dimensionId : entry.dimensions.at(-1)?.id
  const to = entry.dimensions.findIndex(({ id }) => id === dimensionId)
  const replaced = (next: ConnectorEntry): StudioDocument => ({
    ...document,
    entries: document.entries.with(index, next),
  })

  if (clip.of === 'dimensions') {
    const fresh = clip.dimensions.map((dimension) => renewed(dimension, newId))
    const dimensions = [...entry.dimensions.slice(0, to + 1), ...fresh, ...entry.dimensions.slice(to + 1)]
    const added = fresh.map(({ id }) => ({ kind: 'dimension', entryId: entry.id, dimensionId: id }) as const)
    const shifted = withDimensions(entry, dimensions, spanOf)
    return { document: replaced(withClipped(shifted, clip.dimensions, to + 1, spanOf)), added }
  }
  const dimension = entry.dimensions[to]
  if (dimension === undefined) return { document, added: [] }
  const after = at.kind === 'call' ? dimension.calls.findIndex(({ id }) => id === at.callId) : -1
  const place = after === -1 ? dimension.calls.length : after + 1
  const fresh = clip.calls.map((call) => ({ ...call, id: newId() }))
  const calls = [...dimension.calls.slice(0, place), ...fresh, ...dimension.calls.slice(place)]
  return {
    document: replaced({ ...entry, dimensions: entry.dimensions.with(to, { ...dimension, calls }) }),
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
  const names = new Set(entries.filter((entry) => entry.kind === kind).map((entry) => entry.name))
  if (!names.has(name)) return name
  const [, stem = name] = /^(.+)_[0-9]+$/.exec(name) ?? []
  for (let number = 2; ; number++) {
    const next = `${stem}_${number}`
    if (!names.has(next)) return next
  }
}

/** A dimension with its starts and sounds. */
function clipped(entry: ConnectorEntry, index: number, spanOf: SpanOf): ClippedDimension {
  const dimension = entry.dimensions[index]!
  // Spans of composites may cost a walk through all of their positions.
  const first = entry.staticRi.length > 0 ? firstPositions(entry.dimensions, spanOf) : undefined
  const [from, to] = [first?.[index] ?? 0, first?.[index + 1] ?? 0]
  const starts = entry.staticRi
    .filter(({ position }) => from <= position && position < to)
    .map((each) => ({ ...each, position: each.position - from }))
  const sounds = (entry.sound?.paths ?? []).flatMap((each) => {
    const [first, ...inner] = each.path.split('/')
    return first === String(index) ? [{ ...each, path: inner.join('/') }] : []
  })
  return { ...dimension, ...(starts.length > 0 && { starts }), ...(sounds.length > 0 && { sounds }) }
}

/** A connector with the starts and sounds of dimensions that were pasted into it at an index. */
function withClipped(
  connector: ConnectorEntry,
  dimensions: readonly ClippedDimension[],
  at: number,
  spanOf = scalarSpan,
): ConnectorEntry {
  const first = firstPositions(connector.dimensions, spanOf)
  const starts = dimensions.flatMap(({ starts = [] }, index) =>
    starts.map((each) => ({ ...each, position: (first?.[at + index] ?? 0) + each.position })),
  )
  const sounds = dimensions.flatMap(({ sounds = [] }, index) =>
    sounds.map((each) => ({
      ...each,
      path: each.path === '' ? String(at + index) : `${at + index}/${each.path}`,
    })),
  )
  const staticRi = [...connector.staticRi, ...(first ? starts : [])]
  const { sound } = connector
  const paths = [...(sound?.paths ?? []), ...sounds].slice(0, MAX_PATH_SOUNDS)
  return {
    ...connector,
    staticRi: staticRi.sort((one, other) => one.position - other.position),
    ...(sounds.length > 0 && { sound: { ...sound, paths } }),
  }
}

function renewed(
  { starts: _starts, sounds: _sounds, ...dimension }: ClippedDimension,
  newId: NewId,
): DraftDimension {
  return {
    ...dimension,
    id: newId(),
    calls: dimension.calls.map((call) => ({ ...call, id: newId() })),
    bindings: dimension.bindings.toSorted((a, b) => a.slot - b.slot),
  }
}
