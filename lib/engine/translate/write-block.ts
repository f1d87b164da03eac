import type { Word } from '../words.ts'
import type { Run } from './interpret.ts'
import { isNumber, type Value } from './value.ts'
import { conditionText, operationLines } from './write-operation.ts'

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

type Known = ReadonlyMap<Value, string>

export function createText(names: Names, outer: Known = new Map(), outerLow: Known = new Map()): BlockText {
  const lines: string[] = []
  const known = new Map(outer)
  const low = new Map(outerLow)

  const text = (value: Value): string => {
    if (value.same !== undefined) return text(value.same)
    if (value.constant !== undefined) return literal(value.constant)
    if (value.slot !== undefined) return `s${value.slot}`
    const before = known.get(value)
    if (before !== undefined) return before
    const written = operationLines(block, value, names)
    lines.push(...written.lines)
    known.set(value, written.name)
    return written.name
  }
  const block: BlockText = {
    lines,
    inside: () => createText(names, known, low),
    text,
    condition: (value) => conditionText(block, value),
    isNamed: (value) => value.operation === undefined || known.has(value.same ?? value),
    name: (value, name) => known.set(value, name),
    low(value, compute) {
      const before = low.get(value)
      if (before !== undefined) return before
      const computed = compute()
      const name = names.next()
      lines.push(`const ${name} = ${computed}`)
      low.set(value, name)
      return name
    },
  }
  return block
}

/** Adds the effects of a block to its text. */
export function writeEffects(block: BlockText, { effects }: Run, names: Names): void {
  for (const { method, operands, result } of effects) {
    const texts = operands.map(block.text)
    if (method === undefined) continue
    const call = `m.${method}(${texts.join(', ')})`
    if (result === undefined) {
      block.lines.push(call)
    } else {
      const name = names.next()
      block.lines.push(`const ${name} = ${call}`)
      block.name(result, name)
    }
  }
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
