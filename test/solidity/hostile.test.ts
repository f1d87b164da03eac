import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Failure } from '../../lib/domain/failure.ts'
import type { Compiler } from '../../lib/solidity/compiler.ts'
import { createCompilerPool } from '../../lib/solidity/pool.ts'
import { hostileBodies } from '../support/hostile-bodies.ts'

const TIMEOUT_MS = 2000

let compiler: Compiler
let benign = 0

beforeAll(async () => {
  compiler = createCompilerPool({ timeoutMs: TIMEOUT_MS, maxQueue: 16, threads: 1 })
  await compiler.compile('transformation', 'Warm', 'return x + args[0];')
  await compiler.compile('condition', 'Warm', 'return args[0] > 0;')
})

afterAll(() => compiler.close())

test('there are at least sixty', () => {
  expect(hostileBodies.length).toBeGreaterThanOrEqual(60)
  expect(new Set(hostileBodies.map(({ title }) => title)).size).toBe(hostileBodies.length)
})

// One more try: a machine busy with other things may use up the time limit of a harmless body.
describe.each(hostileBodies)('$title', { retry: 1 }, ({ kind, body, outcome, says }) => {
  test(`is ${outcome}, and a benign body beside it compiles`, async () => {
    benign += 1
    const hostile = compiler.compile(kind, 'Hostile', body).catch((error: unknown) => error)
    const beside = compiler.compile('transformation', 'Benign', `return x + ${benign};`)
    const [result, benignArtifact] = await Promise.all([hostile, beside])
    if (outcome === 'accepted') {
      expect(result).toMatchObject({ kind, name: 'Hostile', runtime: expect.stringMatching(/^0x[0-9a-f]+$/) })
    } else {
      expect(result).toBeInstanceOf(Failure)
      const failure = result as Failure
      expect(failure.code).toBe('invalid_request')
      if (typeof says === 'string') expect(failure.message).toContain(says)
      else expect(failure.message).toMatch(says!)
      expect(failure.message).not.toMatch(/memoryguard|\/solidity\/|SPDX|cursor|calldata args/)
      expect(failure.message.length).toBeLessThan(2000)
    }
    expect(benignArtifact.argsCount).toBe(0)
  })
})
