import fc from 'fast-check'
import { OPCODES } from '#lib/protocol/opcodes.ts'

/** Words at the edges of what numbers, signs and masks can do, and any others. */
export const anyWord: fc.Arbitrary<bigint> = fc.oneof(
  fc.nat(40).map(BigInt),
  fc
    .tuple(fc.nat(256), fc.integer({ min: -2, max: 2 }))
    .map(([bits, d]) => wrapped((1n << BigInt(bits)) + BigInt(d))),
  fc.nat(5000).map((value) => wrapped(-BigInt(value))),
  fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }),
  fc.bigInt({ min: 0n, max: 2n ** 54n }),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.nat(255).map((byte) => BigInt(byte) << 248n),
)

function wrapped(value: bigint): bigint {
  return BigInt.asUintN(256, value)
}

/** Computations, by the opcode that does it, its first operand on top of the stack. */
export type Expression =
  | { readonly kind: 'x' }
  | { readonly kind: 'word'; readonly word: bigint }
  | { readonly kind: 'variable'; readonly index: number }
  | { readonly kind: 'apply'; readonly op: string; readonly operands: readonly Expression[] }
  /** One of eight words in memory. */
  | { readonly kind: 'entry'; readonly index: Expression }
  | { readonly kind: 'hash'; readonly of: Expression; readonly size: number }

export type Statement =
  | { readonly kind: 'set'; readonly index: number; readonly to: Expression }
  /** Into one of the eight words in memory. */
  | { readonly kind: 'put'; readonly index: number; readonly to: Expression }
  | { readonly kind: 'if'; readonly condition: Expression; readonly taken: readonly Statement[] }
  /** Ends at the latest after so many turns. */
  | {
      readonly kind: 'while'
      readonly condition: Expression
      readonly turns: number
      readonly body: readonly Statement[]
    }
  | { readonly kind: 'revert'; readonly condition: Expression }

export interface StepProgram {
  readonly table: readonly bigint[]
  readonly body: readonly Statement[]
  readonly result: Expression
}

const VARIABLES = 3
const BYTES = new Map(OPCODES.flatMap((opcode, byte) => (opcode ? [[opcode.name, byte] as const] : [])))
const TABLE_AT = 0x400
const COUNTERS_AT = 0x600
const X_AT = 0xa00
const HASHED_AT = 0x800

/** The program in a frame as the wrapper makes it, without `cycle`: there are no arguments. */
export function stepCode({ table, body, result }: StepProgram): Uint8Array {
  const code = new Code()
  code.framed(() => {
    code.at(X_AT).op('MSTORE')
    for (let i = 0; i < VARIABLES; i++)
      code
        .push(BigInt(i))
        .at(32 * i)
        .op('MSTORE')
    for (const [i, word] of table.entries())
      code
        .push(word)
        .at(TABLE_AT + 32 * i)
        .op('MSTORE')
    code.statements(body).expression(result)
  })
  return code.finish()
}

/** Opcodes that take x from the stack and leave a value there, in the same frame. */
export function framedCode(body: readonly number[]): Uint8Array {
  const code = new Code()
  code.framed(() => code.bytes(body))
  return code.finish()
}

class Code {
  readonly #bytes: number[] = []
  readonly #labels: number[] = []
  readonly #uses: { readonly at: number; readonly label: number }[] = []
  #loops = 0

  op(name: string): this {
    this.#bytes.push(BYTES.get(name)!)
    return this
  }

  push(word: bigint): this {
    const hex = word.toString(16)
    const bytes = word === 0n ? [] : (hex.padStart(hex.length + (hex.length % 2), '0').match(/../g) ?? [])
    this.op(`PUSH${bytes.length}`)
    this.#bytes.push(...bytes.map((byte) => Number.parseInt(byte, 16)))
    return this
  }

  bytes(bytes: readonly number[]): this {
    this.#bytes.push(...bytes)
    return this
  }

  /** An address in free memory. */
  at(offset: number): this {
    return this.push(BigInt(offset)).push(0x40n).op('MLOAD').op('ADD')
  }

