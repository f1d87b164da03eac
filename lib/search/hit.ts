import type { Address, EntityKind, Hash } from '../domain/entity.ts'

/** The kinds of things search knows, in the order people see them. */
export const SEARCH_KINDS = [
  'connector',
  'transformation',
  'condition',
  'format',
  'person',
  'world',
] as const satisfies readonly SearchKind[]

export type SearchKind = EntityKind | 'format' | 'person' | 'world'

/** How well something fits: the whole of it, its beginning, a part of it, or something spelled alike. */
export type Match = 'exact' | 'beginning' | 'part' | 'alike'

export interface EntityHit {
  readonly kind: EntityKind
  readonly match: Match
  readonly name: string
  readonly owner: Address
  /** Not on chain. */
  readonly draft: boolean
}

export interface FormatHit {
  readonly kind: 'format'
  readonly match: Match
  readonly formatHash: Hash
  /** Labels of its values, the first ones. */
  readonly scalars: readonly string[]
  readonly scalarsCount: number
  /** Published connectors of the format. */
  readonly connectors: number
}

export interface PersonHit {
  readonly kind: 'person'
  readonly match: Match
  readonly address: Address
  /** As the person wrote it; undefined for an account without one. */
  readonly name: string | undefined
  /** Entities on chain. */
  readonly published: number
}

export interface WorldHit {
  readonly kind: 'world'
  readonly match: Match
  readonly slug: string
  readonly title: string
  readonly owner: Address
}

export type Hit = EntityHit | FormatHit | PersonHit | WorldHit

/** As the queries count it. */
export function matchOf(rank: number): Match {
  return rank <= 1 ? 'exact' : rank === 2 ? 'beginning' : rank === 3 ? 'part' : 'alike'
}
