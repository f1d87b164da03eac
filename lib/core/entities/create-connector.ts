import type { Context } from '#lib/core/context/context.ts'
import { requireCaller } from '#lib/core/identity/authorise.ts'
import type { BuiltConnector } from '#lib/protocol/artifact.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import type { ConnectorDefinition } from '#lib/protocol/definition.ts'
import type { Address, Hash } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { references } from '#lib/protocol/references.ts'
import { checkName } from './check-name.ts'
import { loadDependencies } from './load-dependencies.ts'
import { storeDraft } from './store-draft.ts'

export interface CreatedConnector {
  readonly name: string
  readonly owner: Address
  readonly formatHash: Hash
}

/**
 * Builds a connector against the current artifacts of its names and stores it as the caller's draft. Posting again
 * revises the draft, also when only a dependency changed: the way to follow a revised dependency.
 *
 * @throws Failure('unauthenticated'), Failure('invalid_request') with the first creation check that fails,
 *   Failure('name_taken'), Failure('too_many'), Failure('chain_unavailable') when the name cannot be checked on
 *   chain, Failure('artifacts_unavailable') when a published dependency cannot be verified yet.
 */
export async function createConnector(
  ctx: Context,
  definition: ConnectorDefinition,
): Promise<CreatedConnector> {
  const owner = requireCaller(ctx)
  // A failure of the name wins over a failure of the build.
  const building = build(ctx, definition)
  building.catch(() => undefined)
  await checkName(ctx, 'connector', definition.name, owner)
  const artifact = await building
  await storeDraft(ctx, { owner, artifact, source: null })
  return { name: definition.name, owner, formatHash: artifact.formatHash }
}

async function build(ctx: Context, definition: ConnectorDefinition): Promise<BuiltConnector> {
  checkNotOwnPart(definition)
  const artifact = buildConnector(definition, await loadDependencies(ctx, definition))
  await checkNoCycle(ctx, definition.name, artifact.dependencies)
  return artifact
}

/** On chain a connector's parts exist before it does, so its own name can never be one of them. */
function checkNotOwnPart(definition: ConnectorDefinition): void {
  const { name } = definition
  if (references(definition).some((part) => part.kind === 'connector' && part.name === name)) {
    throw new Failure('invalid_request', `ConnectorMissing: ${name} (a connector cannot be a part of itself)`)
  }
}

/**
 * The same for parts of parts: revisions could otherwise close a circle of names that can never be published. A name
 * that has no draft yet is below nothing. The walk stays in the database and stops at the first hit.
 */
async function checkNoCycle(
  ctx: Context,
  name: string,
  dependencies: readonly { kind: string; contentHash: Hash }[],
): Promise<void> {
  const parts = new Set(dependencies.filter((d) => d.kind === 'connector').map((d) => d.contentHash))
  if (parts.size === 0) return
  const hits = await ctx.db.sql`
    with recursive below(hash) as (
      select unnest(${[...parts]}::text[])
      where exists (select 1 from drafts where kind = 'connector' and name = ${name})
      union
      select d->>'contentHash' from below
      join artifacts a on a.content_hash = below.hash
      cross join lateral jsonb_array_elements(a.body->'dependencies') d
      where d->>'kind' = 'connector'
    )
    select 1 from below join artifacts a on a.content_hash = below.hash and a.name = ${name} limit 1`
  if (hits.length > 0) {
    throw new Failure(
      'invalid_request',
      `ConnectorMissing: ${name} (one of its parts is made of ${name} itself)`,
    )
  }
}
