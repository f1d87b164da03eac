import {
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  hashMessage,
  hexToBigInt,
  isErc6492Signature,
  type PublicClient,
  padHex,
  parseAbi,
  parseErc6492Signature,
  recoverAddress,
  sliceHex,
} from 'viem'
import { evmCall } from '#lib/chain/evm-call.ts'
import type { Address, Hash, Hex } from '#lib/protocol/entity.ts'
import { decodeAssertion, rpIdHash } from '#lib/protocol/passkey.ts'

/** Half the order of secp256k1: a canonical signature has a lower `s` (EIP-2). */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** Return value of a contract wallet for a valid signature (EIP-1271). */
const ERC1271_MAGIC = padHex('0x1626ba7e', { dir: 'right', size: 32 })
const ERC1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])

/** Gas limit: enough for curves implemented in Solidity, and for the deployment of a wallet before. */
const SIGNATURE_GAS = 10_000_000n

/** Maximum length; contract wallets use longer signatures than keys. */
const MAX_SIGNATURE_BYTES = 4096

/**
 * Reads signature text with or without `0x`.
 *
 * @returns undefined when it is not a whole number of bytes in hex, empty, or too long for any wallet.
 */
export function parseSignature(text: string): Hex | undefined {
  const digits = /^(?:0[xX])?((?:[0-9a-fA-F]{2})+)$/.exec(text)?.[1]
  if (digits === undefined || digits.length > MAX_SIGNATURE_BYTES * 2) return undefined
  return `0x${digits.toLowerCase()}`
}

/**
 * Verifies an EIP-191 signature. Keys sign with 65 bytes: r, s (low) and v (27, 28, 0 or 1). Contract wallets are called
 * on chain (EIP-1271), which needs `client`; those that are not deployed yet say in the signature how they would be
 * (ERC-6492), and are deployed in a simulated call only: nothing is sent.
 *
 * @param origins Of the pages on which passkeys may have signed.
 * @throws Failure('chain_unavailable') when the call is needed and fails.
 */
export function signedMessage(
  client: PublicClient | undefined,
  address: Address,
  message: string,
  signature: Hex,
  origins: readonly string[],
): Promise<boolean> {
  return signedHash(client, address, hashMessage(message), signature, origins)
}

/** The same for the hash of typed data (EIP-712). */
export async function signedHash(
  client: PublicClient | undefined,
  address: Address,
  hash: Hash,
  signature: Hex,
  origins: readonly string[],
): Promise<boolean> {
  if ((await recoverSigner(hash, signature)) === address) return true
  if (client === undefined || !isAssertedOn(origins, signature)) return false
  return isErc6492Signature(signature)
    ? futureContractAccepts(client, address, hash, signature)
    : contractAccepts(client, address, hash, signature)
}

/**
 * Whether a signature, if it is a passkey's, was made on a page of one of `origins`, which a contract cannot check. Browsers
 * offer a passkey to all subdomains of its host.
 */
export function isAssertedOn(origins: readonly string[], signature: Hex): boolean {
  const assertion = decodeAssertion(isErc6492Signature(signature) ? innerOf(signature) : signature)
  if (assertion === undefined) return true
  try {
    const { origin, crossOrigin } = JSON.parse(assertion.clientDataJSON) as Record<string, unknown>
    return (
      typeof origin === 'string' &&
      origins.includes(origin) &&
      crossOrigin !== true &&
      assertion.authenticatorData.startsWith(rpIdHash(new URL(origin).hostname))
    )
  } catch {
    return false
  }
}

function innerOf(signature: Hex): Hex {
  try {
    return parseErc6492Signature(signature).signature
  } catch {
    return '0x'
  }
}

/** Returns the signer's address; undefined for a non-canonical signature. */
async function recoverSigner(hash: Hex, signature: Hex): Promise<Address | undefined> {
  if (signature.length !== 2 + 65 * 2) return undefined
  const v = Number.parseInt(signature.slice(-2), 16)
  const yParity = v >= 27 ? v - 27 : v
  if (yParity !== 0 && yParity !== 1) return undefined
  const r = sliceHex(signature, 0, 32)
  const s = sliceHex(signature, 32, 64)
  if (hexToBigInt(s) > HALF_ORDER) return undefined
  try {
    return (await recoverAddress({ hash, signature: { r, s, yParity } })).toLowerCase() as Address
  } catch {
    return undefined
  }
}

async function contractAccepts(
  client: PublicClient,
  address: Address,
  hash: Hex,
  signature: Hex,
): Promise<boolean> {
  const outcome = await evmCall(client, {
    to: address,
    data: encodeFunctionData({ abi: ERC1271, functionName: 'isValidSignature', args: [hash, signature] }),
    gas: SIGNATURE_GAS,
  })
  // An address without code returns nothing.
  return outcome.ok && outcome.data === ERC1271_MAGIC
}

/** Deploys the wallet as its signature says and asks it, in one simulated call that leaves nothing behind. */
async function futureContractAccepts(
  client: PublicClient,
  address: Address,
  hash: Hex,
  signature: Hex,
): Promise<boolean> {
  const outcome = await evmCall(client, {
    data: encodeDeployData({
      abi: erc6492SignatureValidatorAbi,
      bytecode: erc6492SignatureValidatorByteCode,
      args: [address, hash, signature],
    }),
    gas: SIGNATURE_GAS,
  })
  return outcome.ok && outcome.data === '0x01'
}
