import type { Context } from '../context.ts'
import type { Artifact } from '../domain/artifact.ts'
import type { Hash } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'

/** Artifacts read by one query: bounds what one answer of the database may weigh. */
const BATCH = 100
/** Most that one run may bring into memory; hostile graphs could otherwise name gigabytes of code. */
const LIMITS = { artifacts: 20_000, bytes: 64 * 1024 * 1024 }

/**
 * Artifacts and everything they depend on, each once, the roots first. Reads level by level, so the number of queries
 * follows the depth of the tree, not its size.
 *
 * @throws Failure('artifacts_unavailable') when one of them is not in the store,
 *   Failure('rejected') when they are too many or too large to be run by this server.
 */
export async function artifactClosure(
  ctx: Pick<Context, 'db'>,
  roots: readonly Hash[],
  limits: { readonly artifacts: number; readonly bytes: number } = LIMITS,
): Promise<Artifact[]> {
  const found: Artifact[] = []
  const seen = new Set<Hash>(roots)
  let bytes = 0
  // Grows while it is walked: each artifact adds what it names first.
  const queue: Hash[] = [...seen]
  while (found.length < queue.length) {
    const batch = queue.slice(found.length, found.length + BATCH)
    for (const artifact of await loadArtifacts(ctx, batch)) {
      found.push(artifact)
      bytes += artifactBytes(artifact)
      if (artifact.kind !== 'connector') continue
      for (const { contentHash } of artifact.dependencies) {
        if (seen.has(contentHash)) continue
        seen.add(contentHash)
        queue.push(contentHash)
      }
    }
    if (queue.length > limits.artifacts || bytes > limits.bytes) {
      throw new Failure(
        'rejected',
        `The connector has more parts than this server runs: at most ${limits.artifacts}, and ${limits.bytes} bytes together`,
      )
    }
  }
  return found
}

/**
 * Artifacts by content hash, in the order asked for.
 *
 * @throws Failure('artifacts_unavailable') when one is not in the store.
 */
async function loadArtifacts(ctx: Pick<Context, 'db'>, hashes: readonly Hash[]): Promise<Artifact[]> {
  const rows = await ctx.db.sql<{ body: Artifact }[]>`
    select body from artifacts where content_hash = any(${hashes as Hash[]})`
  const byHash = new Map(rows.map(({ body }) => [body.contentHash, body]))
  return hashes.map((hash) => {
    const artifact = byHash.get(hash)
    if (artifact === undefined) {
      throw new Failure(
        'artifacts_unavailable',
        'A part of the connector is not available on this server yet',
      )
    }
    return artifact
  })
}

/** About as many bytes as the artifact takes as text. */
export function artifactBytes(artifact: Artifact): number {
  return artifact.kind === 'connector'
    ? 150 * artifact.dependencies.length + 50 * artifact.leaves.length
    : artifact.runtime.length
}
