import fc from 'fast-check'
import type { RunRequest } from '#lib/engine/run.ts'
import type { CodeArtifact } from '#lib/protocol/artifact.ts'
import { codeContentHash } from '#lib/protocol/content-hash.ts'
import type { Hex } from '#lib/protocol/entity.ts'
import { disassemble, OPCODES } from '#lib/protocol/opcodes.ts'
import { Shelf } from '#test/support/definitions.ts'

/**
 * Offsets of the words of a call, and constants that the wrapper's frame compares with: what code that reads its
 * environment pushes.
 */
const TELLING = [
  0, 4, 0x20, 0x24, 0x40, 0x44, 0x60, 0x64, 0x80, 0x84, 0xa4, 0xc4, 0x9e26c033, 0xf4d649f7, 0x47ad3e03,
]
const NAMES = OPCODES.flatMap((opcode, byte) => (opcode === undefined ? [] : [{ name: opcode.name, byte }]))
const PLAIN = NAMES.filter(({ name }) => !/^(PUSH[1-9]|PUSH[123]\d)/.test(name)).map(({ byte }) => byte)
const LOOKING = NAMES.filter(({ name }) =>
  /CALL|CODE|DATA|GAS|MSIZE|LOAD|STORE|COPY|BLOCK|NUMBER|TIMESTAMP|CHAINID|FEE|RANDAO|BALANCE|ADDRESS|ORIGIN|PC|BLOB|HASH/.test(
    name,
  ),
).map(({ byte }) => byte)

/** Opcodes that pop and push the same number of words. */
function alike({ takes, gives }: { readonly takes: number; readonly gives: number }): number[] {
  return PLAIN.filter((byte) => OPCODES[byte]!.takes === takes && OPCODES[byte]!.gives === gives)
}

const anyByte = fc.nat(255)
const opcode = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...PLAIN) },
  { weight: 3, arbitrary: fc.constantFrom(...LOOKING) },
  { weight: 1, arbitrary: anyByte },
)
const telling = fc.oneof(fc.constantFrom(...TELLING), fc.nat(64))

/** One change of code at an instruction, which leaves all others where they are, or does not. */
const mutation = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom(
    ...(['alike', 'alike', 'alike', 'opcode', 'push', 'push', 'byte', 'swap', 'insert', 'remove'] as const),
  ),
  opcode,
  byte: anyByte,
  number: telling,
})

type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never

function mutated(code: Uint8Array, { at, kind, opcode, byte, number }: Mutation): Uint8Array {
  const bytes = [...code]
  const instructions = disassemble(code)
  const pushes = instructions.filter(({ pushed, opcode }) => pushed !== undefined && opcode !== 0x5f)
  const one = instructions[at % instructions.length]!
  switch (kind) {
    case 'push': {
      const { pc, opcode } = pushes[at % pushes.length] ?? one
      const size = opcode - 0x5f
      for (let i = 0; i < size; i++) bytes[pc + size - i] = (number / 256 ** i) & 0xff
      break
    }
    case 'alike': {
      const plain = instructions.filter(
        ({ pushed, definition }) => pushed === undefined && definition !== undefined,
      )
      const { pc, definition } = plain[at % plain.length] ?? one
      const same = alike(definition ?? { takes: 0, gives: 0 })
      bytes[pc] = same[number % same.length] ?? opcode
      break
    }
    case 'byte':
      bytes[at % bytes.length] = byte
      break
    case 'swap': {
      const other = (one.pc + 1) % bytes.length
      ;[bytes[one.pc], bytes[other]] = [bytes[other]!, bytes[one.pc]!]
      break
    }
    case 'insert':
      bytes.splice(one.pc, 0, opcode)
      break
    case 'remove':
      bytes.splice(one.pc, 1)
      break
    default: {
      const plain = instructions.filter(({ pushed }) => pushed === undefined)
      bytes[(plain[at % plain.length] ?? one).pc] = opcode
    }
  }
  return Uint8Array.from(bytes)
}

const instruction = fc.oneof(
  {
    weight: 4,
    arbitrary: telling.map((number) => (number > 255 ? [0x63, ...bytesOf(number)] : [0x60, number])),
  },
  { weight: 6, arbitrary: opcode.map((byte) => [byte]) },
)

/** Arbitrary code, from mutated compiler output to random bytes. */
export function codes(compiled: readonly Uint8Array[]): fc.Arbitrary<Uint8Array> {
  const changed = fc
    .tuple(
      fc.constantFrom(...compiled),
      fc.oneof(
        { weight: 1, arbitrary: fc.constant([]) },
        { weight: 6, arbitrary: fc.array(mutation, { minLength: 1, maxLength: 1 }) },
        { weight: 1, arbitrary: fc.array(mutation, { minLength: 2, maxLength: 5 }) },
      ),
    )
    .map(([code, mutations]) => mutations.reduce(mutated, code))
  const random = fc
    .array(instruction, { minLength: 1, maxLength: 120 })
    .map((all) => Uint8Array.from(all.flat()))
  const noise = fc.uint8Array({ minLength: 1, maxLength: 80 })
  return fc.oneof(
    { weight: 8, arbitrary: changed },
    { weight: 1, arbitrary: random },
    { weight: 1, arbitrary: noise },
  )
}

