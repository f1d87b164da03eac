import type { ConnectorDefinition } from './definition.ts'
import { references } from './references.ts'

/** What has to be built for a connector, or the name of one that is made of itself. */
export type BuildOrder =
  | { readonly ok: true; readonly ordered: readonly ConnectorDefinition[] }
  | { readonly ok: false; readonly circle: string }

/**
 * The root and the connectors of a document below it, each after everything it stands on. Names that the document does
 * not have are somebody else's.
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
