import type { Reference } from '#lib/protocol/references.ts'
import { renameEverywhere } from './commands/entries.ts'
import type { LibrarySource } from './parts.ts'
import { EMPTY_DOCUMENT, type Entry, newId, type StudioDocument } from './types.ts'

/** Names tried for each entry: `melody`, `melody_2` and so on. */
const TRIES = 8
/** As many as the server reads at once, and how many such requests are made: names beyond are not looked up. */
const MAX_NAMES = 50
const MAX_REQUESTS = 6
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
  // The first candidates of all come before the second of any.
  const inOrder = Array.from({ length: TRIES }, (_, at) => tried.flatMap((names) => names[at] ?? [])).flat()
  const isTaken = await takenAmong(inOrder.slice(0, MAX_NAMES * MAX_REQUESTS), library)
  // A name that another of them has is not free either: references would mean both.
  const used = new Map<string, number>()
  const count = (kind: Entry['kind'], name: string, by: number) => {
    const key = `${kind}/${name}`
    used.set(key, (used.get(key) ?? 0) + by)
    return used.get(key) ?? 0
  }
  for (const { kind, name } of entries) count(kind, name, 1)
  let renamed: StudioDocument = { ...EMPTY_DOCUMENT, entries }
  entries.forEach(({ id: entryId, kind, name }, index) => {
    count(kind, name, -1)
    const freeReference = tried[index]?.find((each) => !isTaken(each) && count(kind, each.name, 0) === 0)
    const free = freeReference?.name ?? `${name}_${newId().slice(0, 6)}`
    count(kind, free, 1)
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
    const reads = Array.from({ length: Math.ceil(names.length / MAX_NAMES) }, (_, at) =>
      library.read(names.slice(at * MAX_NAMES, (at + 1) * MAX_NAMES)),
    )
    const entities = await Promise.race([Promise.all(reads), late])
    const keys = new Set(entities.flat().map(({ kind, name }) => `${kind}/${name}`))
    return ({ kind, name }) => keys.has(`${kind}/${name}`)
  } catch {
    return ({ kind, name }) => typeof library.find(kind, name) === 'object'
  }
}
