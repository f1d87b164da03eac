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
  const uses: Reference[] = []
  for (const dimension of definition.dimensions) {
    for (const call of dimension.transformations) uses.push({ kind: 'transformation', name: call.name })
  }
  for (const dimension of definition.dimensions) {
    if (dimension.composite !== '') uses.push({ kind: 'connector', name: dimension.composite })
  }
  for (const dimension of definition.dimensions) {
    for (const binding of dimension.bindings) uses.push({ kind: 'connector', name: binding.name })
  }
  if (definition.conditionName !== '') uses.push({ kind: 'condition', name: definition.conditionName })
  return uses
}

/** Order in which to build the parts of a connector, or the name of one that is made of itself. */
export type BuildOrder =
  | { readonly ok: true; readonly ordered: readonly ConnectorDefinition[] }
  | { readonly ok: false; readonly circle: string }

/**
 * The root and the connectors of a document below it, each after its dependencies. Names that the document does not have are
 * published or drafted elsewhere.
 */
export function buildOrder(
  definitions: ReadonlyMap<string, ConnectorDefinition>,
  rootName: string,
): BuildOrder {
  const ordered: ConnectorDefinition[] = []
  const state = new Map<string, 'open' | 'done'>()

  const visit = (name: string): string | undefined => {
    const definition = definitions.get(name)
    if (definition === undefined || state.get(name) === 'done') return undefined
    if (state.get(name) === 'open') return name
    state.set(name, 'open')
    for (const reference of references(definition)) {
      const circle = reference.kind === 'connector' ? visit(reference.name) : undefined
      if (circle !== undefined) return circle
    }
    state.set(name, 'done')
    ordered.push(definition)
    return undefined
  }

  const circle = visit(rootName)
  return circle === undefined ? { ok: true, ordered } : { ok: false, circle }
}
