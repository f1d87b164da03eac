import { freeName } from '../document/clip.ts'
import { addEntry } from '../document/commands/entries.ts'
import type { Entry, Id, StudioDocument } from '../document/types.ts'
import type { Lesson, Step } from './lesson.ts'
import { type Made, namingOf, piecesOf } from './pieces.ts'
import type { Progress } from './progress.ts'

/** A document with the pieces of a lesson in it, and how far the lesson is. */
export interface Round {
  readonly document: StudioDocument
  readonly progress: Progress
  /** The entry to open; undefined when there is none to show. */
  readonly open: Id | undefined
}

/**
 * Begins a lesson on top of whatever somebody works on: its pieces are entries of their own, with names of their own.
 * With `upTo`, the steps before it are done, too: for when the pieces of an earlier round are gone.
 *
 * @param visit The visit to the page.
 */
export function beginRound(
  lesson: Lesson,
  before: StudioDocument,
  { word, visit, upTo = 0 }: { readonly word: string; readonly visit: string; readonly upTo?: number },
): Round {
  const made = new Map<string, Id>()
  let document = before
  const add = (role: string, entry: Entry) => {
    const name = freeName(document.entries, entry.kind, entry.name)
    document = addEntry(document, { entry: { ...entry, name } })
    made.set(role, entry.id)
  }
  for (const { role, entry } of lesson.setUp(namingOf(word))) add(role, entry)
  for (let index = 0; index < upTo; index++) {
    const pieces = piecesOf(document, made, word)
    const step = lesson.steps(pieces.name, namingOf(word))[index]
    if (step?.adopts !== undefined) add(step.adopts.role, step.adopts.make())
    else if (step?.doIt !== undefined) document = step.doIt(pieces)
  }
  const progress: Progress = {
    step: upTo,
    reached: upTo,
    finished: false,
    word,
    made: [...made],
    known: before.entries.map(({ id }) => id),
    visit,
  }
  return { document, progress, open: [...made.values()][0] }
}

/** The entry that plays the role a step is about: the newest of its kind that is nobody else's. */
export function adoptable(
  { adopts }: Step,
  { entries }: StudioDocument,
  { made, known }: Progress,
): Entry | undefined {
  if (adopts === undefined || made.some(([role, id]) => role === adopts.role && has(entries, id)))
    return undefined
  const taken = new Set([...known, ...made.map(([, id]) => id)])
  return entries.findLast(({ id, kind }) => kind === adopts.kind && !taken.has(id))
}

/** Does a step for whoever is stuck: the document afterwards. The same document when nobody else can do it. */
export function stepDone(step: Step, document: StudioDocument, { made, word }: Progress): StudioDocument {
  if (step.adopts !== undefined) {
    const entry = step.adopts.make()
    const name = freeName(document.entries, entry.kind, entry.name)
    return addEntry(document, { entry: { ...entry, name } })
  }
  return step.doIt?.(piecesOf(document, new Map(made), word)) ?? document
}

/** Roles whose entries are gone from the document. */
export function missingRoles(document: StudioDocument, made: Made): string[] {
  return [...made].filter(([, id]) => !has(document.entries, id)).map(([role]) => role)
}

function has(entries: readonly Entry[], id: Id): boolean {
  return entries.some((entry) => entry.id === id)
}
