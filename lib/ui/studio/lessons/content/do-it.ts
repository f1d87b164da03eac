import { changeDimension } from '../../document/commands/change.ts'
import type { DraftCall, DraftDimension, StudioDocument } from '../../document/types.ts'
import type { Pieces, Role } from '../lesson.ts'

/** Changes one dimension of a piece; nothing when there is no such piece any more. */
export function withDimension(
  pieces: Pieces,
  role: Role,
  index: number,
  change: (dimension: DraftDimension) => DraftDimension,
): StudioDocument {
  const entry = pieces.connector(role)
  const dimension = entry?.dimensions[index]
  if (entry === undefined || dimension === undefined) return pieces.document
  return changeDimension(pieces.document, { entryId: entry.id, dimensionId: dimension.id }, change)
}

/** Has a dimension apply exactly these. */
export function withCalls(
  pieces: Pieces,
  role: Role,
  index: number,
  calls: readonly DraftCall[],
): StudioDocument {
  return withDimension(pieces, role, index, (dimension) => ({ ...dimension, calls }))
}

/** Applies a command to a piece; nothing when there is no such piece any more. */
export function withEntry(
  pieces: Pieces,
  role: Role,
  command: (document: StudioDocument, at: { readonly entryId: string }) => StudioDocument,
): StudioDocument {
  const entry = pieces.entry(role)
  return entry === undefined ? pieces.document : command(pieces.document, { entryId: entry.id })
}
