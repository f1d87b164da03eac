import {
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  formatTransactionReceipt,
  http,
  toHex,
} from 'viem'
import { deployContracts } from '#lib/chain/deploy.ts'
import { evmCall } from '#lib/chain/evm-call.ts'
import { NO_METADATA, type Publication } from '#lib/chain/publication-calldata.ts'
import { registryAbi, runnerAbi } from '#lib/protocol/abi.ts'
import type { BuiltArtifact } from '#lib/protocol/artifact.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import type { PositionedRunningInstance } from '#lib/protocol/definition.ts'
import { type Address, type EntityKind, type Hex, KIND_CODE } from '#lib/protocol/entity.ts'
import { decodeParticles } from '#lib/protocol/particles.ts'
import { encodePayload } from '#lib/protocol/payload.ts'
import { startAnvil } from '#scripts/stack/anvil.ts'
import { devChain } from '#scripts/stack/dev-chain.ts'
import { anyFreePort } from '#scripts/stack/ports.ts'
import { devAccount } from '#test/support/chain.ts'
import { compileOnce } from '#test/support/compiled-bodies.ts'
import { type ConnectorSketch, define } from '#test/support/definitions.ts'
import { lower } from '#test/support/lower.ts'

const FAR_FUTURE = 2n ** 40n
const RUN_GAS = 10_000_000_000n

/** The argument of `Registry.publish`. */
export type PublicationTuple = Omit<Publication, 'kind'> & { readonly kind: number }

/** Outcome of a call: output, or the bytes it reverted with. */
export type Answer =
  | { readonly ok: true; readonly output: Hex }
  | { readonly ok: false; readonly revertData: Hex }

export type TestNode = Awaited<ReturnType<typeof startNode>>
export type TestNetwork = Awaited<ReturnType<typeof deploy>>

export function codeArtifact(
  kind: 'transformation' | 'condition',
  name: string,
  source: string,
): BuiltArtifact {
  const { argsCount, runtime } = compileOnce(kind, source)
  return { kind, name, argsCount, runtime, contentHash: codeContentHash(kind, name, argsCount, runtime) }
}

/** Path and values of each stream, as plain arrays. */
export function streams(answer: Answer): { path: string; data: number[] }[] {
  if (!answer.ok) throw new Error(`reverted with ${answer.revertData}`)
  const particles = decodeParticles(Buffer.from(answer.output.slice(2), 'hex'))
  return particles.map(({ path, data }) => ({ path, data: [...data] }))
}

export async function startNode() {
  const node = await startChain()
  return {
    ...node,
    /** A new registry and a new runner. */
    deploy: () => deploy(node),
  }
}

async function startChain() {
  const anvil = await startAnvil({ port: await anyFreePort() })
  const transport = http(anvil.url, { timeout: 60_000 })
  const publicClient = createPublicClient({ chain: devChain, transport, pollingInterval: 5 })
  return {
    url: anvil.url,
    publicClient,
    async call(to: Address, data: Hex, from = devAccount(0).address, gas = RUN_GAS): Promise<Answer> {
      const outcome = await evmCall(publicClient, { to, data, from, gas })
      if (outcome.ok) return { ok: true, output: outcome.data }
      if (outcome.cause !== 'revert') throw new Error(outcome.message)
      return { ok: false, revertData: outcome.revertData }
    },
    /** Sends a transaction of a dev account and returns the receipt of the block mined for it. */
    async send({
      from = devAccount(9).address,
      gas = 30_000_000n,
      ...rest
    }: {
      from?: Address
      to?: Address
      data: Hex
      gas?: bigint
    }) {
      // Accounts of the node itself: nothing to sign.
      const params = [{ from, gas: `0x${gas.toString(16)}`, ...rest }]
      const answer = await publicClient.request({ method: 'eth_sendTransactionSync', params } as never)
      const { status, contractAddress, logs } = formatTransactionReceipt(answer)
      return { status, logs, address: contractAddress ? lower(contractAddress) : undefined }
    },
    /** Puts code at an address, as no transaction could. */
    async setCode(address: Address, code: Hex) {
      await publicClient.request({ method: 'anvil_setCode', params: [address, code] } as never)
    },
    close: () => anvil.stop(),
  }
}

