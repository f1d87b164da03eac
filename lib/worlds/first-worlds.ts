import type { Context } from '../context.ts'
import { toWorld, type World, type WorldRow } from './world.ts'
import { worldColumns } from './world-columns.ts'

/**
 * The oldest active Worlds for pages that have a picture: they stay the same whoever uploads what later, and nobody
 * gets onto the page that shows them by uploading.
 */
export async function firstWorlds(
  { db }: Pick<Context, 'db'>,
  { limit }: { readonly limit: number },
): Promise<readonly World[]> {
  const rows = await db.sql<WorldRow[]>`
    select ${worldColumns(db)} from worlds
    where status = 'active' and surfaces @> '{world-page}' and manifest ? 'preview'
    order by created_at, id limit ${limit}`
  return rows.map(toWorld)
}
