import type { Budget, CallOutcome, TranslatedContract } from '../types.ts'
import * as words from '../words.ts'
import { readCode } from './blocks.ts'
import { followFlow } from './flow.ts'
import { Frame } from './frame.ts'
import { writeStructured } from './write-structured.ts'
import { writeSwitched } from './write-switched.ts'

// The largest that the chain takes as deployed code, and what generated text may come to.
const CODE_LIMIT = 24_576
const TEXT_LIMIT = 2 ** 20

const HELPERS = Object.keys(words).join(', ')

type Translated = (m: Frame) => CallOutcome

/**
 * Deployed code as a JavaScript function: any code, any calldata, exact results and revert data. What a static call
 * answers otherwise than by computing is `Declined` when the code comes to it: gas, blocks, storage, other
 * accounts, failures that use up all gas (an invalid instruction or jump, a write to storage), very much memory.
 *
 * @returns `undefined` where the code is too large.
 */
export function translate(code: Uint8Array): TranslatedContract | undefined {
  if (code.length > CODE_LIMIT) return undefined
  const read = readCode(code)
  const flow = followFlow(read)
  const structured = flow === undefined ? undefined : writeStructured(flow)
  const run = compile(structured) ?? compile(writeSwitched(read))
  if (run === undefined) return undefined
  const frame = new Frame(read)
  return {
    call(calldata: Uint8Array, budget: Budget): CallOutcome {
      frame.begin(calldata, budget)
      return run(frame)
    },
  }
}

// The text has only names and literals in it that we generated, never anything that came with the code.
function compile(text: string | undefined): Translated | undefined {
  if (text === undefined || text.length > TEXT_LIMIT) return undefined
  try {
    const create = new Function(
      'h',
      `'use strict'\nconst { ${HELPERS} } = h\nreturn function (m) {\n${text}\n}`,
    )
    return create(words) as Translated
  } catch {
    // Nested more deeply than the JavaScript parser goes.
    return undefined
  }
}
