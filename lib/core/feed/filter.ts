import type postgres from 'postgres'
import type { Address, EntityKind, Hash } from '#lib/protocol/entity.ts'

/** Which publications a reader wants; every part that is present must fit. */
export interface FeedFilter {
  readonly kind?: EntityKind | undefined
  readonly owner?: Address | undefined
  /** Only connectors of this format. */
  readonly format?: Hash | undefined
  readonly name?: string | undefined
}

/** The part of a delta that filters look at. */
interface Filtered {
  readonly kind: EntityKind
  readonly owner: Address
  readonly formatHash: Hash | null
  readonly name: string
}

/** Returns the filter without its empty parts; undefined for one that everything passes. */
export function usedFilter({ kind, owner, format, name }: FeedFilter): FeedFilter | undefined {
  const filter = { kind, owner, format, name }
  return Object.values(filter).every((part) => part === undefined) ? undefined : filter
}

export function passes(filter: FeedFilter, delta: Filtered): boolean {
  return (
    (filter.kind === undefined || filter.kind === delta.kind) &&
    (filter.owner === undefined || filter.owner === delta.owner) &&
    (filter.format === undefined || filter.format === delta.formatHash) &&
    (filter.name === undefined || filter.name === delta.name)
  )
}

/** The same condition on rows of `feed_outbox`, as SQL. */
export function passesInSql(sql: postgres.Sql, { kind, owner, format, name }: FeedFilter) {
  return sql`
    ${kind === undefined ? sql`true` : sql`kind = ${kind}`}
    and ${owner === undefined ? sql`true` : sql`owner = ${owner}`}
    and ${format === undefined ? sql`true` : sql`format_hash = ${format}`}
    and ${name === undefined ? sql`true` : sql`name = ${name}`}`
}
