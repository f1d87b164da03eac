import type { Context } from '../context.ts'
import type { Hash } from '../domain/entity.ts'
import { type Page, toPage } from './page.ts'

export interface FormatsPage extends Page {
  readonly total: number
}

/** Formats of published connectors, ascending. `after` is exclusive and need not be a format. */
export async function listFormats(
  ctx: Context,
  input: { limit: number; after: Hash | undefined },
): Promise<FormatsPage> {
  // One statement, so that total and page are of one moment.
  const rows = await ctx.db.sql<{ total: number; format_hash: Hash | null }[]>`
    select counted.total, page.format_hash
    from (select coalesce((select total::int from network_totals where counted = 'format'), 0) as total) counted
    left join lateral (
      select format_hash from formats where format_hash > ${input.after ?? ''}
      order by format_hash limit ${input.limit + 1}
    ) page on true
    order by page.format_hash`
  const hashes = rows.flatMap((row) => row.format_hash ?? [])
  return { total: rows[0]?.total ?? 0, ...toPage(hashes, input.limit) }
}
