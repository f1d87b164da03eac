import type { Context } from '../context.ts'
import type { WorldManifest } from './bundle/manifest.ts'
import { isPreviewId, isWorldId } from './world-id.ts'

/** One file of an active World or of a preview, and what of the World decides how it is served. */
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
  /** Path on the site of the page that shows the World. */
  readonly shownAt: string
}

/**
 * @returns undefined when the World or the file is unknown, and at once after the World was deleted or the preview
 *   ended.
 */
export async function findWorldFile(
  ctx: Pick<Context, 'db' | 'clock'>,
  worldId: string,
  path: string,
): Promise<WorldFile | undefined> {
  // PostgreSQL has no room for NUL, and such a file cannot exist.
  if (!isWorldId(worldId) || path.includes('\0') || !path.isWellFormed()) return undefined
  if (isPreviewId(worldId)) return findPreviewFile(ctx, worldId, path)
  const [row] = await ctx.db.sql<WorldFile[]>`
    select f.hash, f.size, f.path, w.permissions, f.path = w.entry_path as entry, '/worlds/' || w.slug as "shownAt"
    from worlds w join world_files f on f.world_id = w.id
    where w.id = ${worldId} and w.status = 'active' and f.path = ${path}`
  return row
}

async function findPreviewFile(
  ctx: Pick<Context, 'db' | 'clock'>,
  previewId: string,
  path: string,
): Promise<WorldFile | undefined> {
  const [row] = await ctx.db.sql<
    (Omit<WorldFile, 'permissions' | 'entry' | 'shownAt'> & { manifest: WorldManifest })[]
  >`
    select f.hash, f.size, f.path, p.manifest
    from world_previews p join world_preview_files f on f.preview_id = p.id
    where p.id = ${previewId} and p.expires_at > ${ctx.clock().toISOString()} and f.path = ${path}`
  if (row === undefined) return undefined
  const { manifest, ...file } = row
  return {
    ...file,
    permissions: manifest.permissions,
    entry: manifest.entry === path,
    shownAt: '/worlds/upload',
  }
}
