import { zeroHash } from 'viem'
import {
  concatHex,
  decodeAbiParameters,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  hashTypedData,
  hexToString,
  isErc6492Signature,
  keccak256,
  parseErc6492Signature,
  serializeErc6492Signature,
  sha256,
  size,
  sliceHex,
  stringToHex,
} from 'viem/utils'
import { passkeyFactoryAbi } from './abi.ts'
import type { Address, Hash, Hex } from './entity.ts'

/** A public key on P-256. */
export interface PasskeyKey {
  readonly qx: Hash
  readonly qy: Hash
}

/** Inputs of the address of an account. */
export interface PasskeyOrigin extends PasskeyKey {
  /** SHA-256 of the host that its passkeys are for. */
  readonly rpIdHash: Hash
}

/** A WebAuthn assertion with the key that made it. */
export interface PasskeyAssertion extends PasskeyKey {
  readonly r: Hash
  /** In the lower half of the order. */
  readonly s: Hash
  readonly authenticatorData: Hex
  /** JSON text. */
  readonly clientDataJSON: string
}

const ASSERTION = [
  { name: 'r', type: 'bytes32' },
  { name: 's', type: 'bytes32' },
  { name: 'challengeIndex', type: 'uint256' },
  { name: 'typeIndex', type: 'uint256' },
  { name: 'authenticatorData', type: 'bytes' },
  { name: 'clientDataJSON', type: 'bytes' },
] as const
/** Bytes of the key in front of an assertion. */
const KEY_SIZE = 64

/** Hash of a host, as assertions of its passkeys begin with. */
export function rpIdHash(host: string): Hash {
  return sha256(stringToHex(host))
}

function creationArguments({ qx, qy, rpIdHash }: PasskeyOrigin): readonly [Hash, Hash, Hash] {
  return [qx, qy, rpIdHash]
}

/** Address of an account, created or not: that of OpenZeppelin's clone with immutable arguments. */
export function passkeyAddress(factory: Address, origin: PasskeyOrigin): Address {
  // The factory's constructor creates it.
  const implementation = getContractAddress({ from: factory, nonce: 1n })
  const bytecode = concatHex([
    // Lengths of the code, 45 bytes and three words.
    '0x61008d3d81600a3d39f3363d3d373d3d3d363d73',
    implementation,
    '0x5af43d82803e903d91602b57fd5bf3',
    ...creationArguments(origin),
  ])
  const address = getContractAddress({
    opcode: 'CREATE2',
    from: factory,
    salt: zeroHash,
    bytecodeHash: keccak256(bytecode),
  })
  return address.toLowerCase() as Address
}

/** The challenge by which a passkey signs a hash for one account on one chain. */
export function passkeyChallenge(account: Address, chainId: number, hash: Hash): Hash {
  return hashTypedData({
    domain: { name: 'Weft Passkey Account', version: '1', chainId, verifyingContract: account },
    types: { Message: [{ name: 'hash', type: 'bytes32' }] },
    primaryType: 'Message',
    message: { hash },
  })
}

/** The signature that the account's contract reads. */
export function encodeAssertion(assertion: PasskeyAssertion): Hex {
  const { qx, qy, r, s, authenticatorData, clientDataJSON } = assertion
  const index = (key: string) => BigInt(Math.max(0, clientDataJSON.indexOf(`"${key}":`)))
  return concatHex([
    qx,
    qy,
    encodeAbiParameters(ASSERTION, [
      ...([r, s, index('challenge'), index('type')] as const),
      ...([authenticatorData, stringToHex(clientDataJSON)] as const),
    ]),
  ])
}

/** Reads a signature of an account; undefined for other ones. */
export function decodeAssertion(signature: Hex): PasskeyAssertion | undefined {
  try {
    const [r, s, , , authenticatorData, clientData] = decodeAbiParameters(
      ASSERTION,
      sliceHex(signature, KEY_SIZE),
    )
    const [qx, qy] = [sliceHex(signature, 0, 32), sliceHex(signature, 32, KEY_SIZE)]
    return { qx, qy, r, s, authenticatorData, clientDataJSON: hexToString(clientData) }
  } catch {
    return undefined
  }
}

/** Wraps a signature so that it also counts before the account is created (ERC-6492). */
export function withCreation(factory: Address, origin: PasskeyOrigin, signature: Hex): Hex {
  const data = encodeFunctionData({
    abi: passkeyFactoryAbi,
    functionName: 'create',
    args: creationArguments(origin),
  })
  return serializeErc6492Signature({ address: factory, data, signature })
}

/**
 * Reads a signature of an account that may have to be created.
 *
 * @returns undefined for one that is not wrapped, or asks for anything but this factory's `create`.
 */
export function readCreation(
  factory: Address,
  wrapped: Hex,
): { readonly origin: PasskeyOrigin; readonly signature: Hex } | undefined {
  if (!isErc6492Signature(wrapped)) return undefined
  try {
    const { address, data, signature } = parseErc6492Signature(wrapped)
    if (address?.toLowerCase() !== factory || data === undefined || size(data) !== 4 + 96) return undefined
    const call = decodeFunctionData({ abi: passkeyFactoryAbi, data })
    if (call.functionName !== 'create') return undefined
    const [qx, qy, rpIdHash] = call.args
    return { origin: { qx, qy, rpIdHash }, signature }
  } catch {
    return undefined
  }
}

/** Calldata that creates an account where it is missing, and then calls `target`. */
export function encodeCreateAndCall(origin: PasskeyOrigin, target: Address, data: Hex): Hex {
  return encodeFunctionData({
    abi: passkeyFactoryAbi,
    functionName: 'createAndCall',
    args: [...creationArguments(origin), target, data],
  })
}
