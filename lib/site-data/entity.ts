import type { Context } from '../context.ts'
import type { EntityKind } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { isEntityName } from '../domain/names.ts'
import { type EntityPublication, findEntityPublication } from '../registry/find-publication.ts'
import { getEntity } from '../registry/get-entity.ts'
import type { Run } from './run.ts'
import { runForPage } from './run-connector.ts'

/** Particles of the picture on a connector's page. */
export const PICTURED_PARTICLES = 64

type EntityOf<K extends EntityKind> = Awaited<ReturnType<typeof getEntity<K>>>

export interface EntityView<K extends EntityKind> {
  /** Undefined while this server has not been able to verify what was published. */
  readonly entity: EntityOf<K> | undefined
  /** Undefined for a draft. */
  readonly publication: EntityPublication | undefined
  readonly origin: string
  readonly nowMs: number
}

/**
 * What stands under a name, for its page; undefined when nothing does.
 *
 * @throws What the database throws when it cannot be read.
 */
export async function entityView<K extends EntityKind>(
  ctx: Context,
  kind: K,
  name: string,
): Promise<EntityView<K> | undefined> {
  if (!isEntityName(name)) return undefined
  const [entity, publication] = await Promise.all([
    getEntity(ctx, kind, name).catch((error: unknown) => {
      if (error instanceof Failure && ['not_found', 'execution_failed'].includes(error.code)) return undefined
      throw error
    }),
    findEntityPublication(ctx, kind, name),
  ])
  if (entity === undefined && publication === undefined) return undefined
  return { entity, publication, origin: ctx.config.siteOrigin, nowMs: ctx.clock().getTime() }
}

/** A connector's page: what it is, and a picture of what it generates. */
export async function connectorView(
  ctx: Context,
  name: string,
): Promise<(EntityView<'connector'> & { readonly run: Run }) | undefined> {
  const view = await entityView(ctx, 'connector', name)
  if (view === undefined) return undefined
  const run = await runForPage(ctx, name, PICTURED_PARTICLES, view.publication?.contentHash)
  return { ...view, run }
}
