import { randomBytes } from 'node:crypto'
import type postgres from 'postgres'
import type { Address, EntityKind, Hash } from '../../lib/domain/entity.ts'
import { eventTypeOf, type Finality, feedIdOf, historyCursorOf } from '../../lib/feed/items.ts'
import { appendDeltas } from '../../lib/feed/outbox.ts'
import { settle } from '../../lib/feed/settle.ts'
import { withdraw } from '../../lib/feed/withdraw.ts'

export interface Publication {
  readonly name: string
  readonly kind?: EntityKind
  readonly blockNumber: number
  readonly logIndex?: number
}

/** Writes the feed the way the worker does, without a chain: items and deltas in one transaction each. */
export interface FeedTables {
  publish(...publications: readonly Publication[]): Promise<void>
  /** Takes back everything above a block. */
  withdraw(ancestor: number): Promise<void>
  settle(finality: Finality): Promise<void>
  /** Deltas alone, `count` of them; numbers go on from the newest. */
  append(count: number): Promise<void>
  /** Deletes deltas up to a number, as retention does. */
  prune(upTo: number): Promise<void>
}

const CHAIN_ID = 31_337
const OWNER: Address = `0x${'ab'.repeat(20)}`

export async function feedTables(sql: postgres.Sql): Promise<FeedTables> {
  await sql`
    insert into worker_state
      (id, chain_id, registry, processed_block, head_block, safe_block, finalized_block, last_stream_seq, updated_at_ms)
    values (1, ${CHAIN_ID}, '0x', 0, 0, 0, 0, 0, 0) on conflict do nothing`
  const now = () => Date.now()
  return {
    publish: async (...publications) => {
      await sql.begin(async (tx) => {
        for (const publication of publications) await storeItem(tx, publication, now())
        await appendDeltas(tx, publications.map(deltaOf), now())
      })
    },
    withdraw: async (ancestor) => {
      await sql.begin((tx) => withdraw(tx, ancestor, now()))
    },
    settle: async (finality) => {
      await sql.begin((tx) => settle(tx, finality, now()))
    },
    append: async (count) => {
      const deltas = Array.from({ length: count }, (_, i) => deltaOf({ name: `n${i}`, blockNumber: 1 }))
      await sql.begin((tx) => appendDeltas(tx, deltas, now()))
    },
    prune: async (upTo) => {
      await sql`delete from feed_outbox where stream_seq <= ${upTo}`
    },
  }
}

function deltaOf({ name, kind = 'connector', blockNumber, logIndex = 0 }: Publication) {
  return {
    feedId: feedIdOf(CHAIN_ID, kind, name),
    eventType: eventTypeOf(kind),
    status: 'observed' as const,
    historyCursor: historyCursorOf({ blockNumber, txIndex: 0, logIndex }),
    kind,
    name,
    owner: OWNER,
  }
}

async function storeItem(
  sql: postgres.TransactionSql,
  publication: Publication,
  nowMs: number,
): Promise<void> {
  const delta = deltaOf(publication)
  const hash: Hash = `0x${randomBytes(32).toString('hex')}`
  const row = {
    feed_id: delta.feedId,
    event_type: delta.eventType,
    status: 'observed',
    visible: true,
    tx_hash: hash,
    block_number: publication.blockNumber,
    block_hash: hash,
    tx_index: 0,
    log_index: publication.logIndex ?? 0,
    history_cursor: delta.historyCursor,
    created_at_ms: publication.blockNumber * 1000,
    updated_at_ms: nowMs,
    projector_version: 1,
    kind: delta.kind,
    name: delta.name,
    owner: delta.owner,
  }
  await sql`insert into feed_items ${sql(row)} on conflict (feed_id) do update set ${sql(row)}`
}
