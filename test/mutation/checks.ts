/* What the engine's tests check, as one function of the engine that it is bundled with: it runs in a thread for each mutant. */

import { parentPort, workerData } from 'node:worker_threads'
import { compileStep } from '../../lib/engine/sequence/loop.ts'
import { specialise } from '../../lib/engine/specialise/specialise.ts'
import { translate } from '../../lib/engine/translate/translate.ts'
import { BudgetExceeded, Declined } from '../../lib/engine/types.ts'
import { answerOf, type ChangedCode, type FrameCall } from '../engine/frame-calls.ts'
import { PARTS } from '../engine/parts/parts.ts'
import { MOST_CHARACTERS, needlessHelpers } from '../engine/plausible-bodies.ts'

/** What the EVM gives for code; `declined` is left to it. */
export interface TranslatorCase {
  readonly title: string
  readonly code: Uint8Array
  readonly calldata: Uint8Array
  readonly expected: string
}

/** A step of a body, or that it is left to others. */
export interface StepCase {
  readonly title: string
  /** Programs of one family may be declined one by one. */
  readonly family: string | undefined
  readonly code: Uint8Array
  readonly args: readonly number[]
  /** x and what comes of it, -1 where it reverts; undefined: it must be declined. */
  readonly values: readonly (readonly [x: number, value: number])[] | undefined
}

/** Code with an instruction changed, and what the Runner's calls of it answer. */
export interface FrameCase extends ChangedCode {
  readonly calls: readonly FrameCall[]
}

export interface Checks {
  readonly translator: readonly TranslatorCase[]
  readonly frames: readonly FrameCase[]
  readonly steps: readonly StepCase[]
}

/** @returns The first case that fails. */
function firstFailure({ translator, steps, frames }: Checks): string | undefined {
  for (const { title, check } of steps.length === 0 ? [] : PARTS) {
    try {
      check()
    } catch {
      return `specialiser: ${title}`
    }
  }
  for (const { title, code, calldata, expected } of translator) {
    if (outcomeOf(code, calldata) !== expected) return `translator: ${title}`
  }
  let characters = 0
  const families = new Map<string, { all: number; declined: number }>()
  for (const { title, family, code, args, values } of steps) {
    const found = specialise(code, args)
    if (family !== undefined) {
      const count = families.get(family) ?? { all: 0, declined: 0 }
      count.all++
      if ('declined' in found) count.declined++
      families.set(family, count)
    }
    if ('declined' in found) {
      if (values !== undefined && family === undefined) return `specialiser: ${title} is declined`
      continue
    }
    if (values === undefined) return `specialiser: ${title} is not declined`
    if (family === undefined) {
      const [needless] = needlessHelpers(title, found.source)
      if (needless !== undefined) return `specialiser: ${title} uses ${needless}`
      characters += found.source.length
    }
    const step = compileStep(found.source)
    for (const [x, value] of values) {
      if (step(x, { steps: 1_000_000 }) !== value) return `specialiser: ${title} of ${x}`
    }
  }
  if (characters > MOST_CHARACTERS) return `specialiser: ${characters} characters`
  for (const [family, { all, declined }] of families) {
    if (declined > all / 10) return `specialiser: ${declined} of ${family} are declined`
  }
  for (const { title, code, args, calls } of frames) {
    const found = specialise(code, args)
    if ('declined' in found) continue
    const step = compileStep(found.source)
    const wrong = calls.some((call) => answerOf(step, call) !== call.answer)
    if (wrong) return `specialiser: ${title}`
  }
  return undefined
}

function outcomeOf(code: Uint8Array, calldata: Uint8Array): string {
  try {
    const outcome = translate(code)?.call(calldata, { steps: 1_000_000 })
    if (outcome === undefined) return 'not translated'
    const bytes = outcome.status === 'returned' ? outcome.output : outcome.data
    return `${outcome.status} ${Buffer.from(bytes).toString('hex')}`
  } catch (error) {
    if (error instanceof Declined) return 'declined'
    if (error instanceof BudgetExceeded) return 'budget'
    throw error
  }
}

try {
  parentPort?.postMessage({ failure: firstFailure(workerData as Checks) })
} catch (error) {
  parentPort?.postMessage({ failure: error instanceof Error ? error.message.slice(0, 120) : 'thrown' })
}
