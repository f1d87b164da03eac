import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileStep } from '#lib/engine/sequence/loop.ts'
import { rangeCalldata } from '#lib/engine/sequence/runner-calls.ts'
import { specialise } from '#lib/engine/specialise/specialise.ts'
import { createMachine } from '#test/support/machine.ts'
import { drawn, SEED } from '#test/support/slice.ts'
import { STEP_PROGRAMS, stepCode } from './step-programs.ts'

/** Random programs to compare for each class of opcodes. */
const CASES = drawn(12)
const ADDRESS = `0x${'a'.repeat(40)}` as const
const any32 = fc.integer({ min: 0, max: 0xffff_ffff })
const XS = [0, 1, 7, 8, 31, 255, 256, 65_535, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 305_419_896]

describe.each(Object.keys(STEP_PROGRAMS) as (keyof typeof STEP_PROGRAMS)[])('%s', (kind) => {
  it(`computes what the EVM does, ${CASES} random programs`, async () => {
    const machine = await createMachine([], 100_000_000n)
    let specialised = 0
    const says = async (x: number) => {
      const outcome = await machine.call(ADDRESS, `0x9e26c033${x.toString(16).padStart(64, '0')}`)
      return outcome.status === 'returned' ? Buffer.from(outcome.output).readUInt32BE(28) : -1
    }
    const property = fc.asyncProperty(STEP_PROGRAMS[kind], fc.array(any32), async (program, more) => {
      const code = stepCode(program)
      const found = specialise(code, [])
      if ('declined' in found) return
      specialised++
      const { source } = found
      const step = compileStep(source)
      await machine.put(ADDRESS, `0x${Buffer.from(code).toString('hex')}`)
      for (const x of XS) expect([x, step(x, { steps: 100_000 }), source]).toEqual([x, await says(x), source])
      const [first = 0] = more
      const several = await machine.call(
        ADDRESS,
        `0x${Buffer.from(rangeCalldata(first, [], 3)).toString('hex')}`,
      )
      const values = [first]
      while (values.length < 4 && values.at(-1)! >= 0) values.push(step(values.at(-1)!, { steps: 100_000 }))
      const expected = several.status === 'returned' ? [...several.output] : -1
      expect(values.at(-1)! < 0 ? -1 : values.slice(1).flatMap(bytesOf)).toEqual(expected)
    })
    await fc.assert(property, { numRuns: CASES, seed: SEED })
    expect(specialised).toBeGreaterThan(CASES * 0.9)
  })
})

function bytesOf(value: number): number[] {
  return [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff]
}
