import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Compiler } from '#lib/compute/solidity/compiler.ts'
import { createCompilerPool } from '#lib/compute/solidity/pool.ts'
import { Failure } from '#lib/protocol/failure.ts'
import { compileLimitMs } from '#test/support/compiler.ts'
import { hostileBodies } from '#test/support/hostile-bodies.ts'
import { sliceOf } from '#test/support/slice.ts'

/** A harmless body is compiled beside every so many, and beside each that may cost its thread. */
const BESIDE_EVERY = 10

/** One with a short timeout for bodies that run until it, and one with a timeout that any machine meets. */
let strict: Compiler
let patient: Compiler

beforeAll(async () => {
  const pool = (timeoutMs: number) => createCompilerPool({ timeoutMs, maxQueue: 16, threads: 1 })
  strict = pool(await compileLimitMs())
  patient = pool(200_000)
  await Promise.all([strict, patient].map((each) => each.compile('condition', 'Warm', 'return args[0] > 0;')))
})

afterAll(() => Promise.all([strict?.close(), patient?.close()]))

const all = hostileBodies.map((each, index) => {
  const mayTakeLong = each.says instanceof RegExp && each.says.test('took longer')
  return { ...each, mayTakeLong, hasBeside: mayTakeLong || index % BESIDE_EVERY === 0, index }
})

const bodies = sliceOf(all, 3)

describe.each(bodies)('$title', ({ kind, body, outcome, says, mayTakeLong, hasBeside, index }) => {
  const how = hasBeside ? `${outcome}, and a benign body beside it compiles` : outcome
  test(`is ${how}`, async () => {
    const compiler = mayTakeLong ? strict : patient
    const hostile = compiler.compile(kind, 'Hostile', body).catch((error: unknown) => error)
    // After it, on the same thread or on the one in its place.
    const beside = hasBeside
      ? compiler.compile('transformation', 'Benign', `return x + ${index};`)
      : undefined
    const result = await hostile
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
    if (hasBeside) expect(await beside).toMatchObject({ argsCount: 0 })
  })
})
