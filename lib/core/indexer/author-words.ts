import type { AuthorMetadata } from '#lib/protocol/author-metadata.ts'
import type { EntityKind } from '#lib/protocol/entity.ts'
import type { RegistryLog } from './chain-source.ts'
import type { Occurrence } from './occurrence.ts'
import type { WriterSql } from './writer.ts'

/** A verified publication with words. */
type Worded = Pick<Occurrence, 'log' | 'event'> & { readonly words: AuthorMetadata }

/** Columns of an entity that say how it is shown and searched. Only connectors are pieces, with title and presentation. */
export function wordColumns(sql: WriterSql, kind: EntityKind, words: AuthorMetadata | undefined) {
  const { title, present } = kind === 'connector' && words !== undefined ? words : {}
  return {
    title: title ?? null,
    search_title: title === undefined ? null : titleForSearch(title),
    search_words: words?.description === undefined ? null : wordsForSearch(words.description),
    presentation: present === undefined ? null : sql.json(present as never),
  }
}

/** A title in the spelling in which search compares titles. */
export function titleForSearch(title: string): string {
  return title.normalize('NFC').replaceAll(/\s+/gu, ' ').toLowerCase()
}

/** The words of a text in the spelling in which search compares them, each after a blank. */
export function wordsForSearch(text: string): string {
  const words =
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return words.map((word) => ` ${word}`).join('')
}

/**
 * Stores what verified publications say about themselves beyond their metadata: origins that the chain held before, and
 * sources that wait for their check. A few statements, whatever their number.
 *
 * @param occurrences In chain order; their entities are stored.
 */
export async function storeWords(
  sql: WriterSql,
  occurrences: readonly Pick<Occurrence, 'log' | 'event' | 'words'>[],
): Promise<void> {
  const worded = occurrences.filter((each): each is Worded => each.words !== undefined)
  await storeOrigins(sql, worded)
  await queueChecks(sql, worded)
}

async function storeOrigins(sql: WriterSql, worded: readonly Worded[]): Promise<void> {
  const claims = worded.flatMap(({ log, event, words: { madeFrom = [] } }) =>
    madeFrom.map((origin) => ({ log, event, origin })),
  )
  if (claims.length === 0) return
  const { blocks, txs, logs } = placesOf(claims)
  await sql`
    insert into entity_origins (kind, name, origin_kind, origin_name, block_number, tx_index, log_index)
    select claim.kind, claim.name, o.kind, o.name, claim.block_number, claim.tx_index, claim.log_index
    from unnest(${claims.map(({ event }) => event.kind)}::text[], ${claims.map(({ event }) => event.name)}::text[],
      ${claims.map(({ origin }) => origin.kind)}::text[], ${claims.map(({ origin }) => origin.name)}::text[],
      ${claims.map(({ origin }) => origin.contentHash)}::text[], ${blocks}::bigint[], ${txs}::int[], ${logs}::int[])
      as claim(kind, name, origin_kind, origin_name, origin_hash, block_number, tx_index, log_index)
    join entities o on o.kind = claim.origin_kind and o.name = claim.origin_name and o.content_hash = claim.origin_hash
    where (o.block_number, o.tx_index, o.log_index) < (claim.block_number, claim.tx_index, claim.log_index)`
}

async function queueChecks(sql: WriterSql, worded: readonly Worded[]): Promise<void> {
  const bodies = worded.filter(({ event, words }) => event.kind !== 'connector' && words.source !== undefined)
  if (bodies.length === 0) return
  const countByOwner = new Map<string, number>()
  const nth = bodies.map(({ event: { owner } }) => {
    const before = countByOwner.get(owner) ?? 0
    countByOwner.set(owner, before + 1)
    return before
  })
  const { blocks, txs, logs } = placesOf(bodies)
  await sql`
    insert into source_checks
      (kind, name, owner, content_hash, metadata_hash, turn, block_number, tx_index, log_index)
    select kind, name, owner, content_hash, metadata_hash,
      nth + coalesce((select max(turn) + 1 from source_checks known where known.owner = body.owner), 0),
      block_number, tx_index, log_index
    from unnest(${bodies.map(({ event }) => event.kind)}::text[], ${bodies.map(({ event }) => event.name)}::text[],
      ${bodies.map(({ event }) => event.owner)}::text[], ${bodies.map(({ event }) => event.contentHash)}::text[],
      ${bodies.map(({ event }) => event.metadataHash)}::text[], ${nth}::int[], ${blocks}::bigint[], ${txs}::int[],
      ${logs}::int[])
      as body(kind, name, owner, content_hash, metadata_hash, nth, block_number, tx_index, log_index)`
}

function placesOf(rows: readonly { readonly log: RegistryLog }[]) {
  return {
    blocks: rows.map(({ log }) => log.blockNumber),
    txs: rows.map(({ log }) => log.txIndex),
    logs: rows.map(({ log }) => log.logIndex),
  }
}

/** Deletes what rolled back entities said. What they were made from is older, so nothing else names them. */
export async function rollBackWords(
  sql: WriterSql,
  deleted: readonly { readonly kind: string; readonly name: string }[],
): Promise<void> {
  const kinds = deleted.map(({ kind }) => kind)
  const names = deleted.map(({ name }) => name)
  await sql`
    delete from entity_origins where (kind, name) in (select * from unnest(${kinds}::text[], ${names}::text[]))`
  await sql`
    delete from source_checks where (kind, name) in (select * from unnest(${kinds}::text[], ${names}::text[]))`
}
