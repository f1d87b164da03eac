import type { Services } from '#lib/core/context/context.ts'
import type { EntityKind } from '#lib/protocol/entity.ts'
import { until } from './until.ts'

export type ProjectionTarget =
  | { readonly kind: EntityKind; readonly name: string }
  | { readonly block: number | bigint }

/** Waits until the reads serve a published entity, or everything up to a block. @throws Error after the time limit */
export async function waitForProjection(
  { db }: Pick<Services, 'db'>,
  target: ProjectionTarget,
  timeoutMs?: number,
): Promise<void> {
  const isProjected = async () => {
    const found =
      'block' in target
        ? await db.sql`select 1 from worker_state where processed_block >= ${Number(target.block)}`
        : await db.sql`select 1 from entities where kind = ${target.kind} and name = ${target.name}`
    return found.length > 0
  }
  await until(`projected: ${Object.values(target).join('/')}`, isProjected, timeoutMs)
}
