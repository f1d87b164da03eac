import type { NodeRef } from './node-ref.ts'
import type { Entry, StudioDocument } from './types.ts'

/** A place where a text was found. */
export interface Hit {
  readonly at: NodeRef
  /** The whole text it was found in, or its line. */
  readonly text: string
}

/** Every name, number and line of a body that contains `query`, in the order of the document; letters match in any case. */
export function find(document: StudioDocument, query: string): Hit[] {
  const needle = query.trim().toLowerCase()
  if (needle === '') return []
  return document.entries
    .flatMap((entry) => texts(entry))
    .filter(({ text }) => text.toLowerCase().includes(needle))
}

function texts(entry: Entry): Hit[] {
  const at = { kind: 'entry', entryId: entry.id } as const
  const hits: Hit[] = [{ at, text: entry.name }]
  if (entry.kind !== 'connector') {
    return [...hits, ...entry.source.split('\n').map((line) => ({ at, text: line.trim() }))]
  }
  for (const { id, calls, composite, bindings } of entry.dimensions) {
    const where = { entryId: entry.id, dimensionId: id }
    for (const call of calls) {
      hits.push({ at: { kind: 'call', ...where, callId: call.id }, text: callText(call) })
    }
    hits.push({ at: { kind: 'composite', ...where }, text: composite })
    for (const { slot, name } of bindings) hits.push({ at: { kind: 'binding', ...where, slot }, text: name })
  }
  if (entry.condition !== null) {
    hits.push({ at: { kind: 'condition', entryId: entry.id }, text: callText(entry.condition) })
  }
  return hits
}

/** Text of a use of a transformation or condition: `add(1, 2)`. */
function callText({ name, args }: { readonly name: string; readonly args: readonly string[] }): string {
  return `${name}(${args.join(', ')})`
}
