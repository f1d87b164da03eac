import type { Artifact, BuiltArtifact } from '../../../../domain/artifact.ts'
import { buildOrder } from '../../../../domain/build-order.ts'
import { codeContentHash } from '../../../../domain/content-hash.ts'
import { buildConnector } from '../../../../domain/creation-checks.ts'
import type { EntityKind, Hash } from '../../../../domain/entity.ts'
import { definitionOfWire } from '../../document/definition-of-wire.ts'
import type { ArtifactShelf } from './artifact-shelf.ts'
import type { Task } from './messages.ts'

const keyOf = (kind: EntityKind, name: string) => `${kind}/${name}`

/**
 * Builds the connector of a task as the server does: the document's own entries first, then what the network knows.
 *
 * @throws Error when it cannot be built; the server says why in words.
 */
export function assembleTask(
  task: Task,
  shelf: ArtifactShelf,
): { readonly root: Hash; readonly artifacts: readonly Artifact[] } {
  const own = new Map<string, BuiltArtifact>()
  for (const { kind, name, argsCount, runtime } of task.bodies) {
    const contentHash = codeContentHash(kind, name, argsCount, runtime)
    own.set(keyOf(kind, name), { kind, name, argsCount, runtime, contentHash })
  }
  const outside = new Map(task.names.map(({ kind, name, contentHash }) => [keyOf(kind, name), contentHash]))
  const definitions = new Map(task.connectors.map((wire) => [wire.name, definitionOfWire(wire)]))
  const lookup = (kind: EntityKind, name: string): BuiltArtifact | undefined => {
    const found = own.get(keyOf(kind, name))
    if (found || (kind === 'connector' && definitions.has(name))) return found
    const contentHash = outside.get(keyOf(kind, name))
    return contentHash === undefined ? undefined : shelf.get(contentHash)
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
      if (!ownByHash.has(contentHash)) shelf.closure(shelf.get(contentHash), artifacts)
    }
  }
  if (!artifacts.has(root.contentHash)) shelf.closure(root, artifacts)
  return { root: root.contentHash, artifacts: [...artifacts.values()] }
}
