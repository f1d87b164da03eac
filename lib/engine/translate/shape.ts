import type { Flow, Node } from './flow.ts'

/** How the nodes of a flow lie in each other, as far as structured code needs it. */
export interface Shape {
  /** Nodes that a node dominates directly and that several ways lead to, those reached last first. */
  mergesUnder(node: Node): readonly Node[]
  isMerge(node: Node): boolean
  isLoop(node: Node): boolean
  /** Whether the way from `from` to `to` goes back to the head of a loop. */
  isBack(from: Node, to: Node): boolean
  /** How many nodes run at most once for each round of the loop, the head among them. */
  roundSize(head: Node): number
}

/**
 * Dominators by Cooper, Harvey and Kennedy's iteration.
 *
 * @returns `undefined` where a loop has two ways in: no structured code says that.
 */
export function shapeOf({ nodes }: Flow): Shape | undefined {
  const order = postorder(nodes).reverse()
  const rank = new Map(order.map((node, index) => [node, index]))
  const rankOf = (node: Node) => rank.get(node) as number
  const isBack = (from: Node, to: Node) => rankOf(to) <= rankOf(from)

  const predecessors = new Map<Node, Node[]>(order.map((node) => [node, []]))
  for (const node of order) for (const next of node.successors) predecessors.get(next)?.push(node)

  const dominator = new Map<Node, Node>([[order[0] as Node, order[0] as Node]])
  const common = (a: Node, b: Node): Node => {
    let [left, right] = [a, b]
    while (left !== right) {
      if (rankOf(left) > rankOf(right)) left = dominator.get(left) as Node
      else right = dominator.get(right) as Node
    }
    return left
  }
  for (let changed = true; changed; ) {
    changed = false
    for (const node of order.slice(1)) {
      const known = (predecessors.get(node) ?? []).filter((previous) => dominator.has(previous))
      const next = known.reduce(common)
      if (dominator.get(node) !== next) changed = true
      dominator.set(node, next)
    }
  }
  const dominates = (above: Node, below: Node): boolean => {
    let node = below
    while (rankOf(node) > rankOf(above)) node = dominator.get(node) as Node
    return node === above
  }

  const loops = new Set<Node>()
  const merges = new Set<Node>()
  for (const node of order) {
    const ways = predecessors.get(node) ?? []
    const back = ways.filter((previous) => isBack(previous, node))
    if (!back.every((previous) => dominates(node, previous))) return undefined
    if (back.length > 0) loops.add(node)
    if (ways.length - back.length > 1) merges.add(node)
  }

  const under = new Map<Node, Node[]>()
  for (const node of [...order].reverse()) {
    if (!merges.has(node)) continue
    const above = dominator.get(node) as Node
    under.set(above, [...(under.get(above) ?? []), node])
  }
  return {
    mergesUnder: (node) => under.get(node) ?? [],
    isMerge: (node) => merges.has(node),
    isLoop: (node) => loops.has(node),
    isBack,
    roundSize: (head) => loopBody(head, predecessors, isBack).size,
  }
}

/** The nodes from which a loop can go back to its head. */
function loopBody(
  head: Node,
  predecessors: ReadonlyMap<Node, readonly Node[]>,
  isBack: (from: Node, to: Node) => boolean,
): ReadonlySet<Node> {
  const body = new Set([head])
  const waiting = (predecessors.get(head) ?? []).filter((previous) => isBack(previous, head))
  while (waiting.length > 0) {
    const node = waiting.pop() as Node
    if (body.has(node)) continue
    body.add(node)
    waiting.push(...(predecessors.get(node) ?? []))
  }
  return body
}

function postorder(nodes: readonly Node[]): Node[] {
  const done: Node[] = []
  const seen = new Set<Node>()
  const open: { readonly node: Node; next: number }[] = []
  const enter = (node: Node) => {
    if (seen.has(node)) return
    seen.add(node)
    open.push({ node, next: 0 })
  }
  if (nodes[0] !== undefined) enter(nodes[0])
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const successor = top.node.successors[top.next++]
    if (successor !== undefined) enter(successor)
    else done.push((open.pop() as typeof top).node)
  }
  return done
}
