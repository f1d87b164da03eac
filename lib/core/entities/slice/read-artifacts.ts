import type { Context } from '#lib/core/context/context.ts'
import type { Artifact } from '#lib/protocol/artifact.ts'
import type { Address, EntityKind, Hash } from '#lib/protocol/entity.ts'
import type { Reference } from '#lib/protocol/references.ts'
import { artifactClosure } from '../load-artifacts.ts'

/** Resolves names to artifacts that a browser can run without the server. */
export interface ReadableArtifacts {
  readonly names: readonly (Reference & { readonly contentHash: Hash })[]
  /** All transitive dependencies of `names`, each once. */
  readonly artifacts: readonly Artifact[]
}

/** A preview in a browser is for what is small enough to be sent there. */
const LIMITS = { artifacts: 4000, bytes: 4 * 1024 * 1024 }

/**
 * Reads what these names stand for: what is published, and the reader's own drafts. Leaves out unknown names, drafts of
 * others, and everything that depends on one of those.
 *
 * @param reader Undefined for a visitor.
 * @throws Failure('artifacts_unavailable'), Failure('rejected') when it is too much to send.
 */
export async function readArtifacts(
  ctx: Pick<Context, 'db' | 'caller'>,
  references: readonly Reference[],
): Promise<ReadableArtifacts> {
  const reader = ctx.caller
  const names = await resolve(ctx, references, reader)
  const closure = await artifactClosure(ctx, [...new Set(names.map((name) => name.contentHash))], LIMITS)
  const byHash = new Map(closure.map((artifact) => [artifact.contentHash, artifact]))
  const open = await openTo(ctx, [...byHash.keys()], reader)
  const readable = wholes(byHash, open)
  const readableNames = names.filter((name) => readable(name.contentHash))
  const reached = closureOf(
    byHash,
    readableNames.map((name) => name.contentHash),
  )
  return { names: readableNames, artifacts: closure.filter(({ contentHash }) => reached.has(contentHash)) }
}

async function resolve(
  { db: { sql } }: Pick<Context, 'db'>,
  references: readonly Reference[],
  reader: Address | undefined,
): Promise<ReadableArtifacts['names']> {
  const rows = await sql<{ kind: EntityKind; name: string; content_hash: Hash | null }[]>`
    select distinct used.kind, used.name,
      case when e.name is null then d.content_hash else e.artifact_hash end as content_hash
    from unnest(${references.map(({ kind }) => kind)}::text[], ${references.map(({ name }) => name)}::text[])
      as used(kind, name)
    left join entities e on e.kind = used.kind and e.name = used.name
    left join drafts d on d.kind = used.kind and d.name = used.name and d.owner = ${reader ?? ''}`
  return rows.flatMap(({ kind, name, content_hash: contentHash }) =>
    contentHash === null ? [] : [{ kind, name, contentHash }],
  )
}

/** Those that are published, or the reader's own as they stand now. */
async function openTo(
  { db: { sql } }: Pick<Context, 'db'>,
  hashes: readonly Hash[],
  reader: Address | undefined,
): Promise<ReadonlySet<Hash>> {
  const rows = await sql<{ content_hash: Hash }[]>`
    select a.content_hash from artifacts a
    where a.content_hash = any(${hashes as Hash[]}) and (
      exists (
        select 1 from entities e
        where e.kind = a.kind and e.name = a.name and e.artifact_hash = a.content_hash
      ) or exists (
        select 1 from drafts d
        where d.kind = a.kind and d.name = a.name and d.content_hash = a.content_hash and d.owner = ${reader ?? ''}
      )
    )`
  return new Set(rows.map((row) => row.content_hash))
}

/** Whether an artifact and all its dependencies are open. */
function wholes(
  byHash: ReadonlyMap<Hash, Artifact>,
  open: ReadonlySet<Hash>,
): (contentHash: Hash) => boolean {
  const wholeByHash = new Map<Hash, boolean>()
  const isWhole = (contentHash: Hash): boolean => {
    const before = wholeByHash.get(contentHash)
    if (before !== undefined) return before
    const artifact = byHash.get(contentHash)
    const whole =
      artifact !== undefined &&
      open.has(contentHash) &&
      (artifact.kind !== 'connector' ||
        artifact.dependencies.every((dependency) => isWhole(dependency.contentHash)))
    wholeByHash.set(contentHash, whole)
    return whole
  }
  return isWhole
}

function closureOf(byHash: ReadonlyMap<Hash, Artifact>, roots: readonly Hash[]): ReadonlySet<Hash> {
  const reached = new Set(roots)
  // Grows while it is walked.
  for (const contentHash of reached) {
    const artifact = byHash.get(contentHash)
    if (artifact?.kind !== 'connector') continue
    for (const dependency of artifact.dependencies) reached.add(dependency.contentHash)
  }
  return reached
}
