import type { Problem } from '../document/problem.ts'
import type { Shapes } from '../document/shapes.ts'
import type { Entry, Id, StudioDocument } from '../document/types.ts'
import type { Look, Naming, Pieces, Role } from './lesson.ts'

/** Which entry plays which role. */
export type Made = ReadonlyMap<Role, Id>

/** The name a role has in a round of a lesson. The word differs from round to round: names on chain are taken once. */
export function namingOf(word: string): Naming {
  return (role) => `${role}_${word}`
}

/** @param word Of this round of the lesson. */
export function piecesOf(document: StudioDocument, made: Made, word: string): Pieces {
  const entry = (role: Role): Entry | undefined => {
    const id = made.get(role)
    return document.entries.find((each) => each.id === id)
  }
  return {
    document,
    entry,
    connector(role) {
      const found = entry(role)
      return found?.kind === 'connector' ? found : undefined
    },
    code(role) {
      const found = entry(role)
      return found?.kind === 'connector' ? undefined : found
    },
    name: (role) => entry(role)?.name || namingOf(word)(role),
  }
}

export function lookAt(
  pieces: Pieces,
  seen: { readonly problems: readonly Problem[]; readonly shapes: Shapes; readonly inFront: Id | undefined },
): Look {
  return {
    ...pieces,
    problems: seen.problems,
    inFront: seen.inFront,
    leavesOf(role) {
      const connector = pieces.connector(role)
      const shape = connector === undefined ? 'absent' : seen.shapes.ofEntry(connector)
      return typeof shape === 'string' ? undefined : shape.leaves
    },
  }
}

const CONSONANTS = 'bdfgklmnprstv'
const VOWELS = 'aeiou'

/** Four syllables that nobody is likely to have used before. */
export function newWord(random: () => number = secure): string {
  const one = (letters: string) => letters[Math.floor(random() * letters.length)]
  return Array.from({ length: 4 }, () => `${one(CONSONANTS)}${one(VOWELS)}`).join('')
}

function secure(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32
}
