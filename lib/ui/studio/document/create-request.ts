import { definitionOf } from './definition-of.ts'
import type { CodeEntry, ConnectorEntry } from './types.ts'

/** Body of `POST /connector`; undefined while one of the texts is not a number. */
export function connectorRequest(entry: ConnectorEntry) {
  const definition = definitionOf(entry)
  if (definition === undefined) return undefined
  const { name, dimensions, conditionName, conditionArgs, staticRi } = definition
  return {
    name,
    dimensions: dimensions.map(({ transformations, composite, bindings }) => ({
      transformations: transformations.map((call) => ({ name: call.name, args: [...call.args] })),
      composite,
      // Keys are decimals, so no name of an entity is ever a key.
      bindings: Object.fromEntries(bindings.map((binding) => [String(binding.slot), binding.name])),
    })),
    condition_name: conditionName,
    condition_args: [...conditionArgs],
    static_ri: Object.fromEntries(
      staticRi.map(({ position, startPoint, transformationShift }) => [
        String(position),
        { start_point: startPoint, transformation_shift: transformationShift },
      ]),
    ),
  }
}

/** Body of `POST /transformation` and `POST /condition`. */
export function codeRequest({ name, source }: CodeEntry) {
  return { name, sol_src: source }
}
