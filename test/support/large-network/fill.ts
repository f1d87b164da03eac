import type postgres from 'postgres'
import { keccak256 } from 'viem'
import { encodeLeaves, leafNameKey } from '#lib/core/entities/stored-leaves.ts'
import { eventTypeOf, feedIdOf, historyCursorOf, PROJECTOR_VERSION } from '#lib/core/feed/items.ts'
import { wordsForSearch } from '#lib/core/indexer/author-words.ts'
import { withoutLeaves } from '#lib/protocol/artifact.ts'
import type { Address, Hash } from '#lib/protocol/entity.ts'
import { scalarLabels } from '#lib/protocol/format-hash.ts'
import { type Cell, copyRows } from './copy-rows.ts'
import { growNetwork, ownersOf, type Publication } from './network.ts'
import { fillPeople } from './people.ts'
import { fillWorlds } from './worlds.ts'

export interface Size {
  readonly entities: number
  readonly worlds: number
  /** Users that signed in; the first of them own the entities. */
  readonly users: number
}

const CHAIN_ID = 31_337
const FIRST_BLOCK = 1
/** Blocks that the publications are spread over. */
const BLOCKS = 800
const AT_ONCE = 5_000
/** Publications prepared by the chain API carry no metadata. */
const NO_METADATA_HASH = keccak256('0x')
const SECONDS_A_BLOCK = 12
/** One of so many publications has an unpublished draft beside it. */
const DRAFT_EVERY = 5

/**
 * Fills a migrated database as a worker and many users would have, without a chain: artifacts, entities, references,
 * accounts, formats, feed items, deltas, logs, drafts, users, follows and Worlds that agree with one another.
 */
export async function fill(sql: postgres.Sql, size: Size): Promise<void> {
  const head = FIRST_BLOCK + BLOCKS
  await sql`
    insert into worker_state
      (id, chain_id, registry, processed_block, head_block, safe_block, finalized_block, last_stream_seq, updated_at_ms)
    values (1, ${CHAIN_ID}, '0x', ${head}, ${head}, ${head}, ${head}, ${size.entities}, ${Date.now()})`
  const counted: Counted = { accounts: new Map(), formats: new Map() }
  let index = 0
  let batch: Placed[] = []
  for (const publication of growNetwork(size.entities)) {
    const blockNumber = FIRST_BLOCK + Math.floor((index * BLOCKS) / size.entities)
    batch.push({ ...publication, index, blockNumber, txIndex: index % 50, logIndex: index % 50 })
    count(counted, publication)
    index += 1
    if (batch.length < AT_ONCE && index < size.entities) continue
    await write(sql, batch)
    batch = []
  }
  await copyRows(sql, 'accounts', 'address, published', counted.accounts)
  await copyRows(
    sql,
    'formats',
    'format_hash, scalars, connectors',
    mapped(counted.formats, ([hash, { scalars, connectors }]) => [hash, scalars, connectors]),
  )
  await fillPeople(sql, { users: Math.max(size.users, ownersOf(size.entities)) })
  const popular = [...counted.formats].toSorted(([, a], [, b]) => b.connectors - a.connectors).slice(0, 50)
  await fillWorlds(sql, { worlds: size.worlds, formats: popular.map(([hash]) => hash) })
  await fillWords(sql)
  await sql`vacuum analyze`
}

/** Worlds that pieces name. */
const PIECE_WORLDS = 12

/** Describes every entity, makes every connector a piece and a remix of the first one, and every source one that waits for its check. */
async function fillWords(sql: postgres.Sql): Promise<void> {
  await sql`
    update entities set title = initcap(replace(name, '_', ' ')), presentation = jsonb_build_object('world',
      jsonb_build_object('slug', 'world', 'bundle_hash', lpad(to_hex(log_index % ${PIECE_WORLDS}), 64, '0')))
    where kind = 'connector'`
  await sql`
    insert into entity_origins
    select e.kind, e.name, 'connector', first.name, e.block_number, e.tx_index, e.log_index
    from entities e, (select name from entities where kind = 'connector' order by block_number, name limit 1) first
    where e.kind = 'connector' and e.name <> first.name`
  await sql`
    insert into source_checks
    select kind, name, owner, content_hash, metadata_hash, row_number() over (partition by owner order by name),
      block_number, tx_index, log_index, 'open'
    from entities where kind <> 'connector'`
}

interface Place {
  readonly blockNumber: number
  readonly txIndex: number
  readonly logIndex: number
}

type Placed = Publication & Place & { readonly index: number }

interface Counted {
  readonly accounts: Map<Address, number>
  readonly formats: Map<Hash, { readonly scalars: readonly string[]; connectors: number }>
}

function count({ accounts, formats }: Counted, { artifact, owner }: Publication): void {
  accounts.set(owner, (accounts.get(owner) ?? 0) + 1)
  if (artifact.kind !== 'connector') return
  const format = formats.get(artifact.formatHash)
  if (format) format.connectors += 1
  else formats.set(artifact.formatHash, { scalars: scalarLabels(artifact.leaves), connectors: 1 })
}

