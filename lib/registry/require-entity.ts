import type { Context } from '../context.ts'
import type { EntityKind } from '../domain/entity.ts'
import { isEntityName } from '../domain/names.ts'
import { entityNotFound } from './get-entity.ts'

/**
 * Whether anything, published or draft, stands under a name.
 *
 * @throws Failure('not_found') when nothing does, also for text that cannot be a name.
 */
export async function requireEntity(ctx: Context, kind: EntityKind, name: string): Promise<void> {
  if (!isEntityName(name)) throw entityNotFound(kind)
  const [row] = await ctx.db.sql<{ found: boolean }[]>`
    select exists (select 1 from entities where kind = ${kind} and name = ${name})
        or exists (select 1 from drafts where kind = ${kind} and name = ${name}) as found`
  if (!row?.found) throw entityNotFound(kind)
}
