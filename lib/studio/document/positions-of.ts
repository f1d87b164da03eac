import type { ConnectorArtifact } from '#lib/protocol/artifact.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { type Position, runningInstancePositions } from '#lib/protocol/positions.ts'
import { references } from '#lib/protocol/references.ts'
import { type StartLine, startLines } from '#lib/protocol/running-instance.ts'
import type { SpanOf } from './commands/dimensions.ts'
import { memoizeByObject } from './memoize.ts'
import type { Shape, Shapes } from './shapes.ts'

/**
 * The positions of running instances of a connector, in order from 1: what the tree beside the static running
 * instances shows.
 *
 * @returns undefined when there are more than can be listed.
 */
export const positionsOf = memoizeByObject((shape: Shape): readonly Position[] | undefined => {
  const { root, artifactOf } = artifactsOf(shape)
  try {
    return runningInstancePositions(root, artifactOf)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
})

/** Spans of dimensions, as the parts of the connector are now. */
export function spansIn(shapes: Shapes): SpanOf {
  return (dimension) => {
    if (dimension.composite === '') return 1
    if (dimension.bindings.length === 0) {
      // The positions of a part are counted once, whatever is edited around it.
      const part = shapes.ofName(dimension.composite)
      const inside = typeof part === 'string' ? undefined : positionsOf(part)
      return inside && inside.length + 1
    }
    const alone = {
      kind: 'connector',
      id: '',
      name: '',
      dimensions: [dimension],
      condition: null,
      staticRi: [],
    } as const
    const shape = shapes.ofEntry(alone)
    return typeof shape === 'string' ? undefined : positionsOf(shape)?.length
  }
}

/** The first `most` start positions of a connector, and whether there are more. */
export function startLinesOf(
  shape: Shape,
  most: number,
): { readonly lines: readonly StartLine[]; readonly more: boolean } {
  const { root, artifactOf } = artifactsOf(shape)
  return startLines(root, artifactOf, most)
}

/** Shapes in the form that the domain walks. */
function artifactsOf(root: Shape): {
  readonly root: ConnectorArtifact
  readonly artifactOf: (contentHash: Hash) => ConnectorArtifact
} {
  const artifacts = new Map<Hash, ConnectorArtifact>()
  const artifactByShape = new Map<Shape, ConnectorArtifact>()

  /** The walk only follows identities; a running number identifies as well as a content hash. */
  const artifactOf = (shape: Shape): ConnectorArtifact => {
    const before = artifactByShape.get(shape)
    if (before !== undefined) return before
    const definition = {
      name: shape.name,
      dimensions: shape.dimensions,
      conditionName: '',
      conditionArgs: [],
      staticRi: shape.staticRi,
    }
    const dependencies = references(definition).map(({ kind, name }) => ({
      kind,
      name,
      contentHash: artifactOf(shape.parts.get(name)!).contentHash,
    }))
    const contentHash: Hash = `0x${artifactByShape.size}`
    const { name, leaves, depth } = shape
    const artifact = {
      kind: 'connector' as const,
      name,
      definition,
      dependencies,
      leafCount: leaves.length,
      depth,
      formatHash: contentHash,
      contentHash,
    }
    artifactByShape.set(shape, artifact)
    artifacts.set(contentHash, artifact)
    return artifact
  }

  return { root: artifactOf(root), artifactOf: (hash) => artifacts.get(hash)! }
}
