import { keccak256, stringToHex } from 'viem/utils'
import type { Hash, Hex } from '#lib/protocol/entity.ts'
import {
  calldataOf,
  type Disguise,
  eventOf,
  NAMES,
  OWNERS,
  publishIn,
  type Registered,
  type RegistryState,
  type Wish,
} from './publications.ts'
import type { Random } from './random.ts'

export interface Transaction {
  readonly hash: Hash
  readonly input: Hex
}

/** A `Published` event, without what its place in the block adds. */
interface Event {
  readonly registered: Registered
  readonly topics: readonly Hex[]
  readonly data: Hex
}

export interface Log extends Event {
  readonly transaction: Transaction
  readonly txIndex: number
  readonly logIndex: number
}

export interface Block {
  readonly number: number
  readonly hash: Hash
  readonly parentHash: Hash
  readonly timestampS: number
  readonly transactions: readonly Transaction[]
  readonly logs: readonly Log[]
  readonly state: RegistryState
  /** From block 0 to this one. */
  readonly path: readonly Block[]
}

/** One version of the chain, as a node may show it. */
export interface View {
  readonly head: Block
  readonly safe: number
  readonly finalized: number
}

/** A transaction, which may be mined on many branches with a different effect on each. */
interface Submitted {
  readonly wishes: readonly Wish[]
  readonly disguise: Disguise
  /** Undefined until it is first mined, because a connector's calldata names the hashes of what it is made of. */
  transaction: Transaction | undefined
}

export const REGISTRY: Hex = `0x${'ab'.repeat(20)}`
export const DEPLOYMENT_BLOCK = 4

/** Blocks below the head from which one is safe, and final: no reorganisation goes deeper. */
export interface Depths {
  readonly safe: number
  readonly finalized: number
}

export const DEPTHS: Depths = { safe: 32, finalized: 64 }

/** A tree of blocks that grows by chance, with the rules of the registry and none of its cost. */
export class Chain {
  readonly #random: Random
  readonly depths: Depths
  readonly blocks = new Map<Hash, Block>()
  readonly transactions = new Map<Hash, { transaction: Transaction; blocks: Set<Block> }>()
  head: Block
  /** Versions that were the chain once. */
  readonly past: View[] = []
  reorganisations = 0
  deepest = 0
  #count = 0
  #highest = 0
  #dropped: Submitted[] = []
  /** Which transactions a block holds, to mine them again. */
  readonly #mined = new Map<Hash, readonly Submitted[]>()

  constructor(random: Random, depths = DEPTHS) {
    this.#random = random
    this.depths = depths
    this.head = this.#add(undefined, [], [], new Map())
    while (this.head.number < DEPLOYMENT_BLOCK - 1) {
      this.head = this.#add(this.head, [], [], new Map())
    }
  }

  /** The chain as it is now. */
  view(): View {
    return this.viewOf(this.head)
  }

