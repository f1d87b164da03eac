import type { ConnectorDefinition } from '../../../domain/definition.ts'
import type { NewId } from './ids.ts'
import { INT32, readNumber, UINT32 } from './numbers.ts'
import type { ConnectorEntry } from './types.ts'

/** The definition that an entry's texts stand for; undefined while a number or the condition's name is missing. */
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
