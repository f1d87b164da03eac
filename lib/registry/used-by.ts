import type { Context } from '../context.ts'
import type { Address, EntityKind } from '../domain/entity.ts'

export interface User {
  /** A published connector. */
  readonly name: string
  readonly owner: Address
  /** How often it names what is used. */
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
  const shown = users.slice(0, limit)
  return {
    total: rows[0]?.total ?? 0,
    users: shown,
    nextAfter: users.length > limit ? (shown.at(-1)?.name ?? null) : null,
  }
}