  expression(expression: Expression): this {
    switch (expression.kind) {
      case 'x':
        return this.at(X_AT).op('MLOAD')
      case 'word':
        return this.push(expression.word)
      case 'variable':
        return this.at(32 * expression.index).op('MLOAD')
      case 'entry':
        this.expression(expression.index).push(7n).op('AND').push(5n).op('SHL')
        return this.at(TABLE_AT).op('ADD').op('MLOAD')
      case 'hash':
        this.expression(expression.of).at(HASHED_AT).op('MSTORE')
        return this.push(BigInt(expression.size)).at(HASHED_AT).op('KECCAK256')
      case 'apply':
        for (const operand of [...expression.operands].reverse()) this.expression(operand)
        return this.op(expression.op)
    }
  }

  statements(statements: readonly Statement[]): this {
    for (const statement of statements) this.#statement(statement)
    return this
  }

  /** Entries and loop around a body that takes x from the stack and leaves its value there. */
  framed(body: () => void): void {
    const [single, head, last, several] = [this.#label(), this.#label(), this.#label(), this.#label()]
    this.push(0x80n).push(0x40n).op('MSTORE')
    this.push(0n).op('CALLDATALOAD').push(224n).op('SHR').push(0x9e26c033n).op('EQ').#jump('JUMPI', single)
    this.push(0x80n).push(1n).push(0x44n).op('CALLDATALOAD').op('SUB').push(2n).op('SHL').op('DUP2').op('ADD')
    this.op('DUP1').push(0x20n).op('ADD').push(0x40n).op('MSTORE')
    this.push(4n).op('CALLDATALOAD').#jump('JUMP', head)
    this.#place(single)
    this.push(0n).push(0n).push(4n).op('CALLDATALOAD')
    // Cursor, end, x.
    this.#place(head)
    this.push(0xffff_ffffn).op('AND')
    body()
    this.op('DUP3').op('DUP3').op('EQ').#jump('JUMPI', last)
    this.op('DUP1').push(224n).op('SHL').op('DUP4').op('MSTORE')
    this.op('SWAP2').push(4n).op('ADD').op('SWAP2').op('DUP2').push(0x20n).op('ADD').push(0x40n).op('MSTORE')
    this.#jump('JUMP', head)
    this.#place(last)
    this.op('DUP2').#jump('JUMPI', several)
    this.push(0xffff_ffffn).op('AND').push(0n).op('MSTORE').push(0x20n).push(0n).op('RETURN')
    this.#place(several)
    this.push(224n).op('SHL').op('SWAP1').op('MSTORE')
    this.push(0x44n).op('CALLDATALOAD').push(2n).op('SHL').push(0x80n).op('RETURN')
  }

  finish(): Uint8Array {
    for (const { at, label } of this.#uses) {
      this.#bytes[at] = this.#labels[label]! >> 8
      this.#bytes[at + 1] = this.#labels[label]! & 0xff
    }
    return Uint8Array.from(this.#bytes)
  }

  #statement(statement: Statement): void {
    const after = this.#label()
    switch (statement.kind) {
      case 'set':
      case 'put':
        this.expression(statement.to)
          .at((statement.kind === 'put' ? TABLE_AT : 0) + 32 * statement.index)
          .op('MSTORE')
        break
      case 'if':
        this.expression(statement.condition).op('ISZERO').#jump('JUMPI', after).statements(statement.taken)
        break
      case 'revert':
        this.expression(statement.condition).op('ISZERO').#jump('JUMPI', after)
        this.push(0n).push(0n).op('REVERT')
        break
      case 'while': {
        const counter = COUNTERS_AT + 32 * this.#loops++
        const head = this.#label()
        this.push(BigInt(statement.turns)).at(counter).op('MSTORE')
        this.#place(head)
        this.expression(statement.condition).op('ISZERO').#jump('JUMPI', after)
        this.at(counter).op('MLOAD').op('ISZERO').#jump('JUMPI', after)
        this.push(1n).at(counter).op('MLOAD').op('SUB').at(counter).op('MSTORE')
        this.statements(statement.body).#jump('JUMP', head)
      }
    }
    this.#place(after)
  }

  #label(): number {
    return this.#labels.push(0) - 1
  }

