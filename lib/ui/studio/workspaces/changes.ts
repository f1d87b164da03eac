import { type EntryChange, type EntryMark, entryChanges } from '../../../domain/entry-changes.ts'
import { same } from '../document/same.ts'
import type { Entry, StudioDocument } from '../document/types.ts'

/** What would happen to the entries if `after` took the place of `before`. */
export function documentChanges(before: StudioDocument, after: StudioDocument): EntryChange[] {
  const old = new Map(before.entries.map((entry) => [entry.id, entry]))
  const marks = ({ entries }: StudioDocument) =>
    entries.map(
      (entry): EntryMark => ({
        id: entry.id,
        kind: entry.kind,
        name: entry.name,
        content: same(withoutName(entry), withoutName(old.get(entry.id))) ? 'as before' : 'changed',
      }),
    )
  return entryChanges(marks(before), marks(after))
}

const WORDS = { added: 'added', removed: 'removed', changed: 'changed' } as const

/** One change as people read it: `melody changed`. */
export function changeText({
  change,
  name,
  nameBefore,
}: Pick<EntryChange, 'change' | 'name' | 'nameBefore'>): string {
  const called = (text: string) => text || 'no name yet'
  return change === 'renamed'
    ? `${called(nameBefore ?? '')} renamed to ${called(name)}`
    : `${called(name)} ${WORDS[change]}`
}

function withoutName(entry: Entry | undefined): unknown {
  return entry && { ...entry, name: '' }
}
