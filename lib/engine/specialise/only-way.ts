import type { Range } from '../ranges.ts'
import { edgesOf, type Node } from './graph.ts'
import { type Facts, rangeOf, type Term, type Value } from './value.ts'

/** What is returned for x within `range`; for any other x the step reverts. */
export interface End {
  readonly value: Value
  readonly facts: Facts
  readonly range: Range
}

/** The one end that a step without loops has, if bounds of x alone decide between it and reverting. */
export function onlyWay(root: Node, x: Term): End | undefined {
  const way = new Way(x)
  if (way.follow(root) !== 'returns') return undefined
  const { exit, facts } = way.end!
  if (exit?.kind !== 'returned' || facts === undefined) return undefined
  const range = rangeOf(x, facts)
  // Bounds are those that can come here and those that can revert, at least: apart, they are exactly those.
  const isApart = way.reverting.every(({ low, high }) => high < range.low || low > range.high)
  return isApart ? { value: exit.value, facts, range } : undefined
}

type Outcome = 'returns' | 'reverts' | 'unclear'

class Way {
  end: Node | undefined
  /** Bounds of x where ways part that can only revert. */
  readonly reverting: Range[] = []
  readonly #x: Term
  readonly #outcomes = new Map<Node, Outcome>()

  constructor(x: Term) {
    this.#x = x
  }

  follow(node: Node): Outcome {
    const known = this.#outcomes.get(node)
    if (known !== undefined) return known
    // A way that comes back here is a loop.
    this.#outcomes.set(node, 'unclear')
    const outcome = this.#outcomeOf(node)
    this.#outcomes.set(node, outcome)
    return outcome
  }

  #outcomeOf(node: Node): Outcome {
    const { exit } = node
    if (exit === undefined) return 'unclear'
    if (exit.kind === 'reverted') return 'reverts'
    if (exit.kind === 'returned') {
      if (this.end !== undefined) return 'unclear'
      this.end = node
      return 'returns'
    }
    const edges = edgesOf(exit)
    const outcomes = edges.map(({ to }) => this.follow(to))
    if (outcomes.includes('unclear')) return 'unclear'
    if (!outcomes.includes('returns')) return 'reverts'
    edges.forEach(({ state }, i) => {
      if (outcomes[i] === 'reverts') this.reverting.push(rangeOf(this.#x, state.facts))
    })
    return 'returns'
  }
}
