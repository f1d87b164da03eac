import { encodeFunctionData } from 'viem'
import { runnerAbi } from '../chain/abi.ts'
import type { ChainAccess } from '../chain/access.ts'
import { type CallOutcome, evmCall } from '../chain/evm-call.ts'
import { chainUnavailable, readProvider } from '../chain/provider.ts'
import { registryEntry } from '../chain/registry-reads.ts'
import type { Context } from '../context.ts'
import type { PositionedRunningInstance } from '../domain/definition.ts'
import type { Address, Hash, Hex } from '../domain/entity.ts'
import { Failure } from '../domain/failure.ts'
import { decodeParticles, MalformedParticles, type ParticleStream } from '../domain/particles.ts'
import { decodeRejection } from '../domain/rejection-decode.ts'

export interface ExecuteInput {
  readonly connectorName: string
  /** 1..65536. */
  readonly particlesCount: number
  /** Ascending by position, no repeats. */
  readonly dynamicRi: readonly PositionedRunningInstance[]
}

export interface Execution {
  /** The block that the call was pinned to. */
  readonly blockNumber: number
  readonly blockHash: Hash
  readonly runner: Address
  readonly particles: readonly ParticleStream[]
}

/**
 * Runs a published connector on chain: one read-only call of the runner, pinned to the block that the configured tag
 * stands for, so that anyone can repeat it.
 *
 * @throws Failure('not_found') for a connector unknown to the runner's registry, Failure('rejected') with the
 *   connector's own reason or the limit it exceeds, Failure('chain_malformed'), Failure('chain_unavailable').
 */
export const execute = async (ctx: Context, input: ExecuteInput): Promise<Execution> => {
  const { chain, config } = ctx
  if (chain === undefined) {
    throw new Failure(
      'chain_unavailable',
      'Execution is not available: no chain is configured on this server',
    )
  }
  await chain.verify()
  const block = await pinnedBlock(chain, config.executeBlockTag)
  const timeout = AbortSignal.timeout(config.execute.timeoutMs)
  const outcome = await evmCall(chain.heavy, {
    to: chain.runner,
    data: encodeFunctionData({
      abi: runnerAbi,
      functionName: 'generate',
      args: [input.connectorName, input.particlesCount, input.dynamicRi],
    }),
    block: { hash: block.hash },
    signal: AbortSignal.any([ctx.signal, timeout]),
    ...(config.execute.gasLimit !== undefined && { gas: config.execute.gasLimit }),
  }).catch((error: unknown) => {
    if (timeout.aborted) {
      throw new Failure(
        'chain_unavailable',
        `The chain endpoint did not answer within ${config.execute.timeoutMs} ms; ask for fewer particles or try again`,
      )
    }
    throw error
  })
  if (!outcome.ok) throw await refusal(chain, outcome, input.connectorName, block.hash)
  return {
    blockNumber: block.number,
    blockHash: block.hash,
    runner: chain.runner,
    particles: decode(outcome.data, input.particlesCount),
  }
}

const pinnedBlock = async (
  chain: ChainAccess,
  tag: 'latest' | 'safe' | 'finalized',
): Promise<{ number: number; hash: Hash }> => {
  const block = await readProvider(`read the ${tag} block`, () =>
    chain.public.request({ method: 'eth_getBlockByNumber', params: [tag, false] }),
  )
  if (!block?.hash || block.number === null) throw chainUnavailable(`read the ${tag} block`)
  return { number: Number(block.number), hash: block.hash }
}

const UNKNOWN_CONNECTOR = 'cannot find connector'

const refusal = async (
  chain: ChainAccess,
  outcome: Extract<CallOutcome, { ok: false }>,
  name: string,
  blockHash: Hash,
): Promise<Failure> => {
  switch (outcome.cause) {
    case 'revert': {
      const rejection = decodeRejection(outcome.revertData)
      // A body may revert with the runner's own words, so the registry has the last one.
      if (rejection.name === 'Error' && rejection.message === UNKNOWN_CONNECTOR) {
        const known = await registryEntry(chain, 'connector', name, { hash: blockHash })
        if (known === undefined) return new Failure('not_found', 'Connector not found')
      }
      return new Failure('rejected', `Execution rejected: ${rejection.message}`)
    }
    case 'out_of_gas':
      return new Failure('rejected', 'Execution rejected: out of gas; ask for fewer particles')
    case 'funds':
    case 'fault':
      return new Failure('rejected', `Execution rejected: ${outcome.message}`)
  }
}

const decode = (data: Hex, particlesCount: number): ParticleStream[] => {
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
