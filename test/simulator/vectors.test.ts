import { afterAll, describe, expect, test } from 'vitest'
import { buildConnector } from '../../lib/domain/creation-checks.ts'
import { createSimulatorPool } from '../../lib/simulator/pool.ts'
import { createCompilerPool } from '../../lib/solidity/pool.ts'
import { define, Shelf } from '../support/definitions.ts'
import { dynamicRiOf, vectorCases } from '../support/vectors.ts'

const compiler = createCompilerPool({ timeoutMs: 30_000, maxQueue: 200, threads: 1 })
const simulator = createSimulatorPool({
  timeoutMs: 120_000,
  gasLimit: 4_000_000_000n,
  maxQueue: 200,
  threads: 1,
})

afterAll(async () => {
  await Promise.all([compiler.close(), simulator.close()])
})

describe('every recorded run, on the reference engine', () => {
  for (const vector of vectorCases) {
    test(vector.id, { timeout: 180_000 }, async () => {
      const shelf = new Shelf()
      for (const { request } of vector.transformations) {
        shelf.add(await compiler.compile('transformation', request.name, request.sol_src))
      }
      for (const { request } of vector.conditions) {
        shelf.add(await compiler.compile('condition', request.name, request.sol_src))
      }
      for (const { request, expected } of vector.connectors) {
        // Refused creations are the domain's and the contracts' tests; a second use of a name must not replace the first.
        if (expected !== undefined) shelf.add(buildConnector(define(request), shelf.lookup))
      }
      for (const run of vector.execute) {
        const root = shelf.lookup('connector', run.request.connector_name)
        // Arguments that no request can carry, and unknown names, never reach a simulator.
        if (run.contract_only || root === undefined) continue
        const result = await simulator.simulate({
          root: root.contentHash,
          artifacts: shelf.all(),
          particlesCount: Number(run.request.particles_count),
          dynamicRi: dynamicRiOf(run.request),
        })
        if (run.expected_error) {
          expect(result).toMatchObject({
            ok: false,
            rejection: { name: run.expected_error.name, revertData: run.expected_error.revert_data },
          })
        } else {
          if (!result.ok) throw new Error(`rejected: ${result.rejection.message}`)
          expect(result.particles.map(({ path, data }) => ({ path, data: [...data] }))).toEqual(run.expected)
        }
      }
    })
  }
})
