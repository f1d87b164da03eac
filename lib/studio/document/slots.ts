import type { Shape } from './shapes.ts'
import type { DraftBinding, DraftDimension } from './types.ts'

export interface Slot {
  readonly slot: number
  /** Its scalar, as `pitch:0`; empty while unknown. */
  readonly label: string
  readonly binding: DraftBinding | undefined
}

/** The shape of a connector by name; undefined while it is not known. */
export type ShapeOfName = (name: string) => Shape | undefined

/**
 * The slots of what a dimension leads to, in order: those that are filled, and the first ones of the others.
 *
 * @param most How many open slots are listed, by the number of all.
 */
export function slotsOf(
  { composite, bindings }: DraftDimension,
  shapeOfName: ShapeOfName,
  most: (open: number) => number,
): { readonly slots: readonly Slot[]; readonly left: number } {
  const leaves = composite === '' ? [] : (shapeOfName(composite)?.leaves ?? [])
  const bound = new Map(bindings.map((binding) => [binding.slot, binding]))
  const open = leaves.flatMap((_, slot) => (bound.has(slot) ? [] : [slot]))
  const listed = open.slice(0, most(open.length))
  const slots = [...bound.keys(), ...listed].sort((a, b) => a - b)
  return {
    slots: slots.map((slot) => {
      const leaf = leaves[slot]
      return { slot, label: leaf ? `${leaf.connector}:${leaf.dimension}` : '', binding: bound.get(slot) }
    }),
    left: open.length - listed.length,
  }
}
