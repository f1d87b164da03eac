import type { Address, Hash } from '#lib/protocol/entity.ts'
import { firstShown, visible } from './first-shown.ts'

export interface FoundConnector {
  readonly name: string
  readonly owner: Address
  readonly address: Address
  readonly contentHash: Hash
  readonly formatHash: Hash
  /** Labels of the format. */
  readonly scalars: readonly string[]
  /** Chosen by the operator. */
  readonly featured: boolean
}

export interface ConnectorQuery {
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
 * carry the values, then any. Each once. Among equals, those that are shown first anywhere come first, then the newest
 * one of each account, then the others, the newest first.
 *
 * @param most Of each of these; 1..48.
 */
export async function connectorsFor(
  ctx: Parameters<typeof firstShown>[0],
  { names, formatHashes, carrying }: ConnectorQuery,
  most: number,
): Promise<readonly FoundConnector[]> {
  const { sql } = ctx.db
  const firstConnectors = await firstShown(ctx, { kind: 'connector', limit: most })
  const featured = firstConnectors.flatMap(({ name, because }) => (because === 'featured' ? [name] : []))
  const first = sql`${firstConnectors.map(({ name }) => name)}::text[]`
  const newest = sql`e.block_number desc, e.tx_index desc, e.log_index desc`
  // Of each format alone: an index has them in this order, and of all formats together none has.
  const newestOf = (format: ReturnType<typeof sql>) => sql`
    (select o.name, 0 as turn, o.block_number, o.tx_index, o.log_index from newest_of_owners o
      where o.scope = ${format} order by o.block_number desc, o.tx_index desc, o.log_index desc limit ${most})
    union all
    (select e.name, 1, e.block_number, e.tx_index, e.log_index from entities e
      where e.format_hash = ${format} order by ${newest} limit ${most})`
  return sql<FoundConnector[]>`
    with carrying as materialized (
      select format_hash
      from (select * from formats order by connectors desc nulls first, format_hash limit ${carrying.length === 0 ? 0 : FORMATS_READ}) f
      where exists (
        select 1 from jsonb_array_elements_text(f.scalars) label
        where regexp_replace(label, ':[0-9]+$', '') = any(${[...carrying]}::text[]))
    ), found as (
      (select e.name, 0 as rank, array_position(${[...names]}::text[], e.name::text) as place, 0 as turn
        from entities e
        where e.kind = 'connector' and e.name = any(${[...names]}::text[]) order by place limit ${most})
      union all
      (select name, 1, 0, turn from unnest(${[...formatHashes]}::text[]) wanted(hash)
        cross join lateral (${newestOf(sql`wanted.hash`)}) e
        order by turn, ${newest} limit ${2 * most})
      union all
      (select name, 2, 0, turn from carrying f
        cross join lateral (${newestOf(sql`f.format_hash`)}) e
        order by turn, ${newest} limit ${2 * most})
      union all
      (select e.name, case
          when e.format_hash = any(${[...formatHashes]}::text[]) then 1
          when e.format_hash in (select format_hash from carrying) then 2
          else 3
        end, 0, 0
        from entities e where e.kind = 'connector' and e.name = any(${first}))
      union all
      (select e.name, 3, 0, 1 from entities e where e.kind = 'connector' order by ${newest} limit ${most})
    ), best as (
      select distinct on (name) name, rank, place, turn from found order by name, rank, turn
    )
    select e.name, e.owner, e.address, e.content_hash as "contentHash", e.format_hash as "formatHash", f.scalars,
      e.name = any(${featured}::text[]) as featured
    from best join entities e on e.kind = 'connector' and e.name = best.name
      join formats f on f.format_hash = e.format_hash
    where rank = 0 or ${visible(sql)}
    order by best.rank, best.place, array_position(${first}, e.name::text) nulls last, best.turn, ${newest}`
}
