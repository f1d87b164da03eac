import { createPublicClient, createWalletClient, encodeFunctionData, type Hex, http, zeroHash } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { registryAbi, runnerAbi } from '../../lib/chain/abi.ts'
import { deployContracts } from '../../lib/chain/deploy.ts'
import type { Artifact } from '../../lib/domain/artifact.ts'
import { codeContentHash } from '../../lib/domain/content-hash.ts'
import { buildConnector } from '../../lib/domain/creation-checks.ts'
import { KIND_CODE } from '../../lib/domain/entity.ts'
import { encodePayload } from '../../lib/domain/payload.ts'
import { compileBody } from '../../lib/solidity/compile-body.ts'
import { GAS_SHAPES, type GasShapes } from './gas-shapes.ts'

/** Gas of transactions, all of it: base fee of a transaction and calldata included. */
export interface GasFigures {
  /** By shape: a `generate` transaction at each particle count. */
  readonly generate: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** By kind: a `publish` transaction of an owner who has published before. */
  readonly publish: Readonly<Record<string, number>>
  readonly deploy: { readonly Registry: number; readonly Runner: number }
}

export const PARTICLE_COUNTS = [1, 1000] as const

/** @param url a development chain with anvil's accounts and a block gas limit that takes the largest run. */
export async function measureGas(
  url: string,
  counts: readonly number[] = PARTICLE_COUNTS,
): Promise<GasFigures> {
  const account = mnemonicToAccount('test test test test test test test test test test test junk')
  const transport = http(url, { timeout: 120_000 })
  const walletClient = createWalletClient({ chain: foundry, transport, account })
  const publicClient = createPublicClient({ chain: foundry, transport, pollingInterval: 10 })
  const { registry, runner } = await deployContracts({ account, walletClient, publicClient })
  const gasOf = async (hash: Hex): Promise<number> => {
    const receipt = await publicClient.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error(`transaction ${hash} reverted`)
    return Number(receipt.gasUsed)
  }
  const send = async (to: Hex, data: Hex): Promise<number> =>
    gasOf(await walletClient.sendTransaction({ to, data, gas: 10_000_000_000n }))

  const published = new Map<string, number>()
  let nonce = 0n
  for (const artifact of buildArtifacts(GAS_SHAPES)) {
    const publication = {
      kind: KIND_CODE[artifact.kind],
      name: artifact.name,
      owner: account.address,
      contentHash: artifact.contentHash,
      metadataHash: zeroHash,
      nonce: nonce++,
      deadline: 2n ** 40n,
      payload: encodePayload(artifact),
    }
    const data = encodeFunctionData({ abi: registryAbi, functionName: 'publish', args: [publication, '0x'] })
    published.set(artifact.name, await send(registry, data))
  }

  const generate: Record<string, Record<string, number>> = {}
  for (const shape of Object.keys(GAS_SHAPES.runs)) {
    const figures: Record<string, number> = {}
    for (const count of counts) {
      const data = encodeFunctionData({ abi: runnerAbi, functionName: 'generate', args: [shape, count, []] })
      figures[count] = await send(runner, data)
    }
    generate[shape] = figures
  }
  const publish = Object.fromEntries(
    Object.entries(GAS_SHAPES.publications).map(([label, name]) => [label, published.get(name)!]),
  )
  const deployed = async (block: number) => {
    const { transactions } = await publicClient.getBlock({ blockNumber: BigInt(block) })
    return gasOf(transactions[0]!)
  }
  return { generate, publish, deploy: { Registry: await deployed(1), Runner: await deployed(2) } }
}

/** Everything of the shapes, in an order in which it can be published. */
function buildArtifacts(shapes: GasShapes): Artifact[] {
  const built = new Map<string, Artifact>()
  for (const [kind, bodies] of [
    ['transformation', shapes.transformations],
    ['condition', shapes.conditions],
  ] as const) {
    for (const [name, body] of Object.entries(bodies)) {
      const compiled = compileBody(kind, body)
      if (compiled.status !== 'compiled') throw new Error(`${name} does not compile`)
      const { argsCount, runtime } = compiled
      const contentHash = codeContentHash(kind, name, argsCount, runtime)
      built.set(`${kind}/${name}`, { kind, name, argsCount, runtime, contentHash })
    }
  }
  for (const definition of shapes.connectors) {
    built.set(
      `connector/${definition.name}`,
      buildConnector(definition, (kind, name) => built.get(`${kind}/${name}`)),
    )
  }
  return [...built.values()]
}
