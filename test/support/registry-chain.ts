import { encodeFunctionData, type Hex } from 'viem'
import { evmCall } from '#lib/chain/evm-call.ts'
import { encodePublish, NO_METADATA } from '#lib/chain/publication-calldata.ts'
import { runnerAbi } from '#lib/protocol/abi.ts'
import type { Artifact } from '#lib/protocol/artifact.ts'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import { decodeParticles, type ParticleStream } from '#lib/protocol/particles.ts'
import { encodePayload } from '#lib/protocol/payload.ts'
import { devAccount, testChain } from './chain.ts'

type ChainAnswer =
  | { readonly ok: true; readonly particles: readonly ParticleStream[] }
  | { readonly ok: false; readonly revertData: Hex }

const FAR_FUTURE = 2n ** 40n

export type TestRegistry = Awaited<ReturnType<typeof startTestRegistry>>

/** A registry of the caller's own, published to directly, without a server between. */
export async function startTestRegistry() {
  const chain = await testChain()
  const owner = devAccount(0).address
  let nonce = 0n

  return {
    chain,
    async publish(artifact: Artifact, metadata: Hex = NO_METADATA) {
      const data = encodePublish({
        kind: artifact.kind,
        name: artifact.name,
        owner,
        contentHash: artifact.contentHash,
        nonce: nonce++,
        deadline: FAR_FUTURE,
        payload: encodePayload(artifact),
        metadata,
      })
      // One request where a client would take eight.
      const receipt = (await chain.rpc('eth_sendTransactionSync', [
        { from: owner, to: chain.registry, data },
      ])) as { readonly status: Hex }
      if (receipt.status !== '0x1') throw new Error(`publishing ${artifact.kind} ${artifact.name} reverted`)
    },
    async generate(
      connector: string,
      particlesCount: number,
      dynamicRi: readonly PositionedRunningInstance[],
      gas: bigint,
    ): Promise<ChainAnswer> {
      const data = encodeFunctionData({
        abi: runnerAbi,
        functionName: 'generate',
        args: [connector, particlesCount, dynamicRi],
      })
      const outcome = await evmCall(chain.publicClient, { to: chain.runner, data, gas })
      if (outcome.ok) {
        return { ok: true, particles: decodeParticles(Buffer.from(outcome.data.slice(2), 'hex')) }
      }
      if (outcome.cause !== 'revert')
        throw new Error(`The run stopped with ${outcome.cause}: ${outcome.message}`)
      return { ok: false, revertData: outcome.revertData }
    },
    close: () => chain.close(),
  }
}
