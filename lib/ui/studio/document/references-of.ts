import type { EntityKind } from '../../../domain/entity.ts'
import type { NodeRef } from './node-ref.ts'
import type { ConnectorEntry, Entry } from './types.ts'

/** A name that an entry uses, and where. */
export interface DraftReference {
  readonly at: NodeRef
  readonly kind: EntityKind
  readonly name: string
}

/** Every name an entry uses, from top to bottom, repeats included. Names still to be chosen are left out. */
export function referencesOf(entry: Entry): readonly DraftReference[] {
  if (entry.kind !== 'connector') return []
  const before = known.get(entry)
  if (before !== undefined) return before
  const found = listed(entry)
  known.set(entry, found)
  return found
}

// Entries never change, and all of them are asked about with every key stroke.
const known = new WeakMap<ConnectorEntry, readonly DraftReference[]>()

function listed(entry: ConnectorEntry): readonly DraftReference[] {
  const found: DraftReference[] = []
  for (const { id, calls, composite, bindings } of entry.dimensions) {
    const where = { entryId: entry.id, dimensionId: id }
    for (const call of calls) {
      found.push({ at: { kind: 'call', ...where, callId: call.id }, kind: 'transformation', name: call.name })
    }
    found.push({ at: { kind: 'composite', ...where }, kind: 'connector', name: composite })
    for (const { slot, name } of bindings) {
      found.push({ at: { kind: 'binding', ...where, slot }, kind: 'connector', name })
    }
  }
  if (entry.condition !== null) {
    found.push({
      at: { kind: 'condition', entryId: entry.id },
      kind: 'condition',
      name: entry.condition.name,
    })
  }
  return found.filter(({ name }) => name !== '')
}
