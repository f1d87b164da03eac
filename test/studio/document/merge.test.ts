import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { merge } from '#lib/studio/document/merge.ts'
import { type Entry, newId, type StudioDocument } from '#lib/studio/document/types.ts'
import { arbitraryCommand, arbitraryDocument, type Command } from './commands-arbitrary.ts'

const commands = fc.array(arbitraryCommand, { maxLength: 12 })
function applied(document: StudioDocument, made: readonly Command[]) {
  return made.reduce((next, command) => command(next), document)
}

/** An entry without its ids and its name, which a copy replaces. */
function content(entry: Entry) {
  return JSON.stringify(entry, (key, value: unknown) =>
    key === 'id' || key === 'callId' || key === 'name' ? undefined : value,
  )
}

describe('what two tabs made of one document', () => {
  it('is what the one made when the other did nothing', () => {
    fc.assert(
      fc.property(arbitraryDocument, commands, (base, made) => {
        const changed = applied(base, made)
        expect(merge(base, changed, base, newId)).toBe(changed)
        expect(merge(base, base, changed, newId)).toEqual(changed)
        expect(merge(base, changed, structuredClone(changed), newId)).toBe(changed)
      }),
      { numRuns: 200 },
    )
  })

  it('contains everything that either side added or changed', () => {
    fc.assert(
      fc.property(arbitraryDocument, commands, commands, (base, madeHere, madeThere) => {
        const [mine, theirs] = [applied(base, madeHere), applied(base, madeThere)]
        const merged = merge(base, mine, theirs, newId)
        const known = new Map(base.entries.map((entry) => [entry.id, JSON.stringify(entry)]))
        const kept = merged.entries.map(content)
        for (const entry of [...mine.entries, ...theirs.entries]) {
          if (known.get(entry.id) !== JSON.stringify(entry)) expect(kept).toContain(content(entry))
        }
        // What both removed, or one removed and the other left alone, is gone.
        for (const entry of base.entries) {
          const [here, there] = [mine, theirs].map(({ entries }) => entries.find(({ id }) => id === entry.id))
          const untouched = (found: Entry | undefined) =>
            found === undefined || JSON.stringify(found) === JSON.stringify(entry)
          if ((here === undefined || there === undefined) && untouched(here) && untouched(there)) {
            expect(merged.entries.some(({ id }) => id === entry.id)).toBe(false)
          }
        }
        const ids = merged.entries.map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
      }),
      { numRuns: 300 },
    )
  })

  it('is the same in both tabs after each has taken in the other', () => {
    fc.assert(
      fc.property(arbitraryDocument, commands, commands, (base, madeHere, madeThere) => {
        const [mine, theirs] = [applied(base, madeHere), applied(base, madeThere)]
        // The first writes; the second finds that and writes both; the first takes that in.
        const second = merge(base, theirs, mine, newId)
        expect(merge(mine, mine, second, newId)).toEqual(second)
      }),
      { numRuns: 200 },
    )
  })
})
