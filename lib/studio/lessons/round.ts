import { freeName } from '../document/clip.ts'
import { addEntry } from '../document/commands/entries.ts'
import type { Problem } from '../document/problem.ts'
import type { Entry, Id, StudioDocument } from '../document/types.ts'
import type { Lesson, Naming, Pieces, Role, Snapshot, Step } from './lesson.ts'
import type { Progress } from './progress.ts'

/** A document with the pieces of a lesson in it, and how far the lesson is. */
export interface Round {
  readonly document: StudioDocument
  readonly progress: Progress
  /** The entry to open; undefined when there is none to show. */
  readonly open: Id | undefined
}

/**
 * Begins a lesson in the present document: adds its entries under free names. With `upTo`, the steps before it are
 * done, for when the entries of an earlier round are missing.
 */
export function beginRound(
  lesson: Lesson,
  before: StudioDocument,
  { word, upTo = 0 }: { readonly word: string; readonly upTo?: number },
): Round {
  const idByRole = new Map<string, Id>()
  let document = before
  const add = (role: string, entry: Entry) => {
    const name = freeName(document.entries, entry.kind, entry.name)
    document = addEntry(document, { entry: { ...entry, name } })
    idByRole.set(role, entry.id)
  }
  for (const { role, entry } of lesson.setUp(namingOf(word))) add(role, entry)
  for (let index = 0; index < upTo; index++) {
    const pieces = piecesOf(document, idByRole, word)
    const step = lesson.steps(pieces.name, namingOf(word))[index]
    if (step?.adopts !== undefined) add(step.adopts.role, step.adopts.make())
    else if (step?.doIt !== undefined) document = step.doIt(pieces)
  }
  const progress: Progress = {
    step: upTo,
    reached: upTo,
    finished: false,
    word,
    made: [...idByRole],
    known: before.entries.map(({ id }) => id),
  }
  return { document, progress, open: [...idByRole.values()][0] }
}

/** The newest entry of the adopted kind that has no role yet. */
export function adoptable(
  { adopts }: Step,
  { entries }: StudioDocument,
  { made, known }: Progress,
): Entry | undefined {
  if (adopts === undefined || made.some(([role, id]) => role === adopts.role && has(entries, id)))
    return undefined
  const knownIds = new Set([...known, ...made.map(([, id]) => id)])
  return entries.findLast(({ id, kind }) => kind === adopts.kind && !knownIds.has(id))
}

/** Does a step; returns the document unchanged when only the user can. */
export function stepDone(step: Step, document: StudioDocument, { made, word }: Progress): StudioDocument {
  if (step.adopts !== undefined) {
    const entry = step.adopts.make()
    const name = freeName(document.entries, entry.kind, entry.name)
    return addEntry(document, { entry: { ...entry, name } })
  }
  return step.doIt?.(piecesOf(document, new Map(made), word)) ?? document
}

/** Roles whose entries were removed. */
export function missingRoles(document: StudioDocument, idByRole: Made): string[] {
  return [...idByRole].filter(([, id]) => !has(document.entries, id)).map(([role]) => role)
}

function has(entries: readonly Entry[], id: Id): boolean {
  return entries.some((entry) => entry.id === id)
}

/** Which entry plays which role. */
export type Made = ReadonlyMap<Role, Id>

/** The name a role has in a round of a lesson. The word differs from round to round: names on chain are taken once. */
export function namingOf(word: string): Naming {
  return (role) => `${role}_${word}`
}

/** @param word Of this round of the lesson. */
export function piecesOf(document: StudioDocument, idByRole: Made, word: string): Pieces {
  const entry = (role: Role): Entry | undefined => {
    const id = idByRole.get(role)
    return document.entries.find((each) => each.id === id)
  }
  return {
    document,
    entry,
    connector(role) {
      const match = entry(role)
      return match?.kind === 'connector' ? match : undefined
    },
    code(role) {
      const match = entry(role)
      return match?.kind === 'connector' ? undefined : match
    },
    name: (role) => entry(role)?.name || namingOf(word)(role),
  }
}

export function snapshotOf(pieces: Pieces, problems: readonly Problem[]): Snapshot {
  return { ...pieces, problems }
}

const CONSONANTS = 'bdfgklmnprstv'
const VOWELS = 'aeiou'

/** Four random syllables. */
export function newWord(random: () => number = secure): string {
  const one = (letters: string) => letters[Math.floor(random() * letters.length)]
  return Array.from({ length: 4 }, () => `${one(CONSONANTS)}${one(VOWELS)}`).join('')
}

function secure(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32
}
