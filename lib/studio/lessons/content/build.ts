import { changeDimension } from '../../document/commands/helpers.ts'
import {
  type CodeEntry,
  type ConnectorEntry,
  type DraftCall,
  type DraftDimension,
  newId,
  type StudioDocument,
} from '../../document/types.ts'
import type { Holds, Pieces, Role, Snapshot, Target } from '../lesson.ts'

/** A use of a transformation. */
export function call(name: string, ...args: readonly number[]): DraftCall {
  return { id: newId(), name, args: args.map(String) }
}

/** A scalar dimension. */
export function dimension(calls: readonly DraftCall[]): DraftDimension {
  return { id: newId(), calls, composite: '', bindings: [] }
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

/** Checks that the first dimension applies exactly these, each with its arguments, and says what is still missing. */
export function appliesExactly(
  snapshot: Snapshot,
  role: Role,
  calls: readonly (readonly [name: string, ...args: number[]])[],
): Holds {
  const dimension = snapshot.connector(role)?.dimensions[0]
  if (dimension === undefined) return `${snapshot.name(role)} needs a voice.`
  const text = ([name, ...args]: readonly [string, ...number[]]) => `${name}(${args.join(', ')})`
  const have = dimension.calls.map(({ name, args }) =>
    text([name, ...args.map((each) => Number(each.trim()))]),
  )
  const want = calls.map(text)
  if (have.join() === want.join()) return true
  if (have.length === 0) return 'The first voice does nothing yet.'
  return `The first voice does ${have.join(', then ')}; wanted is ${want.join(', then ')}.`
}

/** A control by its accessible name. */
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

/** The first argument field of that number of a use of something. */
export function argumentField(number: number, of: string, within: Role): Target {
  // A row of several steps says which, behind a comma.
  const label = `Number ${number} of ${of}`
  return { control: { css: `[aria-label="${label}"], [aria-label^="${label},"]` }, within }
}

/** Has the first dimension of a piece apply exactly one thing; nothing when there is no such piece any more. */
export function withCall(pieces: Pieces, role: Role, call: DraftCall): StudioDocument {
  const entry = pieces.connector(role)
  const dimension = entry?.dimensions[0]
  if (entry === undefined || dimension === undefined) return pieces.document
  return changeDimension(pieces.document, { entryId: entry.id, dimensionId: dimension.id }, (before) => ({
    ...before,
    calls: [call],
  }))
}

/** Applies a command to a piece; nothing when there is no such piece any more. */
export function withEntry(
  pieces: Pieces,
  role: Role,
  command: (document: StudioDocument, at: { readonly entryId: string }) => StudioDocument,
): StudioDocument {
  const entry = pieces.entry(role)
  return entry === undefined ? pieces.document : command(pieces.document, { entryId: entry.id })
}