async function write(sql: postgres.Sql, batch: readonly Placed[]): Promise<void> {
  await copyRows(
    sql,
    'leaf_names',
    'key, name',
    mapped(
      batch.filter(({ artifact }) => artifact.kind === 'connector'),
      ({ artifact: { name } }) => [leafNameKey(name), name],
    ),
  )
  await copyRows(
    sql,
    'artifacts',
    'content_hash, kind, name, body, leaves',
    mapped(batch, ({ artifact }) => [
      artifact.contentHash,
      artifact.kind,
      artifact.name,
      withoutLeaves(artifact),
      artifact.kind === 'connector' ? encodeLeaves(artifact.leaves) : null,
    ]),
  )
  await copyRows(
    sql,
    'entities',
    'kind, name, owner, address, content_hash, metadata_hash, artifact_hash, search_words, format_hash, block_number, block_hash, tx_hash, tx_index, log_index',
    mapped(batch, ({ artifact, owner, index, ...place }) => [
      artifact.kind,
      artifact.name,
      owner,
      `0x${index.toString(16).padStart(40, '0')}`,
      artifact.contentHash,
      NO_METADATA_HASH,
      artifact.contentHash,
      wordsForSearch(`Drawn for the tresillo ${artifact.name.replaceAll('_', ' ')}`),
      artifact.kind === 'connector' ? artifact.formatHash : null,
      place.blockNumber,
      blockHash(place.blockNumber),
      txHash(index),
      place.txIndex,
      place.logIndex,
    ]),
  )
  await copyRows(sql, 'entity_references', 'kind, name, connector, uses', referencesOf(batch))
  const shared = 'feed_id, event_type, status, history_cursor, created_at_ms, kind, name, owner, format_hash'
  const sharedCells = ({ artifact, owner, ...place }: Placed): Cell[] => [
    feedIdOf(CHAIN_ID, artifact.kind, artifact.name),
    eventTypeOf(artifact.kind),
    'finalized',
    historyCursorOf(place),
    place.blockNumber * SECONDS_A_BLOCK * 1000,
    artifact.kind,
    artifact.name,
    owner,
    artifact.kind === 'connector' ? artifact.formatHash : null,
  ]
  await copyRows(
    sql,
    'feed_items',
    `${shared}, visible, tx_hash, block_number, block_hash, tx_index, log_index, updated_at_ms, projector_version`,
    mapped(batch, (placed) => [
      ...sharedCells(placed),
      true,
      txHash(placed.index),
      placed.blockNumber,
      blockHash(placed.blockNumber),
      placed.txIndex,
      placed.logIndex,
      0,
      PROJECTOR_VERSION,
    ]),
  )
  const now = Date.now()
  await copyRows(
    sql,
    'feed_outbox',
    `stream_seq, ${shared}`,
    mapped(batch, (placed) => [placed.index + 1, ...sharedCells(placed).with(4, now)]),
  )
  await copyRows(
    sql,
    'registry_logs',
    'block_number, block_hash, tx_hash, tx_index, log_index, topics, data',
    mapped(batch, ({ artifact, index, blockNumber, txIndex }) => [
      blockNumber,
      `${blockHash(blockNumber)}${txIndex}`,
      txHash(index),
      txIndex,
      index,
      [artifact.contentHash],
      '0x',
    ]),
  )
  const drafts = batch.filter(({ index }) => index % DRAFT_EVERY === 0)
  // A draft of another name over the same artifact: lists and names read the row only.
  await copyRows(
    sql,
    'drafts',
    'kind, name, owner, content_hash',
    mapped(drafts, ({ artifact, owner }) => [
      artifact.kind,
      `${artifact.name}_next`,
      owner,
      artifact.contentHash,
    ]),
  )
  await copyRows(
    sql,
    'publications',
    'kind, name, owner, content_hash, stage, address, calldata, gas, publication_nonce, deadline, tx_hash',
    mapped(drafts, ({ artifact, owner, index }) => [
      artifact.kind,
      artifact.name,
      owner,
      artifact.contentHash,
      'mined',
      owner,
      '0x',
      0,
      index,
      0,
      txHash(index),
    ]),
  )
}

function* referencesOf(batch: readonly Placed[]): Generator<Cell[]> {
  for (const { artifact } of batch) {
    if (artifact.kind !== 'connector') continue
    const uses = new Map<string, number>()
    for (const { kind, name } of artifact.dependencies) {
      uses.set(`${kind} ${name}`, (uses.get(`${kind} ${name}`) ?? 0) + 1)
    }
    for (const [used, times] of uses) yield [...used.split(' '), artifact.name, times]
  }
}

function* mapped<T>(from: Iterable<T>, cells: (each: T) => readonly Cell[]): Generator<readonly Cell[]> {
  for (const each of from) yield cells(each)
}

function hashOf(space: string, index: number): Hash {
  return `0x${space}${index.toString(16).padStart(63, '0')}`
}
function txHash(index: number): Hash {
  return hashOf('a', index)
}
function blockHash(index: number): Hash {
  return hashOf('b', index)
}
