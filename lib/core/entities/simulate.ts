import { registryEntry } from '#lib/chain/registry-reads.ts'
import type { SimulationRequest, SimulationResult } from '#lib/compute/simulator/simulator.ts'
import type { Context } from '#lib/core/context/context.ts'
import { verifiedChain } from '#lib/core/context/verified-chain.ts'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import type { Hash } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { isEntityName } from '#lib/protocol/names.ts'
import type { ParticleStream } from '#lib/protocol/particles.ts'
import { artifactHash } from './entity-traits.ts'
import { entityNotFound, unverifiedEntity } from './get-entity.ts'
import { artifactBytes, artifactClosure } from './load-artifacts.ts'

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
  return accepted(await simulateOrReject(ctx, input, streams))
}

/** The same with the connector's rejection as a result. @throws Failure as `simulate` does else. */
export async function simulateOrReject(
  ctx: Context,
  input: SimulateInput,
  streams: number,
): Promise<SimulationResult> {
  const root = await findConnector(ctx, input.connectorName)
  return withRequest(ctx, root, input, (request) => ctx.simulator.simulate(request, streams))
}

/** Like `simulate`, as the JSON list of all streams in UTF-8. @throws Failure as `simulate` does. */
export async function simulateJson(ctx: Context, input: SimulateInput): Promise<Uint8Array<ArrayBuffer>> {
  const root = await findConnector(ctx, input.connectorName)
  return accepted(await withRequest(ctx, root, input, (request) => ctx.simulator.simulateJson(request))).json
}

/** Runs `work` with everything the connector depends on, within the budget of simulations. */
async function withRequest<Result>(
  ctx: Context,
  root: Hash,
  { particlesCount, dynamicRi }: SimulateInput,
  work: (request: SimulationRequest) => Promise<Result>,
): Promise<Result> {
  const artifacts = await artifactClosure(ctx, [root])
  const reservation = ctx.memory.reserve(ctx.principal, 'simulate')
  try {
    reservation.add(artifacts.reduce((sum, artifact) => sum + artifactBytes(artifact), 0))
    return await work({ root, artifacts, particlesCount, dynamicRi, signal: ctx.signal })
  } finally {
    reservation.release()
  }
}

function accepted<Result extends { readonly ok: true }>(
  result: Result | Extract<SimulationResult, { readonly ok: false }>,
): Result {
  if (!result.ok) throw new Failure('rejected', `Execution rejected: ${result.rejection.message}`)
  return result
}

/**
 * Resolves a connector name to its artifact: the published one, else the draft.
 *
 * @throws Failure('not_found'), Failure('artifacts_unavailable').
 */
export async function findConnector(ctx: Context, name: string): Promise<Hash> {
  if (!isEntityName(name)) throw entityNotFound('connector')
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
    return (await registryEntry(await verifiedChain(ctx), 'connector', name)) !== undefined
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
