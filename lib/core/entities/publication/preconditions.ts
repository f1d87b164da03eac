import { and, eq } from 'drizzle-orm'
import type { VerifiedChain } from '#lib/chain/access.ts'
import type { Context, Services } from '#lib/core/context/context.ts'
import { verifiedChain } from '#lib/core/context/verified-chain.ts'
import { artifacts, drafts, entities } from '#lib/platform/db/schema/index.ts'
import type { Artifact, Dependency } from '#lib/protocol/artifact.ts'
import type { Address, EntityKind, Hash } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import type { RegistryState } from './registry-state.ts'

/**
 * Refuses what this server does not publish, before anything of the request is read.
 *
 * @throws Failure('publication_disabled'), or Failure('chain_unavailable') when no chain is configured.
 */
export function requirePublication({ config, chain }: Pick<Services, 'config' | 'chain'>): void {
  if (!config.publicationEnabled) {
    throw new Failure('publication_disabled', 'Publication is disabled on this server')
  }
  if (chain === undefined) {
    throw new Failure(
      'chain_unavailable',
      'Publication is not available: no chain is configured on this server',
    )
  }
}

/** Returns the chain that this server publishes on. @throws Failure as `requirePublication`, or when the node is away. */
export async function publicationChain(ctx: Pick<Services, 'config' | 'chain'>): Promise<VerifiedChain> {
  requirePublication(ctx)
  return verifiedChain(ctx)
}

/**
 * Returns the caller's definition of a name: the published one, or else the draft.
 *
 * @throws Failure('not_found') when this server holds no definition at all, Failure('forbidden') when only others'.
 */
export async function ownDefinition(
  ctx: Pick<Context, 'db'>,
  kind: EntityKind,
  name: string,
  caller: Address,
): Promise<{ contentHash: Hash; artifact: Artifact | undefined }> {
  const { orm } = ctx.db
  const [drafted, published] = await Promise.all([
    orm
      .select({ owner: drafts.owner, contentHash: drafts.contentHash, artifact: artifacts.body })
      .from(drafts)
      .leftJoin(artifacts, eq(artifacts.contentHash, drafts.contentHash))
      .where(and(eq(drafts.kind, kind), eq(drafts.name, name))),
    orm
      .select({ owner: entities.owner, contentHash: entities.contentHash, artifact: artifacts.body })
      .from(entities)
      .leftJoin(artifacts, eq(artifacts.contentHash, entities.artifactHash))
      .where(and(eq(entities.kind, kind), eq(entities.name, name))),
  ])
  // The published definition comes first: a draft behind it can no longer be published.
  const candidates = [...published, ...drafted]
  if (candidates.length === 0)
    throw new Failure('not_found', `No local definition of ${kind} ${name}: create it first`)
  const own = candidates.find(({ owner }) => owner === caller)
  if (own === undefined) throw new Failure('forbidden', `You do not own ${kind} ${name}`)
  return { contentHash: own.contentHash as Hash, artifact: own.artifact ?? undefined }
}

/**
 * Requires that all dependencies of a connector are registered with the artifacts it was built against. The registry
 * checks the same through the content hash, but with a less specific error.
 *
 * @param entries Of the registry, by `<kind>/<name>`.
 * @param before What the same transaction registers before it: content hashes by `<kind>/<name>`.
 * @throws Failure('dependency_conflict') with `missing` and `mismatched`, each `<kind>/<name>` in order of use.
 */
export function checkDependencies(
  entries: RegistryState['entries'],
  artifact: Artifact,
  before: ReadonlyMap<string, Hash> = new Map(),
): void {
  if (artifact.kind !== 'connector') return
  const distinct = new Map<string, Dependency>()
  for (const dependency of artifact.dependencies) {
    const label = `${dependency.kind}/${dependency.name}`
    if (before.get(label) !== dependency.contentHash) distinct.set(label, dependency)
  }
  const missing: string[] = []
  const mismatched: string[] = []
  for (const [label, { contentHash }] of distinct) {
    const entry = entries.get(label)
    if (entry === undefined) missing.push(label)
    else if (entry.contentHash !== contentHash) mismatched.push(label)
  }
  if (missing.length === 0 && mismatched.length === 0) return
  throw new Failure('dependency_conflict', explain(missing, mismatched), {
    ...(missing.length > 0 && { missing }),
    ...(mismatched.length > 0 && { mismatched }),
  })
}

function explain(missing: readonly string[], mismatched: readonly string[]): string {
  return [
    missing.length > 0 ? `Dependencies must be published first: ${missing.join(', ')}` : '',
    mismatched.length > 0
      ? `Dependencies are registered with another artifact; create the connector again to use it: ${mismatched.join(', ')}`
      : '',
  ]
    .filter((sentence) => sentence !== '')
    .join('. ')
}
