import type { Piece } from '../entity.ts'
import { chancePieces } from './chance.ts'
import { duetPieces } from './duet.ts'
import { firstPieces } from './first.ts'
import { musicPieces } from './music.ts'
import { picturePieces } from './pictures.ts'

/** Names of the pieces that open the exhibition, the best first. */
export const OPENING: readonly string[] = [
  ...['harmonograph', 'prelude', 'broken_twill', 'rule_thirty', 'dragon_curve', 'infinity_series_in_three'],
  ...['ten_print', 'plain_hunt_on_eight', 'rose', 'two_clocks', 'wind', 'kotekan'],
  ...['sunflower', 'crab_canon', 'edge_of_chaos', 'rule_ninety', 'seven_in_twelve', 'rabbit_cloth'],
]

const all = [...firstPieces, ...duetPieces, ...chancePieces, ...musicPieces, ...picturePieces]
/** The later a piece is published, the higher. */
function rank({ name }: Piece): number {
  const index = OPENING.indexOf(name)
  return index === -1 ? 0 : OPENING.length - index
}

/** Pieces in an order in which each finds what it needs. Walls show the newest first: what opens comes last. */
export const pieces: readonly Piece[] = all.toSorted((one, other) => rank(one) - rank(other))
