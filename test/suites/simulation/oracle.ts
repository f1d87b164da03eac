import { isDeepStrictEqual } from 'node:util'
import type { ISql } from 'postgres'
import { feedIdOf, historyCursorOf } from '#lib/core/feed/items.ts'
import { step } from '#lib/core/indexer/follow.ts'
import { loadState } from '#lib/core/indexer/state.ts'
import { openWriter } from '#lib/core/indexer/writer.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { scalarLabels } from '#lib/protocol/format-hash.ts'
import type { TestDatabase } from '#test/support/database.ts'
import { projectionTables } from '#test/support/projection-tables.ts'
import type { Chain, Transaction, View } from './chain.ts'
import { connectNode, healthy } from './node-connection.ts'
import type { Registered } from './publications.ts'
import { followContext } from './worker-process.ts'

type Row = Readonly<Record<string, unknown>>
type Tables = Readonly<Record<string, readonly Row[]>>

/** The projection, the last delta of each item, and where the writer is. */
async function readTables(sql: ISql): Promise<Tables> {
  return {
    ...(await projectionTables(sql)),
    deltas: await sql`
    select distinct on (feed_id) feed_id, status, history_cursor from feed_outbox
    order by feed_id, stream_seq desc`,
    state: await sql`
    select chain_id, registry, processed_block, head_block, safe_block, finalized_block from worker_state`,
  }
}

/** Deletes all rows, past the triggers; faster than truncating, which makes a new file for each table. */
export async function emptyDatabase({ sql }: TestDatabase): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    const tables = await tx<{ name: string }[]>`
      select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`
    await tx.unsafe(tables.map(({ name }) => `delete from ${name}`).join(';'))
  })
}

/** Indexes a chain that stands still into the emptied database, without a fault. */
async function indexFromScratch(db: TestDatabase, chain: Chain): Promise<Tables> {
  await emptyDatabase(db)

  const writer = openWriter(db.url, 'from-scratch')
  try {
    const view = chain.view()
    const habits = {
      logRange: 10_000,
      tags: true,
      tagsEvery: 0,
      remembersBranches: true,
      emptyForUnknown: false,
    } as const
    const node = connectNode(
      chain,
      habits,
      healthy(() => view),
    )
    const ctx = followContext({ nowMs: () => 0, onUnverified: () => {}, habits }, node, writer, chain.depths)
    if (!(await writer.acquire())) throw new Error('the database still has a writer')
    let state = await writer.transaction((sql) => loadState(sql, ctx.followed, 0))
    for (let turns = 0; turns < 100; turns++) {
      const outcome = await step(ctx, state)
      state = outcome.state
      if (outcome.kind === 'idle') return await readTables(db.sql)
    }
    throw new Error('indexing a chain that stands still does not end')
  } finally {
    await writer.close()
  }
}

/** The same tables, worked out from the chain without any of the worker's code. */
function expectedOf({ head, safe, finalized }: View): Tables {
  const all = head.path.flatMap((block) => block.logs.map((log) => ({ block, log })))
  const occurrences = all.filter(({ log }) => log.registered.verified)
  const published = new Map<string, number>()
  const formats = new Map<string, { scalars: string[]; connectors: number }>()
  for (const { log } of occurrences) {
    const { artifact, owner } = log.registered
    published.set(owner, (published.get(owner) ?? 0) + 1)
    if (artifact.kind !== 'connector') continue
    const known = formats.get(artifact.formatHash)
    formats.set(artifact.formatHash, {
      scalars: scalarLabels(artifact.leaves),
      connectors: (known?.connectors ?? 0) + 1,
    })
  }
  return {
    entities: sorted(
      occurrences.map(({ block, log: { registered, transaction, txIndex, logIndex } }) => ({
        kind: registered.artifact.kind,
        name: registered.artifact.name,
        owner: registered.owner,
        address: registered.address,
        content_hash: registered.artifact.contentHash,
        artifact_hash: registered.artifact.contentHash,
        metadata: shownMetadata(registered, transaction),
        format_hash: registered.artifact.kind === 'connector' ? registered.artifact.formatHash : null,
        block_number: String(block.number),
        block_hash: block.hash,
        tx_hash: transaction.hash,
        tx_index: txIndex,
        log_index: logIndex,
      })),
      ({ kind, name }) => `${kind}/${name}`,
    ),
    unverified: sorted(
      all
        .filter(({ log }) => !log.registered.verified)
        .map(({ block, log: { registered, transaction } }) => ({
          kind: registered.artifact.kind,
          name: registered.artifact.name,
          owner: registered.owner,
          address: registered.address,
          content_hash: registered.artifact.contentHash,
          reason: registered.code === '0x' ? 'missing_code' : 'unverified_dependency',
          block_number: String(block.number),
          tx_hash: transaction.hash,
        })),
      ({ kind, name }) => `${kind}/${name}`,
    ),
    accounts: sorted(
      [...published].map(([address, count]) => ({ address, published: count })),
      ({ address }) => address,
    ),
    formats: sorted(
      [...formats].map(([format_hash, rest]) => ({ format_hash, ...rest })),
      ({ format_hash }) => format_hash,
    ),
    items: sorted(
      occurrences.map(({ block, log }) => ({
        feed_id: feedIdOf(31_337, log.registered.artifact.kind, log.registered.artifact.name),
        status: block.number <= finalized ? 'finalized' : block.number <= safe ? 'safe' : 'observed',
        tx_hash: log.transaction.hash,
        block_hash: block.hash,
        history_cursor: historyCursorOf({ blockNumber: block.number, ...log }),
        created_at_ms: String(block.timestampS * 1000),
        owner: log.registered.owner,
      })),
      ({ feed_id }) => feed_id,
    ),
    state: [
      {
        processed_block: String(head.number),
        head_block: String(head.number),
        safe_block: String(safe),
        finalized_block: String(finalized),
      },
    ],
  }
}

