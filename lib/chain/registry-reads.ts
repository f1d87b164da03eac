import { decodeFunctionResult, encodeFunctionData, type PublicClient, zeroAddress } from 'viem'
import { type Address, type EntityKind, type Hash, type Hex, KIND_CODE } from '../domain/entity.ts'
import { registryAbi } from './abi.ts'
import type { ChainAccess } from './access.ts'
import { type BlockReference, evmCall } from './evm-call.ts'
import { chainUnavailable } from './provider.ts'

/** What the registry contract holds under a name. */
export interface RegistryEntry {
  readonly address: Address
  readonly owner: Address
  readonly contentHash: Hash
  /** Zero for a connector. */
  readonly argsCount: number
}

/**
 * The live entry of a name, read from the contract itself.
 *
 * @returns undefined when the name is free.
 * @throws Failure('chain_unavailable')
 */
export const registryEntry = async (
  chain: ChainAccess,
  kind: EntityKind,
  name: string,
  block: BlockReference = 'latest',
): Promise<RegistryEntry | undefined> => readEntry(chain, chain.direct, kind, name, block)

const readEntry = async (
  chain: ChainAccess,
  client: PublicClient,
  kind: EntityKind,
  name: string,
  block: BlockReference,
): Promise<RegistryEntry | undefined> => {
  await chain.verify()
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
export const encodeEntryCall = (kind: EntityKind, name: string): Hex =>
  encodeFunctionData({ abi: registryAbi, functionName: 'entry', args: [KIND_CODE[kind], name] })

/** What `entry` returned: entity, owner, argument count, content hash. @throws Error for anything else. */
export const decodeEntry = (data: Hex) =>
  decodeFunctionResult({ abi: registryAbi, functionName: 'entry', data })

/** Many entries at once, in the order asked, in as few requests as the endpoint takes. */
export const registryEntries = (
  chain: ChainAccess,
  names: readonly { readonly kind: EntityKind; readonly name: string }[],
  block: BlockReference = 'latest',
): Promise<(RegistryEntry | undefined)[]> =>
  Promise.all(names.map(({ kind, name }) => readEntry(chain, chain.public, kind, name, block)))

/** The owner's next publication nonce. */
export const registryNonce = async (chain: ChainAccess, owner: Address): Promise<bigint> => {
  await chain.verify()
  return read(
    chain.registry,
    chain.direct,
    encodeFunctionData({ abi: registryAbi, functionName: 'nonces', args: [owner] }),
    'latest',
    (data) => decodeFunctionResult({ abi: registryAbi, functionName: 'nonces', data }),
  )
}

const read = async <Result>(
  registry: Address,
  client: PublicClient,
  data: Hex,
  block: BlockReference,
  decode: (data: Hex) => Result,
): Promise<Result> => {
  const outcome = await evmCall(client, { to: registry, data, block })
  if (!outcome.ok) throw chainUnavailable('read the registry', outcome)
  try {
    return decode(outcome.data)
  } catch (cause) {
    // A node that lost the state of the block answers as if no contract were there.
    throw chainUnavailable('read the registry', cause)
  }
}
