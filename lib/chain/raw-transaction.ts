import {
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerializedEIP1559,
} from 'viem'
import type { Address, Hash, Hex } from '#lib/protocol/entity.ts'

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

const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const [UINT64, UINT256] = [1n << 64n, 1n << 256n]

function fail(message: string): never {
  throw new InvalidTransaction(message)
}

const NOT_CANONICAL = 'raw_tx is not the canonical RLP of a type 0x02 transaction, or bytes follow its end'

const OTHER_TYPES: Readonly<Record<string, string>> = {
  '01': 'an access-list transaction (type 0x01)',
  '03': 'a blob transaction (type 0x03)',
  '04': 'a set-code transaction (type 0x04)',
}

/**
 * Parses a signed transaction of type 2 and accepts exactly what a node would: canonical RLP, no trailing bytes, a low
 * `s`. Access lists are refused because a prepared publication has none.
 *
 * @throws InvalidTransaction
 */
export async function parseSignedTransaction(text: string): Promise<SignedTransaction> {
  if (!/^0x([0-9a-fA-F]{2})+$/.test(text)) fail('raw_tx must be 0x and an even number of hex digits')
  if (text.length > 2 + MAX_RAW_TRANSACTION_BYTES * 2) fail('raw_tx is too long')
  const raw = text.toLowerCase() as TransactionSerializedEIP1559
  const type = raw.slice(2, 4)
  if (type >= 'c0') fail('raw_tx is a legacy transaction; a type 0x02 transaction is needed')
  if (type !== '02')
    fail(`raw_tx is ${OTHER_TYPES[type] ?? 'of an unknown type'}; a type 0x02 transaction is needed`)

  const { r, s, yParity, ...fields } = attempt(() => parseTransaction(raw)) ?? fail(NOT_CANONICAL)
  if (r === undefined || s === undefined || yParity === undefined) return fail('raw_tx is not signed')
  if (fields.accessList !== undefined) fail('raw_tx must have an empty access list')
  // So that the relayed bytes have the checked hash.
  if (attempt(() => serializeTransaction(fields, { r, s, yParity })) !== raw) fail(NOT_CANONICAL)
  const {
    chainId,
    nonce = 0,
    maxPriorityFeePerGas = 0n,
    maxFeePerGas = 0n,
    gas = 0n,
    to,
    value = 0n,
  } = fields
  if (to === undefined || to === null) return fail('raw_tx creates a contract; it must call the registry')
  if (gas >= UINT64) fail('raw_tx: gas is out of range')
  if (value >= UINT256) fail('raw_tx: value is out of range')
  if (maxPriorityFeePerGas > maxFeePerGas) fail('raw_tx: maxPriorityFeePerGas exceeds maxFeePerGas')
  if (BigInt(r) === 0n || BigInt(r) >= ORDER || BigInt(s) === 0n || BigInt(s) >= ORDER)
    fail('raw_tx: the signature is out of range')
  if (BigInt(s) > HALF_ORDER) fail('raw_tx: the signature has a high s; sign with the canonical low s')

  const from = await recoverTransactionAddress({ serializedTransaction: raw }).catch(() =>
    fail('raw_tx: no account can be recovered from the signature'),
  )
  return {
    hash: keccak256(raw),
    from: from.toLowerCase() as Address,
    chainId: BigInt(chainId),
    nonce: BigInt(nonce),
    maxPriorityFeePerGas,
    maxFeePerGas,
    gas,
    to,
    value,
    data: fields.data ?? '0x',
  }
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
