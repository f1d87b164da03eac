import fc from 'fast-check'
import { createMachine } from '../../lib/compute/simulator/machine.ts'
import { runCalldata } from '../../lib/engine/sequence/runner-calls.ts'
import { runtimeOf } from '../engine/compiled-bodies.ts'
import { changedCodes, framedCalls } from '../engine/frame-changes.ts'
import { BODIES_THAT_LOOK_AROUND, PLAUSIBLE_BODIES } from '../engine/plausible-bodies.ts'
import { STEP_PROGRAMS, stepCode } from '../engine/step-programs.ts'
import { vmCases } from '../engine/vm-cases.ts'
import type { Checks, FrameCase, StepCase, TranslatorCase } from './checks.ts'

const ADDRESS = `0x${'33'.repeat(20)}` as const
const XS = [
  ...[0, 1, 2, 3, 7, 8, 31, 47, 48, 72, 99, 100, 255, 256, 65_535, 65_536, 305_419_896],
  ...[0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff],
]
const PROGRAMS = 30
const SEED = 7

/** The cases of the engine's tests, with what the EVM gives. */
export async function engineChecks(): Promise<Checks> {
  const machine = await createMachine([], 100_000_000n)
  const call = async (code: Uint8Array, calldata: Uint8Array) => {
    await machine.put(ADDRESS, `0x${Buffer.from(code).toString('hex')}`)
    return machine.call(ADDRESS, `0x${Buffer.from(calldata).toString('hex')}`)
  }
  const translator: TranslatorCase[] = []
  for (const { title, ...one } of vmCases()) {
    const [code, calldata] = [one.code, one.calldata].map(
      (hex) => new Uint8Array(Buffer.from(hex, 'hex')),
    ) as [Uint8Array, Uint8Array]
    const exact = await call(code, calldata)
    const expected =
      exact.status === 'returned'
        ? `returned ${Buffer.from(exact.output).toString('hex')}`
        : exact.status === 'reverted'
          ? `reverted ${exact.revertData.slice(2)}`
          : 'declined'
    translator.push({ title, code, calldata, expected })
  }
  translator.push({
    title: 'more code than a chain takes',
    code: new Uint8Array(24_577),
    calldata: new Uint8Array(),
    expected: 'not translated',
  })
  const stepsOf = async (
    title: string,
    family: string | undefined,
    code: Uint8Array,
    args: readonly number[],
  ) => {
    const values: [number, number][] = []
    for (const x of XS) {
      const outcome = await call(code, runCalldata(x, args))
      values.push([x, outcome.status === 'returned' ? Buffer.from(outcome.output).readUInt32BE(28) : -1])
    }
    return { title, family, code, args, values }
  }
  const steps: StepCase[] = []
  for (const { title, body, args } of PLAUSIBLE_BODIES) {
    steps.push(await stepsOf(title, undefined, runtimeOf(body), args))
  }
  for (const { title, body, args } of BODIES_THAT_LOOK_AROUND) {
    steps.push({ title, family: undefined, code: runtimeOf(body), args, values: undefined })
  }
  for (const [family, programs] of Object.entries(STEP_PROGRAMS)) {
    const sample = fc.sample(programs, { numRuns: PROGRAMS, seed: SEED })
    for (const [i, program] of sample.entries()) {
      steps.push(await stepsOf(`${family} ${i}`, family, stepCode(program), []))
    }
  }
  const frames: FrameCase[] = []
  const small = await createMachine([], 300_000n)
  for (const changed of changedCodes()) {
    frames.push({ ...changed, calls: await framedCalls(small, changed) })
  }
  return { translator, steps, frames }
}
