import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { translate } from '#lib/engine/translate/translate.ts'
import { BudgetExceeded, type CallOutcome, Declined } from '#lib/engine/types.ts'
import type { Hex } from '#lib/protocol/entity.ts'
import { OPCODES } from '#lib/protocol/opcodes.ts'
import { createMachine, type Machine } from '#test/support/machine.ts'
import { drawn, SEED } from '#test/support/slice.ts'
import { anyWord } from './step-programs.ts'

/** Random programs to compare for each class of opcodes. */
const PROGRAMS = drawn(40)
const ADDRESS = `0x${'11'.repeat(20)}` as const
const STEPS = 1_000_000

let machine: Machine

beforeAll(async () => {
  machine = await createMachine([], 10_000_000n)
})

function hexOf(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString('hex')}`
}
function two(value: number) {
  return value.toString(16).padStart(4, '0')
}
function place(pc: number) {
  return `61${two(pc)}`
}
function repeat(count: number, text: (index: number) => string) {
  return Array.from({ length: count }, (_, i) => text(i)).join('')
}
const RETURN = '60205ff3'
/** Adds one to the first word of memory, and puts it on the stack. */
const COUNT = '5f51600101805f52'
// Code beyond 255 bytes has labels of two bytes.
const PADDING = '00'.repeat(300)

function run(hex: string, calldata = '', steps = STEPS): CallOutcome | undefined {
  return translate(Buffer.from(hex, 'hex'))?.call(Buffer.from(calldata, 'hex'), { steps })
}

const CLASSES = {
  arithmetic: 'ADD MUL SUB DIV SDIV MOD SMOD ADDMOD MULMOD EXP SIGNEXTEND',
  comparison: 'LT GT SLT SGT EQ ISZERO',
  bitwise: 'AND OR XOR NOT BYTE SHL SHR SAR',
  stack: `POP ${repeat(16, (i) => `DUP${i + 1} SWAP${i + 1} `).trim()}`,
  memory: 'MLOAD MSTORE MSTORE8 MCOPY MSIZE KECCAK256',
  input:
    'CALLDATALOAD CALLDATASIZE CALLDATACOPY CODECOPY CODESIZE RETURNDATASIZE RETURNDATACOPY CALLVALUE PC',
  endings: 'RETURN REVERT STOP INVALID JUMP SSTORE LOG0',
}

/** Code of pushes, opcodes of one class and forward branches on calldata, which returns the top of the stack. */
function programs(opcodes: string): fc.Arbitrary<string> {
  const bytes = opcodes.split(' ').map((name) => OPCODES.findIndex((opcode) => opcode?.name === name))
  const part = fc.oneof(
    { weight: 3, arbitrary: anyWord.map((word) => `7f${word.toString(16).padStart(64, '0')}`) },
    // Offsets and lengths.
    { weight: 6, arbitrary: fc.nat(0x1ff).map((value) => `61${two(value)}`) },
    { weight: 2, arbitrary: fc.nat(2).map((word) => `60${(32 * word).toString(16).padStart(2, '0')}35`) },
    {
      weight: 7,
      arbitrary: fc.constantFrom(...bytes).map((byte) => byte.toString(16).padStart(2, '0')),
    },
    { weight: 1, arbitrary: fc.constant('branch') },
  )
  return fc.array(part, { minLength: 10, maxLength: 60 }).map((parts) => {
    let code = ''
    const open: number[] = []
    for (const one of [...parts, ...parts.filter((each) => each === 'branch').map(() => 'join')]) {
      if (one === 'join' || (one === 'branch' && open.length > 1)) {
        const at = open.pop()
        if (at === undefined) continue
        code = `${code.slice(0, at)}${two(code.length / 2)}${code.slice(at + 4)}5b`
      } else if (one === 'branch') {
        code += '5f3561'
        open.push(code.length)
        code += '000057'
      } else code += one
    }
    return `${code}5f52${RETURN}`
  })
}

test.each(Object.entries(CLASSES))(
  `%s: the outcomes of the EVM, ${PROGRAMS} random programs (seed ${SEED})`,
  async (_, opcodes) => {
    const seen = new Set<string>()
    const inputs = fc.array(fc.oneof(anyWord, fc.nat(1).map(BigInt)), { minLength: 3, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(programs(opcodes), inputs, async (code, words) => {
        const calldata = words.map((word) => word.toString(16).padStart(64, '0')).join('')
        await machine.put(ADDRESS, `0x${code}`)
        const exact = await machine.call(ADDRESS, `0x${calldata}`)
        // Failures that use up all gas, and memory that no gas pays for, are for the exact engine.
        const translated = outcomeOf(code, calldata)
        if (translated === 'declined' || exact.status === 'exhausted') return
        seen.add(exact.status)
        expect(translated).toEqual(
          exact.status === 'returned'
            ? { status: 'returned', bytes: hexOf(exact.output) }
            : { status: 'reverted', bytes: exact.revertData },
        )
      }),
      { seed: SEED, numRuns: PROGRAMS },
    )
    expect(seen).toContain('returned')
  },
)

function outcomeOf(code: string, calldata: string) {
  try {
    const outcome = run(code, calldata)!
    return outcome.status === 'returned'
      ? { status: outcome.status, bytes: hexOf(outcome.output) }
      : { status: outcome.status, bytes: hexOf(outcome.data) }
  } catch (error) {
    if (error instanceof Declined) return 'declined'
    throw error
  }
}

describe('code that is far from what compilers make', () => {
  test.each([
    [
      'jumps that lie in each other',
      repeat(400, (i) => `5b36${place((799 - i) * 6)}57`) + repeat(400, () => '5b363650505b'),
    ],
    [
      'more of them than are written as such',
      repeat(900, (i) => `5b36${place((1799 - i) * 6)}57`) + repeat(900, () => '5b363650505b'),
    ],
    ['a long row of conditions', `${repeat(900, (i) => `5b5f35${place(i * 8 + 8)}575b`)}5b${RETURN}`],
    ['a long computation', `36${repeat(3000, () => '8060011b18')}63ffffffff165f52${RETURN}`],
    [
      'loops that lie in each other',
      `${repeat(60, () => '5b5b')}${repeat(60, (i) => `${COUNT}606411${place((59 - i) * 2)}57`)}${RETURN}${PADDING}`,
    ],
    ['a loop with two ways in', `60093661000c575b600190035b5f516003015f52806100075750${RETURN}${PADDING}`],
    [
      'recursion',
      `61000b365b6100135600005b5f52${RETURN}005b801561002a57610026816001900361001356${'5b0190565b9056'}${PADDING}`,
    ],
  ])('%s', async (_, code) => {
    await machine.put(ADDRESS, `0x${code}`)
    for (const calldata of ['', '010203']) {
      const exact = await machine.call(ADDRESS, `0x${calldata}`)
      expect(exact.status).toBe('returned')
      expect(run(code, calldata)).toEqual(exact)
    }
  })

  test('a stack that only grows fails, which is left to the exact engine', () => {
    expect(() => run(`5b365f56${PADDING}`)).toThrow(Declined)
  })

  test('more code than a chain takes is not translated', () => {
    expect(translate(new Uint8Array(24_577))).toBeUndefined()
  })
})

describe('budget', () => {
  test.each([
    ['an endless loop', '5b5f56'],
    ['an endless loop where jumps are computed', '5b61ffff3556'],
    ['hashing megabytes', '5b63000f00005f20505f56'],
    ['growing memory', '5b5f6300ffff00525f56'],
    ['long powers', '5b5f195f190a5f525f56'],
  ])('%s ends with it', (_, code) => {
    expect(() => run(code + PADDING)).toThrow(BudgetExceeded)
  })

  test('is taken from what the caller has', () => {
    const budget = { steps: 100 }
    translate(Buffer.from('00', 'hex'))?.call(new Uint8Array(), budget)
    expect(budget.steps).toBeLessThan(100)
  })
})

test('every call finds empty memory', () => {
  // Puts what lies in memory aside, writes over it, and returns what it found.
  const contract = translate(Buffer.from('5f516020525f195f5260206020f3', 'hex'))
  for (let call = 0; call < 3; call++) {
    const outcome = contract?.call(new Uint8Array(), { steps: STEPS })
    expect(outcome).toEqual({ status: 'returned', output: new Uint8Array(32) })
  }
})

test.each([
  ['gas', '5a'],
  ['its own address', '30'],
  ['its caller', '33'],
  ['other accounts', '5f31'],
  ['the fee of a block', '48'],
  ['a call', '5f5f5f5f5f5ffa'],
  ['a write to storage', '5f5f55'],
  ['an invalid instruction', 'fe'],
  ['memory beyond what is held', '5f6410000000005200'],
])('%s is left to the exact engine', (_, code) => {
  expect(() => run(code)).toThrow(Declined)
})
