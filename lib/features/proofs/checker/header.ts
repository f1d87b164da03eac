import { bytesToHex, hexToBytes, keccak256, numberToHex, toRlp } from 'viem/utils'
import type { BlockFields } from '#lib/protocol/code-traits.ts'
import type { Address, Hash, Hex } from '#lib/protocol/entity.ts'
import { decodeRlp, type Rlp } from './rlp.ts'

/** What a check reads of a header. */
export interface Header {
  readonly hash: Hash
  readonly number: number
  readonly stateRoot: Hash
  /** What code in this block reads; the chain id stands elsewhere. */
  readonly fields: Omit<BlockFields, 'chainId'>
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
  const numberAt = (index: number): bigint | undefined => {
    const field = fields[index]
    if (!(field instanceof Uint8Array) || field.length > 32 || field[0] === 0) return undefined
    return field.length === 0 ? 0n : BigInt(bytesToHex(field))
  }
  const [number, gasLimit, timestamp] = [numberAt(8), numberAt(9), numberAt(11)]
  if (number === undefined || number > Number.MAX_SAFE_INTEGER) return undefined
  if (gasLimit === undefined || timestamp === undefined) return undefined
  const hexAt = (index: number): Hex => bytesToHex(fields[index] as Uint8Array)
  return {
    hash: keccak256(bytes),
    number: Number(number),
    stateRoot: hexAt(3),
    fields: {
      number,
      timestamp,
      gasLimit,
      coinbase: hexAt(2),
      prevRandao: BigInt(hexAt(13)),
      baseFee: numberAt(15) ?? 0n,
      // Its price follows from a schedule that the header does not hold.
      blobBaseFee: undefined,
      parentHash: hexAt(0),
    },
  }
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
  const given = block as Readonly<Record<string, unknown>>
  const fields: Hex[] = []
  for (const [index, name] of NAMES.entries()) {
    const value = given[name]
    if (value === undefined || value === null) {
      if (index < FEWEST) return undefined
      continue
    }
    if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{0,2048}$/.test(value)) return undefined
    if (!NUMBERS.has(name)) fields.push(value.length % 2 === 0 ? (value as Hex) : '0x')
    else fields.push(value === '0x' || BigInt(value) === 0n ? '0x' : evenHex(BigInt(value)))
  }
  const encoded = toRlp(fields)
  return typeof given.hash === 'string' && keccak256(encoded) === given.hash.toLowerCase()
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
