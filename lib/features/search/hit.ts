import type { Address, EntityKind, Hash } from '#lib/protocol/entity.ts'

/** Quality of a match: whole text, prefix, substring or similar spelling. */
export type Match = 'exact' | 'beginning' | 'part' | 'alike'

export interface EntityHit {
  readonly kind: EntityKind
  readonly match: Match
  readonly name: string
  /** Title of a connector that is published with one. */
  readonly title?: string
  readonly owner: Address
  /** Not on chain. */
  readonly draft: boolean
}

export interface FormatHit {
  readonly kind: 'format'
  readonly match: Match
  readonly formatHash: Hash
  /** First labels of its values. */
  readonly scalars: readonly string[]
  readonly scalarsCount: number
  /** Published connectors of the format. */
  readonly connectors: number
}

export interface PersonHit {
  readonly kind: 'person'
  readonly match: Match
  readonly address: Address
  /** Display name, if any. */
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

/** Rank of words in a description: after parts of names and titles. */
export const DESCRIPTION_RANK = 4
/** Rank of a similar spelling. */
export const TYPO_RANK = 5

/** Match of a rank in the queries. */
export function matchOf(rank: number): Match {
  return rank <= 1 ? 'exact' : rank === 2 ? 'beginning' : rank < TYPO_RANK ? 'part' : 'alike'
}
