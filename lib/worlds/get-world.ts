import type { Context } from '../context.ts'
import { Failure } from '../domain/failure.ts'
import { toWorld, type World, type WorldRow } from './world.ts'
import { worldColumns } from './world-columns.ts'
import { isWorldId } from './world-id.ts'

/**
 * An active World.
 *
 * @throws Failure('not_found') for an unknown id, and after the World was deleted.
 */
export async function getWorld(ctx: Pick<Context, 'db'>, id: string): Promise<World> {
  if (!isWorldId(id)) throw worldNotFound()
  const [row] = await ctx.db.sql<WorldRow[]>`
    select ${worldColumns(ctx.db)} from worlds where id = ${id} and status = 'active'`
  if (row === undefined) throw worldNotFound()
  return toWorld(row)
}

export function worldNotFound(): Failure {
  return new Failure('not_found', 'World not found')
}

/**
 * The active World at a slug.
 *
 * @throws Failure('not_found').
 */
export async function getWorldBySlug(ctx: Pick<Context, 'db'>, slug: string): Promise<World> {
  if (!/^[a-z0-9-]{1,80}$/.test(slug)) throw worldNotFound()
  const [row] = await ctx.db.sql<WorldRow[]>`
    select ${worldColumns(ctx.db)} from worlds where slug = ${slug} and status = 'active'`
  if (row === undefined) throw worldNotFound()
  return toWorld(row)
}
