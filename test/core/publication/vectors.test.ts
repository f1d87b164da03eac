import { describe, expect, test } from 'vitest'
import type { EntityKind } from '#lib/protocol/entity.ts'
import { messageOf } from '#test/support/api.ts'
import { devAccount } from '#test/support/chain.ts'
import { sliceOf } from '#test/support/slice.ts'
import { vectorCases } from '#test/support/vectors.ts'
import { waitForProjection } from '#test/support/wait-for-projection.ts'
import { startNetwork } from './network.ts'

const owner = devAccount(1)

/**
 * One case for each kind of definition and for each error, of which every run takes the first two and a slice of the others:
 * what the contracts answer to all of them is held by `test/contracts/vectors.test.ts`, what is built of them by
 * `test/protocol/creation-checks.test.ts`, and what the simulator runs by `test/compute/simulator/vectors.test.ts`.
 */
const [first, second, ...others] = [
  'pub-basic-cycle-shift',
  'pub-binding-errors',
  'pub-binding-deep-slot',
  'pub-static-vs-dynamic-conflict',
  'pub-condition-basic',
  'pub-condition-errors',
  'pub-overflow-checked',
  'pub-transformation-errors',
  'pub-args-count',
] as const
const chosen: ReadonlySet<string> = new Set([first, second, ...sliceOf(others, 4)])
const cases = vectorCases.filter(({ id }) => chosen.has(id))

describe.concurrent('recorded cases through the whole loop: drafted, published by its owner, executed on chain', () => {
  test('there are as many as are named', () => {
    expect(cases).toHaveLength(chosen.size)
  })
  for (const vector of cases) {
    test(vector.id, async () => {
      const network = await startNetwork()
      network.startWorker()
      const publishDraft = async (kind: EntityKind, request: { readonly name: string }) => {
        const answer = await network.post(`/${kind}`, request, owner)
        expect(answer.status, messageOf(answer)).toBe(201)
        await network.publish(kind, request.name, owner)
        return answer.json
      }
      try {
        for (const { request } of vector.transformations) await publishDraft('transformation', request)
        for (const { request } of vector.conditions) await publishDraft('condition', request)
        for (const { request, expected, expected_error } of vector.connectors) {
          if (expected !== undefined) {
            expect(await publishDraft('connector', request)).toMatchObject({
              format_hash: expected.format_hash,
            })
            continue
          }
          const refused = await network.post('/connector', request, owner)
          expect(refused.status).toBe(expected_error?.name === 'ConnectorAlreadyRegistered' ? 409 : 400)
        }
        for (const run of vector.execute) {
          if (run.contract_only) continue
          const answer = await network.post('/execute', run.request)
          if (run.expected !== undefined) {
            expect(answer.status, messageOf(answer)).toBe(200)
            expect((answer.json as { particles: unknown }).particles).toEqual(run.expected)
            continue
          }
          // The same words as the simulator's, which are held to the recorded revert data elsewhere.
          const simulated = await network.post('/simulate', run.request)
          expect(answer.status).toBe(run.expected_error?.message === 'cannot find connector' ? 404 : 400)
          expect(messageOf(answer)).toBe(messageOf(simulated))
        }
        const block = await network.chain.publicClient.getBlockNumber({ cacheTime: 0 })
        await waitForProjection(network.api.services, { block })
        for (const { request, expected } of vector.connectors) {
          if (expected === undefined) continue
          const format = await network.api.send('GET', `/format/${expected.format_hash}?limit=256`)
          expect(format.json).toMatchObject({ scalars: expected.scalars })
          expect((format.json as { connectors: string[] }).connectors).toContain(request.name)
        }
      } finally {
        await network.close()
      }
    })
  }
})
