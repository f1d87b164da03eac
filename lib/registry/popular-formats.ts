import type { Services } from '../context.ts'
import type { Hash } from '../domain/entity.ts'

export interface ListedFormat {
  readonly formatHash: Hash
  /** Labels of its values, the first ones. */
  readonly scalars: readonly string[]
  readonly scalarsCount: number
  /** Published connectors of the format. */
  readonly connectors: number
}

/** Formats, those of the most published connectors first. */
export async function popularFormats(
  { db }: Pick<Services, 'db'>,
  { limit, offset = 0 }: { readonly limit: number; readonly offset?: number },
): Promise<readonly ListedFormat[]> {
  return db.sql<ListedFormat[]>`
    select format_hash as "formatHash", scalars, connectors,
      coalesce(scalars_count, jsonb_array_length(scalars)) as "scalarsCount"
    from formats
    where connectors > 0
    order by connectors desc, format_hash limit ${limit} offset ${offset}`
}
