import { encodeFunctionData, parseAbi } from 'viem/utils'
import type { RevertCause, RunOutcome, RunRequest, RunReverted } from '../../engine/run.ts'
import type { Artifact, ConnectorArtifact } from '../../protocol/artifact.ts'
import type { PositionedRunningInstance, RunningInstance } from '../../protocol/definition.ts'
import type { Hash, Hex } from '../../protocol/entity.ts'
import { type DimensionVisit, walkDimensions } from '../../protocol/positions.ts'
import { resolveIndexStart, resolveRunningInstance } from '../../protocol/running-instance.ts'
import { callsOf, dimensionValues } from './dimension-values.ts'
import type { DimensionPlace, LocateRequest, RejectionPlace } from './explainer.ts'
import { createMachine, type Machine, simulatedAddress } from './machine.ts'

const UINT32_MAX = 4_294_967_295
/** Values of one dimension held in memory; a run that needs more is not searched. */
const MAX_VALUES = 4_000_000

const CHECK = parseAbi(['function check(int32[] args) view returns (bool)'])

/**
 * Locates where a rejected run stops: by the engine, or where it does not know the step, by evaluating dimension after
 * dimension in the Runner's order. Undefined when none stops in the same way (a body may read the gas that is left), or
 * the run is too large to search.
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
  // Indices at which the connector is evaluated, by depth.
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
 * The first step of a dimension that reverts, provided that one does up to `index`. Doubles its range until it fails,
 * then bisects: a failure early in a long sequence is found early.
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
  // s(0) never reverts.
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
  // Shift plus step is checked arithmetic in the Runner.
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

/** The engine of the thread, within the limits of a run. */
export interface FastEngine {
  run(request: RunRequest): Promise<RunOutcome>
  locate(request: RunRequest): Promise<RunReverted | undefined>
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
    const found = connectors.get(hash)
    if (found === undefined) throw new Error(`The request lacks the connector ${hash}`)
    return found
  }
  return { root: artifactOf(request.root), artifactOf }
}
