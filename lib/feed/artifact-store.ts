import type { PublishedEvent } from '../chain/published-event.ts'
import type { Artifact, Dependency, Leaf } from '../domain/artifact.ts'
import type { Address, EntityKind, Hash } from '../domain/entity.ts'
import type { Registered } from './verify.ts'
import type { Writer } from './writer.ts'

/** Artifacts that wait to be stored weigh at most about this much together. */
const PENDING_BYTES = 4 * 1024 * 1024

/**
 * What is registered before a publication: what the tables hold, and what the same batch proved before it. Writes
 * artifacts in short transactions of their own, many at a time.
 */
export class ArtifactStore {
  readonly #writer: Pick<Writer, 'transaction'>
  readonly #registered = new Map<Address, Registered>()
  readonly #pending = new Map<Hash, Artifact>()
  #pendingBytes = 0

  constructor(writer: Pick<Writer, 'transaction'>) {
    this.#writer = writer
  }

  /** What is verified at these addresses. */
  async registered(addresses: ReadonlySet<Address>): Promise<Map<Address, Registered>> {
    const found = new Map<Address, Registered>()
    const missing: Address[] = []
    for (const address of addresses) {
      const here = this.#registered.get(address)
      if (here) found.set(address, here)
      else missing.push(address)
    }
    if (missing.length === 0) return found
    const rows = await this.#writer.transaction(
      (sql) => sql<(Registered & { address: Address })[]>`
        select address, kind, name, content_hash as "contentHash" from entities
        where address = any(${missing}) and artifact_hash is not null`,
    )
    for (const { address, ...entity } of rows) found.set(address, entity)
    return found
  }

  register({ address, kind, name, contentHash }: PublishedEvent): void {
    this.#registered.set(address, { kind, name, contentHash })
  }

  /** Format hashes of the artifacts that are stored, null for code, by content hash. */
  async known(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, Hash | null>> {
    const rows = await this.#writer.transaction(
      (sql) => sql<{ content_hash: Hash; format_hash: Hash | null }[]>`
        select content_hash, body ->> 'formatHash' as format_hash from artifacts
        where content_hash = any(${[...hashes]})`,
    )
    return new Map(rows.map((row) => [row.content_hash, row.format_hash]))
  }

  /** What a connector is built over, by `<kind>/<name>`: as much of each artifact as building looks at. */
  async parts(dependencies: readonly Dependency[]): Promise<ReadonlyMap<string, Artifact>> {
    const parts = new Map<string, Artifact>()
    const missing = new Set<Hash>()
    for (const { kind, name, contentHash } of dependencies) {
      const artifact = this.#pending.get(contentHash)
      if (artifact) parts.set(`${kind}/${name}`, artifact)
      else missing.add(contentHash)
    }
    if (missing.size === 0) return parts
    const rows = await this.#writer.transaction(
      (sql) => sql<PartRow[]>`
        select content_hash, kind, name, (body ->> 'argsCount')::bigint::float8 as args_count,
          body -> 'leaves' as leaves, (body ->> 'depth')::int as depth, body ->> 'formatHash' as format_hash
        from artifacts where content_hash = any(${[...missing]})`,
    )
    for (const row of rows) parts.set(`${row.kind}/${row.name}`, toPart(row))
    return parts
  }

  async add(artifact: Artifact): Promise<void> {
    this.#pending.set(artifact.contentHash, artifact)
    this.#pendingBytes += weight(artifact)
    if (this.#pendingBytes >= PENDING_BYTES) await this.flush()
  }

  /** Stores what waits. */
  async flush(): Promise<void> {
    if (this.#pending.size === 0) return
    await this.#writer.transaction(async (sql) => {
      const rows = [...this.#pending.values()].map((artifact) => ({
        content_hash: artifact.contentHash,
        kind: artifact.kind,
        name: artifact.name,
        body: sql.json(artifact as never),
      }))
      await sql`insert into artifacts ${sql(rows)} on conflict do nothing`
    })
    this.#pending.clear()
    this.#pendingBytes = 0
  }
}

interface PartRow {
  readonly content_hash: Hash
  readonly kind: EntityKind
  readonly name: string
  readonly args_count: number | null
  readonly leaves: Leaf[] | null
  readonly depth: number | null
  readonly format_hash: Hash | null
}

const toPart = ({ kind, name, content_hash: contentHash, ...row }: PartRow): Artifact =>
  kind === 'connector'
    ? {
        kind,
        name,
        definition: { name, dimensions: [], conditionName: '', conditionArgs: [], staticRi: [] },
        dependencies: [],
        leaves: row.leaves ?? [],
        depth: row.depth ?? 1,
        formatHash: row.format_hash as Hash,
        contentHash,
      }
    : { kind, name, argsCount: row.args_count ?? 0, runtime: '0x', contentHash }

/** About as many bytes as the artifact takes as text. */
const weight = (artifact: Artifact): number =>
  artifact.kind === 'connector'
    ? 1_000 + 250 * (artifact.dependencies.length + artifact.leaves.length)
    : 1_000 + artifact.runtime.length
