import {
  eventTypeOf,
  type Finality,
  feedIdOf,
  historyCursorOf,
  PROJECTOR_VERSION,
  statusOf,
} from '#lib/core/feed/items.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { addToAggregates } from './aggregates.ts'
import { storeWords, wordColumns } from './author-words.ts'
import type { RegistryLog } from './chain-source.ts'
import type { Occurrence } from './occurrence.ts'
import { appendDeltas, type Delta } from './outbox.ts'
import type { Outcome } from './verify-publications.ts'
import type { WriterSql } from './writer.ts'

export interface ProjectionInput {
  readonly chainId: number
  /** In chain order; the artifacts of verified ones are stored. */
  readonly occurrences: readonly Occurrence[]
  /** Unix milliseconds of a block. */
  readonly timeOf: (blockHash: Hash) => number
  readonly finality: Finality
  readonly nowMs: number
}

type Verified = Occurrence & { readonly outcome: Extract<Outcome, { verified: true }> }
type Unverified = Occurrence & { readonly outcome: Extract<Outcome, { verified: false }> }

/** A statement takes at most 65,534 parameters. */
const ROWS_PER_INSERT = 1_000

/**
 * Applies publications in chain order: raw logs, entities, references, accounts, formats, feed items and deltas, all in
 * the caller's transaction and a few statements for each table, whatever their number.
 */
export async function project(sql: WriterSql, input: ProjectionInput): Promise<void> {
  const verified = input.occurrences.filter((each): each is Verified => each.outcome.verified)
  const unverified = input.occurrences.filter((each): each is Unverified => !each.outcome.verified)
  await storeLogs(sql, input.occurrences)
  await storeUnverified(sql, unverified)
  await storeEntities(sql, verified)
  await storeConnectorFacts(sql, verified)
  await storeWords(sql, verified)
  await completePublications(sql, input.occurrences)
  await storeItems(sql, verified, input)
  await addToAggregates(
    sql,
    verified.map(({ event, outcome }) => ({ owner: event.owner, formatHash: outcome.formatHash })),
  )
  await appendDeltas(
    sql,
    verified.map((each) => deltaOf(each, input)),
    input.nowMs,
  )
}

/** Slices that fit into one statement. */
function* slices<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) yield rows.slice(at, at + ROWS_PER_INSERT)
}

/** Where an event is, in the columns of the tables. */
function placeOf({ blockNumber, blockHash, txHash, txIndex, logIndex }: RegistryLog) {
  return {
    block_number: blockNumber,
    block_hash: blockHash,
    tx_hash: txHash,
    tx_index: txIndex,
    log_index: logIndex,
  }
}

async function storeLogs(sql: WriterSql, occurrences: readonly Occurrence[]): Promise<void> {
  for (const slice of slices(occurrences)) {
    const rows = slice.map(({ log }) => ({
      ...placeOf(log),
      topics: sql.json([...log.topics]),
      data: log.data,
    }))
    await sql`insert into registry_logs ${sql(rows)} on conflict do nothing`
  }
}

async function storeUnverified(sql: WriterSql, unverified: readonly Unverified[]): Promise<void> {
  for (const slice of slices(unverified)) {
    const rows = slice.map(({ log, event, outcome }) => ({
      kind: event.kind,
      name: event.name,
      owner: event.owner,
      address: event.address,
      content_hash: event.contentHash,
      reason: outcome.reason,
      block_number: log.blockNumber,
      tx_hash: log.txHash,
    }))
    // The registry emits a name once; a node that invents events may repeat it, which must not fail the step.
    await sql`insert into unverified_publications ${sql(rows)} on conflict do nothing`
  }
}

async function storeEntities(sql: WriterSql, verified: readonly Verified[]): Promise<void> {
  for (const slice of slices(verified)) {
    const rows = slice.map(({ log, event, outcome, metadata, words }) => ({
      kind: event.kind,
      name: event.name,
      owner: event.owner,
      address: event.address,
      content_hash: event.contentHash,
      metadata_hash: event.metadataHash,
      metadata: metadata ?? null,
      ...wordColumns(sql, event.kind, words),
      artifact_hash: event.contentHash,
      format_hash: outcome.formatHash,
      ...placeOf(log),
    }))
    await sql`insert into entities ${sql(rows)}`
  }
}

