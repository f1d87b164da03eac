import type { Context } from '../context.ts'
import type { ConnectorArtifact } from '../domain/artifact.ts'
import type { Hash } from '../domain/entity.ts'
import { type StartLine, startLines } from '../domain/start-lines.ts'
import { artifactClosure } from './load-artifacts.ts'
import { findConnector } from './simulate.ts'

/**
 * Where a run of a connector can be told to start: its first positions.
 *
 * @param most Dimensions to list; `more` says whether there are others.
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
