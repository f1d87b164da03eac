import type { Piece } from '../entity.ts'
import { chancePieces } from './chance.ts'
import { duetPieces } from './duet.ts'
import { firstPieces } from './first.ts'
import { musicPieces } from './music.ts'
import { picturePieces } from './pictures.ts'

/** Pieces in an order in which each finds what it needs. */
export const pieces: readonly Piece[] = [
  ...duetPieces,
  ...musicPieces,
  ...chancePieces,
  ...picturePieces,
  ...firstPieces,
]
