import type { Feature } from '../feature.ts'
import { collectStills, deleteUnpublishedStills } from './collect-stills.ts'
import { pieceStills, wallPlaces } from './schema.ts'
import { deleteShownPieces } from './shown.ts'
import { deletePiecePresentation, getPiecePresentation, putPiecePresentation } from './shown-operations.ts'
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
    getPiecePresentation,
    putPiecePresentation.studio,
    putPiecePresentation.services,
    deletePiecePresentation.studio,
    deletePiecePresentation.services,
  ],
  jobs: [
    {
      name: 'stills',
      run: collectStills,
      runDue: async (services) => {
        await deleteUnpublishedStills(services)
      },
    },
  ],
  tables: [wallPlaces, pieceStills],
  deleteRows: async (tx, account) => {
    await deleteStills(tx, account)
    await deleteShownPieces(tx, account)
  },
}
