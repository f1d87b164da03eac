import { and, desc, eq, isNotNull } from 'drizzle-orm'
import type { Services } from '#lib/core/context/context.ts'
import { recordAct } from '#lib/platform/db/audit.ts'
import { worlds } from '#lib/platform/db/schema/index.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { worldNotFound } from './get-world.ts'

export interface WorldModeration {
  readonly slug: string
  /** False lifts it. */
  readonly hidden: boolean
  readonly operator: string
  readonly reason: string
}

/**
 * Hides a World in all its versions, as if it were deleted, or puts it back; for operators only. Its files stay. Recorded
 * in the audit log.
 *
 * @throws Failure('not_found') for a slug of no such World, Failure('conflict') when another World has the slug meanwhile.
 */
export async function setWorldHidden(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { slug, hidden, operator, reason }: WorldModeration,
): Promise<void> {
  const now = clock()
  await db.orm.transaction(async (tx) => {
    const active = and(eq(worlds.slug, slug), eq(worlds.status, 'active'))
    const [activeWorld] = await tx.select({ id: worlds.id }).from(worlds).where(active).for('update')
    const [last] = await tx
      .select({ id: worlds.id })
      .from(worlds)
      .where(and(eq(worlds.slug, slug), isNotNull(worlds.hiddenAt)))
      .orderBy(desc(worlds.hiddenAt), worlds.id)
      .limit(1)
      .for('update')
    const world = hidden ? activeWorld : last
    if (world === undefined) throw worldNotFound()
    if (!hidden && activeWorld !== undefined) {
      throw new Failure('conflict', `Another World has the slug "${slug}" meanwhile`)
    }
    await tx
      .update(worlds)
      .set(hidden ? { status: 'deleted', hiddenAt: now } : { status: 'active', hiddenAt: null })
      .where(eq(worlds.id, world.id))
    const act = hidden ? 'hide_world' : 'show_world'
    await recordAct(tx, { at: now, actor: operator, act, subject: world.id, reason })
  })
}
