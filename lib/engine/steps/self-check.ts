import type { Coroutine } from '../allowance.ts'
import type { Call } from '../plan.ts'
import { cycleCalldata, rangeCalldata, runCalldata } from '../sequence/runner-calls.ts'
import { type Budget, BudgetExceeded, type CallOutcome, Declined, type TranslatedContract } from '../types.ts'

/** Gas for all probes of one call, and for each; a body that needs more is left to the exact engine. */
const GAS = 4_000_000n
const PROBE_GAS = 1_000_000n
const MIN_ANSWERS = 4
const CHECK_STEPS = 200_000
/** Largest number of steps and argument lists of a probe. */
const STEPS = 12
const LISTS = 9

/** A call of a transformation, and its outcome in the exact engine. */
export interface Probe {
  readonly calldata: Uint8Array
  /** Number of steps, from `x`. */
  readonly x: number
  readonly steps: number
  /** `run` returns a word, `range` and `cycle` return packed values. */
  readonly bare: boolean
  readonly outcome: CallOutcome
}

/**
 * Calls all three entries in the exact engine with edge cases and random values, counts and lists: unpredictable, so
 * that no body can be written to be right for the probes only.
 *
 * @returns null when too few probes finish within the gas.
 */
export function* probe(call: Call): Coroutine<readonly Probe[] | null> {
  const { code, args } = call
  const probes: Probe[] = []
  let gas = GAS
  for (const input of probeInputs(call)) {
    if (gas <= 0n) break
    const calldata = input.encode(args)
    const outcome = yield { code, calldata, declineAs: 'unchecked', ownGas: PROBE_GAS }
    gas -= outcome.gasUsed
    if (outcome.status === 'exhausted' || outcome.status === 'refused') continue
    probes.push({ ...input, calldata, outcome })
  }
  return probes.length < MIN_ANSWERS ? null : probes
}

/** Whether a specialised step has the outcomes of the exact engine. */
export function stepAgrees(step: (x: number, budget: Budget) => number, probes: readonly Probe[]): boolean {
  return probes.every(({ x, steps, bare, outcome }) => {
    const budget = { steps: CHECK_STEPS }
    const values: number[] = []
    let value = x
    try {
      while (values.length < steps && value >= 0) {
        value = step(value, budget)
        values.push(value)
      }
    } catch (error) {
      // Not wrong: the run would end at its own limit.
      if (error instanceof BudgetExceeded) return true
      return false
    }
    if (outcome.status === 'reverted') return value < 0
    return value >= 0 && sameBytes(outcome.output, bare ? packed(values) : word(value))
  })
}

/** Whether a translated contract has the outcomes of the exact engine, revert data included. */
export function contractAgrees(contract: TranslatedContract, probes: readonly Probe[]): boolean {
  return probes.every(({ calldata, outcome }) => {
    try {
      const answer = contract.call(calldata, { steps: CHECK_STEPS })
      if (answer.status === 'returned') {
        return outcome.status === 'returned' && sameBytes(answer.output, outcome.output)
      }
      return outcome.status === 'reverted' && sameBytes(answer.data, outcome.data)
    } catch (error) {
      if (error instanceof BudgetExceeded || error instanceof Declined) return true
      return false
    }
  })
}

interface ProbeInput {
  readonly x: number
  readonly steps: number
  readonly bare: boolean
  readonly encode: (args: readonly number[]) => Uint8Array
}

function* probeInputs({ args }: Call): Generator<ProbeInput, void> {
  const [edge = 1] = args
  for (const x of [random(256), (edge - 1) >>> 0, 0x8000_0000, random(2 ** 32)]) {
    yield { x, steps: 1, bare: false, encode: (list) => runCalldata(x, list) }
  }
  for (const x of [0, edge, 0xffff_ffff, random(65_536)]) {
    const steps = 1 + random(STEPS)
    yield { x, steps, bare: true, encode: (list) => rangeCalldata(x, list, steps) }
  }
  if (args.length === 0) return
  for (const x of [random(65_536), random(2 ** 32)]) {
    const steps = 1 + random(STEPS)
    const lists = 2 + random(LISTS - 1)
    const first = random(lists)
    const repeated = (list: readonly number[]) => Array.from({ length: lists }, () => list)
    yield { x, steps, bare: true, encode: (list) => cycleCalldata(x, repeated(list), steps, first) }
  }
}

/** Unpredictable integer from 0 to `below` - 1. */
function random(below: number): number {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1))
  return number % below
}

function packed(values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4)
  const view = new DataView(bytes.buffer)
  values.forEach((value, i) => {
    view.setUint32(4 * i, value)
  })
  return bytes
}

function word(value: number): Uint8Array {
  const bytes = new Uint8Array(32)
  new DataView(bytes.buffer).setUint32(28, value)
  return bytes
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