/** Stores the references of connectors, taken from the stored artifacts, and formats that are new. */
async function storeConnectorFacts(sql: WriterSql, verified: readonly Verified[]): Promise<void> {
  const connectors = verified.filter(({ event }) => event.kind === 'connector')
  if (connectors.length === 0) return
  const hashes = connectors.map(({ event }) => event.contentHash)
  await sql`
    insert into entity_references (kind, name, connector, uses)
    select used ->> 'kind', used ->> 'name', a.name, count(*)
    from artifacts a, jsonb_array_elements(a.body -> 'dependencies') used
    where a.content_hash = any(${hashes})
    group by 1, 2, 3`
  const formats = connectors.flatMap(({ outcome: { formatHash, labels } }) => {
    if (labels === undefined) return []
    const { scalars, scalarsCount } = labels
    const json = sql.json([...scalars])
    return { format_hash: formatHash, scalars: json, scalars_count: scalarsCount, connectors: 0 }
  })
  for (const slice of slices(formats))
    await sql`insert into formats ${sql([...slice])} on conflict do nothing`
}

/** Completes the server's own records, so that a publication that was never confirmed ends as mined. */
async function completePublications(sql: WriterSql, occurrences: readonly Occurrence[]): Promise<void> {
  if (occurrences.length === 0) return
  const events = occurrences.map(({ event }) => event)
  await sql`
    update publications p set stage = 'mined', tx_hash = mined.tx_hash, failure = null, updated_at = now()
    from unnest(${events.map(({ kind }) => kind)}::text[], ${events.map(({ name }) => name)}::text[],
      ${events.map(({ owner }) => owner)}::text[], ${events.map(({ contentHash }) => contentHash)}::text[],
      ${occurrences.map(({ log }) => log.txHash)}::text[]) as mined(kind, name, owner, content_hash, tx_hash)
    where p.kind = mined.kind and p.name = mined.name and p.owner = mined.owner
      and p.content_hash = mined.content_hash`
}

function deltaOf({ log, event, outcome }: Verified, { chainId, finality }: ProjectionInput): Delta {
  const { kind, name, owner } = event
  return {
    feed_id: feedIdOf(chainId, kind, name),
    event_type: eventTypeOf(kind),
    status: statusOf(log.blockNumber, finality),
    history_cursor: historyCursorOf(log),
    kind,
    name,
    owner,
    format_hash: outcome.formatHash,
  }
}

/** Upserts the items of events: they are new, or mined again after a reorg. */
async function storeItems(
  sql: WriterSql,
  verified: readonly Verified[],
  input: ProjectionInput,
): Promise<void> {
  for (const slice of slices(verified)) {
    const rows = slice.map((each) => ({
      ...deltaOf(each, input),
      visible: true,
      ...placeOf(each.log),
      // The block's own time, so that a reindex yields the same.
      created_at_ms: input.timeOf(each.log.blockHash),
      updated_at_ms: input.nowMs,
      projector_version: PROJECTOR_VERSION,
    }))
    await sql`
      insert into feed_items ${sql(rows)}
      on conflict (feed_id) do update set
        event_type = excluded.event_type, status = excluded.status, visible = excluded.visible,
        tx_hash = excluded.tx_hash, block_number = excluded.block_number, block_hash = excluded.block_hash,
        tx_index = excluded.tx_index, log_index = excluded.log_index, history_cursor = excluded.history_cursor,
        created_at_ms = excluded.created_at_ms, updated_at_ms = excluded.updated_at_ms,
        projector_version = excluded.projector_version, kind = excluded.kind, name = excluded.name,
        owner = excluded.owner, format_hash = excluded.format_hash`
  }
}
