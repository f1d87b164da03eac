import { newId } from '../../document/ids.ts'
import type { CodeEntry, ConnectorEntry, DraftCall, DraftDimension } from '../../document/types.ts'
import type { Holds, Look, Role, Target } from '../lesson.ts'

/** A use of a transformation. */
export function call(name: string, ...args: readonly number[]): DraftCall {
  return { id: newId(), name, args: args.map(String) }
}

/** A scalar dimension, or one that leads to `composite`. */
export function dimension(calls: readonly DraftCall[], composite = ''): DraftDimension {
  return { id: newId(), calls, composite, bindings: [] }
}

export function connector(
  name: string,
  dimensions: readonly DraftDimension[],
  more: Partial<Pick<ConnectorEntry, 'staticRi' | 'condition'>> = {},
): ConnectorEntry {
  return { kind: 'connector', id: newId(), name, dimensions, condition: null, staticRi: [], ...more }
}

export function code(kind: CodeEntry['kind'], name: string, source: string): CodeEntry {
  return { kind, id: newId(), name, source }
}

/** What is still missing until a dimension applies exactly these, each with its arguments. */
export function appliesExactly(
  look: Look,
  role: Role,
  index: number,
  wanted: readonly (readonly [name: string, ...args: number[]])[],
): Holds {
  const found = look.connector(role)?.dimensions[index]
  if (found === undefined) return `${look.name(role)} needs a dimension ${index}.`
  const text = ([name, ...args]: readonly [string, ...number[]]) => `${name}(${args.join(', ')})`
  const have = found.calls.map(({ name, args }) => text([name, ...args.map((each) => Number(each.trim()))]))
  const want = wanted.map(text)
  if (have.join() === want.join()) return true
  if (have.length === 0) return `Dimension ${index} applies nothing yet.`
  return `Dimension ${index} applies ${have.join(', then ')}; wanted is ${want.join(', then ')}.`
}

/** Whether the entry of a role is open in front. */
export function isInFront(look: Look, role: Role): Holds {
  return look.inFront === look.entry(role)?.id || `Open ${look.name(role)}.`
}

/** A control by the name that people hear. */
export function labelled(label: string, within?: Role): Target {
  return { control: { css: `[aria-label="${label}"]` }, ...(within !== undefined && { within }) }
}

/** A button by the beginning of its text. */
export function button(text: string, within?: Role): Target {
  return { control: { button: text }, ...(within !== undefined && { within }) }
}

/** A button of the bar above the outline, by the beginning of its text. */
export function barButton(text: string, within: Role): Target {
  return { control: { button: text, bar: true }, within }
}

/** An argument field of a use of something. */
export function argumentField(number: number, of: string, within: Role): Target {
  return labelled(`Argument ${number} of ${of}`, within)
}
