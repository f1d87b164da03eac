import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSimulatorPool } from '#lib/compute/simulator/pool.ts'
import type { SimulationRequest, Simulator } from '#lib/compute/simulator/simulator.ts'
import type { CodeArtifact } from '#lib/protocol/artifact.ts'
import { sharedCompiler } from '#test/support/compiler.ts'
import { Shelf } from '#test/support/definitions.ts'
import { PATIENCE_MS, until } from '#test/support/until.ts'

/** Timeout of a pool for runs without an end; a harmless run of the others is never too slow. */
const TIMEOUT_MS = 1_000

const compiler = sharedCompiler()
const limits = { gasLimit: 100_000_000n, maxQueue: 4, threads: 1 }
const endless = { ...limits, gasLimit: 50_000_000_000n }
const hasty = createSimulatorPool({ ...endless, timeoutMs: TIMEOUT_MS })
const simulator = createSimulatorPool({ ...limits, timeoutMs: PATIENCE_MS })
const shelf = new Shelf()

beforeAll(async () => {
  const bodies = {
    Plus: 'return x + args[0];',
    Forever: 'while (true) {} return x;',
    Memory: 'bytes memory b = new bytes(1 << 40); return uint32(b.length);',
    Grow: 'uint256 n = 0; while (true) { assembly { mstore(n, 1) } n += 1 << 20; } return x;',
    Recursion: 'return run(x + 1, args);',
    Invalid: 'assembly { invalid() } return x;',
    BadCopy: 'assembly { returndatacopy(0, 0, 1) } return x;',
    Bomb: 'assembly { revert(0, 10000000) } return x;',
    Short: 'assembly { return(0, 3) } return x;',
    CodeOfNobody: 'return uint32(address(0x1234567890123456789012345678901234567890).code.length);',
    Precompile: 'return uint32(uint256(sha256(abi.encode(x))));',
  }
  for (const [name, body] of Object.entries(bodies))
    shelf.add(await compiler.compile('transformation', name, body))
  for (const name of Object.keys(bodies)) {
    const args = (shelf.lookup('transformation', name) as CodeArtifact).argsCount === 1 ? [1] : []
    shelf.connector({ name: `One${name}`, dimensions: [{ transformations: [{ name, args }] }] })
  }
})

afterAll(() => Promise.all([hasty.close(), simulator.close()]))

function run(connector: string, particlesCount = 3): SimulationRequest {
  return {
    root: shelf.lookup('connector', connector)!.contentHash,
    artifacts: shelf.all(),
    particlesCount,
    dynamicRi: [],
  }
}
async function fine(on: Simulator = simulator) {
  const result = await on.simulate(run('OnePlus'))
  expect(result.ok && [...result.particles[0]!.data]).toEqual([0, 1, 2])
}

describe('a body that misbehaves costs its own run only', () => {
  test('an endless loop ends at the time limit with a text that names it', async () => {
    await expect(hasty.simulate(run('OneForever'))).rejects.toMatchObject({
      code: 'rejected',
      message: expect.stringContaining(`limit of ${TIMEOUT_MS} ms`),
    })
    // A thread in its place takes the next run, however long it needs to start.
    const isFine = () =>
      fine(hasty).then(
        () => true,
        () => false,
      )
    await until('a harmless run ends', isFine)
  })

  test('running out of gas or steps names the limit', async () => {
    const small = createSimulatorPool({
      ...limits,
      gasLimit: 1_000_000n,
      stepLimit: 1_000,
      timeoutMs: PATIENCE_MS,
    })
    await expect(small.simulate(run('OneForever'))).rejects.toMatchObject({
      code: 'rejected',
      message: expect.stringContaining('out of gas at the limit of 1000000'),
    })
    await expect(small.simulate(run('OnePlus', 5_000))).rejects.toMatchObject({
      code: 'rejected',
      message: expect.stringContaining('more than the limit of 1000 steps'),
    })
    await fine(small)
    await small.close()
  })

  test.for(['OneMemory', 'OneGrow', 'OneRecursion', 'OneInvalid', 'OneBomb', 'OneShort'])(
    '%s is rejected',
    async (connector) => {
      const answer = await simulator.simulate(run(connector)).catch((error: unknown) => error)
      expect(answer).toSatisfy(
        (a: { ok?: boolean; code?: string }) => a.ok === false || a.code === 'rejected',
        JSON.stringify(answer),
      )
      await fine()
    },
  )

  test('a copy from beyond the returned data reverts, as an invalid opcode does, and is not called out of gas', async () => {
    const [copy, invalid] = await Promise.all(
      ['OneBadCopy', 'OneInvalid'].map((name) => simulator.simulate(run(name))),
    )
    expect(invalid?.ok).toBe(false)
    expect(copy).toEqual(invalid)
  })

  test('what only the chain knows is refused by its name', async () => {
    await expect(simulator.simulate(run('OneCodeOfNobody'))).rejects.toMatchObject({
      code: 'rejected',
      message:
        'Execution rejected: the code of CodeOfNobody uses EXTCODESIZE, which depends on the code of an account; a simulation cannot know that, a run on chain can',
    })
  })

  test('precompiles answer', async () => {
    const result = await simulator.simulate(run('OnePrecompile', 2))
    const digest = createHash('sha256').update(new Uint8Array(32)).digest()
    expect(result.ok && [...result.particles[0]!.data]).toEqual([0, digest.readUInt32BE(28)])
  })
})

test('more waiting runs than the queue holds are refused at once, the others finish', async () => {
  const runs = Array.from({ length: 12 }, () => simulator.simulate(run('OnePlus', 10_000)))
  const settled = await Promise.allSettled(runs)
  const refused = settled.filter((s) => s.status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  for (const r of refused)
    expect(r.reason).toMatchObject({ code: 'overloaded', details: { retryAfterSeconds: 2 } })
  expect(settled.length - refused.length).toBeGreaterThan(3)
})

test('a cancelled run frees its thread', async () => {
  const patient = createSimulatorPool({ ...endless, timeoutMs: PATIENCE_MS })
  const stop = new AbortController()
  const stopped = patient.simulate({ ...run('OneForever'), signal: stop.signal })
  setTimeout(() => stop.abort(new Error('client left')), 300)
  await expect(stopped).rejects.toThrow('client left')
  await fine(patient)
  await patient.close()
})
