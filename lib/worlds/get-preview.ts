import { and, eq, gt } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { worldPreviews } from '../db/schema/index.ts'
import type { WorldManifest } from './bundle/manifest.ts'
import { isPreviewId } from './world-id.ts'

/** A bundle that somebody looks at before publishing it. */
export interface WorldPreview {
  readonly id: string
  readonly manifest: WorldManifest
  readonly bundleHash: string
}

/** @returns undefined when there is none of this id, or its time is over. */
export async function getPreview(
  ctx: Pick<Context, 'db' | 'clock'>,
  id: string,
): Promise<WorldPreview | undefined> {
  if (!isPreviewId(id)) return undefined
  const [row] = await ctx.db.orm
    .select({ manifest: worldPreviews.manifest, bundleHash: worldPreviews.bundleHash })
    .from(worldPreviews)
    .where(and(eq(worldPreviews.id, id), gt(worldPreviews.expiresAt, ctx.clock())))
  return row && { id, manifest: row.manifest as WorldManifest, bundleHash: row.bundleHash }
}
