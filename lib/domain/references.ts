import type { ConnectorDefinition } from './definition.ts'
import type { EntityKind } from './entity.ts'

/** A name that a connector uses. */
export interface Reference {
  readonly kind: EntityKind
  readonly name: string
}

/**
 * Every reference of a connector in the order the registry resolves them, repeats included: the transformations of
 * all dimensions, then composites by dimension, then binding targets by (dimension, slot), then the condition.
 * The content hash lists dependencies in this order, so it must never change.
 */
export function references(definition: ConnectorDefinition): Reference[] {
  const found: Reference[] = []
  for (const dimension of definition.dimensions) {
    for (const call of dimension.transformations) found.push({ kind: 'transformation', name: call.name })
  }
  for (const dimension of definition.dimensions) {
    if (dimension.composite !== '') found.push({ kind: 'connector', name: dimension.composite })
  }
  for (const dimension of definition.dimensions) {
    for (const binding of dimension.bindings) found.push({ kind: 'connector', name: binding.name })
  }
  if (definition.conditionName !== '') found.push({ kind: 'condition', name: definition.conditionName })
  return found
}
