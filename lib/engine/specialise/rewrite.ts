import type { Apply, Rule } from './patterns.ts'
import { ARITHMETIC } from './rewrite-arithmetic.ts'
import { BITS } from './rewrite-bits.ts'
import { COMPARISON } from './rewrite-comparison.ts'
import type { Facts, Value } from './value.ts'

const RULES: ReadonlyMap<string, Rule> = new Map(Object.entries({ ...ARITHMETIC, ...COMPARISON, ...BITS }))

/** A simpler value equal to `op` of `operands`, at least one of which is a term; `undefined` when there is none. */
export function rewrite(
  op: string,
  operands: readonly Value[],
  facts: Facts,
  apply: Apply,
): Value | undefined {
  return RULES.get(op)?.(operands as readonly [Value, Value, Value], facts, apply)
}
