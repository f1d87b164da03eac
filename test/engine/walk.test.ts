import { beforeAll, describe, expect, test } from 'vitest'
import { createExactEngine } from '#lib/compute/simulator/exact-engine.ts'
import { createEngine, translators } from '#lib/engine/engine.ts'
import type { RunRequest } from '#lib/engine/run.ts'
import { decodeParticles } from '#lib/protocol/particles.ts'
import { sharedCompiler } from '#test/support/compiler.ts'
import { type DimensionSketch, Shelf } from '#test/support/definitions.ts'
import { runOnReferenceEngine } from '#test/support/reference-engine.ts'

const LIMITS = { steps: 500_000_000, gas: 2_000_000_000n, milliseconds: 60_000 }

/** Bodies that see how they are called: by args[0], through calldata, free memory, what earlier steps left there. */
const ODD = `uint256 v = 1;
if (args[0] == 0) v = msg.data.length;
else if (args[0] == 1) assembly { v := mload(0x40) }
else if (args[0] == 2) assembly { let p := mload(0x40) v := add(1, mod(mload(p), 5)) mstore(p, add(x, 3)) }
else if (args[0] == 3) assembly { if eq(mod(x, 100), 77) { mstore(0, x) return(0, 32) } }
else if (args[0] == 4) assembly { let p := mload(0x40) if gt(x, 4000) { revert(p, 64) } mstore(p, x) }
else if (args[0] == 5) assembly { if gt(x, 30) { invalid() } }
return uint32(x + v);`

const ENDLESS = 'while (true) { unchecked { x++; } } return x;'

const compiler = sharedCompiler()
const exact = createExactEngine()
const shelf = new Shelf()

beforeAll(async () => {
  const bodies = {
    odd: ODD,
    wheel: 'return (x + args[0]) % args[1];',
    add: 'return x + args[0];',
    endless: ENDLESS,
  }
  for (const [name, body] of Object.entries(bodies))
    shelf.add(await compiler.compile('transformation', name, body))
})

function call(name: string, ...args: number[]) {
  return { name, args }
}

let made = 0
/** A run of a connector of these dimensions. */
function run(dimensions: readonly DimensionSketch[], particlesCount: number, start = 0): RunRequest {
  const name = `w${made++}`
  shelf.connector({ name, dimensions, static_ri: { 0: { start_point: start, transformation_shift: 0 } } })
  return {
    root: shelf.lookup('connector', name)!.contentHash,
    artifacts: shelf.all(),
    particlesCount,
    dynamicRi: [],
  }
}

/** A connector to lead to. */
function child(...dimensions: DimensionSketch[]): string {
  const name = `child${made++}`
  shelf.connector({ name, dimensions })
  return name
}

describe('bodies that see how they are called get the calls that the Runner makes', () => {
  const engines = {
    exact: createEngine({ exact, translators: {} }),
    translated: createEngine({ exact, translators: { ...translators, specialise: undefined } }),
    all: createEngine({ exact, translators }),
  }
  const odd = (kind: number): DimensionSketch => ({ transformations: [call('odd', kind)] })
  const shapes: Record<string, () => RunRequest> = {
    'many pieces from the start': () => run([0, 1, 2, 5].map(odd), 2600),
    'from a later index': () => run([0, 1, 2].map(odd), 300, 2500),
    'one index': () => run([2].map(odd), 1, 2100),
    'a piece that is cut short': () => run([odd(3)], 300),
    'eight steps, where a word is as long as the values': () => run([odd(3)], 9, 76),
    'a revert with what lies in memory': () => run([odd(4)], 4100),
    'a revert in what is passed over': () => run([odd(4)], 10, 4500),
    'turns of argument lists': () =>
      run([{ transformations: [call('odd', 2), call('odd', 1), call('odd', 0)] }], 2500),
    'turns of transformations': () =>
      run([{ transformations: [call('odd', 2), call('add', 4), call('odd', 0)] }], 200, 30),
    'ascending indices': () =>
      run([{ transformations: [call('add', 300)], composite: child(odd(2), odd(1)) }], 12),
    'indices in any order': () =>
      run([{ transformations: [call('wheel', 700, 3001)], composite: child(odd(2)) }], 40),
    'all gas gone': () => run([odd(5)], 60),
  }
  for (const [name, shape] of Object.entries(shapes)) {
    test(name, async () => {
      const request = shape()
      const reference = await runOnReferenceEngine(request, LIMITS.gas)
      const expected =
        reference.status === 'returned'
          ? { status: 'returned', particles: decodeParticles(reference.output) }
          : reference
      for (const [engine, { run }] of Object.entries(engines)) {
        const outcome = await run(request, LIMITS)
        // A local EVM cannot distinguish an invalid instruction below the Runner from too little gas.
        if (reference.status === 'exhausted')
          expect(outcome, engine).toEqual({ status: 'reverted', revertData: '0x' })
        else expect(outcome, engine).toEqual(expected)
      }
    })
  }
})

test('a call of the exact engine that does not end is cancelled with its run', async () => {
  let checks = 0
  const limits = { ...LIMITS, gas: 10n ** 15n, milliseconds: 600_000, cancelled: () => ++checks > 20 }
  const engine = createEngine({ exact: createExactEngine(), translators })
  const endless = run([{ transformations: [call('endless')] }], 3)
  expect(await engine.run(endless, limits)).toEqual({ status: 'exhausted', limit: 'cancelled' })
  expect(await engine.run(run([{ transformations: [call('add', 1)] }], 3), LIMITS)).toMatchObject({
    status: 'returned',
  })
})
