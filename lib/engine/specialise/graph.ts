import type { State, Variables } from './state.ts'
import { type Facts, type Term, Unspecialised, type Value } from './value.ts'

/** One way from a block into another. */
export interface Edge {
  readonly to: Node
  readonly state: State
}

export type Exit =
  | { readonly kind: 'reverted' }
  | { readonly kind: 'returned'; readonly value: Value }
  | { readonly kind: 'jump'; readonly edge: Edge; readonly decided: boolean }
  | { readonly kind: 'branch'; readonly condition: Term; readonly then: Edge; readonly otherwise: Edge }

/** A block of code in one context: code reached in different contexts is laid out more than once. */
export interface Node {
  readonly id: number
  readonly pc: number
  /** Identity of the context: place, height of the stack, labels on it. */
  readonly place: string
  /** Which turn of which unrolled loop. */
  readonly turns: readonly Turn[]
  /** From where it was reached first. */
  readonly parent: Node | undefined
  /** Instructions on the shortest way here. */
  readonly depth: number
  readonly variables: Variables
  readonly arrivals: Map<string, State>
  visits: number
  entry?: State
  exit?: Exit
  /** Facts that hold where the block ends. */
  facts?: Facts
}

/** A turn of an unrolled loop, which begins at `place` with a stack of `height`. */
export interface Turn {
  readonly place: string
  readonly height: number
  readonly count: number
}

export function edgesOf(exit: Exit | undefined): readonly Edge[] {
  if (exit?.kind === 'jump') return [exit.edge]
  return exit?.kind === 'branch' ? [exit.then, exit.otherwise] : []
}

/** Terms that something depends on: conditions and outcomes, and what these are computed from. */
export function neededTerms(nodes: readonly Node[]): ReadonlySet<Term> {
  const comesFrom = incoming(nodes)
  const needed = new Set<Term>()
  const open: Value[] = []
  for (const { exit } of nodes) {
    if (exit?.kind === 'returned') open.push(exit.value)
    if (exit?.kind === 'branch') open.push(exit.condition)
  }
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (value.kind !== 'term' || needed.has(value)) continue
    needed.add(value)
    open.push(...value.operands, ...(comesFrom.get(value)?.() ?? []))
  }
  return needed
}

/** Returns the values that each variable may be set to. */
function incoming(nodes: readonly Node[]): ReadonlyMap<Term, () => Value[]> {
  const arriving = new Map<Node, State[]>(nodes.map((node) => [node, []]))
  for (const node of nodes) for (const { to, state } of edgesOf(node.exit)) arriving.get(to)!.push(state)
  const result = new Map<Term, () => Value[]>()
  for (const node of nodes) {
    for (const [slot, variable] of node.variables.bySlot) {
      result.set(variable, () => arriving.get(node)!.map((state) => node.variables.valueFrom(state, slot)))
    }
  }
  return result
}

/** Blocks in the shape of a structured program. */
export interface Shape {
  readonly root: Node
  /** Place in reverse post-order: every way forward goes to a larger one. */
  readonly order: ReadonlyMap<Node, number>
  /** Blocks that are reached only through a block, and through no other in between. */
  readonly children: ReadonlyMap<Node, readonly Node[]>
  /** Blocks that several ways lead to, ways back not counted. */
  readonly meetings: ReadonlySet<Node>
  /** Blocks that a way leads back to, each with how many blocks a turn has at most. */
  readonly loops: ReadonlyMap<Node, number>
}

/** @throws Unspecialised when a loop has several beginnings. */
export function shapeOf(root: Node): Shape {
  const sorted = reversePostOrder(root)
  const order = new Map(sorted.map((node, index) => [node, index]))
  const sources = new Map<Node, Node[]>(sorted.map((node) => [node, []]))
  for (const node of sorted) for (const { to } of edgesOf(node.exit)) sources.get(to)!.push(node)
  const parents = immediateDominators(sorted, order, sources)

  const children = new Map<Node, Node[]>(sorted.map((node) => [node, []]))
  const loops = new Map<Node, number>()
  const meetings = new Set<Node>()
  for (const node of sorted) {
    const forward = sources.get(node)!.filter((source) => order.get(source)! < order.get(node)!)
    const back = sources.get(node)!.filter((source) => order.get(source)! >= order.get(node)!)
    if (forward.length > 1) meetings.add(node)
    if (back.length > 0) loops.set(node, loopSize(node, back, sources))
    if (back.some((source) => !dominates(node, source, parents)))
      throw new Unspecialised('a loop of two beginnings')
    if (node !== root) children.get(parents.get(node)!)!.push(node)
  }
  return { root, order, children, meetings, loops }
}

function reversePostOrder(root: Node): Node[] {
  const seenNodes = new Set<Node>([root])
  const finished: Node[] = []
  const open: { readonly node: Node; readonly ways: Node[] }[] = []
  const enter = (node: Node) => open.push({ node, ways: edgesOf(node.exit).map(({ to }) => to) })
  enter(root)
  while (open.length > 0) {
    const { node, ways } = open[open.length - 1]!
    const next = ways.pop()
    if (next === undefined) {
      finished.push(node)
      open.pop()
    } else if (!seenNodes.has(next)) {
      seenNodes.add(next)
      enter(next)
    }
  }
  return finished.reverse()
}

/** Cooper, Harvey, Kennedy: a simple, fast dominance algorithm. */
function immediateDominators(
  sorted: readonly Node[],
  order: ReadonlyMap<Node, number>,
  sources: ReadonlyMap<Node, readonly Node[]>,
): ReadonlyMap<Node, Node> {
  const [root] = sorted
  const parents = new Map<Node, Node>([[root!, root!]])
  const meet = (left: Node, right: Node) => {
    let [a, b] = [left, right]
    while (a !== b) {
      if (order.get(a)! > order.get(b)!) a = parents.get(a)!
      else b = parents.get(b)!
    }
    return a
  }
  for (let changed = true; changed; ) {
    changed = false
    for (const node of sorted.slice(1)) {
      const parent = sources
        .get(node)!
        .filter((source) => parents.has(source))
        .reduce(meet)
      if (parents.get(node) !== parent) {
        parents.set(node, parent)
        changed = true
      }
    }
  }
  return parents
}

function dominates(node: Node, other: Node, parents: ReadonlyMap<Node, Node>): boolean {
  for (let at = other; ; ) {
    if (at === node) return true
    const parent = parents.get(at)!
    if (parent === at) return false
    at = parent
  }
}

/** Blocks from which a way leads back to the beginning of a loop without leaving it. */
function loopSize(start: Node, back: readonly Node[], sources: ReadonlyMap<Node, readonly Node[]>): number {
  const inside = new Set([start])
  const open = [...back]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (inside.has(node)) continue
    inside.add(node)
    open.push(...sources.get(node)!)
  }
  return inside.size
}
