import type { Piece } from '../entity.ts'
import { duetPieces } from './duet.ts'
import { firstPieces } from './first.ts'
import { musicPieces } from './music.ts'

/** Pieces in an order in which each finds what it needs. */
export const pieces: readonly Piece[] = [...duetPieces, ...musicPieces, ...firstPieces]
