import type { ConnectorArtifact } from '../domain/artifact.ts'
import type { PositionedRunningInstance, RunningInstance } from '../domain/definition.ts'
import type { Hash } from '../domain/entity.ts'
import { type DimensionVisit, walkDimensions } from '../domain/positions.ts'
import { resolveRunningInstance } from '../domain/running-instance.ts'
import type { RunOutcome, RunRequest } from '../engine/run.ts'
import type { RevertCause, RunReverted } from '../engine/stop.ts'
import { callsOf } from './dimension-values.ts'
import type { DimensionPlace, RejectionPlace } from './explainer.ts'

/** The engine that runs are made by, within the limits of a run: it goes where the reference machine is too slow. */
export interface FastEngine {
  run(request: RunRequest): Promise<RunOutcome>
  locate(request: RunRequest): Promise<RunReverted | undefined>
}

/** Where the engine says that a run reverts; undefined where it does not know the step. */
export function placeOfRevert(
  root: ConnectorArtifact,
  artifactOf: (hash: Hash) => ConnectorArtifact,
  dynamicRi: readonly PositionedRunningInstance[],
  { position, cause }: RunReverted,
): RejectionPlace | undefined {
  if (cause === undefined) return undefined
  if (position === 0) return { kind: 'start' }
  /** Dimensions that lead to the connector at each depth. */
  const leading: string[] = ['']
  for (const visit of walkDimensions(root, artifactOf)) {
    const { path, depth, connector } = visit
    if (visit.position === position) {
      if (cause.kind === 'condition') return conditionPlace(leading[depth]!, connector)
      return placeInDimension(visit, resolveRunningInstance(root, visit, dynamicRi), cause)
    }
    leading[depth + 1] = path
  }
  return undefined
}

/** Where a dimension itself reverts. */
export function placeInDimension(
  visit: DimensionVisit,
  { transformationShift }: RunningInstance,
  cause: RevertCause,
): RejectionPlace {
  if (cause.kind !== 'step') return { kind: 'running-instance', ...dimensionPlace(visit) }
  const { step, x } = cause
  const { transformations } = callsOf(visit)
  const call = (transformationShift + step - 1) % transformations.length
  const { name, args } = transformations[call]!
  return { kind: 'step', ...dimensionPlace(visit), call, transformation: name, args, step, x }
}

export function conditionPlace(path: string, { name, definition }: ConnectorArtifact): RejectionPlace {
  return { kind: 'condition', path, connector: name, condition: definition.conditionName }
}

export function dimensionPlace({ path, position, connector, dimension }: DimensionVisit): DimensionPlace {
  return { path, position, connector: connector.name, dimension }
}
