import {
  type Account,
  type Chain,
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  formatTransactionReceipt,
  type HttpTransport,
  http,
  type Log,
  type PublicClient,
  toHex,
  type WalletClient,
} from 'viem'
import { deployContracts } from '../../lib/chain/deploy.ts'
import { compileBody } from '../../lib/compute/solidity/compile-body.ts'
import { registryAbi, runnerAbi } from '../../lib/protocol/abi.ts'
import type { BuiltArtifact } from '../../lib/protocol/artifact.ts'
import { codeContentHash } from '../../lib/protocol/content-hash.ts'
import { buildConnector } from '../../lib/protocol/creation-checks.ts'
import type { PositionedRunningInstance } from '../../lib/protocol/definition.ts'
import { type Address, type EntityKind, type Hash, type Hex, KIND_CODE } from '../../lib/protocol/entity.ts'
import { decodeParticles, type ParticleStream } from '../../lib/protocol/particles.ts'
import { encodePayload } from '../../lib/protocol/payload.ts'
import { startAnvil } from '../../scripts/stack/anvil.ts'
import { devChain } from '../../scripts/stack/dev-chain.ts'
import { anyFreePort } from '../../scripts/stack/ports.ts'
import { devAccount } from '../support/chain.ts'
import { type ConnectorSketch, define } from '../support/definitions.ts'

export const FAR_FUTURE = 2n ** 40n
export const RUN_GAS = 10_000_000_000n

/** The argument of `Registry.publish`. */
export interface PublicationTuple {
  readonly kind: number
  readonly name: string
  readonly owner: Address
  readonly contentHash: Hash
  readonly nonce: bigint
  readonly deadline: bigint
  readonly payload: Hex
  readonly metadata: Hex
}

/** What a call came to: output, or the bytes it reverted with. */
export type Answer =
  | { readonly ok: true; readonly output: Hex }
  | { readonly ok: false; readonly revertData: Hex }

export interface Receipt {
  readonly status: 'success' | 'reverted'
  readonly address: Address | undefined
  readonly logs: readonly Log[]
}

export interface TestNode {
  readonly url: string
  readonly publicClient: PublicClient<HttpTransport, Chain>
  wallet(index: number): WalletClient<HttpTransport, Chain, Account>
  call(to: Address, data: Hex, from?: Address, gas?: bigint): Promise<Answer>
  /** Sends a transaction of a dev account and returns the receipt of the block mined for it. */
  send(transaction: { from?: Address; to?: Address; data: Hex; gas?: bigint }): Promise<Receipt>
  /** A new registry and a new runner. */
  deploy(): Promise<TestNetwork>
  /** Puts code at an address, as no transaction could. */
  setCode(address: Address, code: Hex): Promise<void>
  close(): Promise<void>
}

export interface TestNetwork {
  readonly node: TestNode
  readonly registry: Address
  readonly runner: Address
  /** A publication of an artifact by dev account 0 with its next nonce. */
  publication(artifact: BuiltArtifact, changes?: Partial<PublicationTuple>): Promise<PublicationTuple>
  /** The answer a `publish` would get. */
  tryPublish(publication: PublicationTuple, signature?: Hex, from?: Address): Promise<Answer>
  /** Publishes for good and returns the entity's address. */
  publish(artifact: BuiltArtifact): Promise<Address>
  /** Compiles and publishes. */
  body(kind: 'transformation' | 'condition', name: string, source: string): Promise<BuiltArtifact>
  /** Builds from what was published here before, and publishes. */
  connector(sketch: ConnectorSketch): Promise<BuiltArtifact>
  lookup(kind: EntityKind, name: string): BuiltArtifact | undefined
  address(kind: EntityKind, name: string): Promise<Address>
  generate(name: string, count: number, dynamicRi?: readonly PositionedRunningInstance[]): Promise<Answer>
  generateAt(
    at: Address,
    count: number,
    dynamicRi?: readonly PositionedRunningInstance[],
    gas?: bigint,
  ): Promise<Answer>
  /** Gas of a `generate` transaction. */
  estimate(name: string, count: number): Promise<bigint>
}

const compiled = new Map<string, { argsCount: number; runtime: Hex }>()

/** Compiles a body, each text once a process. */
export function compileOnce(kind: 'transformation' | 'condition', source: string) {
  const key = `${kind} ${source}`
  const kept = compiled.get(key)
  if (kept) return kept
  const outcome = compileBody(kind, source)
  if (outcome.status !== 'compiled') throw new Error(`does not compile: ${JSON.stringify(outcome)}`)
  compiled.set(key, outcome)
  return outcome
}

export function codeArtifact(
  kind: 'transformation' | 'condition',
  name: string,
  source: string,
): BuiltArtifact {
  const { argsCount, runtime } = compileOnce(kind, source)
  return { kind, name, argsCount, runtime, contentHash: codeContentHash(kind, name, argsCount, runtime) }
}

export function particles(answer: Answer): readonly ParticleStream[] {
  if (!answer.ok) throw new Error(`reverted with ${answer.revertData}`)
  return decodeParticles(Buffer.from(answer.output.slice(2), 'hex'))
}

