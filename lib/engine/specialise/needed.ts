import { edgesOf, type Node } from './graph.ts'
import type { State } from './state.ts'
import type { Term, Value } from './value.ts'

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

/** What each variable may be set to. */
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
