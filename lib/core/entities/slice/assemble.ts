import { setImmediate as turn } from 'node:timers/promises'
import type { Context } from '#lib/core/context/context.ts'
import { type Artifact, type BuiltArtifact, withoutLeaves } from '#lib/protocol/artifact.ts'
import { buildConnector, type Lookup } from '#lib/protocol/creation-checks.ts'
import type { ConnectorDefinition } from '#lib/protocol/definition.ts'
import type { EntityKind, Hash } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { buildOrder, type Reference, references } from '#lib/protocol/references.ts'
import { artifactClosure } from '../load-artifacts.ts'
import { loadReferences } from '../load-dependencies.ts'
import type { InspectedSlice, Slice, SliceProblem } from './slice.ts'

/** A connector, ready to run. */
export type Assembled =
  | { readonly ok: true; readonly root: Hash; readonly artifacts: readonly Artifact[] }
  | { readonly ok: false; readonly problems: readonly SliceProblem[] }

/**
 * Builds a connector with everything it needs: the document's own entries first, then what the network knows. Only what the root needs is looked at. Makes the creation checks, so what runs here can be created.
 *
 * @throws Failure('artifacts_unavailable') when something published cannot be rebuilt yet, Failure('rejected') when
 *   the parts are too many for this server.
 */
export async function assemble(
  ctx: Pick<Context, 'db'>,
  slice: Slice,
  bodies: InspectedSlice,
  rootName: string,
): Promise<Assembled> {
  const twice = repeated(slice)
  if (twice.length > 0) return { ok: false, problems: twice }
  const definitions = new Map(slice.connectors.map((definition) => [definition.name, definition]))
  const order = buildOrder(definitions, rootName)
  if (!order.ok) {
    const { circle: name } = order
    return { ok: false, problems: [{ kind: 'connector', name, message: `${name} is made of itself` }] }
  }
  const { ordered } = order
  const root: Reference = { kind: 'connector', name: rootName }

  const own = new Map<string, BuiltArtifact>()
  const problems: SliceProblem[] = []
  const needed = new Map(
    [root, ...ordered.flatMap(references)].map((reference) => [
      keyOf(reference.kind, reference.name),
      reference,
    ]),
  )
  for (const { kind, name, result } of bodies) {
    if (result.ok) own.set(keyOf(kind, name), result.artifact)
    else if (needed.has(keyOf(kind, name)))
      problems.push({ kind, name, message: 'The body does not compile' })
  }
  if (problems.length > 0) return { ok: false, problems }

  const external = [...needed.values()].filter(
    ({ kind, name }) => !own.has(keyOf(kind, name)) && !(kind === 'connector' && definitions.has(name)),
  )
  const outside = await loadOutside(ctx, external, rootName)
  if ('problem' in outside) return { ok: false, problems: [outside.problem] }
  const lookup: Lookup = (kind, name) => own.get(keyOf(kind, name)) ?? outside.lookup(kind, name)
  if (ordered.length === 0 && outside.lookup('connector', rootName) === undefined) {
    return { ok: false, problems: [{ ...root, message: `There is no connector ${rootName}` }] }
  }
  for (const definition of ordered) {
    // Hundreds of connectors of thousands of leaves are a second's work: other requests have their turn in between.
    await turn()
    const built = tryBuild(definition, lookup)
    if ('problem' in built) return { ok: false, problems: [built.problem] }
    own.set(keyOf('connector', definition.name), built.artifact)
  }

  const hashes = external.flatMap(({ kind, name }) => outside.lookup(kind, name)?.contentHash ?? [])
  const artifacts = new Map<Hash, Artifact>()
  for (const artifact of await artifactClosure(ctx, hashes)) artifacts.set(artifact.contentHash, artifact)
  for (const built of own.values()) artifacts.set(built.contentHash, withoutLeaves(built))
  return { ok: true, root: lookup('connector', rootName)!.contentHash, artifacts: [...artifacts.values()] }
}

function keyOf(kind: EntityKind, name: string): string {
  return `${kind}/${name}`
}

function repeated({ connectors, bodies }: Slice): SliceProblem[] {
  const seenKeys = new Set<string>()
  const problems: SliceProblem[] = []
  const entities = [...connectors.map(({ name }) => ({ kind: 'connector' as const, name })), ...bodies]
  for (const { kind, name } of entities) {
    if (seenKeys.has(keyOf(kind, name))) {
      problems.push({ kind, name, message: `There are two ${kind}s of the name ${name}` })
    }
    seenKeys.add(keyOf(kind, name))
  }
  return problems
}

async function loadOutside(
  ctx: Pick<Context, 'db'>,
  external: readonly Reference[],
  rootName: string,
): Promise<{ readonly lookup: Lookup } | { readonly problem: SliceProblem }> {
  try {
    return { lookup: await loadReferences(ctx, external) }
  } catch (error) {
    return { problem: asProblem(error, rootName) }
  }
}

function tryBuild(definition: ConnectorDefinition, lookup: Lookup) {
  try {
    return { artifact: buildConnector(definition, lookup) }
  } catch (error) {
    return { problem: asProblem(error, definition.name) }
  }
}

function asProblem(error: unknown, name: string): SliceProblem {
  if (!(error instanceof Failure) || error.code !== 'invalid_request') throw error
  return { kind: 'connector', name, message: error.message }
}