/** Ways in which the Runner calls steps. */
const shape = fc.record({
  kind: fc.constantFrom(
    ...([
      'range',
      'range',
      'range',
      'cycle',
      'cycle',
      'cycle',
      'each',
      'each',
      'child',
      'condition',
    ] as const),
  ),
  width: fc.oneof({ weight: 1, arbitrary: fc.nat(2) }, { weight: 2, arbitrary: fc.constant(3) }),
  args: fc.array(
    fc.oneof({ weight: 5, arbitrary: fc.nat(99) }, { weight: 1, arbitrary: fc.nat(0xffff_ffff) }),
    { minLength: 20, maxLength: 20 },
  ),
  lists: fc.integer({ min: 2, max: 6 }),
  count: fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 1, max: 40 }) },
    { weight: 1, arbitrary: fc.integer({ min: 2045, max: 2060 }) },
  ),
  first: fc.oneof(fc.constant(0), fc.nat(50)),
  start: fc.oneof({ weight: 5, arbitrary: fc.nat(120) }, { weight: 1, arbitrary: fc.nat(0xffff_ffff) }),
  shift: fc.nat(9),
})

export type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never

export interface CodeRun {
  readonly codes: readonly Hex[]
  readonly shape: Shape
}

export function codeRuns(code: fc.Arbitrary<Uint8Array>): fc.Arbitrary<CodeRun> {
  return fc.record({
    codes: fc
      .tuple(code, code)
      .map((pair) => pair.map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as const)),
    shape,
  })
}

/** The run as a request. */
export function requestOf({ codes, shape }: CodeRun): RunRequest {
  const { kind, width, args, lists, count, first, start, shift } = shape
  const shelf = new Shelf()
  const [one, other] = codes.map((runtime, i) =>
    shelf.add(codeArtifact('transformation', `t${i}`, width, runtime)),
  )
  const list = (number: number) => args.slice(number * width, (number + 1) * width)
  const call = (of: CodeArtifact, number: number) => ({ name: of.name, args: list(number) })
  const calls = (of: CodeArtifact, number: number) => Array.from({ length: number }, (_, i) => call(of, i))
  const static_ri = {
    0: { start_point: first, transformation_shift: 0 },
    1: { start_point: start, transformation_shift: shift },
  }
  if (kind === 'condition') shelf.add(codeArtifact('condition', 'c', width, codes[1]!))
  if (kind === 'child')
    shelf.connector({ name: 'child', dimensions: [{ transformations: calls(other!, 2) }] })
  const transformations =
    kind === 'cycle'
      ? calls(one!, lists)
      : kind === 'each'
        ? [call(one!, 0), call(other!, 1)]
        : calls(one!, 1)
  const root = shelf.connector({
    name: 'root',
    dimensions: [{ transformations, ...(kind === 'child' && { composite: 'child' }) }],
    ...(kind === 'condition' && { condition_name: 'c', condition_args: list(2).map((arg) => arg | 0) }),
    static_ri,
  })
  return { root: root.contentHash, artifacts: shelf.all(), particlesCount: count, dynamicRi: [] }
}

function codeArtifact(
  kind: CodeArtifact['kind'],
  name: string,
  argsCount: number,
  runtime: Hex,
): CodeArtifact {
  return { kind, name, argsCount, runtime, contentHash: codeContentHash(kind, name, argsCount, runtime) }
}

function bytesOf(number: number): number[] {
  return [number >>> 24, (number >>> 16) & 0xff, (number >>> 8) & 0xff, number & 0xff]
}

/** Values that assembly can read beside x and the arguments. */
const WORDS = [
  'calldataload(0)',
  'calldataload(4)',
  'calldataload(0x24)',
  'calldataload(0x44)',
  'calldataload(0x64)',
  'calldataload(0x84)',
  'calldataload(0xa4)',
  'calldataload(sub(args.offset, 0x20))',
  'calldataload(add(args.offset, 0x20))',
  'calldataload(sub(calldatasize(), 0x20))',
  'calldatasize()',
  'args.offset',
  'args.length',
  'mload(0x40)',
  'mload(mload(0x40))',
  'mload(add(mload(0x40), 0x20))',
  'mload(sub(mload(0x40), 0x20))',
  'mload(0)',
  'mload(0x60)',
  'mload(0x80)',
  'codesize()',
  'returndatasize()',
  'callvalue()',
  'caller()',
  'address()',
  'origin()',
  'gasprice()',
  'gas()',
  'selfbalance()',
  'balance(x)',
  'extcodesize(x)',
  'extcodehash(address())',
  'sload(0)',
  'tload(0)',
  'number()',
  'timestamp()',
  'prevrandao()',
  'coinbase()',
  'gaslimit()',
  'chainid()',
  'basefee()',
  'blobbasefee()',
  'blobhash(0)',
  'blockhash(sub(number(), 1))',
  'blockhash(sub(number(), 2))',
  'blockhash(number())',
]

