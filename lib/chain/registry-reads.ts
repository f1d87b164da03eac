import { decodeFunctionResult, encodeFunctionData, type PublicClient, zeroAddress } from 'viem'
import { registryAbi } from '#lib/protocol/abi.ts'
import { type Address, type EntityKind, type Hash, type Hex, KIND_CODE } from '#lib/protocol/entity.ts'
import type { VerifiedChain } from './access.ts'
import { type BlockReference, evmCall } from './evm-call.ts'
import { chainUnavailable } from './provider.ts'

/** Entry of the registry contract. */
export interface RegistryEntry {
  readonly address: Address
  readonly owner: Address
  readonly contentHash: Hash
  /** Zero for a connector. */
  readonly argsCount: number
}

/**
 * Reads the entry of a name from the contract.
 *
 * @returns undefined when the name is free.
 * @throws Failure('chain_unavailable')
 */
export async function registryEntry(
  chain: VerifiedChain,
  kind: EntityKind,
  name: string,
  block: BlockReference = 'latest',
): Promise<RegistryEntry | undefined> {
  return readEntry(chain, chain.direct, kind, name, block)
}

async function readEntry(
  chain: VerifiedChain,
  client: PublicClient,
  kind: EntityKind,
  name: string,
  block: BlockReference,
): Promise<RegistryEntry | undefined> {
  const data = encodeEntryCall(kind, name)
  const [entity, owner, argsCount, contentHash] = await read(chain.registry, client, data, block, decodeEntry)
  if (entity === zeroAddress) return undefined
  return {
    address: entity.toLowerCase() as Address,
    owner: owner.toLowerCase() as Address,
    contentHash,
    argsCount,
  }
}

/** Calldata of `entry`. */
export function encodeEntryCall(kind: EntityKind, name: string): Hex {
  return encodeFunctionData({ abi: registryAbi, functionName: 'entry', args: [KIND_CODE[kind], name] })
}

/** Decodes the result of `entry`: entity, owner, argument count, content hash. @throws Error for anything else. */
export function decodeEntry(data: Hex) {
  return decodeFunctionResult({ abi: registryAbi, functionName: 'entry', data })
}

/** Reads many entries, in the order of the arguments, with few requests. */
export function registryEntries(
  chain: VerifiedChain,
  names: readonly { readonly kind: EntityKind; readonly name: string }[],
  block: BlockReference = 'latest',
): Promise<(RegistryEntry | undefined)[]> {
  return Promise.all(names.map(({ kind, name }) => readEntry(chain, chain.public, kind, name, block)))
}

/** Reads the owner's next publication nonce. @param client By default one that does not batch, for latency. */
export async function registryNonce(
  chain: VerifiedChain,
  owner: Address,
  client = chain.direct,
): Promise<bigint> {
  return read(
    chain.registry,
    client,
    encodeFunctionData({ abi: registryAbi, functionName: 'nonces', args: [owner] }),
    'latest',
    (data) => decodeFunctionResult({ abi: registryAbi, functionName: 'nonces', data }),
  )
}

async function read<Result>(
  registry: Address,
  client: PublicClient,
  data: Hex,
  block: BlockReference,
  decode: (data: Hex) => Result,
): Promise<Result> {
  const outcome = await evmCall(client, { to: registry, data, block })
  if (!outcome.ok) throw chainUnavailable('read the registry', outcome)
  try {
    return decode(outcome.data)
  } catch (cause) {
    // A node without the state of the block answers as if there were no contract.
    throw chainUnavailable('read the registry', cause)
  }
}
