import type { Context } from '../context.ts'
import type { Hash } from '../domain/entity.ts'

export interface WorldFormat {
  readonly formatHash: Hash
  /** Worlds that name it. */
  readonly worlds: number
  /** Labels of its values; empty while no connector of the format is known. */
  readonly scalars: readonly string[]
}

/** Worlds that are looked through, the ones changed last, so that the list costs the same in any gallery. */
const WORLDS_READ = 1000

/** Formats that Worlds name in their manifests, those of most Worlds first. */
export async function worldFormats(
  { db }: Pick<Context, 'db'>,
  { limit }: { readonly limit: number },
): Promise<readonly WorldFormat[]> {
  return db.sql<WorldFormat[]>`
    with named as (
      select distinct w.id, '0x' || regexp_replace(lower(hash), '^0x', '') as hash
      from (select id, manifest from worlds where status = 'active' order by updated_at desc, id limit ${WORLDS_READ}) w,
        jsonb_array_elements_text(coalesce(w.manifest -> 'acceptedFormatHashes', '[]')) hash
    ), counted as (
      select hash, count(*)::int as worlds from named group by hash order by worlds desc, hash limit ${limit}
    )
    select c.hash as "formatHash", c.worlds, coalesce(f.scalars, '[]') as scalars
    from counted c left join formats f on f.format_hash = c.hash
    order by c.worlds desc, c.hash`
}
