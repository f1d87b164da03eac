import fc from 'fast-check'
import type { Statement } from './assemble.ts'

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

const place = fc.oneof(
  { weight: 30, arbitrary: fc.nat(0x1ff) },
  { weight: 1, arbitrary: fc.constantFrom(4095, 4096, 20_000) },
  // No gas pays for so much.
  { weight: 1, arbitrary: fc.constantFrom(2 ** 29, 2 ** 32 - 1) },
)
const length = fc.oneof({ weight: 20, arbitrary: fc.nat(200) }, { weight: 3, arbitrary: fc.constant(0) })

const push = anyWord.map((word): Statement => ({ kind: 'push', word }))
const applied = (names: string) =>
  fc.constantFrom(...names.split(' ')).map((name): Statement => ({ kind: 'apply', name }))
const reaching = (name: string, ...operands: fc.Arbitrary<number>[]) =>
  fc.tuple(...operands).map((drawn): Statement => ({ kind: 'reach', name, operands: drawn }))
const ending = fc.record({
  kind: fc.constant('end' as const),
  name: fc.constantFrom(
    'RETURN',
    'REVERT',
    'STOP',
    'INVALID',
    'JUMP',
    'UNDERFLOW',
    'SSTORE',
    'LOG0',
    'RETURNDATACOPY',
  ),
  offset: fc.nat(0x300),
  length: fc.nat(300),
})

const ARITHMETIC = 'ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND'
const COMPARISON = 'LT GT SLT SGT EQ ISZERO'
const BITWISE = 'AND OR XOR NOT BYTE'
const SHIFTS = 'SHL SHR SAR'
const STACK = `POP ${Array.from({ length: 16 }, (_, i) => `DUP${i + 1} SWAP${i + 1}`).join(' ')}`
const ENVIRONMENT = 'CALLDATASIZE CODESIZE RETURNDATASIZE PC CALLVALUE'

const memory = fc.oneof(
  applied('MSIZE'),
  ...['MLOAD', 'MSTORE', 'MSTORE8'].map((name) => reaching(name, place)),
  reaching('MCOPY', place, place, length),
)
const input = fc.oneof(
  applied(ENVIRONMENT),
  reaching('CALLDATALOAD', place),
  reaching('CALLDATACOPY', place, place, length),
  reaching('CODECOPY', place, place, length),
)

/** Words cut to 8, 32 or 64 bits, and what compilers put around arithmetic to see whether it overflows. */
const checked = fc
  .tuple(fc.constantFrom(8n, 32n, 64n, 128n, 256n), fc.constantFrom('add', 'mul', 'sub'), fc.boolean())
  .map(([bits, operation, narrow]): Statement[] => {
    const mask: Statement[] = [
      { kind: 'push', word: 2n ** bits - 1n },
      { kind: 'apply', name: 'AND' },
    ]
    const operands = [...mask, { kind: 'apply', name: 'SWAP1' } as const, ...mask]
    const overflow = narrow ? narrowOverflow(operation, bits) : wideOverflow(operation)
    const revert: Statement[] = [{ kind: 'end', name: 'REVERT', offset: 0, length: 36 }]
    return [...operands, ...named('DUP2 DUP2'), ...named(operation.toUpperCase()), ...overflow, ...revert]
  })

function named(names: string): Statement[] {
  return names.split(' ').map((name) => ({ kind: 'apply', name }))
}

/** From `result a b` to `condition result a b`: whether the result fits in so many bits. */
function narrowOverflow(operation: string, bits: bigint): Statement[] {
  const high: Statement = { kind: 'push', word: 2n ** bits - 1n }
  return operation === 'sub' ? named('DUP1 DUP3 LT ISZERO') : [...named('DUP1'), high, ...named('LT ISZERO')]
}

function wideOverflow(operation: string): Statement[] {
  if (operation === 'add') return named('DUP1 DUP3 GT ISZERO')
  if (operation === 'sub') return named('DUP2 DUP2 GT ISZERO')
  return named('DUP2 DUP2 DIV DUP4 EQ DUP3 ISZERO OR')
}

const leaves = {
  arithmetic: applied(ARITHMETIC),
  comparison: applied(COMPARISON),
  bitwise: applied(BITWISE),
  shifts: applied(SHIFTS),
  stack: applied(STACK),
  memory,
  input,
  hash: reaching('KECCAK256', place, length),
  endings: ending,
  flow: applied(`${COMPARISON} ADD SUB`),
}

export type OpcodeClass = keyof typeof leaves | 'checked' | 'mixed'
export const OPCODE_CLASSES = [...Object.keys(leaves), 'checked', 'mixed'] as readonly OpcodeClass[]

/** Programs that are mostly about one class of opcodes. */
export function programsOf(opcodes: OpcodeClass): fc.Arbitrary<Statement[]> {
  const own = ownLeaves(opcodes)
  const common = fc.oneof(
    { weight: 4, arbitrary: push },
    reaching(
      'CALLDATALOAD',
      fc.nat(3).map((index) => index * 32),
    ),
    applied('DUP1 DUP2 SWAP1'),
    reaching('MSTORE', fc.nat(0x1e0)),
    applied('AND'),
  )
  const leaf = fc.oneof({ weight: 4, arbitrary: own }, { weight: 6, arbitrary: common.map((one) => [one]) })
  const nests = opcodes === 'flow' || opcodes === 'mixed' ? 3 : 1
  const sequence = (depth: number): fc.Arbitrary<Statement[]> => {
    if (depth === 0) return fc.array(leaf, { minLength: 2, maxLength: 8 }).map((all) => all.flat())
    const inner = sequence(depth - 1)
    const nested = fc.oneof(
      fc.record({ kind: fc.constant('branch' as const), taken: inner, otherwise: inner }),
      fc.record({ kind: fc.constant('loop' as const), rounds: fc.integer({ min: 1, max: 6 }), body: inner }),
      fc.record({ kind: fc.constant('twice' as const), body: inner }),
    )
    const one = fc.oneof(
      { weight: 9, arbitrary: leaf },
      { weight: nests, arbitrary: nested.map((each): Statement[] => [each]) },
    )
    return fc.array(one, { minLength: 5, maxLength: 16 }).map((all) => all.flat())
  }
  return sequence(2)
}

function ownLeaves(opcodes: OpcodeClass): fc.Arbitrary<Statement[]> {
  if (opcodes === 'checked') return checked
  if (opcodes !== 'mixed') return leaves[opcodes].map((one): Statement[] => [one])
  return fc.oneof(checked, ...Object.values(leaves).map((each) => each.map((one): Statement[] => [one])))
}
