import { ENTITY_KINDS, type EntityKind } from './entity.ts'

/** Kinds of published pieces. */
export const PIECE_KINDS = [...ENTITY_KINDS, 'world'] as const
export type PieceKind = EntityKind | 'world'

/** A published piece: an entity by its name, a World by its id. */
export interface Piece {
  readonly kind: PieceKind
  readonly name: string
}
