import { INT32, readNumber, UINT32 } from '#lib/browser/typed-number.ts'
import type { ConnectorDefinition } from '#lib/protocol/definition.ts'
import { definitionWire } from '#lib/protocol/definition-wire.ts'
import type { CodeEntry, ConnectorEntry, NewId } from './types.ts'

/** The definition of an entry; undefined while a number or the condition's name is missing. */
export function definitionOf(entry: ConnectorEntry): ConnectorDefinition | undefined {
  let finished = entry.condition?.name !== ''
  const number = (text: string, range: { min: number; max: number }): number => {
    const read = readNumber(text, range)
    if (!read.ok) finished = false
    return read.ok ? read.value : 0
  }
  const definition: ConnectorDefinition = {
    name: entry.name,
    dimensions: entry.dimensions.map(({ calls, composite, bindings }) => ({
      transformations: calls.map(({ name, args }) => ({
        name,
        args: args.map((text) => number(text, UINT32)),
      })),
      composite,
      bindings,
    })),
    conditionName: entry.condition?.name ?? '',
    conditionArgs: (entry.condition?.args ?? []).map((text) => number(text, INT32)),
    staticRi: entry.staticRi.map(({ position, startPoint, transformationShift }) => ({
      position,
      startPoint: number(startPoint, UINT32),
      transformationShift: number(transformationShift, UINT32),
    })),
  }
  return finished ? definition : undefined
}

/** A definition as an entry that can be edited: the start of a fork. */
export function entryOf(definition: ConnectorDefinition, newId: NewId): ConnectorEntry {
  const { name, dimensions, conditionName, conditionArgs, staticRi } = definition
  return {
    kind: 'connector',
    id: newId(),
    name,
    dimensions: dimensions.map(({ transformations, composite, bindings }) => ({
      id: newId(),
      calls: transformations.map((call) => ({ id: newId(), name: call.name, args: call.args.map(String) })),
      composite,
      bindings,
    })),
    condition: conditionName === '' ? null : { name: conditionName, args: conditionArgs.map(String) },
    staticRi: staticRi.map(({ position, startPoint, transformationShift }) => ({
      position,
      startPoint: String(startPoint),
      transformationShift: String(transformationShift),
    })),
  }
}

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

/** Body of `POST /connector`; undefined while one of the texts is not a number. */
export function connectorRequest(entry: ConnectorEntry) {
  const definition = definitionOf(entry)
  return definition && { name: definition.name, ...definitionWire(definition) }
}

/** Body of `POST /transformation` and `POST /condition`. */
export function codeRequest({ name, source }: CodeEntry) {
  return { name, sol_src: source }
}
