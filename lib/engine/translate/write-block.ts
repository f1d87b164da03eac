import { type BlockText, literal, type Names } from './block-text.ts'
import type { Run } from './interpret.ts'
import type { Value } from './value.ts'
import { conditionText, operationLines } from './write-operation.ts'

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
