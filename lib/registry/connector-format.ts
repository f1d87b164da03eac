import type { Context } from '../context.ts'
import type { Hash } from '../domain/entity.ts'
import { entityNotFound } from './get-entity.ts'
import { findConnector } from './simulate.ts'
import { storedLabels } from './stored-leaves.ts'

/**
 * The format of a published connector or a draft.
 *
 * @throws Failure('not_found'), Failure('artifacts_unavailable').
 */
export async function connectorFormat(
  ctx: Context,
  name: string,
): Promise<{ readonly formatHash: Hash; readonly scalars: readonly string[] }> {
  const artifact = await findConnector(ctx, name)
  const [[row], scalars] = await Promise.all([
    ctx.db.sql<{ format_hash: Hash }[]>`
      select body ->> 'formatHash' as format_hash from artifacts
      where content_hash = ${artifact} and kind = 'connector'`,
    storedLabels(ctx.db.sql, artifact),
  ])
  if (row === undefined) throw entityNotFound('connector')
  return { formatHash: row.format_hash, scalars }
}
