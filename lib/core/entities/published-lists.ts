import type { Services } from '#lib/core/context/context.ts'
import type { Address, EntityKind, Hash } from '#lib/protocol/entity.ts'
import { visible } from './first-shown.ts'

/* Pages of what is published, each in an order that an index has. */

type Store = Pick<Services, 'db'>

interface Slice {
  readonly limit: number
  /** Rows to skip. */
  readonly offset?: number
}

/** A published entity in a list. */
export interface ListedEntity {
  readonly kind: EntityKind
  readonly name: string
  readonly owner: Address
  /** Published connectors that name it. */
  readonly usedBy: number
}

export interface EntityListInput extends Slice {
  readonly kind: EntityKind
  /** Only connectors of this format. */
  readonly formatHash?: Hash | undefined
}

/** Published entities of a kind, the newest first, without hidden ones. */
export async function newestEntities(
  { db }: Store,
  { kind, formatHash, limit, offset = 0 }: EntityListInput,
): Promise<readonly ListedEntity[]> {
  const { sql } = db
  return sql<ListedEntity[]>`
    select kind, name, owner, coalesce((
      select used_by from entity_uses u where u.kind = page.kind and u.name = page.name
    ), 0) as "usedBy"
    from (
      select kind, name, owner, block_number, tx_index, log_index from entities e
      where kind = ${kind} ${formatHash === undefined ? sql`` : sql`and format_hash = ${formatHash}`}
        and ${visible(sql)}
      order by block_number desc, tx_index desc, log_index desc limit ${limit} offset ${offset}
    ) page
    order by block_number desc, tx_index desc, log_index desc`
}

/** Published entities that published connectors name, those of the most connectors first, without hidden ones. */
export async function mostUsedEntities(
  { db }: Store,
  { kind, formatHash, limit, offset = 0 }: Omit<EntityListInput, 'kind'> & Partial<EntityListInput>,
): Promise<readonly ListedEntity[]> {
  const { sql } = db
  const ofFormat = formatHash === undefined ? undefined : sql`and format_hash = ${formatHash}`
  // Only connectors have a format, and its own index comes in the same order.
  const filter = ofFormat ?? (kind === undefined ? sql`` : sql`and kind = ${kind}`)
  return sql<ListedEntity[]>`
    select e.kind, e.name, e.owner, used.used_by as "usedBy"
    from (
      select kind, name, used_by from entity_uses e
      where used_by > 0 ${filter} and ${visible(sql)}
      order by used_by desc, name, kind limit ${limit} offset ${offset}
    ) used
    join entities e using (kind, name)
    order by used.used_by desc, e.name, e.kind`
}

export interface ListedFormat {
  readonly formatHash: Hash
  /** Labels of its values, the first ones. */
  readonly scalars: readonly string[]
  readonly scalarsCount: number
  /** Published connectors of the format. */
  readonly connectors: number
}

/** Formats, those of the most published connectors first. */
export async function popularFormats(
  { db }: Store,
  { limit, offset = 0 }: Slice,
): Promise<readonly ListedFormat[]> {
  return db.sql<ListedFormat[]>`
    select format_hash as "formatHash", scalars, connectors,
      coalesce(scalars_count, jsonb_array_length(scalars)) as "scalarsCount"
    from formats
    where connectors > 0
    order by connectors desc, format_hash limit ${limit} offset ${offset}`
}

/** Owners of published entities, those of the most first. */
export async function activeAccounts(
  { db }: Store,
  { limit, offset = 0 }: Slice,
): Promise<readonly { readonly address: Address; readonly published: number }[]> {
  return db.sql<{ address: Address; published: number }[]>`
    select address, published from accounts
    where published > 0
    order by published desc, address limit ${limit} offset ${offset}`
}

/** Number of entities of each kind that an account has on chain. */
export async function publishedCounts(
  { db }: Store,
  { address }: { readonly address: Address },
): Promise<Readonly<Record<EntityKind, number>>> {
  const rows = await db.sql<{ kind: EntityKind; total: number }[]>`
    select kind, published as total from owner_totals where owner = ${address}`
  const totals = new Map(rows.map(({ kind, total }) => [kind, total]))
  const of = (kind: EntityKind) => totals.get(kind) ?? 0
  return { connector: of('connector'), transformation: of('transformation'), condition: of('condition') }
}

/** Published entities, each with its own page, the newest first. */
export interface PublishedPages {
  readonly entities: readonly { readonly kind: EntityKind; readonly name: string }[]
  readonly formats: readonly Hash[]
  readonly accounts: readonly Address[]
}

/** @param limit Of entities, of formats and of accounts alike. */
export async function listPages(
  { db }: Store,
  { limit }: { readonly limit: number },
): Promise<PublishedPages> {
  const { sql } = db
  const [entities, formats, accounts] = await Promise.all([
    sql<{ kind: EntityKind; name: string }[]>`
      select kind, name from entities order by block_number desc, tx_index desc, log_index desc limit ${limit}`,
    sql<{ format_hash: Hash }[]>`
      select format_hash from formats where connectors > 0 order by connectors desc, format_hash limit ${limit}`,
    sql<{ address: Address }[]>`
      select address from accounts where published > 0 order by published desc, address limit ${limit}`,
  ])
  return {
    entities,
    formats: formats.map(({ format_hash }) => format_hash),
    accounts: accounts.map(({ address }) => address),
  }
}
