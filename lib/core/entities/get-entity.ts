import type { Context, Services } from '#lib/core/context/context.ts'
import type { ConnectorDefinition } from '#lib/protocol/definition.ts'
import type { Address, EntityKind, Hash, UnverifiedReason } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { entityNameProblem, isEntityName } from '#lib/protocol/names.ts'

/** The fields of every entity. */
export interface Entity {
  readonly name: string
  readonly owner: Address
  /** Undefined for a draft. */
  readonly address: Address | undefined
  /** Hash of the published content, else of the draft as it is now. */
  readonly contentHash: Hash
}

interface ConnectorEntity extends Entity {
  readonly definition: ConnectorDefinition
  readonly formatHash: Hash
}

interface CodeEntity extends Entity {
  readonly argsCount: number
}

type EntityOf<K extends EntityKind> = K extends 'connector' ? ConnectorEntity : CodeEntity

interface Row {
  readonly owner: Address
  readonly address: Address | null
  readonly contentHash: Hash
  readonly facts: Pick<ConnectorEntity, 'definition' | 'formatHash'> | Pick<CodeEntity, 'argsCount'>
}

/**
 * Reads the published entity of a name, which shadows any draft, else the draft.
 *
 * @throws Failure('invalid_request') for text that cannot be a name, Failure('not_found').
 */
export async function getEntity<K extends EntityKind>(
  ctx: Context,
  kind: K,
  name: string,
): Promise<EntityOf<K>> {
  const problem = entityNameProblem(name)
  if (problem !== undefined) throw new Failure('invalid_request', problem)

  const [row] = await ctx.db.sql<Row[]>`
    with found as (
      select owner, address, content_hash as own_hash, artifact_hash as content_hash, 1 as rank
      from entities where kind = ${kind} and name = ${name}
      union all
      select owner, null, content_hash, content_hash, 2 from drafts where kind = ${kind} and name = ${name}
      order by rank limit 1
    )
    select owner, address, own_hash as "contentHash", a.body - '{runtime,leaves,dependencies}'::text[] as facts
    from found join artifacts a using (content_hash)`
  if (row === undefined) throw (await unverifiedEntity(ctx, kind, name)) ?? entityNotFound(kind)
  const { owner, address, contentHash, facts } = row
  return { ...facts, name, owner, address: address ?? undefined, contentHash } as unknown as EntityOf<K>
}

const REASONS: Readonly<Record<UnverifiedReason, string>> = {
  missing_code: 'there is no code at its address',
  content_mismatch: 'the code at its address is not what was announced',
  unverified_dependency: 'it stands on an entity that is not verified',
}

/** Why a registered name is not published; undefined for one that is not registered. */
export async function unverifiedEntity(
  ctx: Context,
  kind: EntityKind,
  name: string,
): Promise<Failure | undefined> {
  const [row] = await ctx.db.sql<{ reason: UnverifiedReason }[]>`
    select reason from unverified_publications where kind = ${kind} and name = ${name}`
  return row && new Failure('not_found', `The ${kind} ${name} is registered, but ${REASONS[row.reason]}`)
}

/** The text is fixed by existing clients. */
export function entityNotFound(kind: EntityKind): Failure {
  return new Failure('not_found', `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)} not found`)
}

/**
 * Requires a published entity or a draft of a name.
 *
 * @throws Failure('not_found') when there is none, also for text that cannot be a name.
 */
export async function requireEntity(ctx: Context, kind: EntityKind, name: string): Promise<void> {
  if (!isEntityName(name) || !(await entityExists(ctx, kind, name))) throw entityNotFound(kind)
}

/** Whether a name is published or drafted. */
export async function entityExists(
  { db }: Pick<Services, 'db'>,
  kind: EntityKind,
  name: string,
): Promise<boolean> {
  const [row] = await db.sql<{ found: boolean }[]>`
    select exists (select 1 from entities where kind = ${kind} and name = ${name})
        or exists (select 1 from drafts where kind = ${kind} and name = ${name}) as found`
  return row?.found === true
}
