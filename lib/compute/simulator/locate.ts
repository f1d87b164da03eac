import type { RevertCause, RunOutcome, RunRequest, RunReverted } from '#lib/engine/run.ts'
import type { Artifact, ConnectorArtifact } from '#lib/protocol/artifact.ts'
import type { PositionedRunningInstance, RunningInstance } from '#lib/protocol/definition.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { type DimensionVisit, walkDimensions } from '#lib/protocol/positions.ts'
import { resolveRunningInstance } from '#lib/protocol/running-instance.ts'
import { callsOf } from './dimension-run.ts'
import type { DimensionPlace, LocateRequest, RejectionPlace } from './explainer.ts'

/** The engine of the thread, within the limits of a run. */
export interface FastEngine {
  run(request: RunRequest): Promise<RunOutcome>
  locate(request: RunRequest): Promise<RunReverted | undefined>
}

/**
 * Locates where a rejected run stops. Undefined when it does not stop in the same way again (a body may read the gas that
 * is left), or reaches a limit.
 */
export async function locate(
  request: Omit<LocateRequest, 'signal'>,
  engine: FastEngine,
): Promise<RejectionPlace | undefined> {
  const { dynamicRi, revertData } = request
  const { root, artifactOf } = connectorFinder(request)
  const revert = await engine.locate(request)
  return revert?.revertData === revertData ? placeOfRevert(root, artifactOf, dynamicRi, revert) : undefined
}

/** Place of the engine's revert; undefined where the step is unknown. */
function placeOfRevert(
  root: ConnectorArtifact,
  artifactOf: (hash: Hash) => ConnectorArtifact,
  dynamicRi: readonly PositionedRunningInstance[],
  { position, cause }: RunReverted,
): RejectionPlace | undefined {
  if (cause === undefined) return undefined
  if (position === 0) return { kind: 'start' }
  /** Path of the dimension above, by depth. */
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

/** Place of a revert in a dimension. */
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

function conditionPlace(path: string, { name, definition }: ConnectorArtifact): RejectionPlace {
  return { kind: 'condition', path, connector: name, condition: definition.conditionName }
}

export function dimensionPlace({ path, position, connector, dimension }: DimensionVisit): DimensionPlace {
  return { path, position, connector: connector.name, dimension }
}

/** The connectors of a self-contained request. */
export function connectorFinder(request: { readonly root: Hash; readonly artifacts: readonly Artifact[] }): {
  readonly root: ConnectorArtifact
  readonly artifactOf: (hash: Hash) => ConnectorArtifact
} {
  const connectors = new Map<Hash, ConnectorArtifact>()
  for (const artifact of request.artifacts) {
    if (artifact.kind === 'connector') connectors.set(artifact.contentHash, artifact)
  }
  const artifactOf = (hash: Hash): ConnectorArtifact => {
    const connector = connectors.get(hash)
    if (connector === undefined) throw new Error(`The request lacks the connector ${hash}`)
    return connector
  }
  return { root: artifactOf(request.root), artifactOf }
}
