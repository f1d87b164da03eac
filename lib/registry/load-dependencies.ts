import type { Context } from '../context.ts'
import type { Artifact, CodeArtifact, ConnectorArtifact, Leaf } from '../domain/artifact.ts'
import type { ConnectorDefinition } from '../domain/definition.ts'
import { ENTITY_KINDS, type EntityKind, type Hash } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { MAX_LEAVES } from '../domain/leaves.ts'
import { type Reference, references } from '../domain/references.ts'

interface Row {
  readonly kind: EntityKind
  readonly name: string
  /** Null for something published whose artifact could not be verified. */
  readonly content_hash: Hash | null
  readonly args_count: number | null
  readonly leaf_count: number | null
  readonly depth: number | null
  readonly format_hash: Hash | null
}

/** What every name a definition uses stands for now. See `loadReferences`. */
export function loadDependencies(
  ctx: Pick<Context, 'db'>,
  definition: ConnectorDefinition,
): Promise<(kind: EntityKind, name: string) => Artifact | undefined> {
  return loadReferences(ctx, references(definition))
}

/**
 * What names stand for now: what is published, else the draft. Two queries whatever the number of names. Only what the creation checks need is read: code and inner definitions stay in the database, so
 * a definition of a few hundred kilobytes cannot make the server load gigabytes.
 *
 * @throws Failure('artifacts_unavailable') for a published name without a verified artifact,
 *   Failure('invalid_request') when the connectors together have more leaves than any connector may have.
 */
export async function loadReferences(
  ctx: Pick<Context, 'db'>,
  used: readonly Reference[],
): Promise<(kind: EntityKind, name: string) => Artifact | undefined> {
  const names = namesByKind(used)
  const kinds = ENTITY_KINDS.flatMap((kind) => [...names[kind]].map(() => kind))
  const rows = await ctx.db.sql<Row[]>`
    select used.kind, used.name, a.content_hash,
      (a.body->>'argsCount')::bigint::float8 as args_count,
      jsonb_array_length(a.body->'leaves') as leaf_count,
      (a.body->>'depth')::int as depth,
      a.body->>'formatHash' as format_hash
    from unnest(${kinds}::text[], ${ENTITY_KINDS.flatMap((kind) => [...names[kind]])}::text[]) as used(kind, name)
    left join entities e on e.kind = used.kind and e.name = used.name
    left join drafts d on d.kind = used.kind and d.name = used.name
    left join artifacts a on a.content_hash = case when e.name is null then d.content_hash else e.artifact_hash end
    where e.name is not null or d.name is not null`

  const unverified = rows.find((row) => row.content_hash === null)
  if (unverified) {
    throw new Failure(
      'artifacts_unavailable',
      `The artifact of the published ${unverified.kind} ${unverified.name} is not available yet`,
    )
  }
  checkSize(rows)
  const leaves = await loadLeaves(ctx, rows)
  const found = new Map(rows.map((row) => [`${row.kind}/${row.name}`, toArtifact(row, leaves)]))
  return (kind, name) => found.get(`${kind}/${name}`)
}

function namesByKind(used: readonly Reference[]): Record<EntityKind, Set<string>> {
  const names = {
    connector: new Set<string>(),
    transformation: new Set<string>(),
    condition: new Set<string>(),
  }
  for (const { kind, name } of used) names[kind].add(name)
  return names
}

/**
 * Composites add their leaves, and a binding target fills one slot for at least one leaf of its own: a connector
 * within the limit uses connectors of at most twice the limit. Asked before the leaves are read.
 */
function checkSize(rows: readonly Row[]): void {
  const total = rows.reduce((sum, row) => sum + (row.leaf_count ?? 0), 0)
  if (total > 2 * MAX_LEAVES) {
    throw new Failure(
      'invalid_request',
      `The connectors used have ${total} scalars together; a connector may have ${MAX_LEAVES}`,
    )
  }
}

async function loadLeaves(
  ctx: Pick<Context, 'db'>,
  rows: readonly Row[],
): Promise<ReadonlyMap<Hash, readonly Leaf[]>> {
  const hashes = rows.flatMap((row) =>
    row.kind === 'connector' && row.content_hash ? [row.content_hash] : [],
  )
  if (hashes.length === 0) return new Map()
  const found = await ctx.db.sql<{ content_hash: Hash; leaves: Leaf[] }[]>`
    select content_hash, body->'leaves' as leaves from artifacts where content_hash = any(${hashes})`
  return new Map(found.map((row) => [row.content_hash, row.leaves]))
}

/** An artifact as far as the creation checks look at it. */
function toArtifact(row: Row, leaves: ReadonlyMap<Hash, readonly Leaf[]>): Artifact {
  const contentHash = row.content_hash as Hash
  if (row.kind !== 'connector') {
    return {
      kind: row.kind,
      name: row.name,
      argsCount: row.args_count ?? 0,
      runtime: '0x',
      contentHash,
    } satisfies CodeArtifact
  }
  return {
    kind: 'connector',
    name: row.name,
    definition: { name: row.name, dimensions: [], conditionName: '', conditionArgs: [], staticRi: [] },
    dependencies: [],
    leaves: leaves.get(contentHash) ?? [],
    depth: row.depth ?? 1,
    formatHash: row.format_hash as Hash,
    contentHash,
  } satisfies ConnectorArtifact
}
