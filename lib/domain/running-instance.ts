import type { ConnectorArtifact } from './artifact.ts'
import type { PositionedRunningInstance, RunningInstance } from './definition.ts'
import type { DimensionVisit } from './positions.ts'

/**
 * Who says where a dimension starts.
 *
 * - `caller`: the run's own override at the position
 * - `connector`: the connector that holds the dimension
 * - `executed`: the connector that is run, for a position inside its parts
 * - `entrance`: position 0 of the connector the dimension leads to
 * - `default`: nobody, it starts at 0
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
