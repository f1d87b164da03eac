import { type NodeRef, refKey } from '#lib/studio/document/node-ref.ts'
import { type ShapeOfName, type Slot, slotsOf } from '#lib/studio/document/slots.ts'
import type { ConnectorEntry, DraftCall, DraftDimension } from '#lib/studio/document/types.ts'

interface RowBase {
  readonly at: NodeRef
  /** `refKey(at)` */
  readonly key: string
  /** From 1. */
  readonly level: number
}

/** A line of the outline. */
export type Row = RowBase & RowContent

type RowContent =
  | {
      readonly kind: 'dimension'
      readonly index: number
      readonly dimension: DraftDimension
      readonly open: boolean
    }
  | { readonly kind: 'call'; readonly index: number; readonly of: number; readonly call: DraftCall }
  | { readonly kind: 'composite'; readonly name: string }
  | ({ readonly kind: 'slot' } & Slot)
  | { readonly kind: 'condition'; readonly entry: ConnectorEntry }

/**
 * The lines of a connector from top to bottom. Under a dimension: its transformations, what it leads to, and a line a
 * slot of that.
 *
 * @param closed Keys of dimensions whose lines are hidden.
 */
export function rowsOf(entry: ConnectorEntry, shapeOf: ShapeOfName, closed: ReadonlySet<string>): Row[] {
  const rows: Row[] = []
  const add = (row: { at: NodeRef; level: number } & RowContent) => {
    rows.push({ ...row, key: refKey(row.at) } as Row)
  }
  entry.dimensions.forEach((dimension, index) => {
    const where = { entryId: entry.id, dimensionId: dimension.id }
    const at = { kind: 'dimension', ...where } as const
    const open = !closed.has(refKey(at))
    add({ at, level: 1, kind: 'dimension', index, dimension, open })
    if (!open) return
    dimension.calls.forEach((call, place) => {
      const callAt = { kind: 'call', ...where, callId: call.id } as const
      add({ at: callAt, level: 2, kind: 'call', index: place, of: dimension.calls.length, call })
    })
    add({ at: { kind: 'composite', ...where }, level: 2, kind: 'composite', name: dimension.composite })
    const filled = dimension.bindings.filter(({ slot }) => slot < MAX_SLOTS_SHOWN).length
    for (const slot of slotsOf(dimension, shapeOf, () => MAX_SLOTS_SHOWN - filled).slots) {
      add({ at: { kind: 'binding', ...where, slot: slot.slot }, level: 3, kind: 'slot', ...slot })
    }
  })
  if (entry.condition !== null) {
    add({ at: { kind: 'condition', entryId: entry.id }, level: 1, kind: 'condition', entry })
  }
  return rows
}

/** Slots listed for one composite; beyond these only the filled ones are. */
const MAX_SLOTS_SHOWN = 64
