import { encodeFunctionData, parseAbi } from 'viem/utils'
import type { ConnectorArtifact } from '../domain/artifact.ts'
import type { RunningInstance } from '../domain/definition.ts'
import type { Hex } from '../domain/entity.ts'
import { type DimensionVisit, walkDimensions } from '../domain/positions.ts'
import { resolveIndexStart, resolveRunningInstance } from '../domain/running-instance.ts'
import { connectorFinder } from './connector-finder.ts'
import { simulatedAddress } from './deployment.ts'
import { callsOf, dimensionValues } from './dimension-values.ts'
import type { LocateRequest, RejectionPlace } from './explainer.ts'
import { createMachine, type Machine } from './machine.ts'
import { conditionPlace, type FastEngine, placeInDimension, placeOfRevert } from './revert-place.ts'

const UINT32_MAX = 4_294_967_295
/** Values that are held of one dimension; a run that needs more is not searched. */
const MAX_VALUES = 4_000_000

const CHECK = parseAbi(['function check(int32[] args) view returns (bool)'])

/**
 * Where a rejected run stops: what the engine says that made it, or where it does not know the step, a walk in the
 * Runner's order, dimension by dimension, until one stops. Undefined when none stops in the same way: a body may look
 * at the gas that is left, or a run needs more than is searched.
 */
export async function locate(
  request: Omit<LocateRequest, 'signal'>,
  gasLimit: bigint,
  engine: FastEngine,
): Promise<RejectionPlace | undefined> {
  const { artifacts, particlesCount, dynamicRi, revertData } = request
  const { root, artifactOf } = connectorFinder(request)
  const found = await engine.locate(request)
  const known = found?.revertData === revertData && placeOfRevert(root, artifactOf, dynamicRi, found)
  if (known) return known
  const { start, clash } = resolveIndexStart(root, dynamicRi)
  if (clash || start + particlesCount - 1 > UINT32_MAX) return { kind: 'start' }

  const machine = await createMachine(artifacts, gasLimit, request.block)
  if (!(await conditionHolds(machine, root))) return conditionPlace('', root)
  // Indices handed to the connector at each depth.
  const indices = [Uint32Array.from({ length: particlesCount }, (_, i) => start + i)]
  for (const visit of walkDimensions(root, artifactOf)) {
    const { path, depth, next } = visit
    const instance = resolveRunningInstance(root, visit, dynamicRi)
    if (instance.clash) return placeInDimension(visit, instance, { kind: 'instance' })
    const asked = indices[depth]!
    const values = await valuesAt(machine, visit, instance, asked)
    if (values === 'too_many') return undefined
    if (values === 'reverted') return locateStep(machine, visit, instance, largest(asked), revertData)
    if (next === undefined) continue
    if (!(await conditionHolds(machine, next))) return conditionPlace(path, next)
    indices[depth + 1] = values
  }
  return undefined
}

/**
 * The first step of a dimension that reverts, given that one does up to `index`. Doubles its reach until it fails,
 * then halves: a failure early in a long sequence is found early.
 */
export async function locateStep(
  machine: Machine,
  visit: DimensionVisit,
  instance: RunningInstance,
  index: number,
  revertData: Hex,
): Promise<RejectionPlace | undefined> {
  const { transformations } = callsOf(visit)
  const at = async (step: number) => dimensionValues(machine, visit, instance, step, 1)
  // s(0) is never refused.
  let good = 0
  let x = instance.startPoint
  let bad = index
  for (let reach = 1; good + 1 < bad; ) {
    const middle = good + reach < bad && reach > 0 ? good + reach : Math.floor((good + bad) / 2)
    const outcome = await at(middle)
    if (outcome.status === 'exhausted') return undefined
    if (outcome.status === 'returned') {
      good = middle
      x = outcome.values[0]!
      reach *= 2
    } else {
      bad = middle
      reach = 0
    }
  }
  const last = await at(bad)
  if (last.status !== 'reverted' || last.revertData !== revertData) return undefined
  // The number of a turn in a cycle is checked arithmetic.
  if (transformations.length > 1 && instance.transformationShift + bad > UINT32_MAX) {
    return placeInDimension(visit, instance, { kind: 'instance' })
  }
  return placeInDimension(visit, instance, { kind: 'step', step: bad, x })
}

async function valuesAt(
  machine: Machine,
  visit: DimensionVisit,
  instance: RunningInstance,
  indices: Uint32Array<ArrayBuffer>,
): Promise<Uint32Array<ArrayBuffer> | 'reverted' | 'too_many'> {
  if (callsOf(visit).transformations.length === 0) {
    return new Uint32Array(indices.length).fill(instance.startPoint)
  }
  const max = largest(indices)
  if (max >= MAX_VALUES) return 'too_many'
  const outcome = await dimensionValues(machine, visit, instance, 0, max + 1)
  if (outcome.status === 'exhausted') return 'too_many'
  if (outcome.status === 'reverted') return 'reverted'
  return indices.map((index) => outcome.values[index]!)
}

function largest(indices: Uint32Array): number {
  return indices.reduce((most, index) => Math.max(most, index), 0)
}

async function conditionHolds(machine: Machine, connector: ConnectorArtifact): Promise<boolean> {
  const { conditionName, conditionArgs } = connector.definition
  if (conditionName === '') return true
  const dependency = connector.dependencies.find(({ kind }) => kind === 'condition')!
  const data: Hex = encodeFunctionData({ abi: CHECK, functionName: 'check', args: [[...conditionArgs]] })
  const outcome = await machine.call(simulatedAddress(dependency.contentHash), data)
  return (
    outcome.status === 'returned' &&
    outcome.output.length >= 32 &&
    outcome.output.subarray(0, 31).every((byte) => byte === 0) &&
    outcome.output[31] === 1
  )
}
