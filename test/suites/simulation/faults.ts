import type { Sql } from 'postgres'
import { type Chain, shown, type View } from './chain.ts'
import type { DatabaseOrder } from './database-connection.ts'
import type { NodeOrder } from './node-connection.ts'
import type { Random } from './random.ts'

const NODE_FAULT = 0.05
const DATABASE_FAULT = 0.006
const OTHER_VIEW = 0.15
/** The node's chain changes while it answers a batch. */
const MOVES = 0.15

/** Draws what goes wrong, and counts it. */
export class Faults {
  readonly counts = new Map<string, number>()
  readonly #random: Random
  readonly #chain: Chain
  #stray: View | undefined
  /** While it lasts the node shows nothing else. */
  #spell: { readonly view: View; turns: number } | undefined
  #calm = false
  #shownHead = -1

  constructor(random: Random, chain: Chain) {
    this.#random = random
    this.#chain = chain
  }

  /** The node shows another chain than the one that grows. */
  get spellbound(): boolean {
    return this.#spell !== undefined
  }

  /** From now on nothing goes wrong. */
  calm(): void {
    this.#calm = true
    this.#spell = undefined
  }

  /** Behaviour of the node for one request. */
  node(): NodeOrder {
    const random = this.#random
    const view = this.#view()
    if (view.head !== this.#chain.head) this.count('answers from another view')
    if (view.head.number < this.#shownHead) this.count('heads out of order')
    if (view.head.number === this.#shownHead) this.count('heads repeated')
    this.#shownHead = view.head.number
    const other = this.#view()
    if (!this.#calm && !this.#spell && random.chance(MOVES)) {
      this.count('changes within a batch')
      const late = this.#chain.past.at(-random.between(1, 8)) ?? view
      return { view: late, other: this.#chain.view(), moves: random.next(), fault: 'none', where: 0 }
    }
    if (this.#calm || !random.chance(NODE_FAULT)) return { view, other, fault: 'none', where: 0 }
    this.count('node faults')
    const fault = random.pick<NodeOrder['fault']>([
      'timeout',
      'unavailable',
      'rate limit',
      'one call fails',
      'one block is missing',
    ])
    return { view, other, fault, where: random.next() }
  }

  /** Behaviour of the database for one statement. */
  database(): DatabaseOrder {
    if (this.#calm || !this.#random.chance(DATABASE_FAULT)) return 'pass'
    this.count('database faults')
    return this.#random.pick<DatabaseOrder>(['error', 'cut before', 'cut after'])
  }

  /**
   * At the beginning of a turn: for a few of them the node may show a chain that no worker may follow: one that
   * contradicts what is final, or one that is far behind. A worker can only detect this when it has something final to
   * compare.
   *
   * @returns what the node shows from now on, if that has just begun.
   */
  async turn(sql: Sql): Promise<string | undefined> {
    const random = this.#random
    if (this.#spell && this.#spell.turns-- === 0) this.#spell = undefined
    if (this.#calm || this.#spell || !random.chance(0.04)) return undefined
    const [row] = await sql<{ processed: string; final: string }[]>`
      select processed_block as processed, finalized_block as final from worker_state`
    const depth = this.#chain.depths.finalized
    const known = Math.min(Number(row?.processed ?? 0), Number(row?.final ?? 0))
    if (known < depth) return undefined
    const behind = random.chance(0.4)
    const view = behind
      ? this.#chain.viewOf(this.#chain.head.path[random.between(1, known)]!)
      : this.#chain.foreignBranch(
          random.between(Math.max(1, known - 50), known - 1),
          random.between(1, 2 * depth + 12),
        )
    this.count(behind ? 'spells far behind' : 'spells against finality')
    this.#spell = { view, turns: random.between(1, 5) }
    return shown(view)
  }

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }

  /** Mostly the chain as it is; now and then a node that is late, or on another branch. */
  #view(): View {
    const random = this.#random
    if (this.#calm) return this.#chain.view()
    if (this.#spell) return this.#spell.view
    if (!random.chance(OTHER_VIEW)) return this.#chain.view()

    // Late by a moment, or by so much that what it shows may since have been replaced by final blocks.
    const versions = random.chance(0.5) ? 8 : 150
    if (random.chance(0.6)) return this.#chain.past.at(-random.between(1, versions)) ?? this.#chain.view()
    if (this.#stray === undefined || random.chance(0.2)) this.#stray = this.#chain.strayBranch(12)
    return this.#stray
  }
}
