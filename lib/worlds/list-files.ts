import type { Context } from '../context.ts'

export interface ListedFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** SHA-256, 64 lower-case hex digits. */
  readonly hash: string
}

/** The files that a World serves, by path; a bundle has at most 1000. Nothing for an unknown or deleted one. */
export async function listFiles(ctx: Pick<Context, 'db'>, worldId: string): Promise<readonly ListedFile[]> {
  return ctx.db.sql<ListedFile[]>`
    select path, size, hash from world_files where world_id = ${worldId} order by path`
}
