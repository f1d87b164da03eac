import type { Context } from '#lib/core/context/context.ts'
import { type AuthorMetadata, parseAuthorMetadata } from '#lib/protocol/author-metadata.ts'
import type { EntityKind } from '#lib/protocol/entity.ts'
import type { Presentation } from '#lib/protocol/presentation.ts'

/**
 * Whether a published source compiles to the published code: `open` while that is not known yet, `different` when this
 * server did not get that code.
 */
type SourceState = 'open' | 'verified' | 'different'

/** What the author says about a published entity: claims, apart from a verified source. */
export interface AuthorWords extends Omit<AuthorMetadata, 'madeFrom'> {
  readonly sourceState: SourceState
}

/** The author's words about an entity, by its key; undefined without any. */
export async function findAuthorWords(
  ctx: Pick<Context, 'db'>,
  kind: EntityKind,
  name: string,
): Promise<AuthorWords | undefined> {
  const [row] = await ctx.db.sql<{ metadata: Buffer; state: SourceState | null }[]>`
    select e.metadata, c.state from entities e
    left join source_checks c on c.kind = e.kind and c.name = e.name and c.metadata_hash = e.metadata_hash
    where e.kind = ${kind} and e.name = ${name} and e.metadata is not null`
  const words = row && parseAuthorMetadata(row.metadata)
  if (words === undefined) return undefined
  const { description, licence, source, title, present } = words
  return {
    ...(description && { description }),
    ...(licence && { licence }),
    ...(source && kind !== 'connector' && { source }),
    ...(title && kind === 'connector' && { title }),
    ...(present && kind === 'connector' && { present }),
    sourceState: row?.state ?? 'open',
  }
}

/** Title and presentation of a published connector, as far as its author gave them. */
export interface PublishedPiece {
  readonly title: string | undefined
  readonly present: Presentation | undefined
}

/** Titles and presentations of published connectors, by name; without those that have neither. One indexed read. */
export async function findPieces(
  ctx: Pick<Context, 'db'>,
  names: readonly string[],
): Promise<ReadonlyMap<string, PublishedPiece>> {
  if (names.length === 0) return new Map()
  const rows = await ctx.db.sql<{ name: string; title: string | null; presentation: Presentation | null }[]>`
    select name, title, presentation from entities
    where kind = 'connector' and name = any(${[...names]}::text[]) and (title is not null or presentation is not null)`
  return new Map(
    rows.map(({ name, title, presentation }) => [
      name,
      { title: title ?? undefined, present: presentation ?? undefined },
    ]),
  )
}
