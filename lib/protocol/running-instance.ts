import type { ConnectorArtifact } from './artifact.ts'
import type { PositionedRunningInstance, RunningInstance } from './definition.ts'
import type { Hash } from './entity.ts'
import { type DimensionVisit, walkDimensions } from './positions.ts'

/**
 * Source of a dimension's running instance.
 *
 * - `caller`: the run's own override at the position
 * - `connector`: the connector that holds the dimension
 * - `executed`: the connector that is run, for a position inside its parts
 * - `entrance`: position 0 of the connector the dimension leads to
 * - `default`: none, it starts at 0
 */
export type RunningInstanceSource = 'caller' | 'connector' | 'executed' | 'entrance' | 'default'

export interface ResolvedRunningInstance extends RunningInstance {
  readonly source: RunningInstanceSource
  /** The caller overrides what is fixed: such a run is rejected. */
  readonly clash: boolean
}

/** The running instance of a dimension, with the precedence of the Runner. */
export function resolveRunningInstance(
  root: ConnectorArtifact,
  visit: DimensionVisit,
  dynamicRi: readonly PositionedRunningInstance[],
): ResolvedRunningInstance {
  const { position, connector, dimension, next } = visit
  const inRoot = connector.contentHash === root.contentHash
  // A connector that is not executed itself knows its own dimensions only, by their number.
  const own = instanceAt(connector.definition.staticRi, inRoot ? position : dimension + 1)
  const executed = inRoot ? undefined : instanceAt(root.definition.staticRi, position)
  const dynamic = instanceAt(dynamicRi, position)
  const fixed = own ?? executed
  if (dynamic) return resolved(dynamic, 'caller', fixed !== undefined)
  if (own) return resolved(own, 'connector')
  if (executed) return resolved(executed, 'executed')
  const entrance = next && instanceAt(next.definition.staticRi, 0)
  if (entrance) return resolved(entrance, 'entrance')
  return resolved({ startPoint: 0, transformationShift: 0 }, 'default')
}

/** Where the indices of a run start: position 0, of which only the start point counts. */
export function resolveIndexStart(
  root: ConnectorArtifact,
  dynamicRi: readonly PositionedRunningInstance[],
): { readonly start: number; readonly source: RunningInstanceSource; readonly clash: boolean } {
  const own = instanceAt(root.definition.staticRi, 0)
  const dynamic = instanceAt(dynamicRi, 0)
  if (dynamic) return { start: dynamic.startPoint, source: 'caller', clash: own !== undefined }
  if (own) return { start: own.startPoint, source: 'connector', clash: false }
  return { start: 0, source: 'default', clash: false }
}

function resolved(
  { startPoint, transformationShift }: RunningInstance,
  source: RunningInstanceSource,
  clash = false,
): ResolvedRunningInstance {
  return { startPoint, transformationShift, source, clash }
}

function instanceAt(
  instances: readonly PositionedRunningInstance[],
  position: number,
): RunningInstance | undefined {
  return instances.find((instance) => instance.position === position)
}

/** A position whose running instance a run may set. */
export interface StartLine {
  /** 0 for the indices of the run. */
  readonly position: number
  /** `/<connector>:<dimension>` from the root down; empty for the indices. */
  readonly path: string
  /** Connectors above the one that holds the dimension. */
  readonly depth: number
  /** `<connector>:<dimension>`; empty for the indices. */
  readonly name: string
  /** The connector that the values of the dimension index; empty for a final scalar. */
  readonly leadsTo: string
  /** Default running instance. */
  readonly otherwise: RunningInstance
  /** Static: a run that sets it is rejected. */
  readonly locked: boolean
}

/** Characters of the paths of all lines together; a single path of 256 names can have 34,000. */
const MOST_PATHS = 131_072

/**
 * The first positions of a connector, in order, the indices first. A small definition can have very many.
 *
 * @param artifactOf The connector artifacts below the root, by content hash.
 * @param most Dimensions to list.
 */
export function startLines(
  root: ConnectorArtifact,
  artifactOf: (contentHash: Hash) => ConnectorArtifact,
  most: number,
): { readonly lines: readonly StartLine[]; readonly more: boolean } {
  const indices = resolveIndexStart(root, [])
  let length = 0
  const lines: StartLine[] = [
    {
      position: 0,
      path: '',
      depth: 0,
      name: '',
      leadsTo: '',
      otherwise: { startPoint: indices.start, transformationShift: 0 },
      locked: indices.source !== 'default',
    },
  ]
  for (const visit of walkDimensions(root, artifactOf)) {
    length += visit.path.length
    if (visit.position > most || length > MOST_PATHS) return { lines, more: true }
    const { position, path, depth, connector, dimension, next } = visit
    const { startPoint, transformationShift, source } = resolveRunningInstance(root, visit, [])
    lines.push({
      position,
      path,
      depth,
      name: `${connector.name}:${dimension}`,
      leadsTo: next?.name ?? '',
      otherwise: { startPoint, transformationShift },
      locked: source === 'connector' || source === 'executed',
    })
  }
  return { lines, more: false }
}
