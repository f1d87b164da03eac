import type { RunRequest } from '../../engine/run.ts'
import { type Artifact, withoutLeaves } from '../../protocol/artifact.ts'
import { encodeConnectorCode } from '../../protocol/connector-code.ts'
import { buildConnector } from '../../protocol/creation-checks.ts'
import type { ConnectorDefinition, Dimension, RunningInstance } from '../../protocol/definition.ts'
import type { Address, EntityKind, Hex } from '../../protocol/entity.ts'
import { decodeParticles } from '../../protocol/particles.ts'
import type { DimensionVisit } from '../../protocol/positions.ts'
import { type Machine, simulatedAddress } from './machine.ts'

export type ValuesOutcome =
  | { readonly status: 'returned'; readonly values: Uint32Array }
  | { readonly status: 'reverted'; readonly revertData: Hex }
  | { readonly status: 'exhausted'; readonly gasLimit: bigint }

/** Address of the probe connector; no content hash ends like this. */
const PROBE_ADDRESS = `0x${'50'.repeat(20)}` as const

/**
 * Values of one dimension alone, computed by the Runner: the dimension is the only one of a probe connector, with the same
 * transformations at the same addresses.
 *
 * @param first Index of the first value.
 * @param count At least 1.
 */
export async function dimensionValues(
  machine: Machine,
  visit: DimensionVisit,
  instance: RunningInstance,
  first: number,
  count: number,
): Promise<ValuesOutcome> {
  await machine.put(
    PROBE_ADDRESS,
    encodeConnectorCode(alone(visit, instance, first), addressesOf(visit), 1, 1),
  )
  const outcome = await machine.generate(PROBE_ADDRESS, count, [])
  if (outcome.status !== 'returned') return outcome
  return { status: 'returned', values: decodeParticles(outcome.output)[0]!.data }
}

/** The same as a run request of the engine. */
export function dimensionRun(
  artifacts: readonly Artifact[],
  visit: DimensionVisit,
  instance: RunningInstance,
  first: number,
  count: number,
): RunRequest {
  const { dependencies } = visit.connector
  const probe = buildConnector(alone(visit, instance, first), (kind, name) => {
    const used = dependencies.find((one) => one.kind === kind && one.name === name)
    const found = artifacts.find(({ contentHash }) => contentHash === used?.contentHash)
    return found?.kind === 'connector' ? undefined : found
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

function addressesOf({ connector }: DimensionVisit): (kind: EntityKind, name: string) => Address {
  return (kind, name) => {
    const found = connector.dependencies.find((one) => one.kind === kind && one.name === name)
    if (found === undefined) throw new Error(`${connector.name} does not list its dependency ${kind}/${name}`)
    return simulatedAddress(found.contentHash)
  }
}
