import type { ConnectorDefinition, PositionedRunningInstance } from './definition.ts'

/** A definition as the APIs spell it: maps where the domain has lists. */
export function definitionWire(definition: ConnectorDefinition) {
  return {
    dimensions: definition.dimensions.map(({ transformations, composite, bindings }) => ({
      transformations: transformations.map(({ name, args }) => ({ name, args: [...args] })),
      composite,
      // Keys are decimals, so no name of an entity is ever a key.
      bindings: Object.fromEntries(bindings.map(({ slot, name }) => [String(slot), name])),
    })),
    condition_name: definition.conditionName,
    condition_args: [...definition.conditionArgs],
    static_ri: startsWire(definition.staticRi),
  }
}

/** Running instances likewise, by position. */
export function startsWire(starts: readonly PositionedRunningInstance[]) {
  return Object.fromEntries(
    starts.map(({ position, startPoint, transformationShift }) => [
      String(position),
      { start_point: startPoint, transformation_shift: transformationShift },
    ]),
  )
}
