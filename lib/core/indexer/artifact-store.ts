import type { PublishedEvent } from '#lib/chain/published-event.ts'
import { lookupIn } from '#lib/core/entities/load-dependencies.ts'
import { firstLabels, storeArtifact, storedLabels } from '#lib/core/entities/stored-leaves.ts'
import type { BuiltArtifact, BuiltConnector, Dependency } from '#lib/protocol/artifact.ts'
import type { Lookup } from '#lib/protocol/creation-checks.ts'
import type { Address, Hash } from '#lib/protocol/entity.ts'
import { scalarLabels } from '#lib/protocol/format-hash.ts'
import type { Registered } from './verify.ts'
import type { Writer } from './writer.ts'

export type Labels = ReturnType<typeof firstLabels>

/** Pending artifacts are flushed at about this size. */
const PENDING_BYTES = 4 * 1024 * 1024

/**
 * Entities and artifacts known before a publication: those in the tables, and those verified earlier in the batch.
 * Writes artifacts in short transactions of their own, many at a time.
 */
export class ArtifactStore {
  readonly #writer: Pick<Writer, 'transaction'>
  readonly #registered = new Map<Address, Registered>()
  readonly #formats = new Set<Hash>()
  readonly #pending = new Map<Hash, BuiltArtifact>()
  #pendingBytes = 0

  constructor(writer: Pick<Writer, 'transaction'>) {
    this.#writer = writer
  }

  /** Verified entities at these addresses. */
  async registered(addresses: ReadonlySet<Address>): Promise<Map<Address, Registered>> {
    const entities = new Map<Address, Registered>()
    const missing: Address[] = []
    for (const address of addresses) {
      const here = this.#registered.get(address)
      if (here) entities.set(address, here)
      else missing.push(address)
    }
    if (missing.length === 0) return entities
    const rows = await this.#writer.transaction(
      (sql) => sql<(Registered & { address: Address })[]>`
        select address, kind, name, content_hash as "contentHash" from entities
        where address = any(${missing}) and artifact_hash is not null`,
    )
    for (const { address, ...entity } of rows) entities.set(address, entity)
    return entities
  }

  register({ address, kind, name, contentHash }: PublishedEvent): void {
    this.#registered.set(address, { kind, name, contentHash })
  }

  /** Format hashes of stored artifacts by content hash; null for code. */
  async formatHashes(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, Hash | null>> {
    const rows = await this.#writer.transaction(
      (sql) => sql<{ content_hash: Hash; format_hash: Hash | null }[]>`
        select content_hash, body ->> 'formatHash' as format_hash from artifacts
        where content_hash = any(${[...hashes]})`,
    )
    return new Map(rows.map((row) => [row.content_hash, row.format_hash]))
  }

  /**
   * Returns the dependencies that a connector is built from.
   *
   * @throws Failure('invalid_request') when it has more leaves than any connector may have.
   */
  async parts(dependencies: readonly Dependency[]): Promise<Lookup> {
    if (dependencies.some(({ contentHash }) => this.#pending.has(contentHash))) await this.flush()
    const entityByKey = new Map(
      dependencies.map(({ kind, name, contentHash }) => [
        `${kind}/${name}`,
        { kind, name, content_hash: contentHash },
      ]),
    )
    return this.#writer.transaction((sql) => lookupIn(sql, [...entityByKey.values()]))
  }

  /** Labels of a connector's format; undefined when the tables or this batch already have the format. */
  async newLabels(
    formatHash: Hash,
    connector: { readonly contentHash: Hash } | BuiltConnector,
  ): Promise<Labels | undefined> {
    if (this.#formats.has(formatHash)) return undefined
    this.#formats.add(formatHash)
    return this.#writer.transaction(async (sql) => {
      const formatRows = await sql`select 1 from formats where format_hash = ${formatHash}`
      if (formatRows.length > 0) return undefined
      if ('leaves' in connector) return firstLabels(scalarLabels(connector.leaves))
      return firstLabels(await storedLabels(sql, connector.contentHash))
    })
  }

  async add(artifact: BuiltArtifact): Promise<void> {
    this.#pending.set(artifact.contentHash, artifact)
    this.#pendingBytes += weight(artifact)
    if (this.#pendingBytes >= PENDING_BYTES) await this.flush()
  }

  /** Stores pending artifacts. */
  async flush(): Promise<void> {
    if (this.#pending.size === 0) return
    await this.#writer.transaction((sql) =>
      Promise.all([...this.#pending.values()].map((artifact) => storeArtifact(sql, artifact))),
    )
    this.#pending.clear()
    this.#pendingBytes = 0
  }
}

/** Approximate bytes of an artifact in memory. */
function weight(artifact: BuiltArtifact): number {
  return artifact.kind === 'connector'
    ? 1_000 + 250 * artifact.dependencies.length + 100 * artifact.leaves.length
    : 1_000 + artifact.runtime.length
}
