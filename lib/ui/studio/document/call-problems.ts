import { argsCountOf } from './args-count.ts'
import type { NodeRef } from './node-ref.ts'
import { INT32, readNumber, UINT32 } from './numbers.ts'
import type { Part, Parts } from './parts.ts'
import type { Problem } from './problem.ts'
import type { CodeEntry } from './types.ts'

/** Longest list in a connector: connector data on chain counts everything in 16 bits. */
export const MAX_COUNT = 65_535

/** Problems of one use of a transformation or condition: its name, how many arguments, and each of them. */
export function callProblems(
  kind: 'transformation' | 'condition',
  call: { readonly name: string; readonly args: readonly string[] },
  at: NodeRef,
  parts: Parts,
): Problem[] {
  const found: Problem[] = []
  if (call.name === '') {
    found.push({ at, severity: 'error', code: 'part_unnamed', sentence: `Say which ${kind} it is.` })
  } else {
    const part = parts.find(kind, call.name)
    if (part === 'absent') {
      const sentence = `There is no ${kind} called ${call.name}. Create it, or choose another.`
      found.push({ at, severity: 'error', code: 'part_missing', sentence })
    }
    const takes = argsCountOfPart(part)
    if (takes !== undefined && takes !== call.args.length) {
      const sentence = `${call.name} takes ${countOf(takes, 'argument')}; ${countOf(call.args.length, 'is', 'are')} given.`
      found.push({ at, severity: 'error', code: 'arguments_count', sentence })
    }
  }
  const range = kind === 'transformation' ? UINT32 : INT32
  call.args.forEach((text, index) => {
    const read = readNumber(text, range)
    if (read.ok) return
    const field = { name: 'args', index } as const
    found.push({ at, field, severity: 'error', code: 'argument_invalid', sentence: read.sentence })
  })
  if (call.args.length > MAX_COUNT) found.push(tooMany(at, call.args.length, 'argument'))
  return found
}

/** How many arguments a transformation or condition takes; undefined while that is not known. */
export function argsCountOfPart(part: Part): number | undefined {
  if (typeof part === 'string') return undefined
  if (part.from === 'library') return part.entity.kind === 'connector' ? undefined : part.entity.argsCount
  if (part.entry.kind === 'connector') return undefined
  const before = counted.get(part.entry)
  if (before !== undefined) return before
  const count = argsCountOf(part.entry.source)
  counted.set(part.entry, count)
  return count
}

// Entries never change, and each use of one asks.
const counted = new WeakMap<CodeEntry, number>()

export function tooMany(at: NodeRef, amount: number, thing: string): Problem {
  const sentence = `There are ${countOf(amount, thing)} here, more than ${MAX_COUNT}.`
  return { at, severity: 'error', code: 'too_many', sentence }
}

export function countOf(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`
}
