import type { Context } from '../context.ts'
import type { Hash } from '../domain/entity.ts'
import { type Page, toPage } from './page.ts'

export interface FormatPage extends Page {
  readonly total: number
  /** Labels `<declaring connector>:<dimension>` that all members share. */
  readonly scalars: readonly string[]
}

/**
 * A format with its published connectors, ascending. `after` is an exclusive name cursor, '' for the start. An unknown
 * format has no members.
 */
export async function getFormat(
  ctx: Context,
  input: { formatHash: Hash; limit: number; after: string },
): Promise<FormatPage> {
  const { formatHash, limit, after } = input
  const rows = await ctx.db.sql<{ total: number; scalars: string[]; name: string | null }[]>`
    select f.connectors as total, f.scalars, page.name
    from formats f
    left join lateral (
      select e.name from entities e
      where e.format_hash = f.format_hash and e.name > ${after}
      order by e.name limit ${limit + 1}
    ) page on true
    where f.format_hash = ${formatHash}
    order by page.name`
  const names = rows.flatMap((row) => row.name ?? [])
  return { total: rows[0]?.total ?? 0, scalars: rows[0]?.scalars ?? [], ...toPage(names, limit) }
}
