import { randomBytes } from 'node:crypto'
import type postgres from 'postgres'
import { eventTypeOf, type Finality, feedIdOf, historyCursorOf } from '#lib/core/feed/items.ts'
import { advanceFinality } from '#lib/core/indexer/follow.ts'
import { appendDeltas, type Delta } from '#lib/core/indexer/outbox.ts'
import { rollbackTo } from '#lib/core/indexer/rollback.ts'
import type { Address, EntityKind, Hash } from '#lib/protocol/entity.ts'

export interface Publication {
  readonly name: string
  readonly kind?: EntityKind
  readonly blockNumber: number
  readonly logIndex?: number
  readonly owner?: Address
  readonly format?: Hash
}

export type FeedTables = Awaited<ReturnType<typeof feedTables>>

const CHAIN_ID = 31_337
const OWNER: Address = `0x${'ab'.repeat(20)}`

/** Writes the feed the way the worker does, without a chain: items and deltas in one transaction each. */
export async function feedTables(sql: postgres.Sql) {
  await sql`
    insert into worker_state
      (id, chain_id, registry, processed_block, head_block, safe_block, finalized_block, last_stream_seq, updated_at_ms)
    values (1, ${CHAIN_ID}, '0x', 0, 0, 0, 0, 0, 0) on conflict do nothing`
  const now = () => Date.now()
  return {
    publish: async (...publications: readonly Publication[]) => {
      await sql.begin(async (tx) => {
        for (const publication of publications) await storeItem(tx, publication, now())
        await appendDeltas(tx, publications.map(deltaOf), now())
      })
    },
    /** Rolls back everything above a block. */
    rollbackTo: async (ancestor: number) => {
      await sql.begin((tx) => rollbackTo(tx, ancestor, now()))
    },
    advanceFinality: async (finality: Finality) => {
      await sql.begin((tx) => advanceFinality(tx, finality, now()))
    },
    /** Deltas alone, `count` of them, with names of some length; numbers go on from the newest. */
    append: async (count: number, nameLength = 0) => {
      const deltas = Array.from({ length: count }, (_, i) =>
        deltaOf({ name: `n${i}`.padEnd(nameLength, 'n'), blockNumber: 1 }),
      )
      await sql.begin((tx) => appendDeltas(tx, deltas, now()))
    },
    /** Deletes deltas up to a number, as retention does. */
    prune: async (upTo: number) => {
      await sql`delete from feed_outbox where stream_seq <= ${upTo}`
    },
  }
}

function deltaOf({
  name,
  kind = 'connector',
  blockNumber,
  logIndex = 0,
  owner = OWNER,
  format,
}: Publication): Delta {
  return {
    feed_id: feedIdOf(CHAIN_ID, kind, name),
    event_type: eventTypeOf(kind),
    status: 'observed',
    history_cursor: historyCursorOf({ blockNumber, txIndex: 0, logIndex }),
    kind,
    name,
    owner,
    format_hash: format ?? null,
  }
}

async function storeItem(
  sql: postgres.TransactionSql,
  publication: Publication,
  nowMs: number,
): Promise<void> {
  const hash: Hash = `0x${randomBytes(32).toString('hex')}`
  const row = {
    ...deltaOf(publication),
    visible: true,
    tx_hash: hash,
    block_number: publication.blockNumber,
    block_hash: hash,
    tx_index: 0,
    log_index: publication.logIndex ?? 0,
    created_at_ms: publication.blockNumber * 1000,
    updated_at_ms: nowMs,
    projector_version: 1,
  }
  await sql`insert into feed_items ${sql(row)} on conflict (feed_id) do update set ${sql(row)}`
}
