import type { Context } from '#lib/core/context/context.ts'
import type { Address, EntityKind, Hash } from '#lib/protocol/entity.ts'
import { joinShown, shownTitle } from './author-words.ts'

/** An entity as a page names it: by its title where it has one. */
export interface NamedEntity {
  readonly kind: EntityKind
  readonly name: string
  readonly title: string | undefined
}

/** Others of an account and of a format, as far as a page names them. */
export interface Related {
  /** Published by the same account, newest first. */
  readonly byOwner: readonly NamedEntity[]
  /** Number of the account's publications, this entity included. */
  readonly publishedByOwner: number
  /** Published connectors of the format, ascending by name. */
  readonly ofFormat: readonly NamedEntity[]
  /** Connectors of the format, this entity included when it is published. */
  readonly inFormat: number
}

/**
 * What stands near an entity: a fixed number of indexed reads, whatever the size of the account or the format.
 *
 * @param input.formatHash Undefined for what has none.
 * @param input.limit Most names of each list.
 */
export async function related(
  ctx: Pick<Context, 'db'>,
  input: {
    readonly kind: EntityKind
    readonly name: string
    readonly owner: Address
    readonly formatHash: Hash | undefined
    readonly limit: number
  },
): Promise<Related> {
  const { kind, name, owner, limit } = input
  const formatHash = input.formatHash ?? null
  const { sql } = ctx.db
  const [byOwner, ofFormat, [counts]] = await Promise.all([
    sql<NamedRow[]>`
      select e.kind, e.name, ${shownTitle(sql)} from entities e ${joinShown(sql)}
      where e.owner = ${owner} and (e.kind, e.name) <> (${kind}, ${name})
      order by e.block_number desc, e.tx_index desc, e.log_index desc limit ${limit}`,
    sql<NamedRow[]>`
      select e.kind, e.name, ${shownTitle(sql)} from entities e ${joinShown(sql)}
      where e.format_hash = ${formatHash} and e.name <> ${kind === 'connector' ? name : ''}
      order by e.name limit ${limit}`,
    sql<{ published: number | null; connectors: number | null }[]>`
      select (select published from accounts where address = ${owner}) as published,
        (select connectors from formats where format_hash = ${formatHash}) as connectors`,
  ])
  return {
    byOwner: byOwner.map(toNamedEntity),
    publishedByOwner: counts?.published ?? 0,
    ofFormat: ofFormat.map(toNamedEntity),
    inFormat: counts?.connectors ?? 0,
  }
}

interface NamedRow {
  readonly kind: EntityKind
  readonly name: string
  readonly title: string | null
}

function toNamedEntity({ kind, name, title }: NamedRow): NamedEntity {
  return { kind, name, title: title ?? undefined }
}

export interface User {
  /** A published connector. */
  readonly name: string
  readonly owner: Address
  /** Number of times that it names what is used. */
  readonly uses: number
}

export interface UsersPage {
  readonly total: number
  /** Ascending by name. */
  readonly users: readonly User[]
  /** Cursor that leads on; null at the end. */
  readonly nextAfter: string | null
}

/**
 * Published connectors that name an entity, a page at a time.
 *
 * @param input.after Exclusive name cursor, '' for the start.
 */
export async function usedBy(
  ctx: Pick<Context, 'db'>,
  input: { readonly kind: EntityKind; readonly name: string; readonly limit: number; readonly after: string },
): Promise<UsersPage> {
  const { kind, name, limit, after } = input
  const rows = await ctx.db.sql<{ total: number; connector: string | null; owner: Address; uses: number }[]>`
    select counted.total, page.connector, page.owner, page.uses
    from (
      select coalesce((select used_by from entity_uses where kind = ${kind} and name = ${name}), 0) as total
    ) counted
    left join lateral (
      select r.connector, e.owner, r.uses
      from entity_references r join entities e on e.kind = 'connector' and e.name = r.connector
      where r.kind = ${kind} and r.name = ${name} and r.connector > ${after}
      order by r.connector limit ${limit + 1}
    ) page on true
    order by page.connector`
  const users = rows.flatMap(({ connector, owner, uses }) =>
    connector === null ? [] : [{ name: connector, owner, uses }],
  )
  const firstUsers = users.slice(0, limit)
  return {
    total: rows[0]?.total ?? 0,
    users: firstUsers,
    nextAfter: users.length > limit ? (firstUsers.at(-1)?.name ?? null) : null,
  }
}
