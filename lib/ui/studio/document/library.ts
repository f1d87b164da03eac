import type { ConnectorDefinition } from '../../../domain/definition.ts'
import type { Address, EntityKind, Hash } from '../../../domain/entity.ts'

/** What is known of an entity outside the document: published, or a draft on the server. */
export type LibraryEntity = LibraryConnector | LibraryCode

interface Known {
  readonly name: string
  readonly owner: Address
  /** Undefined for a draft on the server, which its owner may still revise. */
  readonly address: Address | undefined
}

export interface LibraryConnector extends Known {
  readonly kind: 'connector'
  readonly definition: ConnectorDefinition
  readonly formatHash: Hash
}

export interface LibraryCode extends Known {
  readonly kind: 'transformation' | 'condition'
  readonly argsCount: number
}

/**
 * - `absent`: the server says there is no such entity.
 * - `unknown`: not asked yet, or the server cannot be reached. Nobody may conclude anything from it.
 */
export type Found = LibraryEntity | 'absent' | 'unknown'

/** Entities outside the document, by name. Pure look-up; `LiveLibrary` fills it on demand. */
export interface Library {
  find(kind: EntityKind, name: string): Found
}

/** A library of nothing that could be asked: everything is unknown. */
export const UNKNOWN_LIBRARY: Library = { find: () => 'unknown' }
