import { encodeFunctionData, type ResponseBodyTooLargeError } from 'viem'
import type { VerifiedChain } from '#lib/chain/access.ts'
import { type CallOutcome, evmCall } from '#lib/chain/evm-call.ts'
import { chainUnavailable, NodeRefusal, readProvider, viemError } from '#lib/chain/provider.ts'
import { registryEntry } from '#lib/chain/registry-reads.ts'
import type { Context } from '#lib/core/context/context.ts'
import { verifiedChain } from '#lib/core/context/verified-chain.ts'
import { runnerAbi } from '#lib/protocol/abi.ts'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import type { Address, Hash, Hex } from '#lib/protocol/entity.ts'
import { Failure } from '#lib/protocol/failure.ts'
import {
  answerTooLarge,
  decodeParticles,
  leastParticlesBytes,
  MalformedParticles,
  type ParticleStream,
  particlesBytes,
} from '#lib/protocol/particles.ts'
import { decodeRejection } from '#lib/protocol/rejection.ts'
import { entityNotFound } from '../get-entity.ts'

export interface ChainRunInput {
  readonly connectorName: string
  /** 1..65536. */
  readonly particlesCount: number
  /** Ascending by position, no repeats. */
  readonly dynamicRi: readonly PositionedRunningInstance[]
  /** Hash of the block to run at; by default the block of the configured tag. */
  readonly at?: Hash | undefined
}

/** Where a result comes from: enough to repeat the call anywhere. */
export interface Provenance {
  readonly blockNumber: number
  /** The call is pinned to this, so nothing can change under it. */
  readonly blockHash: Hash
  readonly blockTimeMs: number
  readonly chainId: number
  readonly runner: Address
  readonly registry: Address
}

/**
 * - `block_gone`: the requested block is not part of the chain (any more)
 * - `state_gone`: the node has pruned the state of the block
 * - `unknown`: the registry had no such connector at the block
 */
export type ChainRun =
  | { readonly outcome: 'block_gone' }
  | { readonly outcome: 'state_gone' }
  | { readonly outcome: 'unknown'; readonly provenance: Provenance }
  | { readonly outcome: 'rejected'; readonly provenance: Provenance; readonly message: string }
  | {
      readonly outcome: 'particles'
      readonly provenance: Provenance
      readonly particles: readonly ParticleStream[]
    }

/**
 * Runs a published connector on chain: one read-only call of the runner, pinned to a block by its hash.
 *
 * @throws Failure('rejected') for a result larger than the configured limit, Failure('chain_malformed'),
 *   Failure('chain_unavailable').
 */
export async function runOnChain(ctx: Context, input: ChainRunInput): Promise<ChainRun> {
  const { config } = ctx
  if (ctx.chain === undefined) {
    throw new Failure(
      'chain_unavailable',
      'Execution is not available: no chain is configured on this server',
    )
  }
  const leaves = await knownLeaves(ctx, input.connectorName)
  const least = leastParticlesBytes(leaves ?? 1, 0, input.particlesCount)
  if (least > config.maxAnswerBytes) throw answerTooLarge(least, config.maxAnswerBytes)
  const { runs, largeRuns } = ctx.places
  const isSmall = leaves !== undefined && leaves * input.particlesCount <= SMALL_RUN
  return (isSmall ? runs : largeRuns).run(() => callRunner(ctx, input), ctx)
}

/** Values of a small run; how many larger ones run at a time follows the memory they take. */
const SMALL_RUN = 131_072

/** Leaves of a published connector; undefined when it is not indexed, or the database is down. */
async function knownLeaves({ db }: Context, name: string): Promise<number | undefined> {
  const rows = await db.sql<{ leaves: number | null }[]>`
    select (a.body->>'leafCount')::int as leaves from entities e join artifacts a on a.content_hash = e.artifact_hash
    where e.kind = 'connector' and e.name = ${name}`.catch(() => [])
  return rows[0]?.leaves ?? undefined
}

async function callRunner(ctx: Context, input: ChainRunInput): Promise<ChainRun> {
  const { config } = ctx
  const chain = await verifiedChain(ctx)
  const block = await (input.at === undefined
    ? blockOfTag(chain, config.executeBlockTag)
    : blockOfHash(chain, input.at))
  if (block === undefined) return { outcome: 'block_gone' }
  const provenance: Provenance = {
    blockNumber: block.number,
    blockHash: block.hash,
    blockTimeMs: block.timeMs,
    chainId: chain.chainId,
    runner: chain.runner,
    registry: chain.registry,
  }
  const timeout = AbortSignal.timeout(config.execute.timeoutMs)
  const call = evmCall(chain.heavy, {
    to: chain.runner,
    data: encodeFunctionData({
      abi: runnerAbi,
      functionName: 'generate',
      args: [input.connectorName, input.particlesCount, input.dynamicRi],
    }),
    block: { hash: block.hash },
    signal: AbortSignal.any([ctx.signal, timeout]),
    ...(config.execute.gasLimit !== undefined && { gas: config.execute.gasLimit }),
  })
  const outcome = await call.catch((error: unknown) => {
    if (timeout.aborted) {
      throw new Failure(
        'chain_unavailable',
        `The chain endpoint did not answer within ${config.execute.timeoutMs} ms; ask for fewer particles or try again`,
      )
    }
    const tooLarge = viemError<ResponseBodyTooLargeError>(error, 'ResponseBodyTooLargeError')
    if (tooLarge) {
      throw new Failure(
        'rejected',
        'Execution rejected: the answer of the chain is larger than this server takes for one of ' +
          `${config.maxAnswerBytes.toLocaleString('en')} bytes; ask for fewer particles`,
      )
    }
    // The node answered, knows the block, and still cannot run at it.
    if (input.at !== undefined && error instanceof Failure && error.cause instanceof NodeRefusal) {
      return undefined
    }
    throw error
  })
  if (outcome === undefined) return { outcome: 'state_gone' }
  if (outcome.ok) {
    const particles = decode(outcome.data, input.particlesCount)
    const bytes = particlesBytes(particles)
    if (bytes > config.maxAnswerBytes) throw answerTooLarge(bytes, config.maxAnswerBytes)
    return { outcome: 'particles', provenance, particles }
  }
  return refusal(chain, outcome, input.connectorName, provenance)
}

