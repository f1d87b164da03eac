import { concat, fromRlp, hexToBytes, keccak256, recoverAddress, toHex, toRlp } from 'viem'
import type { Address, Hash, Hex } from '../protocol/entity.ts'

/** A signed EIP-1559 transaction, its sender recovered. */
export interface SignedTransaction {
  readonly hash: Hash
  readonly from: Address
  readonly chainId: bigint
  readonly nonce: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly maxFeePerGas: bigint
  readonly gas: bigint
  readonly to: Address
  readonly value: bigint
  readonly data: Hex
}

/** The bytes are not a signed transaction that may be relayed; the message is for the client. */
export class InvalidTransaction extends Error {
  override readonly name = 'InvalidTransaction'
}

/** Maximum size; a publication is at most a contract's code plus overhead. */
const MAX_RAW_TRANSACTION_BYTES = 256 * 1024

type RlpItem = Uint8Array | readonly RlpItem[]

const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const UINT64 = 1n << 64n

function fail(message: string): never {
  throw new InvalidTransaction(message)
}

const OTHER_TYPES: Readonly<Record<number, string>> = {
  1: 'an access-list transaction (type 0x01)',
  3: 'a blob transaction (type 0x03)',
  4: 'a set-code transaction (type 0x04)',
}

/**
 * Parses `0x02 || rlp([chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gas, to, value, data, accessList, yParity,
 * r, s])` and accepts exactly what a node would: canonical RLP, no trailing bytes, a low `s`. Access lists are refused
 * because a prepared publication has none.
 *
 * @throws InvalidTransaction
 */
export async function parseSignedTransaction(raw: string): Promise<SignedTransaction> {
  if (!/^0x([0-9a-fA-F]{2})+$/.test(raw)) fail('raw_tx must be 0x and an even number of hex digits')
  if (raw.length > 2 + MAX_RAW_TRANSACTION_BYTES * 2) fail('raw_tx is too long')
  const bytes = hexToBytes(raw as Hex)
  const type = bytes[0] as number
  if (type >= 0xc0) fail('raw_tx is a legacy transaction; a type 0x02 transaction is needed')
  if (type !== 2)
    fail(`raw_tx is ${OTHER_TYPES[type] ?? 'of an unknown type'}; a type 0x02 transaction is needed`)

  const fields = decodeList(bytes.subarray(1))
  if (fields.length === 9) fail('raw_tx is not signed')
  if (fields.length !== 12) fail(`raw_tx has ${fields.length} fields; a signed type 0x02 transaction has 12`)
  const accessList = fields[8]
  if (!Array.isArray(accessList)) fail('raw_tx: the access list is not a list')
  if ((accessList as readonly RlpItem[]).length > 0) fail('raw_tx must have an empty access list')

  const chainId = quantity(fields, 0, 'chainId')
  const nonce = quantity(fields, 1, 'nonce')
  const maxPriorityFeePerGas = quantity(fields, 2, 'maxPriorityFeePerGas')
  const maxFeePerGas = quantity(fields, 3, 'maxFeePerGas')
  const gas = quantity(fields, 4, 'gas')
  const to = text(fields, 5, 'to')
  if (to.length === 0) fail('raw_tx creates a contract; it must call the registry')
  if (to.length !== 20) fail('raw_tx: to is not an address')
  const value = quantity(fields, 6, 'value')
  const data = text(fields, 7, 'data')
  const yParity = quantity(fields, 9, 'yParity')
  const r = quantity(fields, 10, 'r')
  const s = quantity(fields, 11, 's')
  if (nonce >= UINT64 - 1n) fail('raw_tx: nonce is out of range')
  if (gas >= UINT64) fail('raw_tx: gas is out of range')
  if (maxPriorityFeePerGas > maxFeePerGas) fail('raw_tx: maxPriorityFeePerGas exceeds maxFeePerGas')
  if (yParity > 1n) fail('raw_tx: yParity must be 0 or 1')
  if (r === 0n || r >= ORDER || s === 0n || s >= ORDER) fail('raw_tx: the signature is out of range')
  if (s > HALF_ORDER) fail('raw_tx: the signature has a high s; sign with the canonical low s')

  const unsigned = keccak256(concat(['0x02', toRlp(fields.slice(0, 9) as Uint8Array[], 'hex')]))
  const from = await recoverAddress({
    hash: unsigned,
    signature: { r: toHex(r, { size: 32 }), s: toHex(s, { size: 32 }), yParity: Number(yParity) },
  }).catch(() => fail('raw_tx: no account can be recovered from the signature'))

  return {
    hash: keccak256(bytes),
    from: from.toLowerCase() as Address,
    chainId,
    nonce,
    maxPriorityFeePerGas,
    maxFeePerGas,
    gas,
    to: toHex(to),
    value,
    data: toHex(data),
  }
}

/** Accepts canonical RLP only, so that the relayed bytes have the checked hash. */
function decodeList(bytes: Uint8Array): readonly RlpItem[] {
  const notCanonical = () => fail('raw_tx is not canonical RLP, or bytes follow its end')
  const item = attempt(() => fromRlp(bytes, 'bytes') as RlpItem) ?? notCanonical()
  if (toRlp(item as Uint8Array[], 'hex') !== toHex(bytes)) notCanonical()
  return Array.isArray(item) ? item : fail('raw_tx: the payload is not a list')
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

function text(fields: readonly RlpItem[], index: number, name: string): Uint8Array {
  const item = fields[index]
  return item instanceof Uint8Array ? item : fail(`raw_tx: ${name} must not be a list`)
}

function quantity(fields: readonly RlpItem[], index: number, name: string): bigint {
  const bytes = text(fields, index, name)
  if (bytes.length > 32) fail(`raw_tx: ${name} is out of range`)
  if (bytes[0] === 0) fail(`raw_tx: ${name} has leading zeros`)
  return bytes.length === 0 ? 0n : BigInt(toHex(bytes))
}
