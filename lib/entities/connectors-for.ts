import type { Context } from '../context/context.ts'
import type { Address, Hash } from '../protocol/entity.ts'

export interface FoundConnector {
  readonly name: string
  readonly owner: Address
  readonly contentHash: Hash
  readonly formatHash: Hash
  /** Labels of the format. */
  readonly scalars: readonly string[]
}

export interface Wanted {
  /** Connectors by name. */
  readonly names: readonly string[]
  readonly formatHashes: readonly Hash[]
  /** Names of connectors whose values are to be among the scalars. */
  readonly carrying: readonly string[]
}

/** Formats that are looked through for scalars: the most used ones, so that a page costs the same in any network. */
const FORMATS_READ = 1000

/**
 * Published connectors that fit what is wanted: the ones by name first, then those of the formats, then those that
 * carry the values, then the newest of all. Each once.
 *
 * @param most Of each of the four; 1..100.
 */
export async function connectorsFor(
  { db }: Pick<Context, 'db'>,
  { names, formatHashes, carrying }: Wanted,
  most: number,
): Promise<readonly FoundConnector[]> {
  const newest = db.sql`e.block_number desc, e.tx_index desc, e.log_index desc`
  // Of each format alone: an index has them in this order, and of all formats together none has.
  const newestOf = (format: ReturnType<typeof db.sql>) => db.sql`
    select e.name, e.block_number, e.tx_index, e.log_index from entities e
    where e.format_hash = ${format} order by ${newest} limit ${most}`
  return db.sql<FoundConnector[]>`
    with carrying as materialized (
      select format_hash
      from (select * from formats order by connectors desc nulls first, format_hash limit ${carrying.length === 0 ? 0 : FORMATS_READ}) f
      where exists (
        select 1 from jsonb_array_elements_text(f.scalars) label
        where regexp_replace(label, ':[0-9]+$', '') = any(${[...carrying]}::text[]))
    ), found as (
      (select e.name, 0 as rank, array_position(${[...names]}::text[], e.name::text) as place from entities e
        where e.kind = 'connector' and e.name = any(${[...names]}::text[]) limit ${most})
      union all
      (select name, 1, 0 from unnest(${[...formatHashes]}::text[]) wanted(hash)
        cross join lateral (${newestOf(db.sql`wanted.hash`)}) e
        order by ${newest} limit ${most})
      union all
      (select name, 2, 0 from carrying f
        cross join lateral (${newestOf(db.sql`f.format_hash`)}) e
        order by ${newest} limit ${most})
      union all
      (select e.name, 3, 0 from entities e where e.kind = 'connector' order by ${newest} limit ${most})
    ), first as (
      select distinct on (name) name, rank, place from found order by name, rank
    )
    select e.name, e.owner, e.content_hash as "contentHash", e.format_hash as "formatHash", f.scalars
    from first join entities e on e.kind = 'connector' and e.name = first.name
      join formats f on f.format_hash = e.format_hash
    order by first.rank, first.place, ${newest}`
}
