import type { RunRequest } from '#lib/engine/run.ts'
import { type Artifact, withoutLeaves } from '#lib/protocol/artifact.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import type { ConnectorDefinition, Dimension, RunningInstance } from '#lib/protocol/definition.ts'
import type { DimensionVisit } from '#lib/protocol/positions.ts'

/**
 * A run of one dimension alone: the dimension is the only one of a probe connector.
 *
 * @param first Index of the first value.
 * @param count At least 1.
 */
export function dimensionRun(
  artifacts: readonly Artifact[],
  visit: DimensionVisit,
  instance: RunningInstance,
  first: number,
  count: number,
): RunRequest {
  const { dependencies } = visit.connector
  const probe = buildConnector(alone(visit, instance, first), (kind, name) => {
    const dependency = dependencies.find((one) => one.kind === kind && one.name === name)
    const artifact = artifacts.find(({ contentHash }) => contentHash === dependency?.contentHash)
    return artifact?.kind === 'connector' ? undefined : artifact
  })
  return {
    root: probe.contentHash,
    artifacts: [...artifacts, withoutLeaves(probe)],
    particlesCount: count,
    dynamicRi: [],
  }
}

/** A connector of nothing but the dimension, from an index on. */
function alone(
  visit: DimensionVisit,
  { startPoint, transformationShift }: RunningInstance,
  first: number,
): ConnectorDefinition {
  return {
    name: 'probe',
    dimensions: [{ ...callsOf(visit), composite: '', bindings: [] }],
    conditionName: '',
    conditionArgs: [],
    staticRi: [
      { position: 0, startPoint: first, transformationShift: 0 },
      { position: 1, startPoint, transformationShift },
    ],
  }
}

export function callsOf({ connector, dimension }: DimensionVisit): Dimension {
  return connector.definition.dimensions[dimension]!
}
