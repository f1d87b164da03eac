import type { Readable } from '#lib/browser/value.ts'
import type { ConnectorDefinition } from '#lib/protocol/definition.ts'
import type { Address, EntityKind, Hash } from '#lib/protocol/entity.ts'
import { isEntityName } from '#lib/protocol/names.ts'
import type { Presentation } from '#lib/protocol/presentation.ts'
import type { Reference } from '#lib/protocol/references.ts'
import { argsCountOf } from './args-count.ts'
import { memoizeByObject } from './memoize.ts'
import type { CodeEntry, Entry, Id, StudioDocument } from './types.ts'

/** Entity outside the document: published, or a draft on the server. */
export type LibraryEntity = LibraryConnector | LibraryCode

interface Known {
  readonly name: string
  readonly owner: Address
  /** Undefined for a draft on the server, which its owner may still revise. */
  readonly address: Address | undefined
  readonly contentHash: Hash
}

export interface LibraryConnector extends Known {
  readonly kind: 'connector'
  readonly definition: ConnectorDefinition
  readonly formatHash: Hash
  /** Title and presentation that its author published; absent for a part. */
  readonly piece?: Piece | undefined
}

/** Title and presentation of a published connector. */
interface Piece {
  readonly title?: string | undefined
  readonly present?: Presentation | undefined
}

export interface LibraryCode extends Known {
  readonly kind: 'transformation' | 'condition'
  readonly argsCount: number
  /** The body, where its author published it; a claim unless it compiles to what is published. */
  readonly source?: { readonly text: string; readonly verified: boolean } | undefined
  /** The author's words. */
  readonly description?: string | undefined
}

/**
 * - `absent`: the server has no such entity.
 * - `unknown`: not fetched yet, or the server is unreachable: no conclusion may be drawn.
 */
export type Found = LibraryEntity | 'absent' | 'unknown'

/** Address of a published entity; undefined for a draft on the server, and for what is not found. */
export function addressOf(entity: Found): Address | undefined {
  return typeof entity === 'object' ? entity.address : undefined
}

/** Entities outside the document, by name. */
export interface Library {
  find(kind: EntityKind, name: string): Found
}

/** A library without a source: everything is unknown. */
export const UNKNOWN_LIBRARY: Library = { find: () => 'unknown' }

/** A library that fetches on demand; its state is another object after each change. */
export interface LibrarySource extends Library, Readable<Library> {
  /** Reads names now. @returns those that exist. @throws {Error} when the server is unreachable or fails. */
  read(names: readonly Reference[]): Promise<readonly LibraryEntity[]>
  /** Refetches a name, for instance after publishing it. */
  refresh(kind: EntityKind, name: string): void
}

/** Part that a name stands for: an entry of the document, else an entity outside it. */
export type Part =
  | { readonly from: 'document'; readonly entry: Entry }
  | { readonly from: 'library'; readonly entity: LibraryEntity }
  | 'absent'
  | 'unknown'

/** Resolves names. Entries of the document come first. */
export interface Parts {
  find(kind: EntityKind, name: string): Part
  /** Resolves a name outside the document only, as parts of published entities are. */
  outside(kind: EntityKind, name: string): Exclude<Part, { readonly from: 'document' }>
}

export function partsOf(document: StudioDocument, library: Library): Parts {
  const entries = {
    connector: new Map<string, Entry>(),
    transformation: new Map<string, Entry>(),
    condition: new Map<string, Entry>(),
  }
  // The first entry of a name wins; the others are reported as problems.
  for (const entry of document.entries) {
    const named = entries[entry.kind]
    if (!named.has(entry.name)) named.set(entry.name, entry)
  }
  const outside: Parts['outside'] = (kind, name) => {
    // An invalid name cannot exist: no request.
    if (!isEntityName(name)) return 'absent'
    const entity = library.find(kind, name)
    return typeof entity === 'string' ? entity : { from: 'library', entity }
  }
  return {
    outside,
    find(kind, name) {
      const entry = entries[kind].get(name)
      return entry === undefined ? outside(kind, name) : { from: 'document', entry }
    },
  }
}

/** Whether connector `from` is made of one that `matches`, through any number of entries of the document. */
export function leadsTo(
  parts: Parts,
  from: string,
  matches: (name: string, entry: Entry | undefined) => boolean,
): boolean {
  const seen = new Set<string>()
  const open = [from]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    const part = parts.find('connector', name)
    const entry = typeof part === 'object' && part.from === 'document' ? part.entry : undefined
    if (matches(name, entry)) return true
    if (entry?.kind !== 'connector') continue
    for (const { composite, bindings } of entry.dimensions) {
      if (composite !== '') open.push(composite, ...bindings.map((binding) => binding.name))
    }
  }
  return false
}

/** No more arguments have a field: a published body may claim to take four billion. */
export const MAX_ARGUMENT_FIELDS = 64

/** Number of arguments that a transformation or condition takes; undefined while unknown. */
export function argsCountOfPart(part: Part): number | undefined {
  if (typeof part === 'string') return undefined
  if (part.from === 'library') return part.entity.kind === 'connector' ? undefined : part.entity.argsCount
  return part.entry.kind === 'connector' ? undefined : countArguments(part.entry)
}

const countArguments = memoizeByObject((entry: CodeEntry) => argsCountOf(entry.source))

/** Whether an entry would be made of itself if it led to the connector `name`. */
export function wouldCircle(from: Id, name: string, { entries }: StudioDocument, parts: Parts): boolean {
  return (
    leadsTo(parts, name, (_, entry) => entry?.id === from) ||
    entries.some((entry) => entry.id === from && entry.name === name)
  )
}
