import type { Context } from '#lib/core/context/context.ts'
import type { EntityKind, Hash } from '#lib/protocol/entity.ts'
import { artifactHash } from './entity-traits.ts'

export interface GraphNode {
  readonly id: string
  readonly kind: EntityKind
  readonly name: string
  /** Names that it uses, each once, in order of use. Empty for bodies, and for what is not followed. */
  readonly uses: readonly GraphEdge[]
  /** Number of names that are not in `uses`, among its first 2,000 references. */
  readonly more: number
}

export interface GraphEdge {
  readonly to: string
  /** Number of times that it is named. */
  readonly times: number
}

/** The dependencies of a connector within the limits. The root comes first; every edge leads to a node. */
export interface DependencyGraph {
  readonly nodes: readonly GraphNode[]
}

export interface GraphLimits {
  /** Connectors followed below one another, the root included: also the number of reads. */
  readonly levels: number
  /** Names followed of one connector. */
  readonly names: number
  readonly nodes: number
}

/** References that are read of one connector: a hostile one repeats a name tens of thousands of times. */
const FIRST_REFERENCES = '$.dependencies[0 to 1999]'

interface Row {
  readonly user: Hash
  readonly kind: EntityKind
  readonly name: string
  readonly content_hash: Hash
  readonly times: number
  readonly total: number
}

interface Growing {
  readonly id: Hash
  readonly kind: EntityKind
  readonly name: string
  readonly uses: GraphEdge[]
  more: number
}

/**
 * Follows what a connector names, level by level and within limits: connectors nest up to 256 deep and name thousands.
 *
 * @param name Of a draft or of what is published, which wins.
 * @returns undefined when there is no such connector, or its artifact is not known.
 */
export async function dependencyGraph(
  ctx: Pick<Context, 'db'>,
  name: string,
  limits: GraphLimits,
): Promise<DependencyGraph | undefined> {
  const root = await artifactHash(ctx, 'connector', name)
  if (!root) return undefined
  const nodes = new Map<Hash, Growing>([[root, { id: root, kind: 'connector', name, uses: [], more: 0 }]])
  let level: readonly Hash[] = [root]
  for (let depth = 0; depth < limits.levels && level.length > 0; depth++) {
    const next: Hash[] = []
    for (const row of await namedBy(ctx, level, limits.names)) {
      const user = nodes.get(row.user)
      if (user === undefined) continue
      if (!nodes.has(row.content_hash)) {
        if (nodes.size >= limits.nodes) {
          user.more = row.total - user.uses.length
          continue
        }
        const { kind, name: called } = row
        nodes.set(row.content_hash, { id: row.content_hash, kind, name: called, uses: [], more: 0 })
        if (kind === 'connector') next.push(row.content_hash)
      }
      user.uses.push({ to: row.content_hash, times: row.times })
      user.more = row.total - user.uses.length
    }
    level = next
  }
  // The last level is not followed, but its omissions are counted.
  for (const { user, total } of await namedBy(ctx, level, 1)) nodes.get(user)!.more = total
  return { nodes: [...nodes.values()] }
}

/** Names that connectors use: of each the first few, and how many there are. */
async function namedBy(ctx: Pick<Context, 'db'>, users: readonly Hash[], limit: number): Promise<Row[]> {
  if (users.length === 0) return []
  return ctx.db.sql<Row[]>`
    select a.content_hash as user, named.* from unnest(${users as Hash[]}::text[]) with ordinality u(hash, place)
    join artifacts a on a.content_hash = u.hash
    cross join lateral (
      select d->>'kind' as kind, d->>'name' as name, d->>'contentHash' as content_hash, count(*)::int as times,
        (count(*) over ())::int as total, min(place) as first
      from jsonb_array_elements(jsonb_path_query_array(a.body, ${FIRST_REFERENCES})) with ordinality used(d, place)
      group by 1, 2, 3 order by first limit ${limit}
    ) named
    order by u.place, named.first`
}
