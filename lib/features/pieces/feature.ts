import type { Feature } from '../feature.ts'
import { pieceStills, wallPlaces } from './schema.ts'
import { deletePieceStill, getStill, putPieceStill } from './still-operations.ts'
import { deleteStills } from './stills.ts'

export const pieces: Feature = {
  name: 'pieces',
  operations: [
    putPieceStill.studio,
    putPieceStill.services,
    deletePieceStill.studio,
    deletePieceStill.services,
    getStill,
  ],
  tables: [wallPlaces, pieceStills],
  deleteRows: deleteStills,
}
