import type { Artifact, BuiltArtifact, BuiltConnector, CodeArtifact } from '#lib/protocol/artifact.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import type { EntityKind, Hash, Hex } from '#lib/protocol/entity.ts'
import { decodePayload } from '#lib/protocol/payload.ts'
import { buildOrder, references } from '#lib/protocol/references.ts'
import { definitionOfWire } from '../../document/definition.ts'
import type { TaskParts, WireArtifact } from './messages.ts'

function keyOf(kind: EntityKind, name: string): string {
  return `${kind}/${name}`
}

/**
 * Builds the connector of a task as the server does: entries of the document first, then the network's
 * artifacts.
 *
 * @throws Error when it cannot be built; the server reports why.
 */
export function assembleTask(
  task: TaskParts,
  store: ArtifactStore,
): { readonly root: Hash; readonly artifacts: readonly Artifact[] } {
  const own = new Map<string, BuiltArtifact>()
  for (const { kind, name, argsCount, runtime } of task.bodies) {
    const contentHash = codeContentHash(kind, name, argsCount, runtime)
    own.set(keyOf(kind, name), { kind, name, argsCount, runtime, contentHash })
  }
  const outside = new Map(task.names.map(({ kind, name, contentHash }) => [keyOf(kind, name), contentHash]))
  const definitions = new Map(task.connectors.map((wire) => [wire.name, definitionOfWire(wire)]))
  const lookup = (kind: EntityKind, name: string): BuiltArtifact | undefined => {
    const artifact = own.get(keyOf(kind, name))
    if (artifact || (kind === 'connector' && definitions.has(name))) return artifact
    const contentHash = outside.get(keyOf(kind, name))
    return contentHash === undefined ? undefined : store.get(contentHash)
  }

  const order = buildOrder(definitions, task.root)
  if (!order.ok) throw new Error(`${order.circle} is made of itself`)
  for (const definition of order.ordered) {
    own.set(keyOf('connector', definition.name), buildConnector(definition, lookup))
  }
  const root = lookup('connector', task.root)
  if (root === undefined) throw new Error(`There is no connector ${task.root}`)

  const ownByHash = new Map([...own.values()].map((artifact) => [artifact.contentHash, artifact]))
  const artifacts = new Map<Hash, BuiltArtifact>()
  for (const artifact of own.values()) {
    artifacts.set(artifact.contentHash, artifact)
    if (artifact.kind !== 'connector') continue
    for (const { contentHash } of artifact.dependencies) {
      if (!ownByHash.has(contentHash)) store.closure(store.get(contentHash), artifacts)
    }
  }
  if (!artifacts.has(root.contentHash)) store.closure(root, artifacts)
  return { root: root.contentHash, artifacts: [...artifacts.values()] }
}

/** Artifacts of the network by content hash. */
export interface ArtifactStore {
  /** Adds artifacts; they are decoded on demand. */
  add(artifacts: readonly WireArtifact[]): void
  /**
   * An artifact with its dependencies.
   *
   * @throws Error when one is missing or does not have its content hash.
   */
  get(contentHash: Hash): BuiltArtifact
  /** Adds an artifact and its transitive dependencies to `closureArtifacts`. */
  closure(artifact: BuiltArtifact, closureArtifacts: Map<Hash, BuiltArtifact>): void
}

/** Verifies artifacts: what is built from the bytes must have the requested content hash. */
export function createArtifactStore(): ArtifactStore {
  const wires = new Map<Hash, WireArtifact>()
  const read = new Map<Hash, BuiltArtifact>()

  const get = (contentHash: Hash): BuiltArtifact => {
    const before = read.get(contentHash)
    if (before) return before
    const wire = wires.get(contentHash)
    if (wire === undefined) throw new Error(`There is no artifact ${contentHash}`)
    const artifact = wire.kind === 'connector' ? readConnector(wire, get) : readCode(wire)
    if (artifact.contentHash !== contentHash) throw new Error(`${wire.name} is not what its hash says`)
    read.set(contentHash, artifact)
    wires.delete(contentHash)
    return artifact
  }

  const closure = (artifact: BuiltArtifact, closureArtifacts: Map<Hash, BuiltArtifact>): void => {
    if (closureArtifacts.has(artifact.contentHash)) return
    closureArtifacts.set(artifact.contentHash, artifact)
    if (artifact.kind !== 'connector') return
    for (const used of artifact.dependencies) {
      if (!closureArtifacts.has(used.contentHash)) closure(get(used.contentHash), closureArtifacts)
    }
  }

  return {
    add(artifacts) {
      for (const wire of artifacts) {
        const contentHash = wire.content_hash as Hash
        if (!read.has(contentHash)) wires.set(contentHash, wire)
      }
    },
    get,
    closure,
  }
}

function readCode(wire: Extract<WireArtifact, { runtime: string }>): CodeArtifact {
  const { kind, name, args_count: argsCount } = wire
  const runtime = wire.runtime as Hex
  return { kind, name, argsCount, runtime, contentHash: codeContentHash(kind, name, argsCount, runtime) }
}

function readConnector(
  wire: Extract<WireArtifact, { payload: string }>,
  get: (contentHash: Hash) => BuiltArtifact,
): BuiltConnector {
  const payload = decodePayload('connector', wire.name, wire.payload as Hex)
  if (payload.kind !== 'connector') throw new Error(`${wire.name} is no connector`)
  const { definition } = payload
  const hashes = new Map(
    references(definition).map(({ kind, name }, index) => [
      `${kind}/${name}`,
      wire.dependencies[index] as Hash | undefined,
    ]),
  )
  return buildConnector(definition, (kind, name) => {
    const contentHash = hashes.get(`${kind}/${name}`)
    return contentHash === undefined ? undefined : get(contentHash)
  })
}
