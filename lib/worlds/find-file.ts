import type { Context } from '../context.ts'
import { isWorldId } from './world-id.ts'

/** One file of an active World, and what of the World decides how it is served. */
export interface WorldFile {
  /** Key in the blob store: SHA-256 of the bytes, 64 lower-case hex digits. */
  readonly hash: string
  /** Bytes. */
  readonly size: number
  /** As in the bundle, without a leading slash. */
  readonly path: string
  readonly permissions: readonly string[]
  /** Whether it is the World's entry page. */
  readonly entry: boolean
}

/** @returns undefined when the World or the file is unknown, and at once after the World was deleted. */
export async function findWorldFile(
  ctx: Pick<Context, 'db'>,
  worldId: string,
  path: string,
): Promise<WorldFile | undefined> {
  // PostgreSQL has no room for NUL, and such a file cannot exist.
  if (!isWorldId(worldId) || path.includes('\0') || !path.isWellFormed()) return undefined
  const [row] = await ctx.db.sql<WorldFile[]>`
    select f.hash, f.size, f.path, w.permissions, f.path = w.entry_path as entry
    from worlds w join world_files f on f.world_id = w.id
    where w.id = ${worldId} and w.status = 'active' and f.path = ${path}`
  return row
}
