import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../../lib/context.ts'
import type { EntityKind } from '../../lib/domain/entity.ts'

export type ProjectionTarget =
  | { readonly kind: EntityKind; readonly name: string }
  | { readonly block: number | bigint }

/**
 * Waits until the reads serve a published entity, or everything up to a block.
 *
 * @throws Error after the time limit.
 */
export const waitForProjection = async (
  { db }: Pick<Services, 'db'>,
  target: ProjectionTarget,
  timeoutMs = 30_000,
): Promise<void> => {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const found =
      'block' in target
        ? await db.sql`select 1 from worker_state where processed_block >= ${Number(target.block)}`
        : await db.sql`select 1 from entities where kind = ${target.kind} and name = ${target.name}`
    if (found.length > 0) return
    if (Date.now() > deadline) {
      throw new Error(`Not projected within ${timeoutMs} ms: ${Object.values(target).join('/')}`)
    }
    await sleep(20)
  }
}