/** The author's words as far as calldata shows them. */
function shownMetadata({ metadata }: Registered, { input }: Transaction): Buffer | null {
  return metadata === '0x' || !input.includes(metadata.slice(2))
    ? null
    : Buffer.from(metadata.slice(2), 'hex')
}

function sorted<T>(rows: T[], key: (row: T) => string): T[] {
  return rows.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
}

/** Differences between the tables at one moment and the branch up to which the worker has come at that moment. */
export async function differencesNow(db: TestDatabase, chain: Chain): Promise<string[]> {
  return db.sql.begin('isolation level repeatable read', async (sql) => {
    const [state] = await sql<{ hash: Hash; safe: string; finalized: string }[]>`
      select hash, safe_block as safe, finalized_block as finalized
      from worker_state join chain_blocks on number = processed_block`
    const head = state && chain.blocks.get(state.hash)
    if (state === undefined || head === undefined) return []
    const view = { head, safe: Number(state.safe), finalized: Number(state.finalized) }
    const actual = await readTables(sql)
    const { state: _state, ...expected } = expectedOf(view)
    return [...compare('the branch that was read', expected, actual), ...untold(actual)]
  })
}

/** Items whose last delta has another status or place. */
function untold({ items = [], deltas = [] }: Tables): string[] {
  const told = deltas.filter(({ status }) => status !== 'removed')
  const facts = (rows: readonly Row[]) =>
    rows.map(({ feed_id, status, history_cursor }) => ({ feed_id, status, history_cursor }))
  return compare('the deltas', { items: facts(told) }, { items: facts(items) })
}

/**
 * Differences between the tables and the chain, the deltas and, unless `scratch` is false, an index built from scratch
 * in the same database, which is lost by that.
 */
export async function differences(db: TestDatabase, chain: Chain, scratch = true): Promise<string[]> {
  const { sql } = db
  const actual = await readTables(sql)
  const blocks = await sql<{ number: string; hash: string }[]>`select number, hash from chain_blocks`
  const wrongBlocks = blocks
    .filter(({ number, hash }) => chain.head.path[Number(number)]?.hash !== hash)
    .map(({ number }) => `chain_blocks: block ${number} is not the chain's`)
  return [
    ...compare('the chain', expectedOf(chain.view()), actual),
    ...untold(actual),
    ...wrongBlocks,
    ...(scratch ? await unlikeScratch(db, chain, actual) : []),
  ]
}

async function unlikeScratch(db: TestDatabase, chain: Chain, actual: Tables): Promise<string[]> {
  const { deltas: _deltas, ...fresh } = await indexFromScratch(db, chain)
  return compare('an index from scratch', fresh, actual)
}

const SHOWN = 4

/** The key columns of a table. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  entities: ['kind', 'name'],
  unverified: ['kind', 'name'],
  accounts: ['address'],
  formats: ['format_hash'],
  items: ['feed_id'],
  logs: ['block_hash', 'log_index'],
  artifacts: ['content_hash'],
  state: [],
}

/** Row by row; only the columns that the expected row has. */
function compare(than: string, expected: Tables, actual: Tables): string[] {
  return Object.entries(expected).flatMap(([table, rows]) => {
    const keyOf = (row: Row) => (KEYS[table] ?? []).map((column) => String(row[column])).join('/')
    const wanted = new Map(rows.map((row) => [keyOf(row), row]))
    const found = new Map((actual[table] ?? []).map((row) => [keyOf(row), row]))
    const missing = [...wanted.keys()].filter((key) => !found.has(key))
    const surplus = [...found.keys()].filter((key) => !wanted.has(key))
    const problems = [
      ...(missing.length > 0 ? [`missing ${missing.join(', ')}`] : []),
      ...(surplus.length > 0 ? [`surplus ${surplus.join(', ')}`] : []),
      ...[...wanted].flatMap(([key, row]) => otherColumns(key, row, found.get(key) ?? row)),
    ]
    const more = problems.length > SHOWN ? [`… and ${problems.length - SHOWN} more`] : []
    return [...problems.slice(0, SHOWN), ...more].map((problem) => `${table} unlike ${than}: ${problem}`)
  })
}

function otherColumns(key: string, wanted: Row, found: Row): string[] {
  const columns = Object.keys(wanted).filter((column) => !isDeepStrictEqual(wanted[column], found[column]))
  const told = columns.map((column) => {
    return `${column} is ${JSON.stringify(found[column])}, not ${JSON.stringify(wanted[column])}`
  })
  return columns.length === 0 ? [] : [`${key}: ${told.join('; ')}`]
}
