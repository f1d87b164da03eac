import type { ConnectorArtifact } from '../domain/artifact.ts'
import type { Hash } from '../domain/entity.ts'
import { firstLabels, storedLabels } from '../registry/stored-leaves.ts'
import { addToAggregates, type Counted } from './aggregates.ts'
import {
  eventTypeOf,
  type Finality,
  feedIdOf,
  historyCursorOf,
  PROJECTOR_VERSION,
  statusOf,
} from './items.ts'
import type { Occurrence } from './occurrence.ts'
import { appendDeltas, type Delta } from './outbox.ts'
import { rebuildArtifact } from './rebuild.ts'
import { storeReferences } from './store-references.ts'
import type { WriterSql } from './writer.ts'

export interface ProjectionInput {
  readonly chainId: number
  /** In chain order. */
  readonly occurrences: readonly Occurrence[]
  /** Unix milliseconds of a block. */
  readonly timeOf: (blockHash: Hash) => number
  readonly finality: Finality
  readonly nowMs: number
}

/**
 * Applies publications in chain order: raw logs, artifacts, entities, references, accounts, formats, feed items and
 * deltas, all in the caller's transaction.
 *
 * @returns names of publications whose artifact could not be verified, as `<kind>/<name>`.
 */
export const project = async (sql: WriterSql, input: ProjectionInput): Promise<string[]> => {
  const added: Counted[] = []
  const deltas: Delta[] = []
  const unverified: string[] = []
  for (const occurrence of input.occurrences) {
    const { event } = occurrence
    await storeLog(sql, occurrence)
    const artifact = await rebuildArtifact(sql, occurrence)
    if (artifact === undefined) unverified.push(`${event.kind}/${event.name}`)
    const formatHash = artifact?.kind === 'connector' ? await storeFormat(sql, artifact) : null
    await storeEntity(sql, occurrence, artifact?.contentHash ?? null, formatHash)
    if (artifact?.kind === 'connector') await storeReferences(sql, artifact)
    await notePublication(sql, occurrence)
    deltas.push(await storeItem(sql, occurrence, input))
    added.push({ owner: event.owner, formatHash })
  }
  await addToAggregates(sql, added)
  await appendDeltas(sql, deltas, input.nowMs)
  return unverified
}

const storeLog = async (sql: WriterSql, { log }: Occurrence): Promise<void> => {
  await sql`
    insert into registry_logs (block_number, block_hash, tx_hash, tx_index, log_index, topics, data)
    values (${log.blockNumber}, ${log.blockHash}, ${log.txHash}, ${log.txIndex}, ${log.logIndex},
      ${sql.json([...log.topics])}, ${log.data})
    on conflict do nothing`
}

const storeFormat = async (sql: WriterSql, { formatHash, contentHash }: ConnectorArtifact): Promise<Hash> => {
  const [known] = await sql`select 1 from formats where format_hash = ${formatHash}`
  if (known !== undefined) return formatHash
  const { scalars, scalarsCount } = firstLabels(await storedLabels(sql, contentHash))
  await sql`insert into formats (format_hash, scalars, scalars_count, connectors)
    values (${formatHash}, ${sql.json([...scalars])}, ${scalarsCount}, 0) on conflict do nothing`
  return formatHash
}

const storeEntity = async (
  sql: WriterSql,
  { log, event }: Occurrence,
  artifactHash: Hash | null,
  formatHash: Hash | null,
): Promise<void> => {
  const row = {
    kind: event.kind,
    name: event.name,
    owner: event.owner,
    address: event.address,
    content_hash: event.contentHash,
    metadata_hash: event.metadataHash,
    artifact_hash: artifactHash,
    format_hash: formatHash,
    block_number: log.blockNumber,
    block_hash: log.blockHash,
    tx_hash: log.txHash,
    tx_index: log.txIndex,
    log_index: log.logIndex,
  }
  await sql`insert into entities ${sql(row)}`
}

/** The server's own record of the publication, so that a client that never confirmed finds it finished. */
const notePublication = async (sql: WriterSql, { log, event }: Occurrence): Promise<void> => {
  await sql`
    update publications set stage = 'mined', tx_hash = ${log.txHash}, failure = null, updated_at = now()
    where kind = ${event.kind} and name = ${event.name} and owner = ${event.owner}
      and content_hash = ${event.contentHash}`
}

/** The item of the event, new or back again after a reorganisation. */
const storeItem = async (
  sql: WriterSql,
  { log, event }: Occurrence,
  input: ProjectionInput,
): Promise<Delta> => {
  const delta: Delta = {
    feedId: feedIdOf(input.chainId, event.kind, event.name),
    eventType: eventTypeOf(event.kind),
    status: statusOf(log.blockNumber, input.finality),
    historyCursor: historyCursorOf(log),
    kind: event.kind,
    name: event.name,
    owner: event.owner,
  }
  const row = {
    feed_id: delta.feedId,
    event_type: delta.eventType,
    status: delta.status,
    visible: true,
    tx_hash: log.txHash,
    block_number: log.blockNumber,
    block_hash: log.blockHash,
    tx_index: log.txIndex,
    log_index: log.logIndex,
    history_cursor: delta.historyCursor,
    // The block's own time, so that an index made from scratch has the same.
    created_at_ms: input.timeOf(log.blockHash),
    updated_at_ms: input.nowMs,
    projector_version: PROJECTOR_VERSION,
    kind: event.kind,
    name: event.name,
    owner: event.owner,
  }
  await sql`insert into feed_items ${sql(row)} on conflict (feed_id) do update set ${sql(row)}`
  return delta
}