  /** A branch as its own node would show it: never final beyond what is final for all. */
  viewOf(head: Block): View {
    const highest = Math.min(head.number, this.#highest)
    return {
      head,
      safe: Math.max(0, highest - this.depths.safe),
      finalized: Math.max(0, highest - this.depths.finalized),
    }
  }

  /** Height of the highest block that ever was the head. */
  get highest(): number {
    return this.#highest
  }

  get finalized(): number {
    return Math.max(0, this.#highest - this.depths.finalized)
  }

  mine(): Block {
    this.past.push(this.view())
    this.head = this.#mineOn(this.head)
    this.#highest = Math.max(this.#highest, this.head.number)
    return this.head
  }

  /** Replaces the newest blocks, of which nothing is final, by other ones. */
  reorganise(): number {
    const most = this.head.number - Math.max(this.finalized, 1)
    if (most < 1) return 0
    // As many shallow ones as deep ones.
    const depth = Math.max(1, Math.min(most, Math.round(this.depths.finalized ** this.#random.next())))
    this.replace(depth)
    this.reorganisations += 1
    this.deepest = Math.max(this.deepest, depth)
    return depth
  }

  /** Replaces the newest blocks by other ones, usually one more than before. */
  replace(depth: number): void {
    const random = this.#random
    this.past.push(this.view())
    const replaced = this.head.path.slice(-depth)
    const waiting = replaced.flatMap(({ hash }) => this.#mined.get(hash) ?? [])
    // Some are never seen again.
    this.#dropped.push(...waiting.filter(() => random.chance(0.75)))
    this.head = this.head.path.at(-depth - 1) as Block
    // Now and then the new branch is shorter at first, as seen from a node in the middle of it.
    const length = random.chance(0.15) ? random.between(1, depth) : depth + 1
    for (let i = 0; i < length; i++) this.head = this.#mineOn(this.head)
    this.#highest = Math.max(this.#highest, this.head.number)
  }

  /** A branch that only some node believes in, off the chain by a few blocks. */
  strayBranch(maxDepth: number): View {
    const random = this.#random
    const most = Math.min(maxDepth, this.head.number - Math.max(this.finalized, 1))
    const head = this.head.path.at(-random.between(0, Math.max(0, most)) - 1) as Block
    return this.viewOf(this.#aside(head, random.between(1, 6)))
  }

  /** A branch that contradicts what is final from a height on. */
  foreignBranch(from: number, length: number): View {
    const head = this.#aside(this.head.path[from] as Block, length)
    const below = (depth: number) => Math.max(0, head.number - depth)
    return { head, safe: below(this.depths.safe), finalized: below(this.depths.finalized) }
  }

  /** Blocks that are not the chain; what waits to be mined goes on waiting. */
  #aside(parent: Block, length: number): Block {
    const waiting = [...this.#dropped]
    let head = parent
    for (let i = 0; i < length; i++) head = this.#mineOn(head)
    this.#dropped = waiting
    return head
  }

  #mineOn(parent: Block): Block {
    const random = this.#random
    const submitted: Submitted[] = []
    for (const again of random.shuffled(this.#dropped)) {
      if (random.chance(0.4)) submitted.push(again)
    }
    this.#dropped = this.#dropped.filter((each) => !submitted.includes(each))
    if (random.chance(0.25))
      submitted.push(...Array.from({ length: random.between(1, 3) }, () => this.#submit()))

    const state = new Map(parent.state)
    const logs: Log[] = []
    const transactions: Transaction[] = []
    for (const each of submitted) {
      if (parent.number + 1 < DEPLOYMENT_BLOCK) break
      this.#execute(each, state, transactions, logs)
    }
    // Unrelated transactions.
    for (let i = random.between(0, 2); i > 0 && random.chance(0.5); i--) {
      transactions.push({ hash: this.#hash('other'), input: '0x' })
    }
    const block = this.#add(parent, transactions, logs, logs.length > 0 ? state : parent.state)
    this.#mined.set(block.hash, submitted)
    return block
  }

  #submit(): Submitted {
    const random = this.#random
    const wish = (): Wish => {
      const { kind, name } = random.pick(NAMES)
      return { kind, name, version: random.between(1, 2), owner: random.pick(OWNERS) }
    }
    const disguise = random.pick<Disguise>(['plain', 'plain', 'plain', 'wrapped', 'hidden'])
    const wishes = disguise === 'wrapped' ? [wish(), wish()] : [wish()]
    return { wishes, disguise, transaction: undefined }
  }

  /** All or nothing, as a transaction is; a revert leaves a transaction without events. */
  #execute(
    submitted: Submitted,
    state: Map<string, Registered>,
    transactions: Transaction[],
    logs: Log[],
  ): void {
    const registered: Registered[] = []
    const next = new Map(state)
    for (const wish of submitted.wishes) {
      const one = publishIn(next, wish)
      if (one === undefined) break
      registered.push(one)
      next.set(`${wish.kind}/${wish.name}`, one)
    }
    const complete = registered.length === submitted.wishes.length
    const input = complete
      ? disguised(submitted.disguise, registered)
      : (submitted.transaction?.input ?? '0x00')
    // Calldata that names other hashes is another transaction; the old one would revert.
    if (complete && submitted.transaction?.input !== input) {
      submitted.transaction = { hash: this.#hash('publish'), input }
    }
    const transaction = submitted.transaction ?? { hash: this.#hash('reverted'), input }
    const txIndex = transactions.push(transaction) - 1
    if (!complete) return
    for (const one of registered) {
      state.set(`${one.artifact.kind}/${one.artifact.name}`, one)
      logs.push({ registered: one, ...eventOf(one), transaction, txIndex, logIndex: logs.length })
    }
  }

  #add(
    parent: Block | undefined,
    transactions: readonly Transaction[],
    logs: readonly Log[],
    state: RegistryState,
  ): Block {
    const path: Block[] = parent ? [...parent.path] : []
    const number = parent ? parent.number + 1 : 0
    const block: Block = {
      number,
      hash: this.#hash(`block ${number}`),
      parentHash: parent?.hash ?? `0x${'0'.repeat(64)}`,
      timestampS: 1_700_000_000 + number * 12 + this.#random.between(0, 5),
      transactions,
      logs,
      state,
      path,
    }
    path.push(block)
    this.blocks.set(block.hash, block)
    for (const transaction of transactions) {
      const known = this.transactions.get(transaction.hash) ?? { transaction, blocks: new Set() }
      known.blocks.add(block)
      this.transactions.set(transaction.hash, known)
    }
    return block
  }

  #hash(what: string): Hash {
    this.#count += 1
    return keccak256(stringToHex(`${what} ${this.#count}`))
  }
}

function disguised(disguise: Disguise, registered: readonly Registered[]): Hex {
  if (disguise === 'hidden') return '0x12345678'
  const calls = registered.map((one) => calldataOf(one).slice(2)).join('')
  return disguise === 'plain' ? `0x${calls}` : `0xcafe0123${calls}`
}

/** A view in the trace. */
export function shown({ head, finalized }: View): string {
  return `${head.number} ${head.hash.slice(2, 8)} (final ${finalized})`
}
