import type { Context } from '#lib/core/context/context.ts'
import { ByteLru } from '#lib/platform/cache/byte-lru.ts'
import type { Database } from '#lib/platform/db/client.ts'
import type { Artifact, ConnectorArtifact } from '#lib/protocol/artifact.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'

/** Artifacts read by one query: bounds what one answer of the database may weigh. */
const BATCH = 100
/** Most that one run may bring into memory; hostile graphs could otherwise name gigabytes of code. */
const LIMITS = { artifacts: 20_000, bytes: 32 * 1024 * 1024 }
const CACHE_BYTES = 64 * 1024 * 1024

/** Caches of each database, whose contents may differ. Content hashes are the keys, so nothing is ever out of date. */
const caches = new WeakMap<Database, ByteLru<Hash, Artifact>>()

function cacheOf(db: Database): ByteLru<Hash, Artifact> {
  const cache = caches.get(db) ?? new ByteLru<Hash, Artifact>(CACHE_BYTES)
  caches.set(db, cache)
  return cache
}

/**
 * Artifacts and everything they depend on, each once, the roots first. Reads level by level, so the number of queries
 * follows the depth of the tree, not its size. Artifacts are cached one by one: closures that share parts share memory.
 *
 * @throws Failure('artifacts_unavailable') when one of them is not in the store,
 *   Failure('rejected') when they are too many or too large to be run by this server.
 */
export async function artifactClosure(
  ctx: Pick<Context, 'db'>,
  roots: readonly Hash[],
  limits: { readonly artifacts: number; readonly bytes: number } = LIMITS,
): Promise<Artifact[]> {
  const artifacts: Artifact[] = []
  const seenHashes = new Set<Hash>(roots)
  const cache = cacheOf(ctx.db)
  let bytes = 0
  // Grows while it is walked: each artifact adds what it names first.
  const queue: Hash[] = [...seenHashes]
  while (artifacts.length < queue.length) {
    const batch = queue.slice(artifacts.length, artifacts.length + BATCH)
    for (const artifact of await loadArtifacts(ctx, cache, batch)) {
      artifacts.push(artifact)
      bytes += artifactBytes(artifact)
      if (artifact.kind !== 'connector') continue
      for (const { contentHash } of artifact.dependencies) {
        if (seenHashes.has(contentHash)) continue
        seenHashes.add(contentHash)
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
  return artifacts
}

/**
 * Loads artifacts by content hash, in the order of the hashes.
 *
 * @throws Failure('artifacts_unavailable') when one is not in the store.
 */
async function loadArtifacts(
  { db }: Pick<Context, 'db'>,
  cache: ByteLru<Hash, Artifact>,
  hashes: readonly Hash[],
): Promise<Artifact[]> {
  const artifacts = new Map<Hash, Artifact>()
  for (const hash of hashes) {
    const artifact = cache.get(hash)
    if (artifact !== undefined) artifacts.set(hash, artifact)
  }
  if (artifacts.size < hashes.length) {
    const missing = hashes.filter((hash) => !artifacts.has(hash))
    const rows = await db.sql<{ body: Artifact }[]>`
      select body - 'leaves' as body from artifacts where content_hash = any(${missing})`
    for (const { body } of rows) {
      artifacts.set(body.contentHash, body)
      cache.set(body.contentHash, body, artifactBytes(body))
    }
  }
  return hashes.map((hash) => {
    const artifact = artifacts.get(hash)
    if (artifact === undefined) {
      throw new Failure(
        'artifacts_unavailable',
        'A part of the connector is not available on this server yet',
      )
    }
    return artifact
  })
}

/** Bytes of heap that a string of ASCII takes besides its characters, an object with a few fields, a number. */
const STRING = 24
const OBJECT = 56
const NUMBER = 8

/** About as many bytes of heap as the artifact takes once it was read from the database. */
export function artifactBytes(artifact: Artifact): number {
  const text = (value: string) => STRING + value.length
  const facts = 4 * OBJECT + text(artifact.name) + text(artifact.contentHash)
  return facts + (artifact.kind === 'connector' ? connectorBytes(artifact) : text(artifact.runtime))
}

function connectorBytes({ definition, dependencies }: ConnectorArtifact): number {
  const nameBytes = ({ length }: string) => OBJECT + STRING + length
  let bytes = NUMBER * definition.conditionArgs.length + OBJECT * definition.staticRi.length
  for (const { transformations, composite, bindings } of definition.dimensions) {
    bytes += 3 * OBJECT + nameBytes(composite)
    for (const { name, args } of transformations) bytes += OBJECT + nameBytes(name) + NUMBER * args.length
    for (const { name } of bindings) bytes += nameBytes(name)
  }
  for (const { name, contentHash } of dependencies) bytes += nameBytes(name) + STRING + contentHash.length
  return bytes
}
