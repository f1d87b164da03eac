import type { Word } from './words.ts'
import * as words from './words.ts'

const FUNCTIONS: ReadonlyMap<string, (...operands: Word[]) => Word> = new Map(
  Object.entries({
    ADD: words.add,
    MUL: words.mul,
    SUB: words.sub,
    DIV: words.div,
    SDIV: words.sdiv,
    MOD: words.mod,
    SMOD: words.smod,
    ADDMOD: words.addmod,
    MULMOD: words.mulmod,
    EXP: words.exp,
    SIGNEXTEND: words.signextend,
    LT: words.lt,
    GT: words.gt,
    SLT: words.slt,
    SGT: words.sgt,
    EQ: words.eq,
    ISZERO: words.iszero,
    AND: words.and,
    OR: words.or,
    XOR: words.xor,
    NOT: words.not,
    BYTE: words.byte,
    SHL: words.shl,
    SHR: words.shr,
    SAR: words.sar,
  }),
)

/** Whether the opcode computes with words and does nothing else. */
export function isArithmetic(op: string): boolean {
  return FUNCTIONS.has(op)
}

/** The word that such an opcode gives. */
export function compute(op: string, operands: readonly Word[]): Word {
  const one = FUNCTIONS.get(op)
  if (one === undefined) throw new Error(`${op} computes nothing`)
  return one(...operands)
}
