import type { Address } from '../../../domain/entity.ts'
import { codeRequest } from '../document/create-request.ts'
import { referencesOf } from '../document/references-of.ts'
import type { Entry, StudioDocument } from '../document/types.ts'
import { sliceOf } from '../preview/slice-of.ts'

/** An entry and every entry of the document that it needs. */
export function entriesBelow(document: StudioDocument, root: Entry): readonly Entry[] {
  const byName = new Map<string, Entry>()
  for (const entry of document.entries) {
    // Of entries with one name the first counts.
    const key = `${entry.kind}/${entry.name}`
    if (!byName.has(key)) byName.set(key, entry)
  }
  const found = new Set<Entry>([root])
  // Grows while it is walked.
  for (const entry of found) {
    for (const { kind, name } of referencesOf(entry)) {
      const used = byName.get(`${kind}/${name}`)
      if (used !== undefined) found.add(used)
    }
  }
  return [...found]
}

/** What to ask the server for the plan of an entry; undefined while a number of it is unfinished. */
export function planRequestOf(document: StudioDocument, root: Entry, account: Address | undefined) {
  const what = { kind: root.kind, name: root.name, ...(account !== undefined && { account }) }
  if (root.kind !== 'connector') {
    return { ...what, connectors: [], bodies: [{ kind: root.kind, ...codeRequest(root) }] }
  }
  const slice = sliceOf(document, root)
  return slice && { ...what, connectors: slice.connectors, bodies: slice.bodies }
}