  #place(label: number): void {
    this.#labels[label] = this.#bytes.length
    this.op('JUMPDEST')
  }

  #jump(name: string, label: number): this {
    this.op('PUSH2')
    this.#uses.push({ at: this.#bytes.length, label })
    this.#bytes.push(0, 0)
    return this.op(name)
  }
}

const ARITHMETIC = 'ADD MUL SUB DIV SDIV MOD SMOD EXP'
const COMPARISON = 'LT GT SLT SGT EQ'
const BITWISE = 'AND OR XOR BYTE SHL SHR SAR SIGNEXTEND'

const leaf: fc.Arbitrary<Expression> = fc.oneof(
  fc.constant({ kind: 'x' as const }),
  anyWord.map((word) => ({ kind: 'word' as const, word })),
  fc.nat(VARIABLES - 1).map((index) => ({ kind: 'variable' as const, index })),
)

function expression(depth: number, opcodes: string): fc.Arbitrary<Expression> {
  if (depth === 0) return leaf
  const inner = expression(depth - 1, opcodes)
  const apply = (ops: readonly string[], count: number) =>
    fc
      .record({
        op: fc.constantFrom(...ops),
        operands: fc.array(inner, { minLength: count, maxLength: count }),
      })
      .map(({ op, operands }): Expression => ({ kind: 'apply', op, operands }))
  // What compilers do all the time: numbers cut to the bits of their type, and shifts by a few places.
  const cut = fc
    .tuple(inner, fc.constantFrom(8n, 16n, 31n, 32n, 40n, 64n))
    .map(([of, bits]): Expression => apply2('AND', of, 2n ** bits - 1n))
  const shifted = fc
    .tuple(fc.constantFrom('SHL', 'SHR', 'SAR', 'BYTE'), fc.integer({ min: 0, max: 40 }), inner)
    .map(
      ([op, by, of]): Expression => ({
        kind: 'apply',
        op,
        operands: [{ kind: 'word', word: BigInt(by) }, of],
      }),
    )
  const reduced = fc
    .tuple(fc.constantFrom('MOD', 'DIV', 'MUL', 'ADD', 'SUB'), inner, fc.integer({ min: 1, max: 2 ** 31 }))
    .map(([op, of, by]): Expression => apply2(op, of, BigInt(by)))
  return fc.oneof(
    { weight: 2, arbitrary: leaf },
    { weight: 6, arbitrary: apply(opcodes.split(' '), 2) },
    { weight: 1, arbitrary: apply(['ISZERO', 'NOT'], 1) },
    { weight: 1, arbitrary: apply(['ADDMOD', 'MULMOD'], 3) },
    { weight: 5, arbitrary: cut },
    { weight: 2, arbitrary: shifted },
    { weight: 4, arbitrary: reduced },
    { weight: 1, arbitrary: inner.map((index): Expression => ({ kind: 'entry', index })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(inner, fc.integer({ min: 1, max: 32 }))
        .map(([of, size]): Expression => ({ kind: 'hash', of, size })),
    },
  )
}

function apply2(op: string, of: Expression, word: bigint): Expression {
  return { kind: 'apply', op, operands: [of, { kind: 'word', word }] }
}

function statement(depth: number, opcodes: string): fc.Arbitrary<Statement> {
  const set = fc
    .record({ index: fc.nat(VARIABLES - 1), to: expression(2, opcodes) })
    .map((fields): Statement => ({ kind: 'set', ...fields }))
  const reverting = expression(2, opcodes).map((condition): Statement => ({ kind: 'revert', condition }))
  if (depth === 0) return fc.oneof({ weight: 5, arbitrary: set }, { weight: 1, arbitrary: reverting })
  const inner = fc.array(statement(depth - 1, opcodes), { minLength: 1, maxLength: 3 })
  return fc.oneof(
    { weight: 5, arbitrary: set },
    { weight: 1, arbitrary: reverting },
    {
      weight: 3,
      arbitrary: fc
        .record({ condition: expression(2, opcodes), taken: inner })
        .map((fields): Statement => ({ kind: 'if', ...fields })),
    },
    {
      weight: 2,
      arbitrary: fc
        .record({ condition: expression(1, opcodes), turns: fc.integer({ min: 1, max: 60 }), body: inner })
        .map((fields): Statement => ({ kind: 'while', ...fields })),
    },
  )
}

function programsWith(opcodes: string): fc.Arbitrary<StepProgram> {
  return fc.record({
    table: fc.array(anyWord, { minLength: 8, maxLength: 8 }),
    body: fc.array(statement(2, opcodes), { minLength: 1, maxLength: 5 }),
    result: expression(3, opcodes),
  })
}

/** Programs with a closed form, or nearly: bounds of x, then a little arithmetic or a few bits moved. */
const simplePrograms: fc.Arbitrary<StepProgram> = fc.record({
  table: fc.constant([]),
  body: fc.array(
    fc
      .record({ op: fc.constantFrom('LT', 'GT'), of: simple(1), word: word32() })
      .map(({ op, of, word }): Statement => ({ kind: 'revert', condition: apply2(op, of, word) })),
    { maxLength: 2 },
  ),
  result: simple(4),
})

/** Words of a table that are computed from x, read where x decides. */
const tablePrograms: fc.Arbitrary<StepProgram> = fc.record({
  table: fc.array(word32(), { minLength: 8, maxLength: 8 }),
  body: fc.array(
    fc.record({ index: fc.nat(7), to: simple(2) }).map((fields): Statement => ({ kind: 'put', ...fields })),
    { minLength: 1, maxLength: 4 },
  ),
  result: fc.constantFrom<Expression[]>(
    { kind: 'entry', index: { kind: 'x' } },
    { kind: 'entry', index: apply2('ADD', apply2('AND', { kind: 'x' }, 3n), 2n) },
  ),
})

function word32(): fc.Arbitrary<bigint> {
  return fc.oneof(fc.nat(9), fc.integer({ min: 0, max: 2 ** 32 }), fc.constant(2 ** 32 - 2)).map(BigInt)
}

function simple(depth: number): fc.Arbitrary<Expression> {
  if (depth === 0) return fc.constant({ kind: 'x' })
  const inner = simple(depth - 1)
  const by = (ops: string, word: fc.Arbitrary<bigint>) =>
    fc.tuple(fc.constantFrom(...ops.split(' ')), inner, word).map(([op, of, one]) => apply2(op, of, one))
  const places = fc.constantFrom(0n, 1n, 5n, 13n, 31n, 32n)
  const moved = fc.tuple(fc.constantFrom('SHL', 'SHR'), places, inner).map(([op, shift, of]): Expression => {
    return { kind: 'apply', op, operands: [{ kind: 'word', word: shift }, of] }
  })
  const joined = fc
    .tuple(fc.constantFrom('ADD', 'SUB', 'XOR', 'OR'), inner, inner)
    .map(([op, a, b]): Expression => ({ kind: 'apply', op, operands: [a, b] }))
  return fc.oneof(
    { weight: 3, arbitrary: by('ADD MUL SUB XOR', word32()) },
    { weight: 2, arbitrary: by('MOD DIV', word32()) },
    { weight: 2, arbitrary: by('AND', fc.constantFrom(0xffn, 0xffff_ffffn, 0xffff_0000n, 2n ** 40n - 1n)) },
    { weight: 2, arbitrary: moved },
    { weight: 1, arbitrary: joined },
    { weight: 1, arbitrary: inner.map((of): Expression => ({ kind: 'apply', op: 'NOT', operands: [of] })) },
    { weight: 2, arbitrary: inner },
  )
}

/** Programs that are mostly about one class of opcodes. */
export const STEP_PROGRAMS = {
  arithmetic: programsWith(ARITHMETIC),
  comparison: programsWith(COMPARISON),
  bitwise: programsWith(BITWISE),
  mixed: programsWith(`${ARITHMETIC} ${COMPARISON} ${BITWISE}`),
  simple: simplePrograms,
  tables: tablePrograms,
} as const
