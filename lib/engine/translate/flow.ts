import type { Code } from './blocks.ts'
import { type Exit, interpret, type Run, type Way } from './interpret.ts'
import { constant, type Fact, factOf, join, type Value } from './value.ts'

/** A block as it is reached with certain labels on the stack. */
export interface Node {
  readonly index: number
  readonly pc: number
  /** What is known of the stack whichever way it is reached, from the bottom. */
  facts: Fact[]
  /** The words that it finds on the stack, where only one way leads to it: it goes on computing with them. */
  entry: readonly Value[] | undefined
  /** Where that way begins. */
  from: Node | undefined
  run: Run
  /** In the order of `waysOf`. */
  successors: Node[]
}

/** The code as a graph whose first node is where it begins. */
export interface Flow {
  readonly nodes: readonly Node[]
}

// Far beyond what compilers make of a body; whoever goes there means no good.
const NODE_LIMIT = 1500
const HEIGHT_LIMIT = 200
const WORK_LIMIT = 200_000

const UNREACHED: Run = { effects: [], exit: { kind: 'declined', why: 'failure' } }
const STOP: Run = { effects: [], exit: { kind: 'returned', offset: constant(0), length: constant(0) } }

/**
 * Follows the code from its beginning with what is known of the stack, and lays it out anew for each return address,
 * so that every jump goes to a place that is known.
 *
 * @returns `undefined` where that is not so, or never ends: recursion, jumps to computed places.
 */
export function followFlow(code: Code): Flow | undefined {
  const labelSize = code.bytes.length > 255 ? 2 : 1
  const nodes: Node[] = []
  const byKey = new Map<string, Node>()
  const waiting: Node[] = []

  const reach = (pc: number, stack: readonly Value[], from?: Node): Node | undefined => {
    const key = `${pc}:${stack.length}:${stack.map((word) => (word.label ? word.constant : '')).join(',')}`
    const known = byKey.get(key)
    if (known === undefined) {
      if (nodes.length === NODE_LIMIT) return undefined
      const facts = stack.map(factOf)
      const node = { index: nodes.length, pc, facts, entry: stack, from, run: UNREACHED, successors: [] }
      nodes.push(node)
      byKey.set(key, node)
      waiting.push(node)
      return node
    }
    const changed =
      from !== undefined && known.from === from && !from.successors.includes(known)
        ? followOn(known, stack)
        : merge(known, stack)
    if (changed && !waiting.includes(known)) waiting.push(known)
    return known
  }

  reach(0, [])
  for (let work = 0; waiting.length > 0; ) {
    const node = waiting.pop() as Node
    work += node.facts.length + (code.blocks.get(node.pc)?.instructions.length ?? 0)
    if (work > WORK_LIMIT || node.facts.length > HEIGHT_LIMIT) return undefined
    node.run = follow(code, node, labelSize)
    node.successors = []
    for (const way of waysOf(node.run.exit)) {
      const successor = typeof way.to === 'number' ? reach(way.to, way.stack, node) : undefined
      if (successor === undefined) return undefined
      node.successors.push(successor)
    }
  }
  return { nodes }
}

/** Renews what the only way to a node brings. */
function followOn(node: Node, stack: readonly Value[]): boolean {
  node.entry = stack
  node.facts = stack.map(factOf)
  return true
}

/** Adds another way to a node. */
function merge(node: Node, stack: readonly Value[]): boolean {
  let changed = node.entry !== undefined
  node.entry = undefined
  node.from = undefined
  node.facts = node.facts.map((fact, slot) => {
    const joined = join(fact, stack[slot] as Value)
    changed ||= joined !== undefined
    return joined ?? fact
  })
  return changed
}

function follow(code: Code, { pc, facts, entry }: Node, labelSize: number): Run {
  if (pc === code.bytes.length) return STOP
  const block = code.blocks.get(pc)
  if (block === undefined) return UNREACHED
  const slots = () => facts.map((fact, slot) => (fact.constant === undefined ? { ...fact, slot } : fact))
  return interpret(code, block, entry ?? slots(), labelSize)
}

/** The ways out of a block, the one that a branch takes first. */
export function waysOf(exit: Exit): Way[] {
  if (exit.kind === 'jump') return [exit.way]
  return exit.kind === 'branch' ? [exit.taken, exit.otherwise] : []
}