/** Path and values of each stream, as plain arrays. */
export function streams(answer: Answer): { path: string; data: number[] }[] {
  return particles(answer).map(({ path, data }) => ({ path, data: [...data] }))
}

export async function startNode(): Promise<TestNode> {
  const anvil = await startAnvil({ port: await anyFreePort() })
  const transport = http(anvil.url, { timeout: 60_000 })
  const publicClient = createPublicClient({ chain: devChain, transport, pollingInterval: 5 })
  const node: TestNode = {
    url: anvil.url,
    publicClient,
    wallet: (index) => createWalletClient({ chain: devChain, transport, account: devAccount(index) }),
    async call(to, data, from = devAccount(0).address, gas = RUN_GAS) {
      const params = [{ from, to, data, gas: `0x${gas.toString(16)}` }, 'latest']
      const response = await fetch(anvil.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params }),
      })
      const answer = (await response.json()) as {
        result?: Hex
        error?: { message: string; data?: Hex }
      }
      if (answer.result !== undefined) return { ok: true, output: answer.result }
      if (!/revert/i.test(answer.error?.message ?? '')) throw new Error(answer.error?.message)
      return { ok: false, revertData: answer.error?.data ?? '0x' }
    },
    async send({ from = devAccount(9).address, gas = 30_000_000n, ...rest }) {
      // Accounts of the node itself: nothing to sign.
      const params = [{ from, gas: `0x${gas.toString(16)}`, ...rest }]
      const answer = await publicClient.request({ method: 'eth_sendTransactionSync', params } as never)
      const { status, contractAddress, logs } = formatTransactionReceipt(answer)
      return { status, logs, address: contractAddress?.toLowerCase() as Address | undefined }
    },
    deploy: () => deploy(node),
    async setCode(address, code) {
      await publicClient.request({ method: 'anvil_setCode', params: [address, code] } as never)
    },
    close: () => anvil.stop(),
  }
  return node
}

let deployments = 0

async function deploy(node: TestNode): Promise<TestNetwork> {
  const { publicClient } = node
  const deployer = { account: devAccount(9), walletClient: node.wallet(9), publicClient }
  const { registry, runner } = await deployContracts(deployer, { salt: toHex(++deployments, { size: 32 }) })
  const artifacts = new Map<string, BuiltArtifact>()
  const lookup = (kind: EntityKind, name: string) => artifacts.get(`${kind}/${name}`)
  const network: TestNetwork = {
    node,
    registry,
    runner,
    async publication(artifact, changes = {}) {
      const owner = changes.owner ?? devAccount(0).address
      const nonce = await publicClient.readContract({
        address: registry,
        abi: registryAbi,
        functionName: 'nonces',
        args: [owner],
      })
      return {
        kind: KIND_CODE[artifact.kind],
        name: artifact.name,
        owner,
        contentHash: artifact.contentHash,
        nonce,
        deadline: FAR_FUTURE,
        payload: encodePayload(artifact),
        metadata: '0x',
        ...changes,
      }
    },
    tryPublish: (publication, signature = '0x', from) =>
      node.call(
        registry,
        encodeFunctionData({ abi: registryAbi, functionName: 'publish', args: [publication, signature] }),
        from,
      ),
    async publish(artifact) {
      const publication = await network.publication(artifact)
      const receipt = await node.send({
        to: registry,
        from: publication.owner,
        data: encodeFunctionData({ abi: registryAbi, functionName: 'publish', args: [publication, '0x'] }),
      })
      if (receipt.status !== 'success') throw new Error(`publishing ${artifact.name} reverted`)
      artifacts.set(`${artifact.kind}/${artifact.name}`, artifact)
      return network.address(artifact.kind, artifact.name)
    },
    async body(kind, name, source) {
      const artifact = codeArtifact(kind, name, source)
      await network.publish(artifact)
      return artifact
    },
    async connector(sketch) {
      const artifact = buildConnector(define(sketch), lookup)
      await network.publish(artifact)
      return artifact
    },
    lookup,
    async address(kind, name) {
      const address = await publicClient.readContract({
        address: registry,
        abi: registryAbi,
        functionName: 'entityOf',
        args: [KIND_CODE[kind], name],
      })
      return address.toLowerCase() as Address
    },
    generate: (name, count, dynamicRi = []) =>
      node.call(
        runner,
        encodeFunctionData({ abi: runnerAbi, functionName: 'generate', args: [name, count, dynamicRi] }),
      ),
    generateAt: (at, count, dynamicRi = [], gas = RUN_GAS) =>
      node.call(
        runner,
        encodeFunctionData({ abi: runnerAbi, functionName: 'generateAt', args: [at, count, dynamicRi] }),
        undefined,
        gas,
      ),
    estimate: (name, count) =>
      publicClient.estimateGas({
        account: devAccount(0).address,
        to: runner,
        data: encodeFunctionData({ abi: runnerAbi, functionName: 'generate', args: [name, count, []] }),
      }),
  }
  return network
}
