import '#lib/browser/zod-without-eval.ts'
import * as z from 'zod/mini'
import { type History, record, startHistory } from '../document/history.ts'
import { memoizeByObject } from '../document/memoize.ts'
import { same } from '../document/same.ts'
import { documentSchema } from '../document/schema.ts'
import { EMPTY_DOCUMENT, type Entry, type StudioDocument } from '../document/types.ts'

/** Undo steps that survive a reload, and about how many characters they may take. */
const MAX_STORED_STEPS = 200
const MAX_STORED_CHARACTERS = 2 * 1024 * 1024

/** The newest steps of a history, few and small enough to be stored with every save. */
export function bounded(history: History): History {
  const seen = new Set<object>()
  let characters = 0
  const fits = (document: StudioDocument): boolean => {
    for (const entry of document.entries) {
      if (!seen.has(entry)) characters += lengthOf(entry)
      seen.add(entry)
    }
    for (const list of [document.places, document.worlds ?? []]) {
      if (!seen.has(list)) characters += list.length * 80
      seen.add(list)
    }
    return characters <= MAX_STORED_CHARACTERS
  }
  const newest = <T extends History['past'][number]>(steps: readonly T[]): readonly T[] => {
    const from = steps.findLastIndex(({ before, after }) => !fits(after) || !fits(before))
    return steps.slice(from + 1).slice(-MAX_STORED_STEPS)
  }
  const past = newest(history.past)
  return { present: history.present, past, future: newest(history.future) }
}

const lengthOf = memoizeByObject((entry: Entry) => JSON.stringify(entry).length)

/**
 * The history for a document that was loaded: the stored one, where it is one. A document that was changed elsewhere since
 * is one more step of it.
 */
export function restoredHistory(stored: unknown, document: StudioDocument): History {
  if (!isHistory(stored)) return startHistory(document)
  return same(stored.present, document)
    ? stored
    : record(stored, { label: 'Change made elsewhere', after: document, atMs: 0 })
}

const step = z.strictObject({
  label: z.string().check(z.maxLength(1_000)),
  before: z.any(),
  after: z.any(),
  merge: z.optional(z.string()),
  atMs: z.number(),
})

const historySchema = z.strictObject({
  present: z.any(),
  past: z.array(step).check(z.maxLength(MAX_STORED_STEPS)),
  future: z.array(step).check(z.maxLength(MAX_STORED_STEPS)),
})

/** Another version of the page may have written it. Documents of a history share most of their entries. */
function isHistory(stored: unknown): stored is History {
  const read = historySchema.safeParse(stored)
  if (!read.success) return false
  const { present, past, future } = read.data
  const checked = new Set<unknown>()
  const documents = new Set([
    present,
    ...[...past, ...future].flatMap(({ before, after }) => [before, after]),
  ])
  return [...documents].every((document) => isDocument(document, checked))
}

function isDocument(document: unknown, checked: Set<unknown>): boolean {
  if (typeof document !== 'object' || document === null || !('entries' in document)) return false
  const { entries } = document
  if (!Array.isArray(entries)) return false
  const fresh = entries.filter((entry) => !checked.has(entry))
  for (const entry of fresh) checked.add(entry)
  return documentSchema.safeParse({ ...EMPTY_DOCUMENT, ...document, entries: fresh }).success
}
