import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ANY } from '../../lib/engine/ranges.ts'
import { Algebra } from '../../lib/engine/specialise/algebra.ts'
import { Effort } from '../../lib/engine/specialise/effort.ts'
import { emit } from '../../lib/engine/specialise/emit.ts'
import { explore, TooManyTurns } from '../../lib/engine/specialise/explore.ts'
import { asRun } from '../../lib/engine/specialise/layout.ts'
import { readProgram } from '../../lib/engine/specialise/program.ts'
import { MAX_32, Unspecialised } from '../../lib/engine/specialise/value.ts'
import * as h from '../../lib/engine/words.ts'
import { createMachine } from '../../lib/simulator/machine.ts'
import { anyStepProgram, stepCode } from './step-programs.ts'

const CASES = Number(process.env.ENGINE_PROGRAMS ?? 120)
const SEED = Number(process.env.ENGINE_SEED ?? 7)
const ADDRESS = `0x${'a'.repeat(40)}` as const
const XS = [0, 1, 7, 8, 31, 255, 256, 65_535, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 305_419_896]

/** The text for code that answers `run` only: what it is made of needs no loop over steps around it. */
function textOf(code: Uint8Array): string | undefined {
  const rolled = new Set<number>()
  const effort = new Effort(60_000)
  for (;;) {
    const algebra = new Algebra(effort)
    const x = algebra.terms.fresh('X', [], { low: 0n, high: MAX_32 })
    const again = algebra.terms.fresh('AGAIN', [], ANY)
    const context = { program: readProgram(code), args: [], layout: asRun(x), algebra, x, again }
    try {
      return emit(explore(context, { nodes: 600, turns: 40 }, rolled), x)
    } catch (error) {
      if (!(error instanceof Unspecialised)) throw error
      if (!(error instanceof TooManyTurns)) return undefined
      rolled.add(error.pc)
    }
  }
}

it(`computes what the EVM does, ${CASES} random programs`, { timeout: 20_000 + CASES * 400 }, async () => {
  const machine = await createMachine([], 100_000_000n)
  let specialised = 0
  const says = async (x: number) => {
    const outcome = await machine.call(ADDRESS, `0x9e26c033${x.toString(16).padStart(64, '0')}`)
    return outcome.status === 'returned' ? Buffer.from(outcome.output).readUInt32BE(28) : -1
  }
  const property = fc.asyncProperty(anyStepProgram, async (program) => {
    const code = stepCode(program)
    const text = textOf(code)
    if (text === undefined) return
    specialised++
    const step = new Function('h', `return ${text}`)(h) as (x: number, budget: { steps: number }) => number
    await machine.put(ADDRESS, `0x${Buffer.from(code).toString('hex')}`)
    for (const x of XS) expect([x, step(x, { steps: 100_000 }), text]).toEqual([x, await says(x), text])
  })
  await fc.assert(property, { numRuns: CASES, seed: SEED })
  expect(specialised).toBeGreaterThan(CASES * 0.9)
})
