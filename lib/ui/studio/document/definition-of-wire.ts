import type { ConnectorDefinition } from '../../../domain/definition.ts'

/** A connector as the chain API spells it. */
export interface WireDefinition {
  readonly name: string
  readonly dimensions: readonly {
    readonly transformations: readonly { readonly name: string; readonly args: readonly number[] }[]
    readonly composite: string
    readonly bindings: Readonly<Record<string, string>>
  }[]
  readonly condition_name: string
  readonly condition_args: readonly number[]
  readonly static_ri: Readonly<
    Record<string, { readonly start_point: number; readonly transformation_shift: number }>
  >
}

/** The normal form of a connector that the API spells. */
export function definitionOfWire(wire: WireDefinition): ConnectorDefinition {
  return {
    name: wire.name,
    dimensions: wire.dimensions.map(({ transformations, composite, bindings }) => ({
      transformations,
      composite,
      bindings: Object.entries(bindings)
        .map(([slot, name]) => ({ slot: Number(slot), name }))
        .sort((a, b) => a.slot - b.slot),
    })),
    conditionName: wire.condition_name,
    conditionArgs: wire.condition_args,
    staticRi: Object.entries(wire.static_ri)
      .map(([position, ri]) => ({
        position: Number(position),
        startPoint: ri.start_point,
        transformationShift: ri.transformation_shift,
      }))
      .sort((a, b) => a.position - b.position),
  }
}
