import type { Context } from '../context.ts'
import type { Hash } from '../domain/entity.ts'
import { parseHash } from '../domain/hash.ts'
import { isEntityName } from '../domain/names.ts'
import { type FormatPage, getFormat } from '../registry/get-format.ts'

const PAGE_NAMES = 60

export interface FormatView extends FormatPage {
  readonly formatHash: Hash
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
  const page = await getFormat(ctx, {
    formatHash,
    limit: PAGE_NAMES,
    after: after !== undefined && isEntityName(after) ? after : '',
  })
  return page.total === 0 ? undefined : { ...page, formatHash, origin: ctx.config.siteOrigin }
}
