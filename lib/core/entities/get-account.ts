import type { Context } from '#lib/core/context/context.ts'
import type { Address, EntityKind } from '#lib/protocol/entity.ts'
import { type Page, toPage } from './list-keys.ts'

export interface AccountInput {
  readonly address: Address
  /** Page size of each list. */
  readonly limit: number
  /** Exclusive cursor of each list; '' for its start. */
  readonly after: Readonly<Record<EntityKind, string>>
}

/**
 * The names an account holds, published and drafts alike, ascending. A draft whose name another account published is
 * shadowed by it, and is not listed: every name here reads back with this owner. An unknown account holds nothing.
 */
export async function getAccount(ctx: Context, input: AccountInput): Promise<Record<EntityKind, Page>> {
  const { address, limit, after } = input
  // A draft the account itself published is in both halves: skipping those would read them all before the first
  // other one. Shadowed drafts are looked up one by one, because a join would read all before the limit applies.
  const rows = await ctx.db.sql<{ kind: EntityKind; name: string }[]>`
    select wanted.kind, page.name
    from (values
      ('connector', ${after.connector}::text),
      ('transformation', ${after.transformation}::text),
      ('condition', ${after.condition}::text)
    ) as wanted(kind, after)
    cross join lateral (
      (
        select e.name from entities e
        where e.owner = ${address} and e.kind = wanted.kind and e.name > wanted.after
        order by e.name limit ${limit + 1}
      )
      union
      (
        select d.name from drafts d
        where d.owner = ${address} and d.kind = wanted.kind and d.name > wanted.after
          and d.owner = coalesce(
            (select e.owner from entities e where e.kind = d.kind and e.name = d.name), d.owner
          )
        order by d.name limit ${limit + 1}
      )
      order by name limit ${limit + 1}
    ) page
    order by wanted.kind, page.name`
  const namesOf = (kind: EntityKind) => rows.filter((row) => row.kind === kind).map((row) => row.name)
  return {
    connector: toPage(namesOf('connector'), limit),
    transformation: toPage(namesOf('transformation'), limit),
    condition: toPage(namesOf('condition'), limit),
  }
}
