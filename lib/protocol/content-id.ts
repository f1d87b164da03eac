import { hexToBytes, sha256 } from 'viem/utils'

/** Bytes of a block of a file. */
const CHUNK = 256 * 1024
/** Most blocks that a node of the tree links to. */
const MAX_LINKS = 174

const [RAW, DAG_PB] = [0x55, 0x70]
/** Kind of a UnixFS node that is a file. */
const FILE = 2

/** A block of a file with all that is below it. */
interface Block {
  /** CIDv1. */
  readonly id: Uint8Array
  /** Bytes of the file below it. */
  readonly size: number
  /** Bytes of its own and of all blocks below it. */
  readonly stored: number
}

/**
 * The content id of a file as `ipfs add --cid-version 1` prints it: CIDv1 in base32 of a balanced tree of raw blocks of
 * 256 KiB.
 */
export function contentId(file: Uint8Array): string {
  let level: Block[] = []
  for (let at = 0; at === 0 || at < file.length; at += CHUNK)
    level.push(leafOf(file.subarray(at, at + CHUNK)))
  while (level.length > 1) {
    const above: Block[] = []
    for (let at = 0; at < level.length; at += MAX_LINKS) above.push(nodeOf(level.slice(at, at + MAX_LINKS)))
    level = above
  }
  return `b${base32((level[0] as Block).id)}`
}

function leafOf(chunk: Uint8Array): Block {
  return { id: identify(RAW, chunk), size: chunk.length, stored: chunk.length }
}

/** A DAG-PB node with a UnixFS file of the sizes of what it links to. */
function nodeOf(blocks: readonly Block[]): Block {
  const size = blocks.reduce((sum, block) => sum + block.size, 0)
  const links = blocks.map(({ id, stored }) =>
    field(2, [...field(1, id), ...field(2, []), 0x18, ...varint(stored)]),
  )
  const sizes = blocks.flatMap((block) => [0x20, ...varint(block.size)])
  const data = field(1, [0x08, FILE, 0x18, ...varint(size), ...sizes])
  const bytes = Uint8Array.from([...links.flat(), ...data])
  const below = blocks.reduce((sum, { stored }) => sum + stored, 0)
  return { id: identify(DAG_PB, bytes), size, stored: bytes.length + below }
}

/** Version 1, codec, and the multihash of SHA-256. */
function identify(codec: number, block: Uint8Array): Uint8Array {
  return Uint8Array.from([1, codec, 0x12, 32, ...hexToBytes(sha256(block))])
}

/** A length-delimited field of protocol buffers. */
function field(number: number, bytes: ArrayLike<number>): number[] {
  return [(number << 3) | 2, ...varint(bytes.length), ...Array.from(bytes)]
}

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  return [...bytes, rest]
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

/** RFC 4648, lower case and without padding. */
function base32(bytes: Uint8Array): string {
  let [text, bits, buffer] = ['', 0, 0]
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(buffer >> (bits - 5)) & 31]
    buffer &= (1 << bits) - 1
  }
  return bits > 0 ? text + ALPHABET[(buffer << (5 - bits)) & 31] : text
}
