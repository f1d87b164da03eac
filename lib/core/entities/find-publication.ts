import type { Services } from '#lib/core/context/context.ts'
import type { Address, EntityKind, Hash } from '#lib/protocol/entity.ts'

/** Where on chain a published entity came into being. */
export interface EntityPublication {
  readonly owner: Address
  readonly address: Address
  readonly contentHash: Hash
  readonly metadataHash: Hash
  /** Undefined for what is no connector. */
  readonly formatHash: Hash | undefined
  readonly blockNumber: number
  readonly blockHash: Hash
  readonly txHash: Hash
  /** Time of the block; undefined until the feed has it. */
  readonly createdAtMs: number | undefined
  readonly status: 'observed' | 'safe' | 'finalized' | undefined
  /** Bytes of the compiled body; undefined for connectors and for what could not be verified. */
  readonly codeBytes: number | undefined
}

/** The on-chain facts of an entity; undefined for a draft and for what does not exist. */
export async function findEntityPublication(
  ctx: Pick<Services, 'db'>,
  kind: EntityKind,
  name: string,
): Promise<EntityPublication | undefined> {
  const [row] = await ctx.db.sql<{ [Key in keyof EntityPublication]: EntityPublication[Key] | null }[]>`
    select e.owner, e.address, e.content_hash as "contentHash", e.metadata_hash as "metadataHash",
      e.format_hash as "formatHash",
      e.block_number::float8 as "blockNumber", e.block_hash as "blockHash", e.tx_hash as "txHash",
      f.created_at_ms::float8 as "createdAtMs", f.status, (length(a.body ->> 'runtime') - 2) / 2 as "codeBytes"
    from entities e
    left join feed_items f on f.visible and f.kind = e.kind and f.name = e.name
      and f.feed_id = (select chain_id from worker_state where id = 1) || ':' || e.kind || '_added:' || e.name
    left join artifacts a on a.content_hash = e.artifact_hash
    where e.kind = ${kind} and e.name = ${name}`
  if (row === undefined) return undefined
  const { formatHash, createdAtMs, status, codeBytes, ...facts } = row
  return {
    ...(facts as EntityPublication),
    formatHash: formatHash ?? undefined,
    createdAtMs: createdAtMs ?? undefined,
    status: status ?? undefined,
    codeBytes: codeBytes ?? undefined,
  }
}
