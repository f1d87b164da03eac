import { bytesToHex, hexToBytes, keccak256, numberToHex, toRlp } from 'viem/utils'
import type { Address, Hash, Hex } from '#lib/protocol/entity.ts'
import { decodeRlp, type Rlp } from './rlp.ts'

/** Fields of a header that a check reads. */
export interface Header {
  readonly hash: Hash
  readonly number: number
  readonly stateRoot: Hash
}

/** Sizes in bytes of the first fields; the others are numbers or of any length. */
const SIZES: Readonly<Record<number, number>> = {
  0: 32,
  1: 32,
  2: 20,
  3: 32,
  4: 32,
  5: 32,
  6: 256,
  13: 32,
  14: 8,
}
const [FEWEST, MOST] = [15, 32]

/** Reads a header as it is hashed. @returns undefined when the bytes are none. */
export function decodeHeader(bytes: Uint8Array): Header | undefined {
  let list: Rlp
  try {
    list = decodeRlp(bytes)
  } catch {
    return undefined
  }
  if (list instanceof Uint8Array || list.length < FEWEST || list.length > MOST) return undefined
  const fields = list as readonly Rlp[]
  if (!fields.every((field) => field instanceof Uint8Array)) return undefined
  if (Object.entries(SIZES).some(([index, size]) => fields[Number(index)]?.length !== size)) return undefined
  if (![8, 9, 11].every((index) => isNumber(fields[index] as Uint8Array))) return undefined
  const number = Number(`0x0${bytesToHex(fields[8] as Uint8Array).slice(2)}`)
  if (number > Number.MAX_SAFE_INTEGER) return undefined
  return { hash: keccak256(bytes), number, stateRoot: bytesToHex(fields[3] as Uint8Array) }
}

function isNumber(field: Uint8Array): boolean {
  return field.length <= 32 && field[0] !== 0
}

/** The fields of `eth_getBlockByNumber` in the order in which they are hashed; later ones came with later forks. */
const NAMES =
  'parentHash sha3Uncles miner stateRoot transactionsRoot receiptsRoot logsBloom difficulty number gasLimit gasUsed timestamp extraData mixHash nonce baseFeePerGas withdrawalsRoot blobGasUsed excessBlobGas parentBeaconBlockRoot requestsHash blockAccessListHash slotNumber'.split(
    ' ',
  )
const NUMBERS: ReadonlySet<string> = new Set(
  'difficulty number gasLimit gasUsed timestamp baseFeePerGas blobGasUsed excessBlobGas slotNumber'.split(
    ' ',
  ),
)

/**
 * Encodes a node's block as the header that is hashed.
 *
 * @returns undefined when its hash is not that of the fields: the node lies, or the chain has fields of its own.
 */
export function encodeHeader(block: unknown): Uint8Array | undefined {
  if (typeof block !== 'object' || block === null) return undefined
  const record = block as Readonly<Record<string, unknown>>
  const fields: Hex[] = []
  for (const [index, name] of NAMES.entries()) {
    const value = record[name]
    if (value === undefined || value === null) {
      if (index < FEWEST) return undefined
      continue
    }
    if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{0,2048}$/.test(value)) return undefined
    if (!NUMBERS.has(name)) fields.push(value.length % 2 === 0 ? (value as Hex) : '0x')
    else fields.push(value === '0x' || BigInt(value) === 0n ? '0x' : evenHex(BigInt(value)))
  }
  const encoded = toRlp(fields)
  return typeof record.hash === 'string' && keccak256(encoded) === record.hash.toLowerCase()
    ? hexToBytes(encoded)
    : undefined
}

function evenHex(value: bigint): Hex {
  const text = numberToHex(value)
  return text.length % 2 === 0 ? text : `0x0${text.slice(2)}`
}

/** `0x` and forty digits from a word. */
export function addressOfWord(word: bigint): Address {
  return `0x${BigInt.asUintN(160, word).toString(16).padStart(40, '0')}`
}
