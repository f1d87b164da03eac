import type { Context } from '../context.ts'
import { ENTITY_KINDS, type EntityKind } from '../domain/entity.ts'
import { isEntityName } from '../domain/names.ts'
import type { EntityHit } from '../search/hit.ts'
import { search } from '../search/search.ts'

const MOST = 4

/** What to offer people who came for something that is not there. */
export interface MissingEntity {
  /** False for text that cannot be a name at all. */
  readonly possible: boolean
  /** A reorganisation took back what was published under the name. */
  readonly removed: boolean
  /** Names like it, those of the kind that was asked for first. */
  readonly near: readonly EntityHit[]
}

/** @throws What the database throws when it cannot be read. */
export async function missingEntity(ctx: Context, kind: EntityKind, name: string): Promise<MissingEntity> {
  const kinds = [kind, ...ENTITY_KINDS.filter((other) => other !== kind)]
  const [found, removed] = await Promise.all([
    search(ctx, { text: name, kinds, most: MOST }),
    wasRemoved(ctx, kind, name),
  ])
  const near = kinds.flatMap((each) => (found.hits.get(each) ?? []) as readonly EntityHit[])
  return { possible: isEntityName(name), removed, near }
}

async function wasRemoved(ctx: Context, kind: EntityKind, name: string): Promise<boolean> {
  if (!isEntityName(name)) return false
  const [row] = await ctx.db.sql<{ removed: boolean }[]>`
    select status = 'removed' as removed from feed_items
    where feed_id = (select chain_id from worker_state where id = 1) || ':' || ${`${kind}_added:${name}`}`
  return row?.removed ?? false
}
