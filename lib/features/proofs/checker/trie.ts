import { keccak256 } from 'viem/utils'
import type { Hash } from '#lib/protocol/entity.ts'
import { Refusal } from '#lib/protocol/refusal.ts'
import { decodeRlp, type Rlp } from './rlp.ts'

const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

/** Nodes of tries, found by their hash; those that a walk passed are counted. */
export class NodePool {
  readonly #nodes: ReadonlyMap<Hash, Uint8Array>
  readonly #used = new Set<Hash>()

  constructor(nodes: readonly Uint8Array[]) {
    this.#nodes = new Map(nodes.map((node) => [keccak256(node), node]))
  }

  /** Nodes that a walk passed, each once. */
  usedNodes(): Uint8Array[] {
    return [...this.#used].map((hash) => this.#nodes.get(hash) as Uint8Array)
  }

  node(hash: Hash, what: string): Rlp {
    const bytes = this.#nodes.get(hash)
    if (bytes === undefined) {
      throw new Refusal('proof_missing', `The proof of ${what} is broken: the file has no node ${hash}.`)
    }
    this.#used.add(hash)
    return decoded(bytes, what)
  }
}

/**
 * Walks from the root of a Merkle-Patricia trie to the value below a key.
 *
 * @param key 32 bytes: the hash of an address or of a storage slot.
 * @returns undefined when the nodes prove that there is none.
 * @throws Refusal('proof_missing' | 'proof_node')
 */
export function provenValue(pool: NodePool, root: Hash, key: Hash, what: string): Uint8Array | undefined {
  if (root === EMPTY_ROOT) return undefined
  let path = key.slice(2)
  let node = pool.node(root, what)
  for (;;) {
    if (node instanceof Uint8Array) throw malformed(what)
    let child: Rlp | undefined
    if (node.length === 17) {
      if (path === '') throw malformed(what)
      child = node[Number.parseInt(path[0] as string, 16)]
      path = path.slice(1)
    } else if (node.length === 2 && node[0] instanceof Uint8Array && node[0].length > 0) {
      const prefix = hex(node[0])
      const flag = Number.parseInt(prefix[0] as string, 16)
      if (flag > 3 || (flag % 2 === 0 && prefix[1] !== '0')) throw malformed(what)
      const part = prefix.slice(flag % 2 === 1 ? 1 : 2)
      if (flag > 1) {
        if (part !== path) return undefined
        if (!(node[1] instanceof Uint8Array)) throw malformed(what)
        return node[1]
      }
      if (part === '') throw malformed(what)
      if (!path.startsWith(part)) return undefined
      path = path.slice(part.length)
      child = node[1]
    } else throw malformed(what)
    if (child === undefined) throw malformed(what)
    if (!(child instanceof Uint8Array)) node = child
    else if (child.length === 0) return undefined
    else if (child.length === 32) node = pool.node(`0x${hex(child)}`, what)
    else throw malformed(what)
  }
}

/** An account of a state trie. */
export interface Account {
  readonly storageRoot: Hash
  readonly codeHash: Hash
}

/** @throws Refusal, also where the state has no such account. */
export function provenAccount(pool: NodePool, stateRoot: Hash, address: Hash, what: string): Account {
  const value = provenValue(pool, stateRoot, keccak256(address), what)
  if (value === undefined) throw new Refusal('account_absent', `The state of the block has no ${what}.`)
  const fields = decoded(value, what)
  if (fields instanceof Uint8Array || fields.length !== 4) throw malformed(what)
  const [, , storageRoot, codeHash] = fields
  if (!isHash(storageRoot) || !isHash(codeHash)) throw malformed(what)
  return { storageRoot: `0x${hex(storageRoot)}`, codeHash: `0x${hex(codeHash)}` }
}

/** The word at a storage slot; zero where the trie has none. */
export function provenWord(pool: NodePool, storageRoot: Hash, slot: Hash, what: string): bigint {
  const value = provenValue(pool, storageRoot, keccak256(slot), what)
  if (value === undefined) return 0n
  const word = decoded(value, what)
  if (!(word instanceof Uint8Array) || word.length === 0 || word.length > 32 || word[0] === 0) {
    throw malformed(what)
  }
  return BigInt(`0x${hex(word)}`)
}

function isHash(item: Rlp | undefined): item is Uint8Array {
  return item instanceof Uint8Array && item.length === 32
}

function decoded(bytes: Uint8Array, what: string): Rlp {
  try {
    return decodeRlp(bytes)
  } catch {
    throw malformed(what)
  }
}

function malformed(what: string): Refusal {
  return new Refusal('proof_node', `The proof of ${what} is broken: a node is malformed.`)
}

function hex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0')
  return text
}
