import type { Context } from '#lib/core/context/context.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { type Page, toPage } from './list-keys.ts'
import { storedLabels } from './stored-leaves.ts'

export interface FormatPage extends Page {
  readonly total: number
  /** Labels `<declaring connector>:<dimension>` that all members share, the first ones. */
  readonly scalars: readonly string[]
  readonly scalarsCount: number
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
  const rows = await ctx.db.sql<{ total: number; scalars: string[]; count: number; name: string | null }[]>`
    select f.connectors as total, f.scalars, coalesce(f.scalars_count, jsonb_array_length(f.scalars)) as count,
      page.name
    from formats f
    left join lateral (
      select e.name from entities e
      where e.format_hash = f.format_hash and e.name > ${after}
      order by e.name limit ${limit + 1}
    ) page on true
    where f.format_hash = ${formatHash}
    order by page.name`
  const names = rows.flatMap((row) => row.name ?? [])
  const { total, scalars, count: scalarsCount } = rows[0] ?? { total: 0, scalars: [], count: 0 }
  return { total, scalars, scalarsCount, ...toPage(names, limit) }
}

/** All labels of a format, ascending: of one with very many they are read from one of its connectors. */
export async function formatScalars(
  { db: { sql } }: Context,
  formatHash: Hash,
  { scalars, scalarsCount }: Pick<FormatPage, 'scalars' | 'scalarsCount'>,
): Promise<readonly string[]> {
  if (scalars.length === scalarsCount) return scalars
  const [member] = await sql<{ artifact_hash: Hash }[]>`
    select artifact_hash from entities where format_hash = ${formatHash} order by name limit 1`
  return member === undefined ? scalars : storedLabels(sql, member.artifact_hash)
}
