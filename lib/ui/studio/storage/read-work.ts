import { newId } from '../document/ids.ts'
import { documentSchema, viewSchema } from '../document/schema.ts'
import { tidy } from '../document/tidy.ts'
import type { StoredWork, Works } from './works.ts'

export type ReadWork =
  | { readonly found: 'work'; readonly work: StoredWork }
  | { readonly found: 'nothing' }
  /** What is stored is not a document that is known here. It has been put aside. */
  | { readonly found: 'unreadable'; readonly text: string }

/** What is stored for an owner, fit for use. */
export async function readWork(works: Works, owner: string): Promise<ReadWork> {
  const stored: unknown = await works.get('works', owner)
  if (stored === undefined) return { found: 'nothing' }
  const work = checked(stored, owner)
  if (work !== undefined) return { found: 'work', work }
  const transaction = works.transaction(['works', 'unreadable'], 'readwrite')
  await Promise.all([
    transaction.objectStore('unreadable').add({ owner, foundAtMs: Date.now(), work: stored }),
    transaction.objectStore('works').delete(owner),
    transaction.done,
  ])
  return { found: 'unreadable', text: JSON.stringify(stored, null, 2) }
}

/** Another version of the page may have written it. */
function checked(stored: unknown, owner: string): StoredWork | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined
  const { revision, savedAtMs, document, view } = stored as Partial<Record<keyof StoredWork, unknown>>
  const readDocument = documentSchema.safeParse(document)
  const readView = viewSchema.safeParse(view)
  if (!readDocument.success || !Number.isSafeInteger(revision) || !Number.isFinite(savedAtMs))
    return undefined
  const fit = tidy(readDocument.data, readView.success ? readView.data : { tabs: [], active: null }, newId)
  return { owner, revision: revision as number, savedAtMs: savedAtMs as number, ...fit }
}
