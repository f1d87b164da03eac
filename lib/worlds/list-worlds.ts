import type { Context } from '../context.ts'
import type { Address } from '../domain/entity.ts'
import type { SURFACES } from './bundle/manifest.ts'
import { containing, searchText } from './search-text.ts'
import { toWorld, type World, type WorldRow } from './world.ts'
import { worldColumns } from './world-columns.ts'

export interface WorldsQuery {
  /** Counted from zero. */
  readonly page: number
  readonly limit: number
  readonly surface?: (typeof SURFACES)[number] | undefined
  /** Found anywhere in name, slug and descriptions, in any letter case; '' finds all. */
  readonly search?: string | undefined
  /** Only this account's. */
  readonly owner?: Address | undefined
}

/** Active Worlds, the one changed last first. */
export async function listWorlds(ctx: Pick<Context, 'db'>, query: WorldsQuery): Promise<readonly World[]> {
  const { sql } = ctx.db
  // Spelled out, not passed as a value: only so does the planner see that an index of one surface will do.
  const surface = {
    'world-page': sql`and surfaces @> '{world-page}'`,
    'studio-plugin': sql`and surfaces @> '{studio-plugin}'`,
    any: sql``,
  }[query.surface ?? 'any']
  const search = searchText([query.search ?? ''])
  const rows = await sql<WorldRow[]>`
    select ${worldColumns(ctx.db)} from worlds
    where status = 'active' ${surface} ${query.owner === undefined ? sql`` : sql`and owner = ${query.owner}`}
      ${search === '' ? sql`` : sql`and search_text like ${containing(search)}`}
    order by updated_at desc, id
    limit ${query.limit} offset ${query.page * query.limit}`
  return rows.map(toWorld)
}
