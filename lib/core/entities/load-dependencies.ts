import type { Context } from '#lib/core/context/context.ts'
import type { ConnectorSummary, Part } from '#lib/protocol/artifact.ts'
import type { Lookup } from '#lib/protocol/creation-checks.ts'
import type { ConnectorDefinition } from '#lib/protocol/definition.ts'
import { ENTITY_KINDS, type EntityKind, type Hash } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { MAX_LEAVES } from '#lib/protocol/format-hash.ts'
import { type Reference, references } from '#lib/protocol/references.ts'
import { type AnySql, decodeLeaves } from './stored-leaves.ts'

/** A name with its artifact. */
export interface HashedReference {
  readonly kind: EntityKind
  readonly name: string
  readonly content_hash: Hash
}

interface PartRow {
  readonly content_hash: Hash
  readonly args_count: number | null
  readonly leaf_count: number | null
  readonly depth: number | null
  readonly format_hash: Hash | null
  /** Null as well while the connectors together have more than may be read. */
  readonly leaves: Uint8Array | null
}

/**
 * Composites add their leaves, and a binding target fills one slot for at least one leaf of its own: a connector
 * within the limit uses connectors of at most twice the limit.
 */
const MOST_LEAVES = 2 * MAX_LEAVES

/** Resolves every name that a definition uses. See `loadReferences`. */
export function loadDependencies(ctx: Pick<Context, 'db'>, definition: ConnectorDefinition): Promise<Lookup> {
  return loadReferences(ctx, references(definition))
}

/**
 * Resolves names to published entities, else to drafts, in three queries whatever their number. Reads only what the
 * creation checks need: code and inner definitions stay in the database, so that a definition of a few hundred kilobytes
 * cannot load gigabytes.
 *
 * @throws Failure('artifacts_unavailable') for a published name without a verified artifact,
 *   Failure('invalid_request') when the connectors together have more leaves than any connector may have.
 */
export async function loadReferences(
  { db: { sql } }: Pick<Context, 'db'>,
  refs: readonly Reference[],
): Promise<Lookup> {
  const names = namesByKind(refs)
  const kinds = ENTITY_KINDS.flatMap((kind) => [...names[kind]].map(() => kind))
  const rows = await sql<(Omit<HashedReference, 'content_hash'> & { content_hash: Hash | null })[]>`
    select used.kind, used.name, case when e.name is null then d.content_hash else e.artifact_hash end as content_hash
    from unnest(${kinds}::text[], ${ENTITY_KINDS.flatMap((kind) => [...names[kind]])}::text[]) as used(kind, name)
    left join entities e on e.kind = used.kind and e.name = used.name
    left join drafts d on d.kind = used.kind and d.name = used.name
    where e.name is not null or d.name is not null`

  const unverified = rows.find((row) => row.content_hash === null)
  if (unverified) {
    throw new Failure(
      'artifacts_unavailable',
      `The artifact of the published ${unverified.kind} ${unverified.name} is not available yet`,
    )
  }
  return lookupIn(sql, rows as readonly HashedReference[])
}

/**
 * What the creation checks need to know of named artifacts.
 *
 * @throws Failure('invalid_request') when the connectors together have more leaves than any connector may have.
 */
export async function lookupIn(sql: AnySql, entities: readonly HashedReference[]): Promise<Lookup> {
  const hashes = [...new Set(entities.map((each) => each.content_hash))]
  const rows = await sql<PartRow[]>`
    select content_hash, (body->>'argsCount')::bigint::float8 as args_count, (body->>'leafCount')::int as leaf_count,
      (body->>'depth')::int as depth, body->>'formatHash' as format_hash,
      case when sum((body->>'leafCount')::int) over () <= ${MOST_LEAVES} then leaves end as leaves
    from artifacts where content_hash = any(${hashes})`
  const total = rows.reduce((sum, row) => sum + (row.leaf_count ?? 0), 0)
  if (total > MOST_LEAVES) {
    throw new Failure(
      'invalid_request',
      `The connectors used have ${total} scalars together; a connector may have ${MAX_LEAVES}`,
    )
  }
  const facts = new Map(rows.map((row) => [row.content_hash, row]))
  const leaves = await decodeLeaves(
    sql,
    rows.flatMap((row) => (row.leaves === null ? [] : [[row.content_hash, row.leaves] as const])),
  )
  const byName = new Map(
    entities.map((each) => [
      `${each.kind}/${each.name}`,
      toPart(each, facts.get(each.content_hash)!, leaves.get(each.content_hash) ?? []),
    ]),
  )
  return (kind, name) => byName.get(`${kind}/${name}`)
}

function namesByKind(refs: readonly Reference[]): Record<EntityKind, Set<string>> {
  const names = {
    connector: new Set<string>(),
    transformation: new Set<string>(),
    condition: new Set<string>(),
  }
  for (const { kind, name } of refs) names[kind].add(name)
  return names
}

function toPart(
  { kind, name, content_hash: contentHash }: HashedReference,
  row: PartRow,
  leaves: ConnectorSummary['leaves'],
): Part {
  if (kind !== 'connector') return { kind, name, argsCount: row.args_count ?? 0, contentHash }
  return { kind, name, leaves, depth: row.depth ?? 1, formatHash: row.format_hash as Hash, contentHash }
}
