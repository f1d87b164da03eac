import { BaseError, encodeFunctionData, type Hex, RawContractError, zeroHash } from 'viem'
import { registryAbi, runnerAbi } from '../../lib/chain/abi.ts'
import type { Artifact } from '../../lib/domain/artifact.ts'
import type { PositionedRunningInstance } from '../../lib/domain/definition.ts'
import { KIND_CODE } from '../../lib/domain/entity.ts'
import { decodeParticles, type ParticleStream } from '../../lib/domain/particles.ts'
import { encodePayload } from '../../lib/domain/payload.ts'
import { devAccount, type TestChain, testChain } from './chain.ts'

export type ChainAnswer =
  | { readonly ok: true; readonly particles: readonly ParticleStream[] }
  | { readonly ok: false; readonly revertData: Hex }

/** A registry of the caller's own, published to directly, without a server between. */
export interface TestRegistry {
  readonly chain: TestChain
  publish(artifact: Artifact): Promise<void>
  generate(
    connector: string,
    particlesCount: number,
    dynamicRi: readonly PositionedRunningInstance[],
    gas: bigint,
  ): Promise<ChainAnswer>
  close(): Promise<void>
}

const FAR_FUTURE = 2n ** 40n

export async function startTestRegistry(): Promise<TestRegistry> {
  const chain = await testChain()
  const owner = devAccount(0).address
  const wallet = chain.wallet(0)
  let nonce = 0n

  return {
    chain,
    async publish(artifact) {
      const hash = await wallet.writeContract({
        address: chain.registry,
        abi: registryAbi,
        functionName: 'publish',
        args: [
          {
            kind: KIND_CODE[artifact.kind],
            name: artifact.name,
            owner,
            contentHash: artifact.contentHash,
            metadataHash: zeroHash,
            nonce: nonce++,
            deadline: FAR_FUTURE,
            payload: encodePayload(artifact),
          },
          '0x',
        ],
      })
      const receipt = await chain.publicClient.waitForTransactionReceipt({ hash })
      if (receipt.status !== 'success')
        throw new Error(`publishing ${artifact.kind} ${artifact.name} reverted`)
    },
    async generate(connector, particlesCount, dynamicRi, gas) {
      const data = encodeFunctionData({
        abi: runnerAbi,
        functionName: 'generate',
        args: [connector, particlesCount, dynamicRi],
      })
      try {
        const { data: output } = await chain.publicClient.call({ to: chain.runner, data, gas })
        return { ok: true, particles: decodeParticles(Buffer.from((output ?? '0x').slice(2), 'hex')) }
      } catch (error) {
        return { ok: false, revertData: revertDataOf(error) }
      }
    },
    close: () => chain.close(),
  }
}

function revertDataOf(error: unknown): Hex {
  if (error instanceof BaseError) {
    const raw = error.walk(
      (e) => e instanceof RawContractError || (e as { data?: unknown }).data !== undefined,
    )
    const data = (raw as { data?: Hex | { data: Hex } } | null)?.data
    if (data !== undefined) return typeof data === 'object' ? data.data : data
    if (/revert/i.test(error.message)) return '0x'
  }
  throw error
}
