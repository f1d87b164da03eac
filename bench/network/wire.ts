import type { ConnectorDefinition } from '../../lib/protocol/definition.ts'

/** A definition as the chain API takes it, with other names. */
export function definitionRequest(definition: ConnectorDefinition, rename: (name: string) => string) {
  return {
    name: rename(definition.name),
    dimensions: definition.dimensions.map(({ transformations, composite }) => ({
      transformations: transformations.map(({ name, args }) => ({ name: rename(name), args })),
      ...(composite !== '' && { composite: rename(composite) }),
    })),
  }
}
