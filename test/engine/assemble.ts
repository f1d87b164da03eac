import { OPCODES } from '../../lib/domain/opcodes.ts'

/** Part of a program; whatever the stack holds, each leaves enough on it for the next. */
export type Statement =
  | { readonly kind: 'push'; readonly word: bigint }
  /** An opcode that goes on behind itself. */
  | { readonly kind: 'apply'; readonly name: string }
  /** An opcode on places in memory and lengths that stay small. */
  | { readonly kind: 'reach'; readonly name: string; readonly operands: readonly number[] }
  | {
      readonly kind: 'branch'
      readonly taken: readonly Statement[]
      readonly otherwise: readonly Statement[]
    }
  | { readonly kind: 'loop'; readonly rounds: number; readonly body: readonly Statement[] }
  /** Twice the same code, left by a jump to an address on the stack. */
  | { readonly kind: 'twice'; readonly body: readonly Statement[] }
  | { readonly kind: 'end'; readonly name: string; readonly offset: number; readonly length: number }

const BYTES = new Map(OPCODES.flatMap((opcode, byte) => (opcode ? [[opcode.name, byte] as const] : [])))
const RESULTS = 6
const RESULTS_AT = 0x200
const GUARDS_AT = 0x2000
const RESULT_SIZE = RESULTS_AT + RESULTS * 32

/**
 * Bytecode for the statements, which in the end returns the low memory and the top of the stack.
 *
 * @param computed begins with a jump to a place that no analysis knows.
 */
export function assemble(statements: readonly Statement[], computed = false): Uint8Array {
  const assembler = new Assembler()
  if (computed) assembler.computedJump()
  assembler.write(statements)
  for (let i = 0; i < RESULTS; i++) {
    assembler.need(1)
    assembler.push(BigInt(RESULTS_AT + i * 32), 2)
    assembler.op('MSTORE')
  }
  assembler.push(BigInt(RESULT_SIZE), 2)
  assembler.push(0n, 0)
  assembler.op('RETURN')
  return assembler.finish()
}

class Assembler {
  private readonly bytes: number[] = []
  private readonly places: number[] = []
  private readonly references: { readonly at: number; readonly label: number }[] = []
  private height = 0

  write(statements: readonly Statement[]): void {
    for (const statement of statements) this.statement(statement)
  }

  op(name: string): void {
    const byte = BYTES.get(name)
    if (byte === undefined) throw new Error(name)
    this.bytes.push(byte)
    this.height += (OPCODES[byte]?.gives ?? 0) - (OPCODES[byte]?.takes ?? 0)
  }

  push(word: bigint, size: number): void {
    this.op(`PUSH${size}`)
    for (let i = size - 1; i >= 0; i--) this.bytes.push(Number((word >> BigInt(8 * i)) & 0xffn))
  }

  /** Sees to so many words on the stack, and not many more. */
  need(words: number): void {
    for (let i = 0; this.height < words; i++) this.push(BigInt(i * 7 + this.bytes.length), 2)
    while (this.height > Math.max(40, words)) this.op('POP')
  }

  computedJump(): void {
    const label = this.label()
    this.push(0xffffn, 2)
    this.op('CALLDATALOAD')
    this.reference(label)
    this.op('ADD')
    this.op('JUMP')
    this.place(label)
  }

  finish(): Uint8Array {
    // Longer than 255 bytes, so that labels are two bytes, as compilers have it; the bytes end in a cut-off PUSH.
    while (this.bytes.length < 300) this.bytes.push(0x5b, 0x60)
    for (const { at, label } of this.references) {
      const place = this.places[label] ?? 0
      this.bytes[at] = place >> 8
      this.bytes[at + 1] = place & 0xff
    }
    return Uint8Array.from(this.bytes)
  }

  private statement(statement: Statement): void {
    if (statement.kind === 'push') this.push(statement.word, sizeOf(statement.word))
    else if (statement.kind === 'apply') this.apply(statement.name)
    else if (statement.kind === 'reach') this.reach(statement)
    else if (statement.kind === 'branch') this.branch(statement.taken, statement.otherwise)
    else if (statement.kind === 'loop') this.loop(statement.rounds, statement.body)
    else if (statement.kind === 'twice') this.twice(statement.body)
    else this.end(statement)
  }

  private apply(name: string): void {
    this.need(OPCODES[BYTES.get(name) ?? 0]?.takes ?? 0)
    this.op(name)
  }

  private reach({ name, operands }: Extract<Statement, { kind: 'reach' }>): void {
    this.need(1)
    for (const operand of [...operands].reverse()) this.push(BigInt(operand), 4)
    this.op(name)
  }

  private branch(taken: readonly Statement[], otherwise: readonly Statement[]): void {
    const [target, after] = [this.label(), this.label()]
    this.need(1)
    this.reference(target)
    this.op('JUMPI')
    const height = this.height
    this.level(otherwise, height)
    this.reference(after)
    this.op('JUMP')
    this.height = height
    this.place(target)
    this.level(taken, height)
    this.place(after)
  }

  private loop(rounds: number, body: readonly Statement[]): void {
    const head = this.label()
    // Two counters: one on the stack, as compilers have it, and one where no body reaches, which ends it for sure.
    const guard = BigInt(GUARDS_AT + 32 * this.places.length)
    this.push(BigInt(rounds), 1)
    this.op('DUP1')
    this.push(guard, 2)
    this.op('MSTORE')
    this.place(head)
    this.apart(body)
    this.decrement()
    this.op('DUP1')
    this.push(guard, 2)
    this.op('MLOAD')
    this.decrement()
    this.op('DUP1')
    this.push(guard, 2)
    this.op('MSTORE')
    this.op('MUL')
    this.reference(head)
    this.op('JUMPI')
  }

  private decrement(): void {
    this.push(1n, 1)
    this.op('SWAP1')
    this.op('SUB')
  }

  private twice(body: readonly Statement[]): void {
    const [first, second, routine] = [this.label(), this.label(), this.label()]
    this.reference(first)
    const height = this.height
    this.reference(routine)
    this.op('JUMP')
    this.height = height - 1
    this.place(first)
    this.reference(second)
    this.place(routine)
    this.apart(body)
    this.op('JUMP')
    this.place(second)
    this.height = height - 1
  }

  private end({ name, offset, length }: Extract<Statement, { kind: 'end' }>): void {
    const over = this.label()
    this.need(1)
    this.reference(over)
    this.op('JUMPI')
    const height = this.height
    this.push(BigInt(length), 2)
    this.push(BigInt(offset), 2)
    if (name === 'UNDERFLOW') for (let i = 0; i < height + 3; i++) this.op('POP')
    else this.op(name)
    this.height = height
    this.place(over)
  }

  /** Statements that seldom reach what lies on the stack already. */
  private apart(statements: readonly Statement[]): void {
    const height = this.height
    for (let i = 1n; i < 5n; i++) this.push(i * 1000n, 2)
    this.level(statements, height)
  }

  /** Statements that leave the stack as high as they found it. */
  private level(statements: readonly Statement[], height: number): void {
    this.write(statements)
    while (this.height > height) this.op('POP')
    while (this.height < height) this.push(BigInt(this.height), 1)
  }

  private label(): number {
    return this.places.push(-1) - 1
  }

  private place(label: number): void {
    this.places[label] = this.bytes.length
    this.op('JUMPDEST')
  }

  private reference(label: number): void {
    this.push(0n, 2)
    this.references.push({ at: this.bytes.length - 2, label })
  }
}

function sizeOf(word: bigint): number {
  return word === 0n ? 0 : Math.ceil(word.toString(16).length / 2)
}
