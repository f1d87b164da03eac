import type postgres from 'postgres'
import type { Context } from '#lib/core/context/context.ts'
import { type AuthorMetadata, parseAuthorMetadata } from '#lib/protocol/author-metadata.ts'
import type { EntityKind } from '#lib/protocol/entity.ts'
import type { Presentation } from '#lib/protocol/presentation.ts'

/**
 * Whether a published source compiles to the published code: `open` while that is not known yet, `different` when this
 * server did not get that code.
 */
type SourceState = 'open' | 'verified' | 'different'

/** Words of the author about a published entity: claims, apart from a verified source. */
export interface AuthorWords extends Omit<AuthorMetadata, 'madeFrom'> {
  readonly sourceState: SourceState
  /** Whether title and presentation are those that the owner chose for this site since; absent as published. */
  readonly isChanged?: true
}

/**
 * Joins how its owner shows a piece on this site, `shown`, to a published entity, `e`: its row has a name where title and
 * presentation are its own. Hiding a piece hides that, too.
 */
export function joinShown(sql: postgres.ISql) {
  return sql`left join shown_pieces shown on e.kind = 'connector' and shown.name = e.name and shown.owner = e.owner
    and shown.content_hash = e.content_hash
    and not exists (select from hidden_entities where kind = 'connector' and name = shown.name)`
}

/** Title of `e` as it is shown, after `joinShown`. */
export function shownTitle(sql: postgres.ISql) {
  return sql`case when shown.name is null then e.title else shown.title end as title`
}

/** Title and presentation of `e` as they are shown, after `joinShown`. */
export function shownColumns(sql: postgres.ISql) {
  return sql`${shownTitle(sql)}, ${shownPresentation(sql)} as presentation`
}

/** Expression of the presentation of `e` as it is shown, after `joinShown`. */
export function shownPresentation(sql: postgres.ISql) {
  return sql`(case when shown.name is null then e.presentation else shown.presentation end)`
}

/**
 * The author's words about an entity, by its key, with title and presentation as its owner shows it on this site; undefined
 * without any.
 *
 * @param options.asPublished Only what the chain has.
 */
export async function findAuthorWords(
  ctx: Pick<Context, 'db'>,
  kind: EntityKind,
  name: string,
  { asPublished = false }: { readonly asPublished?: boolean | undefined } = {},
): Promise<AuthorWords | undefined> {
  const { sql } = ctx.db
  const [row] = await sql<WordsRow[]>`
    select e.metadata, c.state, shown.name is not null as changed, ${shownColumns(sql)} from entities e
    left join source_checks c on c.kind = e.kind and c.name = e.name and c.metadata_hash = e.metadata_hash
    ${joinShown(sql)}
    where e.kind = ${kind} and e.name = ${name} and (e.metadata is not null or shown.name is not null)`
  const words = row?.metadata ? parseAuthorMetadata(row.metadata) : undefined
  const isChanged = row?.changed === true && !asPublished
  if (row === undefined || (words === undefined && !isChanged)) return undefined
  const { description, licence, source } = words ?? {}
  const { title, present } = isChanged
    ? { title: row.title, present: row.presentation }
    : { title: words?.title, present: words?.present }
  return {
    ...(description && { description }),
    ...(licence && { licence }),
    ...(source && kind !== 'connector' && { source }),
    ...(title && kind === 'connector' && { title }),
    ...(present && kind === 'connector' && { present }),
    sourceState: row.state ?? 'open',
    ...(isChanged && { isChanged }),
  }
}

interface WordsRow {
  readonly metadata: Buffer | null
  readonly state: SourceState | null
  readonly changed: boolean
  readonly title: string | null
  readonly presentation: Presentation | null
}

/** Title and presentation of a published connector as it is shown, as far as it has them. */
export interface PublishedPiece {
  readonly title: string | undefined
  readonly present: Presentation | undefined
}

/**
 * Titles and presentations of published connectors as their owners show them, by name; without those that have neither. One
 * indexed read.
 */
export async function findPieces(
  ctx: Pick<Context, 'db'>,
  names: readonly string[],
): Promise<ReadonlyMap<string, PublishedPiece>> {
  if (names.length === 0) return new Map()
  const { sql } = ctx.db
  const rows = await sql<{ name: string; title: string | null; presentation: Presentation | null }[]>`
    select e.name, ${shownColumns(sql)} from entities e ${joinShown(sql)}
    where e.kind = 'connector' and e.name = any(${[...names]}::text[])
      and (e.title is not null or e.presentation is not null or shown.name is not null)`
  return new Map(
    rows.map(({ name, title, presentation }) => [
      name,
      { title: title ?? undefined, present: presentation ?? undefined },
    ]),
  )
}
