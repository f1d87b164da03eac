import type { Context } from '../context.ts'
import type { CodeTraits } from '../domain/code-traits.ts'
import type { Address, EntityKind } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { isEntityName } from '../domain/names.ts'
import { type DependencyGraph, dependencyGraph } from '../registry/dependency-graph.ts'
import { entityTraits } from '../registry/entity-traits.ts'
import { type EntityPublication, findEntityPublication } from '../registry/find-publication.ts'
import { getEntity } from '../registry/get-entity.ts'
import { type Related, related } from '../registry/related.ts'
import { type UsersPage, usedBy } from '../registry/used-by.ts'
import type { Run } from './run.ts'
import { runForPage } from './run-connector.ts'

/** Particles of the picture on a connector's page. */
export const PICTURED_PARTICLES = 64

const PAGE_USERS = 24
const PAGE_RELATED = 6
/** As much as a drawing shows and a list can be read. */
const DRAWN = { levels: 4, names: 12, nodes: 48 }

type EntityOf<K extends EntityKind> = Awaited<ReturnType<typeof getEntity<K>>>

export interface EntityView<K extends EntityKind> {
  /** Undefined while this server has not been able to verify what was published. */
  readonly entity: EntityOf<K> | undefined
  /** Undefined for a draft. */
  readonly publication: EntityPublication | undefined
  readonly owner: Address
  /** What its results depend on; undefined while parts of it are not here. */
  readonly traits: CodeTraits | undefined
  readonly users: UsersPage
  readonly related: Related
  readonly origin: string
  readonly nowMs: number
}

/** A connector with a picture of what it generates, and what it is made of. */
export interface ConnectorView extends EntityView<'connector'> {
  readonly run: Run
  /** Undefined while the definition is. */
  readonly graph: DependencyGraph | undefined
}

/**
 * What stands under a name, for its page; undefined when nothing does.
 *
 * @param usersAfter Exclusive cursor of the list of users; what is none counts as the start.
 * @throws What the database throws when it cannot be read.
 */
export async function entityView<K extends EntityKind>(
  ctx: Context,
  kind: K,
  name: string,
  usersAfter?: string,
): Promise<EntityView<K> | undefined> {
  if (!isEntityName(name)) return undefined
  const after = usersAfter !== undefined && isEntityName(usersAfter) ? usersAfter : ''
  const [entity, publication, users, traits] = await Promise.all([
    getEntity(ctx, kind, name).catch((error: unknown) => {
      if (error instanceof Failure && ['not_found', 'execution_failed'].includes(error.code)) return undefined
      throw error
    }),
    findEntityPublication(ctx, kind, name),
    usedBy(ctx, { kind, name, limit: PAGE_USERS, after }),
    entityTraits(ctx, kind, name),
  ])
  const owner = entity?.owner ?? publication?.owner
  if (owner === undefined) return undefined
  const formatHash = entity !== undefined && 'formatHash' in entity ? entity.formatHash : undefined
  return {
    entity,
    publication,
    owner,
    traits,
    users,
    related: await related(ctx, { kind, name, owner, formatHash, limit: PAGE_RELATED }),
    origin: ctx.config.siteOrigin,
    nowMs: ctx.clock().getTime(),
  }
}

/** A connector for its page; undefined when there is none. */
export async function connectorView(
  ctx: Context,
  name: string,
  usersAfter?: string,
): Promise<ConnectorView | undefined> {
  const view = await entityView(ctx, 'connector', name, usersAfter)
  if (view === undefined) return undefined
  const [run, graph] = await Promise.all([
    runForPage(ctx, name, PICTURED_PARTICLES, view.publication?.contentHash),
    dependencyGraph(ctx, name, DRAWN),
  ])
  return { ...view, run, graph }
}
