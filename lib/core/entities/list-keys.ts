import type { Context } from '#lib/core/context/context.ts'
import type { Address, Hash } from '#lib/protocol/entity.ts'

/** Keys in byte order, at most `limit` of them, and the cursor that leads on: null unless another row exists. */
export interface Page {
  readonly keys: readonly string[]
  readonly nextAfter: string | null
}

/** Cuts a page out of `limit + 1` rows. */
export function toPage(keys: readonly string[], limit: number): Page {
  const pageKeys = keys.slice(0, limit)
  return { keys: pageKeys, nextAfter: keys.length > limit ? (pageKeys.at(-1) ?? null) : null }
}

export interface KeysPage extends Page {
  readonly total: number
}

interface After<Key> {
  readonly limit: number
  /** Exclusive cursor; it need not exist. */
  readonly after: Key | undefined
}

/** Owners of published entities, ascending. */
export function listAccounts(ctx: Context, page: After<Address>): Promise<KeysPage> {
  return listKeys(ctx, ACCOUNTS, page)
}

/** Formats of published connectors, ascending. */
export function listFormats(ctx: Context, page: After<Hash>): Promise<KeysPage> {
  return listKeys(ctx, FORMATS, page)
}

const ACCOUNTS = statement('accounts', 'address', 'account')
const FORMATS = statement('formats', 'format_hash', 'format')

/** One statement, so that total and page are of one snapshot. */
function statement(table: string, key: string, counted: string): string {
  return `
    select counted.total, page.key
    from (select coalesce((select total::int from network_totals where counted = '${counted}'), 0) as total) counted
    left join lateral (
      select ${key} as key from ${table} where ${key} > $1 order by ${key} limit $2
    ) page on true
    order by page.key`
}

async function listKeys(
  { db: { sql } }: Context,
  text: string,
  { limit, after = '' }: After<string>,
): Promise<KeysPage> {
  const rows = await sql.unsafe<{ total: number; key: string | null }[]>(text, [after, limit + 1], {
    prepare: true,
  })
  const keys = rows.flatMap((row) => row.key ?? [])
  return { total: rows[0]?.total ?? 0, ...toPage(keys, limit) }
}
