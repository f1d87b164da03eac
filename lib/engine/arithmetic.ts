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

/** Whether the opcode is a pure function of words. */
export function isArithmetic(op: string): boolean {
  return FUNCTIONS.has(op)
}

/** Result of such an opcode. */
export function compute(op: string, operands: readonly Word[]): Word {
  const one = FUNCTIONS.get(op)
  if (one === undefined) throw new Error(`${op} is not arithmetic`)
  return one(...operands)
}
