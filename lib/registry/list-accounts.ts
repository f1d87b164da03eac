import type { Context } from '../context.ts'
import type { Address } from '../domain/entity.ts'
import { type Page, toPage } from './page.ts'

export interface AccountsPage extends Page {
  readonly total: number
}

/** Owners of published entities, ascending. `after` is exclusive and need not be an owner. */
export async function listAccounts(
  ctx: Context,
  input: { limit: number; after: Address | undefined },
): Promise<AccountsPage> {
  // One statement, so that total and page are of one moment.
  const rows = await ctx.db.sql<{ total: number; address: Address | null }[]>`
    select counted.total, page.address
    from (select coalesce((select total::int from network_totals where counted = 'account'), 0) as total) counted
    left join lateral (
      select address from accounts where address > ${input.after ?? ''}
      order by address limit ${input.limit + 1}
    ) page on true
    order by page.address`
  const addresses = rows.flatMap((row) => row.address ?? [])
  return { total: rows[0]?.total ?? 0, ...toPage(addresses, input.limit) }
}
