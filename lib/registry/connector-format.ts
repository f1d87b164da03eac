import type { Context } from '../context.ts'
import type { Leaf } from '../domain/artifact.ts'
import type { Hash } from '../domain/entity.ts'
import { scalarLabels } from '../domain/format-hash.ts'
import { entityNotFound } from './get-entity.ts'
import { findConnector } from './simulate.ts'

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
  const [row] = await ctx.db.sql<{ format_hash: Hash; leaves: Leaf[] }[]>`
    select body ->> 'formatHash' as format_hash, body -> 'leaves' as leaves
    from artifacts where content_hash = ${artifact} and kind = 'connector'`
  if (row === undefined) throw entityNotFound('connector')
  return { formatHash: row.format_hash, scalars: scalarLabels(row.leaves) }
}