/** Operations on such a word W; the others are calls and copies. */
const USES = [
  'x := add(x, W)',
  'x := xor(x, and(W, 0xff))',
  'if gt(W, 9) { x := add(x, 1000) }',
  'if iszero(and(W, 1)) { x := add(x, 3) }',
  'if eq(shr(224, calldataload(0)), 0xf4d649f7) { if gt(W, 30) { x := add(x, 1000) } }',
  'if eq(shr(224, calldataload(0)), 0x47ad3e03) { if gt(W, 3) { x := add(x, 7) } }',
  'let p := mload(0x40) mstore(p, W) x := add(x, and(keccak256(p, 0x20), 7))',
  'let p := mload(0x40) mstore(p, add(mload(p), W)) x := mload(p)',
  'if lt(x, 40) { let y := W mstore(0, y) revert(0, 0x20) }',
  'switch mod(x, 3) case 0 { x := add(x, W) } default { x := add(x, 1) }',
  'for { let i := 0 } lt(i, and(W, 7)) { i := add(i, 1) } { x := add(x, i) }',
]

const WHOLE = [
  'codecopy(mload(0x40), 0, 0x40) x := add(x, and(mload(mload(0x40)), 0xff))',
  'codecopy(0, sub(codesize(), 0x10), 0x20) x := add(x, and(mload(0), 0xff))',
  'calldatacopy(mload(0x40), 0, calldatasize()) x := add(x, and(keccak256(mload(0x40), calldatasize()), 0xf))',
  'calldatacopy(mload(0x40), calldatasize(), 0x40) x := add(x, mload(mload(0x40)))',
  'returndatacopy(0, 0, 0) x := add(x, returndatasize())',
  'returndatacopy(0, 0, 1) x := add(x, 1)',
  'extcodecopy(address(), 0, 0, 0x20) x := add(x, and(mload(0), 0xff))',
  'mstore(0x40, add(mload(0x40), x)) x := add(x, 1)',
  'mstore(0x60, x) x := add(x, mload(0x60))',
  'mstore(0x60, add(mload(0x60), 1)) x := add(x, mload(0x60))',
  'mstore(0x80, x) x := add(x, 1)',
  'mstore(sub(mload(0x40), 0x20), 0) x := add(x, 1)',
  'mcopy(mload(0x40), 0x80, 0x40) x := add(x, and(mload(mload(0x40)), 0xff))',
  'mstore(0, x) return(0, 0x20)',
  'mstore(0, x) return(0, 4)',
  'stop()',
  'invalid()',
  'selfdestruct(0)',
  'sstore(0, x)',
  'tstore(0, x) x := add(x, 1)',
  'log0(0, 0) x := add(x, 1)',
  'pop(create(0, 0, 0)) x := add(x, 1)',
  'x := add(x, staticcall(gas(), x, 0, 0, 0, 0))',
  'x := add(x, call(gas(), 0x04, 1, 0, 0, 0, 0))',
  'x := add(x, delegatecall(gas(), 0x04, 0, 0, 0, 0))',
  'x := add(x, callcode(gas(), 0x04, 0, 0, 0, 0, 0))',
  'x := add(x, staticcall(gas(), address(), 0, 0, 0, 0))',
  'x := add(x, staticcall(gas(), caller(), 0, 0, 0, 0))',
  'x := add(x, staticcall(40, 0x02, 0, 0x20, 0, 0x20))',
  'mstore(0, x) x := add(staticcall(gas(), 0x05, 0, 0x2000, 0, 0x20), x)',
  'mstore(0, x) mstore(0x20, 27) mstore(0x40, x) mstore(0x60, x) x := add(x, staticcall(gas(), 0x01, 0, 0x80, 0, 0x20))',
  'x := add(x, staticcall(gas(), 0x06, 0, 0x80, 0, 0x40))',
  'mstore(0, x) x := add(x, staticcall(gas(), 0x07, 0, 0x60, 0, 0x40))',
  'x := add(x, staticcall(gas(), 0x08, 0, 0, 0, 0x20))',
  'mstore(0, x) x := add(x, staticcall(gas(), 0x09, 0, 0xd5, 0, 0x40))',
  'x := add(x, staticcall(gas(), 0x0a, 0, 0xc0, 0, 0x40))',
  'x := add(x, staticcall(gas(), 0x0b, 0, 0x100, 0, 0x80))',
  'x := add(x, staticcall(gas(), 0x100, 0, 0xa0, 0, 0x20))',
  ...[0x02, 0x03, 0x04].map(
    (to) =>
      `mstore(0, x) let ok := staticcall(gas(), ${to}, 0, 0x20, 0, 0x20) x := add(add(x, ok), add(returndatasize(), and(mload(0), 0xff)))`,
  ),
]

/** Bodies that read their environment: every word in every use, and what is not a word. */
export const LOOKING_BODIES: readonly string[] = [
  ...WHOLE,
  ...USES.flatMap((use) => WORDS.map((word) => use.replaceAll('W', word))),
].map((assembly) => `assembly { ${assembly} } return x + 1;`)
