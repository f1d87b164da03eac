import type postgres from 'postgres'
import type { Address, EntityKind, Hash } from '#lib/protocol/entity.ts'

/** Where a filled network is heavy, and where its lists have their middle. */
export interface Marks {
  /** The account that published most. */
  readonly owner: Address
  /** The format with most connectors. */
  readonly format: Hash
  /** Names that most connectors use. */
  readonly used: { readonly kind: EntityKind; readonly name: string }
  /** A connector in the middle of the alphabet, and its hash. */
  readonly connector: string
  readonly account: Address
  readonly middleFormat: Hash
  /** A place in the middle of the feed. */
  readonly place: string
  /** Entities there are. */
  readonly entities: number
  /** A World in the middle of the gallery. */
  readonly world: {
    readonly id: string
    readonly microseconds: string
    readonly name: string
    readonly bundleHash: string
  }
  /** A format that Worlds name. */
  readonly worldFormat: Hash
}

export async function marksOf(sql: postgres.Sql): Promise<Marks> {
  const one = async <T>(query: Promise<readonly T[]>): Promise<T> => (await query)[0]!
  const middle = async (table: string, column: string) => {
    const [row] = await sql.unsafe<{ value: string }[]>(
      `select ${column} as value from ${table} order by ${column} offset (select count(*) / 2 from ${table}) limit 1`,
    )
    return row!.value
  }
  const { owner } = await one(
    sql<{ owner: Address }[]>`select address as owner from accounts order by published desc limit 1`,
  )
  const { format } = await one(
    sql<{ format: Hash }[]>`select format_hash as format from formats order by connectors desc limit 1`,
  )
  const used = await one(
    sql<{ kind: EntityKind; name: string }[]>`
      select kind, name from entity_references group by kind, name order by count(*) desc limit 1`,
  )
  const { entities } = await one(sql<{ entities: number }[]>`select count(*)::int as entities from entities`)
  const world = await one(
    sql<{ id: string; microseconds: string; name: string; bundleHash: string; format: Hash | null }[]>`
      select id, bundle_hash as "bundleHash", (extract(epoch from updated_at) * 1000000)::bigint::text as microseconds,
        split_part(search_text, E'\n', 1) as name, manifest -> 'acceptedFormatHashes' ->> 0 as format
      from worlds where status = 'active' and manifest -> 'acceptedFormatHashes' <> '[]'
      order by updated_at offset (select count(*) / 8 from worlds) limit 1`,
  )
  return {
    owner,
    format,
    used,
    entities,
    connector: await middle("(select * from entities where kind = 'connector') c", 'name'),
    account: (await middle('accounts', 'address')) as Address,
    middleFormat: (await middle('formats', 'format_hash')) as Hash,
    place: await middle('feed_items', 'history_cursor'),
    world,
    worldFormat: world.format ?? format,
  }
}