interface Block {
  readonly number: number
  readonly hash: Hash
  readonly timeMs: number
}

async function blockOfTag(chain: VerifiedChain, tag: 'latest' | 'safe' | 'finalized'): Promise<Block> {
  const block = await readProvider(`read the ${tag} block`, () =>
    chain.public.request({ method: 'eth_getBlockByNumber', params: [tag, false] }),
  )
  if (!block?.hash || block.number === null) throw chainUnavailable(`read the ${tag} block`)
  return { number: Number(block.number), hash: block.hash, timeMs: Number(block.timestamp) * 1000 }
}

/** Undefined for a block that is not of the chain: nodes also show blocks that fell off it. */
async function blockOfHash(chain: VerifiedChain, hash: Hash): Promise<Block | undefined> {
  const block = await readProvider(`read block ${hash}`, () =>
    chain.public.request({ method: 'eth_getBlockByHash', params: [hash, false] }),
  )
  const { number } = block ?? {}
  if (!block || typeof number !== 'string') return undefined
  const same = await readProvider(`read block ${number}`, () =>
    chain.public.request({ method: 'eth_getBlockByNumber', params: [number, false] }),
  )
  if (same?.hash?.toLowerCase() !== hash.toLowerCase()) return undefined
  return { number: Number(number), hash, timeMs: Number(block.timestamp) * 1000 }
}

const UNKNOWN_CONNECTOR = 'cannot find connector'

async function refusal(
  chain: VerifiedChain,
  outcome: Extract<CallOutcome, { ok: false }>,
  name: string,
  provenance: Provenance,
): Promise<ChainRun> {
  const rejected = (message: string): ChainRun => ({ outcome: 'rejected', provenance, message })
  switch (outcome.cause) {
    case 'revert': {
      const rejection = decodeRejection(outcome.revertData)
      // A body may revert with the runner's own words, so the registry has the last one.
      if (rejection.name === 'Error' && rejection.message === UNKNOWN_CONNECTOR) {
        const entry = await registryEntry(chain, 'connector', name, { hash: provenance.blockHash })
        if (entry === undefined) return { outcome: 'unknown', provenance }
      }
      return rejected(rejection.message)
    }
    case 'out_of_gas':
      return rejected('out of gas; ask for fewer particles')
    case 'funds':
    case 'fault':
      return rejected(outcome.message)
  }
}

function decode(data: Hex, particlesCount: number): ParticleStream[] {
  const malformed = (why: string, cause?: unknown) =>
    new Failure('chain_malformed', `The chain returned a malformed result: ${why}`, {}, { cause })
  try {
    const particles = decodeParticles(Buffer.from(data.slice(2), 'hex'))
    if (particles.length === 0) throw malformed('no paths')
    for (const { path, data: values } of particles) {
      if (values.length !== particlesCount) {
        throw malformed(`${values.length} values at ${path} instead of ${particlesCount}`)
      }
    }
    return particles
  } catch (error) {
    if (error instanceof MalformedParticles) throw malformed(error.message, error)
    throw error
  }
}

interface Execution {
  /** The block that the call was pinned to. */
  readonly blockNumber: number
  readonly blockHash: Hash
  readonly runner: Address
  readonly registry: Address
  readonly particles: readonly ParticleStream[]
}

/**
 * Runs a published connector on chain: one read-only call of the Runner, pinned to the block of the configured tag, so that
 * anyone can repeat it.
 *
 * @throws Failure('not_found') for a connector unknown to the runner's registry, Failure('rejected') with the
 *   connector's own reason or the limit it exceeds, Failure('chain_malformed'), Failure('chain_unavailable').
 */
export async function execute(ctx: Context, input: Omit<ChainRunInput, 'at'>): Promise<Execution> {
  const run = await runOnChain(ctx, input)
  switch (run.outcome) {
    case 'particles': {
      const { blockNumber, blockHash, runner, registry } = run.provenance
      return { blockNumber, blockHash, runner, registry, particles: run.particles }
    }
    case 'unknown':
      throw entityNotFound('connector')
    case 'rejected':
      throw new Failure('rejected', `Execution rejected: ${run.message}`)
    case 'block_gone':
    case 'state_gone':
      throw chainUnavailable('read the block')
  }
}
