import { assume } from './assume.ts'
import { Block, type Way } from './block.ts'
import type { Context } from './frame.ts'
import type { Edge, Exit, Node, Turn } from './graph.ts'
import { FRESH } from './memory.ts'
import { type State, sameState, Variables } from './state.ts'
import { Unspecialised } from './value.ts'

/** Bounds of one attempt. */
export interface Bounds {
  readonly nodes: number
  /** Turns of a loop that are laid out one after another. */
  readonly turns: number
}

/** A loop has more turns than are laid out. */
export class TooManyTurns extends Unspecialised {
  readonly pc: number

  constructor(pc: number) {
    super('a loop of many turns')
    this.pc = pc
  }
}

const VISITS_BEFORE_WIDENING = 3
const MOST_VISITS = 40

/**
 * Executes code with the context's unknowns until every block knows everything that can reach it.
 *
 * @param rolled Where loops begin that stay loops. Others are unrolled as long as constants decide how they go on.
 * @throws Unspecialised, TooManyTurns
 */
export function explore(context: Context, bounds: Bounds, rolled: ReadonlySet<number>): Node {
  return new Exploration(context, bounds, rolled).run()
}

class Exploration {
  readonly #context: Context
  readonly #bounds: Bounds
  readonly #rolled: ReadonlySet<number>
  readonly #nodes = new Map<string, Node>()
  readonly #waiting = new Set<Node>()

  constructor(context: Context, bounds: Bounds, rolled: ReadonlySet<number>) {
    this.#context = context
    this.#bounds = bounds
    this.#rolled = rolled
  }

  run(): Node {
    const { frame } = this.#context
    const start: State = { stack: frame.stack, memory: FRESH, facts: new Map() }
    const root = this.#node(
      { pc: frame.pc, place: placeOf(frame.pc, start), parent: undefined, depth: 0 },
      [],
    )
    this.#arrive(root, 'start', start)
    for (let node = this.#next(); node !== undefined; node = this.#next()) this.#visit(node)
    return root
  }

  /** The one nearest the beginning, so that ways that part and meet again wait for each other. */
  #next(): Node | undefined {
    let nearest: Node | undefined
    for (const node of this.#waiting) {
      if (nearest === undefined || node.depth < nearest.depth) nearest = node
    }
    if (nearest !== undefined) this.#waiting.delete(nearest)
    return nearest
  }

  #visit(node: Node): void {
    node.visits++
    if (node.visits > MOST_VISITS) throw new Unspecialised('a loop that does not settle')
    const entry = node.variables.join([...node.arrivals.values()], node.visits > VISITS_BEFORE_WIDENING)
    if (node.entry !== undefined && sameState(node.entry, entry)) return
    node.entry = entry
    const block = new Block(this.#context, entry)
    const way = block.run(node.pc)
    const state = block.state()
    const carried = state.facts.size + state.memory.free.length + state.stack.length
    this.#context.algebra.effort.spend(block.length + (carried >> 2))
    node.facts = state.facts
    node.exit = this.#exit(node, way, state, node.depth + block.length)
  }

  #exit(node: Node, way: Way, state: State, depth: number): Exit {
    switch (way.kind) {
      case 'reverted':
        return way
      case 'left':
        return { kind: 'returned', value: this.#context.frame.valueAt(way.pc, state) }
      case 'jump':
        return { kind: 'jump', edge: this.#edge(node, 'jump', way.to, state, depth), decided: way.decided }
      case 'branch': {
        const { condition } = way
        const [then, otherwise] = ([true, false] as const).map((holds) => {
          const facts = new Map(state.facts)
          if (!assume(condition, holds, facts, this.#context.algebra.terms)) return undefined
          const to = holds ? way.to : way.otherwise
          return this.#edge(node, holds ? 'then' : 'otherwise', to, { ...state, facts }, depth)
        })
        if (then !== undefined && otherwise !== undefined)
          return { kind: 'branch', condition, then, otherwise }
        const edge = then ?? otherwise
        return edge === undefined ? { kind: 'reverted' } : { kind: 'jump', edge, decided: true }
      }
    }
  }

  #edge(from: Node, name: string, pc: number, state: State, depth: number): Edge {
    const to = this.#target(from, pc, state, depth)
    this.#arrive(to, `${from.id}${name}`, state)
    return { to, state }
  }

  #arrive(node: Node, way: string, state: State): void {
    node.arrivals.set(way, state)
    this.#waiting.add(node)
  }

  #target(from: Node, pc: number, state: State, depth: number): Node {
    const { stack } = state
    const place = placeOf(pc, state)
    const turns = from.turns.filter(({ height }) => height <= stack.length)
    const context = { pc, place, parent: from, depth }
    const node = this.#nodes.get(keyOf(place, turns))
    if (node === undefined) return this.#node(context, turns)
    if (!isBefore(node, from) || this.#rolled.has(pc) || !goesOnByConstants(node)) return node
    const count = (turns.find((turn) => turn.place === place)?.count ?? 0) + 1
    if (count > this.#bounds.turns) throw new TooManyTurns(pc)
    const next = [...turns.filter((turn) => turn.place !== place), { place, height: stack.length, count }]
    return this.#nodes.get(keyOf(place, next)) ?? this.#node(context, next)
  }

  #node(context: Pick<Node, 'pc' | 'place' | 'parent' | 'depth'>, turns: readonly Turn[]): Node {
    const node: Node = {
      ...context,
      id: this.#nodes.size,
      turns,
      variables: new Variables(this.#context.algebra),
      arrivals: new Map(),
      visits: 0,
    }
    this.#nodes.set(keyOf(context.place, turns), node)
    if (this.#nodes.size > this.#bounds.nodes) throw new Unspecialised('many ways through')
    return node
  }
}

function placeOf(pc: number, { stack }: State): string {
  const labels = stack.map((value) => (value.kind === 'constant' && value.label ? value.word : '')).join()
  return `${pc}/${stack.length}/${labels}`
}

function keyOf(place: string, turns: readonly Turn[]): string {
  return [place, ...turns.map((turn) => `${turn.place}:${turn.count}`)].join(' ')
}

function isBefore(node: Node, from: Node): boolean {
  for (let at: Node | undefined = from; at !== undefined; at = at.parent) if (at === node) return true
  return false
}

/** Whether constants decided the first branch from here; ways that only revert are no branch. */
function goesOnByConstants(start: Node): boolean {
  let node = start
  for (let i = 0; i < 64; i++) {
    const { exit } = node
    if (exit?.kind === 'jump') {
      if (exit.decided) return true
      node = exit.edge.to
    } else if (exit?.kind === 'branch') {
      const ways = [exit.then.to, exit.otherwise.to].filter((to) => to.exit?.kind !== 'reverted')
      if (ways.length !== 1) return false
      node = ways[0]!
    } else return false
  }
  return false
}
