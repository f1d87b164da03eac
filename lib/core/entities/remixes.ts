import type { Context } from '#lib/core/context/context.ts'
import { namesOf } from '#lib/core/people/users.ts'
import { MAX_MADE_FROM } from '#lib/protocol/author-metadata.ts'
import type { Address, EntityKind } from '#lib/protocol/entity.ts'

/** An entity or a World in a tree of remixes. */
export interface RemixNode {
  readonly kind: EntityKind | 'world'
  /** Name; of a World its slug. */
  readonly name: string
  /** Name of a World. */
  readonly title?: string
  /** Account that published it: credit does not depend on what it calls itself. */
  readonly owner: Address
  /** Its origins, or its remixes. Empty where the entity is shown elsewhere in the tree. */
  readonly next: readonly RemixNode[]
  /** Whether there are more than `next` shows. */
  readonly more: boolean
}

export type RemixRoot = Pick<RemixNode, 'next' | 'more'>

export interface Remixes {
  /** Generations above: what it was made from, and what that was made from. */
  readonly madeFrom: RemixRoot
  /** Generations below, newest first. */
  readonly remixedBy: RemixRoot
  /** Display names of the accounts that have one. */
  readonly names: ReadonlyMap<Address, string>
  /** Number of entities that were made from it directly; `MAX_COUNTED` stands for that many and more. */
  readonly count: number
}

/** Counting stops here: anyone may publish remixes. */
export const MAX_COUNTED = 200

const MAX_GENERATIONS = 4
/** Remixes of one entity that a tree shows. */
export const MAX_CHILDREN = 8
/** Entities of one generation whose own generations are read. */
const MAX_PARENTS = 12

type Key = Pick<RemixNode, 'kind' | 'name'>

/** A remix with the parent or child that it was found by. */
export interface RemixRow extends Omit<RemixNode, 'next' | 'more'> {
  readonly from_kind: RemixNode['kind']
  readonly from_name: string
}

/** A fixed number of indexed reads, whatever the number of remixes. */
export async function findRemixes(ctx: Pick<Context, 'db'>, root: Key): Promise<Remixes> {
  const { sql } = ctx.db
  const [madeFrom, remixedBy, [counted]] = await Promise.all([
    grow(
      root,
      MAX_MADE_FROM,
      (keys) => sql<RemixRow[]>`
      select at.kind as from_kind, at.name as from_name, e.kind, e.name, e.owner
      from ${unnested(ctx, keys)}
      cross join lateral (
        select origin_kind, origin_name from entity_origins where kind = at.kind and name = at.name
        order by origin_kind, origin_name limit ${MAX_MADE_FROM}
      ) o
      join entities e on e.kind = o.origin_kind and e.name = o.origin_name`,
    ),
    grow(
      root,
      MAX_CHILDREN,
      (keys) => sql<RemixRow[]>`
      select at.kind as from_kind, at.name as from_name, e.kind, e.name, e.owner
      from ${unnested(ctx, keys)}
      cross join lateral (
        select kind, name, block_number, tx_index, log_index from entity_origins
        where origin_kind = at.kind and origin_name = at.name
        order by block_number desc, tx_index desc, log_index desc limit ${MAX_CHILDREN + 1}
      ) o
      join entities e on e.kind = o.kind and e.name = o.name
      order by o.block_number desc, o.tx_index desc, o.log_index desc`,
    ),
    sql<{ count: number }[]>`
      select count(*)::int as count from (
        select 1 from entity_origins where origin_kind = ${root.kind} and origin_name = ${root.name}
        limit ${MAX_COUNTED}
      ) counted`,
  ])
  const names = await namesOfRemixes(ctx, [madeFrom, remixedBy])
  return { madeFrom, remixedBy, names, count: counted?.count ?? 0 }
}

/** Display names of the accounts in trees of remixes. */
export function namesOfRemixes(
  ctx: Pick<Context, 'db'>,
  roots: readonly RemixRoot[],
): ReturnType<typeof namesOf> {
  const owners = ({ next }: RemixRoot): Address[] => next.flatMap((node) => [node.owner, ...owners(node)])
  return namesOf(ctx, roots.flatMap(owners))
}

function unnested({ db: { sql } }: Pick<Context, 'db'>, keys: readonly Key[]) {
  return sql`unnest(${keys.map(({ kind }) => kind)}::text[], ${keys.map(({ name }) => name)}::text[]) as at(kind, name)`
}

/** Reads a tree one generation at a time; each entity is followed once. */
export async function grow(
  root: Key,
  width: number,
  read: (keys: readonly Key[]) => PromiseLike<readonly RemixRow[]>,
): Promise<RemixRoot> {
  const below = new Map<string, RemixRow[]>()
  let level: readonly Key[] = [root]
  for (let generation = 0; generation < MAX_GENERATIONS && level.length > 0; generation++) {
    for (const key of level) below.set(keyOf(key), [])
    const rows = await read(level)
    for (const row of rows) below.get(`${row.from_kind}/${row.from_name}`)?.push(row)
    const fresh = new Map(rows.map((row) => [keyOf(row), row]))
    level = [...fresh.values()].filter((key) => !below.has(keyOf(key))).slice(0, MAX_PARENTS)
  }
  const shownKeys = new Set<string>()
  const nodes = (key: Key): RemixRoot => {
    const rows = shownKeys.has(keyOf(key)) ? [] : (below.get(keyOf(key)) ?? [])
    shownKeys.add(keyOf(key))
    const next = rows.slice(0, width).map(
      ({ from_kind: _kind, from_name: _name, ...node }): RemixNode => ({
        ...node,
        ...nodes({ kind: node.kind, name: node.name }),
      }),
    )
    return { next, more: rows.length > width }
  }
  return nodes(root)
}

function keyOf({ kind, name }: Key): string {
  return `${kind}/${name}`
}
