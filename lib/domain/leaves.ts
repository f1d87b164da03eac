import type { Leaf } from './artifact.ts'
import type { ConnectorDefinition } from './definition.ts'

/** Most final scalars a connector may have. */
export const MAX_LEAVES = 4096

/** Deepest nesting of connectors in an expanded tree. */
export const MAX_DEPTH = 256

/**
 * How many leaves a connector has, without building them: nesting multiplies, so this is asked first.
 *
 * @param leavesOf Leaves of a composite or binding target; the definition must have passed the creation checks.
 */
export function countLeaves(
  definition: ConnectorDefinition,
  leavesOf: (name: string) => { readonly length: number },
): number {
  let count = 0
  for (const dimension of definition.dimensions) {
    if (dimension.composite === '') count += 1
    else {
      count += leavesOf(dimension.composite).length
      for (const binding of dimension.bindings) count += leavesOf(binding.name).length - 1
    }
  }
  return count
}

/**
 * The final scalars of a connector in particle order, repeats included. A scalar dimension is a leaf of the
 * connector itself; a composite contributes its own leaves, where each bound one is replaced, in place, by the
 * leaves of its target.
 *
 * @example host `[K { 0 -> T }]` with K of two scalars and T of one has the leaves `T:0, K:1`.
 */
export function connectorLeaves(
  definition: ConnectorDefinition,
  leavesOf: (name: string) => readonly Leaf[],
): Leaf[] {
  const leaves: Leaf[] = []
  definition.dimensions.forEach((dimension, index) => {
    if (dimension.composite === '') {
      leaves.push({ connector: definition.name, dimension: index })
      return
    }
    const targets = new Map(dimension.bindings.map((binding) => [binding.slot, binding.name]))
    leavesOf(dimension.composite).forEach((leaf, slot) => {
      const target = targets.get(slot)
      if (target === undefined) leaves.push(leaf)
      else for (const replacement of leavesOf(target)) leaves.push(replacement)
    })
  })
  return leaves
}
