import type { Word } from '../words.ts'
import { isNumber, type Value } from './value.ts'

/** Numbers the variables of one function. */
export interface Names {
  next(): string
}

export function createNames(): Names {
  let count = 0
  return { next: () => `t${count++}` }
}

/** Writes the words of a block as JavaScript, each when it is first wanted. */
export interface BlockText {
  readonly lines: string[]
  /** The text of a block that stands inside this one, behind its lines. */
  inside(): BlockText
  /** An expression without effect for the word. */
  text(value: Value): string
  /** An expression that is true where the word is not zero. */
  condition(value: Value): string
  /** Whether the word stands in a variable already, or is one. */
  isNamed(value: Value): boolean
  /** Says in which variable a word stands. */
  name(value: Value, name: string): void
  /** A variable for what `compute` says of the word's low 32 bits. */
  low(value: Value, compute: () => string): string
}

export function literal(word: Word): string {
  return typeof word === 'number' ? String(word) : `0x${word.toString(16)}n`
}

/** A condition under which all the words are numbers; `undefined` if they are for certain. */
export function areNumbers(block: BlockText, values: readonly Value[]): string | undefined {
  const unsure = values
    .filter((value) => !isNumber(value))
    .map((value) => `typeof ${block.text(value)} === 'number'`)
  return unsure.length === 0 ? undefined : unsure.join(' && ')
}
