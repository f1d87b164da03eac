import { join } from 'node:path'
import {
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  keccak256,
  stringToHex,
  zeroHash,
} from 'viem'
import type { BuiltArtifact as Artifact } from '#lib/protocol/artifact.ts'
import { encodeConnectorCode } from '#lib/protocol/connector-code.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import { buildConnector } from '#lib/protocol/creation-checks.ts'
import type { ConnectorDefinition } from '#lib/protocol/definition.ts'
import { type Address, type EntityKind, type Hash, type Hex, KIND_CODE } from '#lib/protocol/entity.ts'
import { compileContracts } from '#scripts/contracts/compile.ts'
import { devAccount, type TestChain } from '#test/support/chain.ts'

export const OWNER = devAccount(5).address.toLowerCase() as Address

/** One event of a registry without rules. */
export interface Announcement {
  readonly kind: EntityKind
  readonly name: string
  readonly runtime: Hex
  readonly called?: boolean
  readonly argsCount?: number
  readonly contentHash: Hash
  readonly metadataHash?: Hash
  readonly nonce?: bigint
}

export type OpenRegistry = Awaited<ReturnType<typeof deployOpenRegistry>>

/** A transformation with this runtime and its content hash. */
export function transformation(
  name: string,
  runtime: Hex,
  argsCount = 0,
): Announcement & { readonly artifact: Artifact } {
  const contentHash = codeContentHash('transformation', name, argsCount, runtime)
  const artifact = { kind: 'transformation', name, argsCount, runtime, contentHash } as const
  return { kind: 'transformation', name, runtime, argsCount, contentHash, artifact }
}

export async function deployOpenRegistry(chain: TestChain) {
  const [contract] = compileContracts(join(import.meta.dirname, '../../..'), ['test/OpenRegistry.sol'])
  const { abi, bytecode } = contract!
  const wallet = chain.wallet(5)
  const deployed = await chain.publicClient.waitForTransactionReceipt({
    hash: await wallet.sendTransaction({ data: encodeDeployData({ abi, bytecode }) }),
  })
  const address = deployed.contractAddress!.toLowerCase() as Address

  const addressOf = (kind: EntityKind, name: string, runtime: Hex): Address =>
    getContractAddress({
      opcode: 'CREATE2',
      from: address,
      salt: keccak256(
        `0x${KIND_CODE[kind].toString(16).padStart(64, '0')}${keccak256(stringToHex(name)).slice(2)}`,
      ),
      bytecode: `0x600b380380600b5f395ff3${runtime.slice(2)}`,
    }).toLowerCase() as Address

  const runtimes = new Map<Artifact, Hex>()
  const runtimeOf = (artifact: Artifact): Hex =>
    artifact.kind === 'connector' ? (runtimes.get(artifact) as Hex) : artifact.runtime

  return {
    address,
    deploymentBlock: Number(deployed.blockNumber),
    /** Calldata that announces all of them, followed by bytes that the contract ignores. */
    calldata: (announcements: readonly Announcement[], trailing: Hex = '0x'): Hex => {
      const list = announcements.map(({ kind, name, runtime, contentHash, ...rest }) => ({
        kind: KIND_CODE[kind],
        name,
        owner: OWNER,
        runtime,
        called: rest.called ?? false,
        argsCount: rest.argsCount ?? 0,
        contentHash,
        metadataHash: rest.metadataHash ?? zeroHash,
        nonce: rest.nonce ?? 0n,
      }))
      const call = encodeFunctionData({ abi, functionName: 'announce', args: [list] })
      return `${call}${trailing.slice(2)}`
    },
    /** Sends transactions and mines them in one block; throws when one reverts. */
    async mine(...calldata: readonly Hex[]) {
      await chain.rpc('evm_setAutomine', [false])
      const hashes: Hash[] = []
      for (const data of calldata) {
        hashes.push(await wallet.sendTransaction({ to: address, data, gas: 200_000_000n }))
      }
      await chain.rpc('anvil_mine', ['0x1'])
      await chain.rpc('evm_setAutomine', [true])
      for (const hash of hashes) {
        const receipt = await chain.publicClient.waitForTransactionReceipt({ hash })
        if (receipt.status !== 'success') throw new Error(`transaction ${hash} reverted`)
      }
    },
    /** A connector over artifacts that were announced here, as the real registry would deploy it. */
    connector(definition: ConnectorDefinition, below: readonly Artifact[]) {
      const byName = new Map(below.map((artifact) => [`${artifact.kind}/${artifact.name}`, artifact]))
      const artifact = buildConnector(definition, (kind, name) => byName.get(`${kind}/${name}`))
      const runtime = encodeConnectorCode(
        definition,
        (kind, name) => addressOf(kind, name, runtimeOf(byName.get(`${kind}/${name}`)!)),
        artifact.leaves.length,
        artifact.depth,
      )
      runtimes.set(artifact, runtime)
      const { contentHash, name } = artifact
      return { kind: 'connector' as const, name, runtime, contentHash, artifact }
    },
  }
}
