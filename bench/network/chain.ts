import { encodeFunctionData } from 'viem'
import { deployContracts } from '#lib/chain/deploy.ts'
import { runnerAbi } from '#lib/protocol/abi.ts'
import type { Artifact } from '#lib/protocol/artifact.ts'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { deployerOn, publisherFor } from '#scripts/contracts/publisher.ts'
import { startAnvil } from '#scripts/stack/anvil.ts'
import { devAccount } from '#scripts/stack/contracts.ts'
import { anyFreePort } from '#scripts/stack/ports.ts'
import { type HttpClient, httpClient } from '../support/http-client.ts'

/** A native EVM behind HTTP with the protocol on it: what a run costs where it is not simulated. */
export interface BenchChain {
  readonly url: string
  readonly registry: Address
  readonly runner: Address
  readonly deploymentBlock: number
  publish(artifacts: Iterable<Artifact>): Promise<void>
  /** The request of one `Runner.generate`, ready to be sent. */
  request(
    connector: string,
    count: number,
    dynamicRi: readonly PositionedRunningInstance[],
    gas?: number,
  ): string
  /** Sends such a request and streams the response's bytes. */
  send(request: string): Promise<readonly Buffer[]>
  close(): Promise<void>
}

const RUN_GAS = 20_000_000_000

export async function startChain(): Promise<BenchChain> {
  const node = await startAnvil({ port: await anyFreePort() })
  const account = devAccount(9)
  const deployer = deployerOn(node.url, account)
  const { registry, runner, blockNumber } = await deployContracts(deployer)
  const publisher = publisherFor(deployer, registry)
  const client: HttpClient = httpClient(node.url)
  return {
    url: node.url,
    registry: registry.toLowerCase() as Address,
    runner: runner.toLowerCase() as Address,
    deploymentBlock: Number(blockNumber),
    async publish(artifacts) {
      for (const artifact of artifacts) await publisher.publish(artifact)
    },
    request: (connector, count, dynamicRi, gas = RUN_GAS) => {
      const data = encodeFunctionData({
        abi: runnerAbi,
        functionName: 'generate',
        args: [connector, count, dynamicRi],
      })
      const call = { from: account.address, to: runner, data, gas: `0x${gas.toString(16)}` }
      return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [call, 'latest'] })
    },
    send: async (request) => (await client.request('POST', '/', request)).chunks,
    async close() {
      client.close()
      await node.stop()
    },
  }
}

/** The bytes that an `eth_call` answered. @throws Error with what it answered instead. */
export function resultOf(answer: readonly Buffer[]): Uint8Array {
  const parsed = JSON.parse(Buffer.concat(answer).toString()) as { result?: string; error?: unknown }
  if (parsed.result === undefined) throw new Error(`eth_call: ${JSON.stringify(parsed.error).slice(0, 300)}`)
  return Buffer.from(parsed.result.slice(2), 'hex')
}
