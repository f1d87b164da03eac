import type { Context } from '#lib/core/context/context.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { isWorldId, toWorld, type World, type WorldRow, worldColumns } from './world.ts'

/** An active World. @throws Failure('not_found') for an unknown id, and after the World was deleted. */
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

/** The active World at a slug. @throws Failure('not_found'). */
export async function getWorldBySlug(ctx: Pick<Context, 'db'>, slug: string): Promise<World> {
  if (!isSlug(slug)) throw worldNotFound()
  const [row] = await ctx.db.sql<WorldRow[]>`
    select ${worldColumns(ctx.db)} from worlds where slug = ${slug} and status = 'active'`
  if (row === undefined) throw worldNotFound()
  return toWorld(row)
}

/** Whether a text can be a slug. Others may not even be valid text for the database. */
export function isSlug(text: string): boolean {
  return /^[a-z0-9-]{1,80}$/.test(text)
}

export interface ListedFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string
}

/** The files of a World's bundle as it serves them, by path, without those with a colon, which it only stores. Nothing for an unknown or deleted one. */
export async function listFiles(ctx: Pick<Context, 'db'>, worldId: string): Promise<readonly ListedFile[]> {
  return ctx.db.sql<ListedFile[]>`
    select path, size, hash from world_files where world_id = ${worldId} and position(':' in path) = 0 order by path`
}
