import type { Context } from '../context.ts'
import type { Address, Hash } from '../domain/entity.ts'
import { parseHash } from '../domain/hash.ts'
import { isEntityName } from '../domain/names.ts'
import { type FormatPage, getFormat } from '../registry/get-format.ts'

const PAGE_NAMES = 60

export interface FormatView extends FormatPage {
  readonly formatHash: Hash
  /** Owners of the members on this page. */
  readonly owners: ReadonlyMap<string, Address>
  /** The page begins at the first member. */
  readonly fromStart: boolean
  readonly origin: string
}

/**
 * A format with its members, for its page; undefined for what is no hash and for a format nobody has.
 *
 * @param after Exclusive cursor; what is none counts as the start.
 * @throws What the database throws when it cannot be read.
 */
export async function formatView(
  ctx: Context,
  text: string,
  after: string | undefined,
): Promise<FormatView | undefined> {
  const formatHash = parseHash(text)
  if (formatHash === undefined) return undefined
  const start = after !== undefined && isEntityName(after) ? after : ''
  const page = await getFormat(ctx, { formatHash, limit: PAGE_NAMES, after: start })
  if (page.total === 0) return undefined
  const owners = await ctx.db.sql<{ name: string; owner: Address }[]>`
    select name, owner from entities where kind = 'connector' and name = any(${[...page.keys]}::text[])`
  return {
    ...page,
    formatHash,
    owners: new Map(owners.map(({ name, owner }) => [name, owner])),
    fromStart: start === '',
    origin: ctx.config.siteOrigin,
  }
}
