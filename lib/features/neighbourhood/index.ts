import type { Context } from '#lib/core/context/context.ts'
import type { Address, EntityKind } from '#lib/protocol/entity.ts'

/** A published entity near another. */
export interface Neighbour {
  readonly kind: EntityKind
  readonly name: string
  readonly owner: Address
  /** Published connectors that name it. */
  readonly usedBy: number
  /** Keys, `kind/name`, of the entities of the neighbourhood that it names. */
  readonly uses: readonly string[]
}

/** Entities around one: those that build on it and those that it builds on, in two steps each way. */
export interface Neighbourhood {
  /** The entity itself first. */
  readonly nodes: readonly Neighbour[]
}

type Key = Pick<Neighbour, 'kind' | 'name'>

interface Edge {
  readonly kind: EntityKind
  readonly name: string
  readonly connector: string
}

/** Entities of a step, of one entity and in all. */
const FIRST = { of: 12, all: 12 }
const SECOND = { of: 4, all: 20 }
/** References that are read of one entity: a hostile connector names thousands. */
const MAX_READ = 200

/** The key of an entity in a neighbourhood. */
export function neighbourKey({ kind, name }: Key): string {
  return `${kind}/${name}`
}

/**
 * Reads the neighbourhood of a published entity: a fixed number of indexed reads, whatever the size of the network.
 *
 * @returns undefined when nothing of this kind and name is published.
 */
export async function neighbourhood(ctx: Pick<Context, 'db'>, root: Key): Promise<Neighbourhood | undefined> {
  const [above, below] = await Promise.all([walk(ctx, root, usersOf), walk(ctx, root, usedOf)])
  const edges = [...above, ...below]
  const keys = new Map<string, Key>([[neighbourKey(root), root]])
  for (const { kind, name, connector } of edges) {
    for (const key of [{ kind, name }, { kind: 'connector', name: connector } as const])
      keys.set(neighbourKey(key), key)
  }
  const references = [...keys.values()]
  const rows = await ctx.db.sql<(Key & { owner: Address; usedBy: number })[]>`
    select e.kind, e.name, e.owner, coalesce(u.used_by, 0) as "usedBy"
    from unnest(${references.map(({ kind }) => kind)}::text[], ${references.map(({ name }) => name)}::text[])
      with ordinality as listed(kind, name, place)
    join entities e on e.kind = listed.kind and e.name = listed.name
    left join entity_uses u on u.kind = e.kind and u.name = e.name
    where (e.kind = ${root.kind} and e.name = ${root.name})
      or not exists (select from hidden_entities h where h.kind = e.kind and h.name = e.name)
    order by listed.place`
  const listedKeys = new Set(rows.map(neighbourKey))
  if (!listedKeys.has(neighbourKey(root))) return undefined
  const uses = new Map<string, Set<string>>()
  for (const { kind, name, connector } of edges) {
    const user = neighbourKey({ kind: 'connector', name: connector })
    const dependencyKey = neighbourKey({ kind, name })
    if (listedKeys.has(user) && listedKeys.has(dependencyKey))
      uses.set(user, (uses.get(user) ?? new Set()).add(dependencyKey))
  }
  return { nodes: rows.map((row) => ({ ...row, uses: [...(uses.get(neighbourKey(row)) ?? [])] })) }
}

/** Two steps in one direction: edges, of which one end was reached before. */
async function walk(
  ctx: Pick<Context, 'db'>,
  root: Key,
  step: (ctx: Pick<Context, 'db'>, from: readonly Key[], limit: number) => Promise<readonly Edge[]>,
): Promise<readonly Edge[]> {
  const first = (await step(ctx, [root], FIRST.of)).slice(0, FIRST.all)
  const reached = step === usersOf ? first.map(userOf) : first
  if (reached.length === 0) return first
  return [...first, ...(await step(ctx, reached, SECOND.of)).slice(0, SECOND.all)]
}

function userOf({ connector }: Edge): Key {
  return { kind: 'connector', name: connector }
}

/** Connectors that name the given entities, by name. */
async function usersOf({ db: { sql } }: Pick<Context, 'db'>, from: readonly Key[], limit: number) {
  return sql<Edge[]>`
    select at.kind, at.name, used.connector
    from unnest(${from.map(({ kind }) => kind)}::text[], ${from.map(({ name }) => name)}::text[]) at(kind, name)
    cross join lateral (
      select connector from entity_references where kind = at.kind and name = at.name
      order by connector limit ${limit}
    ) used`
}

/** Names that the given entities use. */
async function usedOf({ db: { sql } }: Pick<Context, 'db'>, from: readonly Key[], limit: number) {
  const connectors = from.flatMap(({ kind, name }) => (kind === 'connector' ? [name] : []))
  return sql<Edge[]>`
    select named.kind, named.name, at.connector
    from unnest(${connectors}::text[]) at(connector)
    cross join lateral (
      select kind, name from (
        select kind, name from entity_references where connector = at.connector limit ${MAX_READ}
      ) first_read
      order by kind, name limit ${limit}
    ) named`
}
