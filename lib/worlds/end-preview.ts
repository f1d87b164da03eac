import { eq, lte } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { worldPreviews } from '../db/schema/index.ts'
import { letGo } from './store-bundle.ts'
import { isPreviewId } from './world-id.ts'

/** Ends a preview before its time, for whoever knows its id; nothing of it is left. Fine when there is none. */
export async function endPreview(ctx: Context, id: string): Promise<void> {
  if (!isPreviewId(id)) return
  const [ended] = await ctx.db.orm
    .delete(worldPreviews)
    .where(eq(worldPreviews.id, id))
    .returning({ leaseId: worldPreviews.leaseId })
  if (ended !== undefined) await letGo(ctx, ended.leaseId)
}

/** Forgets previews whose time is over; their files go with their leases. */
export async function forgetPreviews(ctx: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await ctx.db.orm.delete(worldPreviews).where(lte(worldPreviews.expiresAt, ctx.clock()))
}
