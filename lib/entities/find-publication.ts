import type { Services } from '../context/context.ts'
import type { Address, EntityKind, Hash } from '../protocol/entity.ts'

/** Where on chain a published entity came into being. */
export interface EntityPublication {
  readonly owner: Address
  readonly address: Address
  readonly contentHash: Hash
  readonly metadataHash: Hash
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
  const [row] = await ctx.db.sql<
    {
      owner: Address
      address: Address
      content_hash: Hash
      metadata_hash: Hash
      block_number: string
      block_hash: Hash
      tx_hash: Hash
      created_at_ms: string | null
      status: 'observed' | 'safe' | 'finalized' | null
      code_bytes: number | null
    }[]
  >`
    select e.owner, e.address, e.content_hash, e.metadata_hash, e.block_number, e.block_hash, e.tx_hash,
      f.created_at_ms, f.status, (length(a.body ->> 'runtime') - 2) / 2 as code_bytes
    from entities e
    left join feed_items f on f.visible and f.kind = e.kind and f.name = e.name
      and f.feed_id = (select chain_id from worker_state where id = 1) || ':' || e.kind || '_added:' || e.name
    left join artifacts a on a.content_hash = e.artifact_hash
    where e.kind = ${kind} and e.name = ${name}`
  if (row === undefined) return undefined
  return {
    owner: row.owner,
    address: row.address,
    contentHash: row.content_hash,
    metadataHash: row.metadata_hash,
    blockNumber: Number(row.block_number),
    blockHash: row.block_hash,
    txHash: row.tx_hash,
    createdAtMs: row.created_at_ms === null ? undefined : Number(row.created_at_ms),
    status: row.status ?? undefined,
    codeBytes: row.code_bytes ?? undefined,
  }
}
