import type { Context } from '#lib/core/context/context.ts'
import type { ConnectorArtifact } from '#lib/protocol/artifact.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { type StartLine, startLines } from '#lib/protocol/running-instance.ts'
import { entityNotFound } from './get-entity.ts'
import { artifactClosure } from './load-artifacts.ts'
import { findConnector } from './simulate.ts'
import { storedLabels } from './stored-leaves.ts'

/** The format of a published connector or a draft. @throws Failure('not_found'), Failure('artifacts_unavailable'). */
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

/**
 * The first positions at which a run of a connector takes a start.
 *
 * @param most Dimensions to list; `more` is true if there are others.
 * @throws Failure('not_found'), Failure('artifacts_unavailable'), Failure('rejected') for one of too many parts.
 */
export async function connectorStarts(
  ctx: Context,
  name: string,
  most: number,
): Promise<{ readonly lines: readonly StartLine[]; readonly more: boolean }> {
  const root = await findConnector(ctx, name)
  const connectors = new Map<Hash, ConnectorArtifact>()
  for (const artifact of await artifactClosure(ctx, [root])) {
    if (artifact.kind === 'connector') connectors.set(artifact.contentHash, artifact)
  }
  return startLines(connectors.get(root)!, (hash) => connectors.get(hash)!, most)
}
