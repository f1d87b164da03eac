import type { Reference } from '../../../protocol/references.ts'
import { renameEverywhere } from './commands/entries.ts'
import type { LibrarySource } from './parts.ts'
import { EMPTY_DOCUMENT, type Entry, newId, type StudioDocument } from './types.ts'

/** Names tried for each entry: `melody`, `melody_2` and so on. */
const TRIES = 8
/** As many as the server reads at once. */
const MAX_NAMES = 50
const TIMEOUT_MS = 1_500

/**
 * Renames entries so that no name is one of the document, of the server's drafts or of the chain; references among them
 * follow. While the server does not answer, a name known to be taken is avoided.
 */
export async function withFreeNames(
  entries: readonly Entry[],
  document: StudioDocument,
  library: Pick<LibrarySource, 'find' | 'read'>,
): Promise<readonly Entry[]> {
  const tried = entries.map(({ kind, name }) => candidates(document, kind, name))
  const taken = await takenAmong(tried.flat().slice(0, MAX_NAMES), library)
  let renamed: StudioDocument = { ...EMPTY_DOCUMENT, entries }
  entries.forEach(({ id: entryId, name }, index) => {
    const free = tried[index]?.find((each) => !taken(each))?.name ?? `${name}_${newId().slice(0, 6)}`
    renamed = renameEverywhere(renamed, { entryId, name: free })
  })
  return renamed.entries
}

/** The first names that the document does not have: `melody`, `melody_2`. */
function candidates({ entries }: StudioDocument, kind: Entry['kind'], name: string): readonly Reference[] {
  const own = new Set(entries.filter((entry) => entry.kind === kind).map((entry) => entry.name))
  const [, stem = name] = /^(.+)_[0-9]+$/.exec(name) ?? []
  const numbered = Array.from({ length: own.size + TRIES }, (_, index) => `${stem}_${index + 2}`)
  return [name, ...numbered]
    .filter((each) => !own.has(each))
    .slice(0, TRIES)
    .map((each) => ({ kind, name: each }))
}

async function takenAmong(
  names: readonly Reference[],
  library: Pick<LibrarySource, 'find' | 'read'>,
): Promise<(name: Reference) => boolean> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('The server does not answer')), TIMEOUT_MS)
  })
  try {
    const found = await Promise.race([library.read(names), late])
    const keys = new Set(found.map(({ kind, name }) => `${kind}/${name}`))
    return ({ kind, name }) => keys.has(`${kind}/${name}`)
  } catch {
    return ({ kind, name }) => typeof library.find(kind, name) === 'object'
  }
}
