import { registryEntry } from '../chain/registry-reads.ts'
import type { Context } from '../context.ts'
import type { ConnectorArtifact } from '../domain/artifact.ts'
import type { PositionedRunningInstance } from '../domain/definition.ts'
import type { Hash } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { isEntityName } from '../domain/names.ts'
import type { ParticleStream } from '../domain/particles.ts'
import type { SimulationRequest, SimulationResult } from '../simulator/simulator.ts'
import { artifactHash } from './entity-traits.ts'
import { entityNotFound, unverifiedEntity } from './get-entity.ts'
import { artifactClosure } from './load-artifacts.ts'
import { rememberedName, resultMemory } from './run-memory.ts'

/** Larger results are made anew each time. */
const LARGEST_RESULT = 4 * 1024 * 1024
/** Connectors of more parts are not prepared: creating one costs what it adds, not what is below it. */
const PREPARED = { artifacts: 200, bytes: 1024 * 1024 }

export interface SimulateInput {
  readonly connectorName: string
  /** 1..65536. */
  readonly particlesCount: number
  /** Ascending by position, no repeats. */
  readonly dynamicRi: readonly PositionedRunningInstance[]
}

/**
 * Runs a draft or published connector off chain, with the artifacts it was built against. What is published wins over
 * a draft of the same name.
 *
 * @param streams So many of the first are returned.
 * @throws Failure('not_found') for an unknown connector, Failure('rejected') with the connector's own reason or the
 *   limit it exceeds, Failure('artifacts_unavailable') for a published one this server cannot rebuild yet,
 *   Failure('overloaded').
 */
export async function simulate(
  ctx: Context,
  input: SimulateInput,
  streams: number,
): Promise<{ readonly particles: readonly ParticleStream[]; readonly paths: number }> {
  const root = await findConnector(ctx, input.connectorName)
  return accepted(await ctx.simulator.simulate(await requestOf(ctx, root, input), streams))
}

/**
 * Like `simulate`, as the JSON list of the streams in UTF-8, which is kept for runs that are asked for again and again.
 *
 * @throws Failure as `simulate` does.
 */
export async function simulateJson(ctx: Context, input: SimulateInput): Promise<Uint8Array<ArrayBuffer>> {
  const root = await findConnector(ctx, input.connectorName)
  const { asked, results } = resultMemory(ctx)
  const key = runKey(root, input)
  const known = results.get(key)
  if (known !== undefined) return known
  const { json: bytes, lasting } = accepted(
    await ctx.simulator.simulateJson(await requestOf(ctx, root, input)),
  )
  if (!lasting) return bytes
  // Most runs are made once only; to keep them would cost more than to make the others a second time.
  if (asked.get(key) === undefined) asked.set(key, true, 100 + 2 * key.length)
  else if (bytes.byteLength <= LARGEST_RESULT) results.set(key, bytes, bytes.byteLength + 2 * key.length)
  return bytes
}

/**
 * Lets the simulator get ready for runs of a connector, which need not be stored yet, unless it has better things to do.
 * Never rejects.
 */
export async function prepareRuns(ctx: Context, connector: ConnectorArtifact): Promise<void> {
  try {
    const parts = [...new Set(connector.dependencies.map(({ contentHash }) => contentHash))]
    const below = await artifactClosure(ctx, parts, PREPARED)
    await ctx.simulator.prepare({ root: connector.contentHash, artifacts: [connector, ...below] })
  } catch {
    // A run will say what is wrong.
  }
}

async function requestOf(ctx: Context, root: Hash, input: SimulateInput): Promise<SimulationRequest> {
  const { particlesCount, dynamicRi } = input
  const artifacts = await artifactClosure(ctx, [root])
  return { root, artifacts, particlesCount, dynamicRi, signal: ctx.signal }
}

function accepted<Result extends { readonly ok: true }>(
  result: Result | Extract<SimulationResult, { readonly ok: false }>,
): Result {
  if (!result.ok) throw new Failure('rejected', `Execution rejected: ${result.rejection.message}`)
  return result
}

/** Content hashes name what they stand for, so what came of a run that reads no block always comes of it. */
function runKey(root: Hash, { particlesCount, dynamicRi }: SimulateInput): string {
  const starts = dynamicRi.map(
    ({ position, startPoint, transformationShift }) => `${position}:${startPoint}:${transformationShift}`,
  )
  return [root, particlesCount, ...starts].join(' ')
}

/**
 * The artifact that a name stands for: what is published, else the draft.
 *
 * @throws Failure('not_found'), Failure('artifacts_unavailable').
 */
export async function findConnector(ctx: Context, name: string): Promise<Hash> {
  if (!isEntityName(name)) throw entityNotFound('connector')
  return rememberedName(ctx, name, () => lookUp(ctx, name))
}

async function lookUp(ctx: Context, name: string): Promise<Hash> {
  const hash = await artifactHash(ctx, 'connector', name)
  if (hash === undefined) {
    const unverified = await unverifiedEntity(ctx, 'connector', name)
    if (unverified) throw unverified
    if (await onChainOnly(ctx, name)) throw notRebuilt(name)
    throw entityNotFound('connector')
  }
  if (hash === null) throw notRebuilt(name)
  return hash
}

/** Whether the chain knows what this server has not read yet. Simulating does not depend on the chain's answer. */
async function onChainOnly(ctx: Context, name: string): Promise<boolean> {
  if (ctx.chain === undefined) return false
  try {
    return (await registryEntry(ctx.chain, 'connector', name)) !== undefined
  } catch (error) {
    ctx.log.debug({ err: error }, 'chain not reachable to look for an unknown connector')
    return false
  }
}

function notRebuilt(name: string): Failure {
  return new Failure(
    'artifacts_unavailable',
    `Connector ${name} is published, but this server has not rebuilt it from the chain yet: try again soon`,
  )
}
