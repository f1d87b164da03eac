import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Hex } from '../../lib/domain/entity.ts'
import { translate } from '../../lib/engine/translate/translate.ts'
import { BudgetExceeded, Declined, type TranslatedContract } from '../../lib/engine/types.ts'
import { createMachine, type Machine } from '../../lib/simulator/machine.ts'
import { assemble } from './assemble.ts'
import { anyWord, OPCODE_CLASSES, programsOf } from './programs.ts'

/** Random programs to compare for each class of opcodes. */
const PROGRAMS = Number(process.env.ENGINE_PROGRAMS ?? 40)
const SEED = Number(process.env.ENGINE_SEED ?? 20_261)
const GAS_LIMIT = 3_000_000n
const ADDRESS = `0x${'11'.repeat(20)}` as const

type Answer =
  | { readonly status: 'returned' | 'reverted'; readonly bytes: Hex }
  | { readonly status: 'declined' }

let machine: Machine

beforeAll(async () => {
  machine = await createMachine([], GAS_LIMIT)
})

/** Two calls of three words each. */
const inputs = fc.array(
  fc
    .array(fc.oneof(anyWord, fc.nat(3).map(BigInt)), { minLength: 3, maxLength: 3 })
    .map((words) =>
      Uint8Array.from(Buffer.from(words.map((word) => word.toString(16).padStart(64, '0')).join(''), 'hex')),
    ),
  { minLength: 2, maxLength: 2 },
)

describe.each(OPCODE_CLASSES)('%s', (opcodes) => {
  test(
    `answers ${PROGRAMS} random programs as the exact engine does (seed ${SEED})`,
    async () => {
      const seen = new Set<string>()
      await fc.assert(
        fc.asyncProperty(programsOf(opcodes), inputs, fc.nat(3), async (program, given, kind) => {
          const code = assemble(program, kind === 0)
          const contract = translate(code)
          await machine.put(ADDRESS, hex(code))
          for (const input of given) {
            const exact = await exactly(input)
            expect(translated(contract, input)).toEqual(exact)
            seen.add(exact.status)
          }
        }),
        { seed: SEED, numRuns: PROGRAMS },
      )
      expect(seen).toContain('returned')
    },
    60_000 + PROGRAMS * 400,
  )
})

/** Failures that use up all gas are for the exact engine. */
async function exactly(input: Uint8Array): Promise<Answer> {
  const outcome = await machine.call(ADDRESS, hex(input))
  if (outcome.status === 'returned') return { status: 'returned', bytes: hex(outcome.output) }
  return outcome.status === 'reverted'
    ? { status: 'reverted', bytes: outcome.revertData }
    : { status: 'declined' }
}

function translated(contract: TranslatedContract | undefined, input: Uint8Array): Answer | undefined {
  try {
    const outcome = contract?.call(input, { steps: 1_000_000 })
    if (outcome?.status === 'returned') return { status: 'returned', bytes: hex(outcome.output) }
    return outcome && { status: 'reverted', bytes: hex(outcome.data) }
  } catch (error) {
    if (error instanceof Declined || error instanceof BudgetExceeded) return { status: 'declined' }
    throw error
  }
}

function hex(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString('hex')}`
}