let deployments = 0

async function deploy({ url, publicClient, call, send }: Awaited<ReturnType<typeof startChain>>) {
  const account = devAccount(9)
  const walletClient = createWalletClient({ chain: devChain, transport: http(url), account })
  const salt = toHex(++deployments, { size: 32 })
  const { registry, runner } = await deployContracts({ account, walletClient, publicClient }, { salt })
  const artifacts = new Map<string, BuiltArtifact>()
  const lookup = (kind: EntityKind, name: string) => artifacts.get(`${kind}/${name}`)
  const ofRegistry = { address: registry, abi: registryAbi } as const

  /** A publication of an artifact by dev account 0 with its next nonce. */
  async function publication(
    artifact: BuiltArtifact,
    changes: Partial<PublicationTuple> = {},
  ): Promise<PublicationTuple> {
    const owner = changes.owner ?? devAccount(0).address
    const nonce = await publicClient.readContract({ ...ofRegistry, functionName: 'nonces', args: [owner] })
    return {
      kind: KIND_CODE[artifact.kind],
      name: artifact.name,
      owner,
      contentHash: artifact.contentHash,
      nonce,
      deadline: FAR_FUTURE,
      payload: encodePayload(artifact),
      metadata: NO_METADATA,
      ...changes,
    }
  }
  function publishing(tuple: PublicationTuple, signature: Hex = '0x') {
    return encodeFunctionData({ abi: registryAbi, functionName: 'publish', args: [tuple, signature] })
  }
  async function address(kind: EntityKind, name: string): Promise<Address> {
    const args = [KIND_CODE[kind], name] as const
    return lower(await publicClient.readContract({ ...ofRegistry, functionName: 'entityOf', args }))
  }
  /** Publishes for good and returns the entity's address. */
  async function publish(artifact: BuiltArtifact): Promise<Address> {
    const tuple = await publication(artifact)
    const { status } = await send({ to: registry, from: tuple.owner, data: publishing(tuple) })
    if (status !== 'success') throw new Error(`publishing ${artifact.name} reverted`)
    artifacts.set(`${artifact.kind}/${artifact.name}`, artifact)
    return address(artifact.kind, artifact.name)
  }
  function generating(name: string, count: number, dynamicRi: readonly PositionedRunningInstance[]) {
    return encodeFunctionData({ abi: runnerAbi, functionName: 'generate', args: [name, count, dynamicRi] })
  }

  return {
    registry,
    runner,
    lookup,
    publication,
    address,
    publish,
    /** The answer a `publish` would get. */
    tryPublish: (tuple: PublicationTuple, signature?: Hex, from?: Address) =>
      call(registry, publishing(tuple, signature), from),
    /** Compiles and publishes. */
    async body(kind: 'transformation' | 'condition', name: string, source: string) {
      const artifact = codeArtifact(kind, name, source)
      await publish(artifact)
      return artifact
    },
    /** Builds from what was published here before, and publishes. */
    async connector(sketch: ConnectorSketch): Promise<BuiltArtifact> {
      const artifact = buildConnector(define(sketch), lookup)
      await publish(artifact)
      return artifact
    },
    generate: (name: string, count: number, dynamicRi: readonly PositionedRunningInstance[] = []) =>
      call(runner, generating(name, count, dynamicRi)),
    generateAt: (
      at: Address,
      count: number,
      dynamicRi: readonly PositionedRunningInstance[] = [],
      gas = RUN_GAS,
    ) => {
      const args = [at, count, dynamicRi] as const
      const data = encodeFunctionData({ abi: runnerAbi, functionName: 'generateAt', args })
      return call(runner, data, undefined, gas)
    },
    /** Gas of a `generate` transaction. */
    estimate: (name: string, count: number) =>
      publicClient.estimateGas({
        account: devAccount(0).address,
        to: runner,
        data: generating(name, count, []),
      }),
  }
}
