import type { ConnectorArtifact } from '../../../domain/artifact.ts'
import type { Hash } from '../../../domain/entity.ts'
import { Failure } from '../../../domain/failure.ts'
import { type Position, runningInstancePositions } from '../../../domain/positions.ts'
import { references } from '../../../domain/references.ts'
import type { Shape } from './shapes.ts'

/**
 * The positions of running instances of a connector, in order from 1: what the tree beside the static running
 * instances shows.
 *
 * @returns undefined when there are more than can be listed.
 */
export function positionsOf(shape: Shape): readonly Position[] | undefined {
  const before = listed.get(shape)
  if (before !== undefined) return before.positions
  const found = { positions: list(shape) }
  listed.set(shape, found)
  return found.positions
}

const listed = new WeakMap<Shape, { readonly positions: readonly Position[] | undefined }>()

function list(root: Shape): readonly Position[] | undefined {
  const artifacts = new Map<Hash, ConnectorArtifact>()
  const made = new Map<Shape, ConnectorArtifact>()

  /** The walk only follows identities; a running number identifies as well as a content hash. */
  const artifactOf = (shape: Shape): ConnectorArtifact => {
    const before = made.get(shape)
    if (before !== undefined) return before
    const definition = {
      name: shape.name,
      dimensions: shape.dimensions,
      conditionName: '',
      conditionArgs: [],
      staticRi: [],
    }
    const dependencies = references(definition).map(({ kind, name }) => ({
      kind,
      name,
      contentHash: artifactOf(shape.parts.get(name)!).contentHash,
    }))
    const contentHash: Hash = `0x${made.size}`
    const { name, leaves, depth } = shape
    const artifact = {
      kind: 'connector' as const,
      name,
      definition,
      dependencies,
      leaves,
      depth,
      formatHash: contentHash,
      contentHash,
    }
    made.set(shape, artifact)
    artifacts.set(contentHash, artifact)
    return artifact
  }

  try {
    return runningInstancePositions(artifactOf(root), (hash) => artifacts.get(hash)!)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
