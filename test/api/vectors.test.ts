import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chainOperations } from '../../lib/server/operations/chain/index.ts'
import { shareOf } from '../support/share.ts'
import { vectorCases } from '../support/vectors.ts'
import { messageOf, startApi, type TestApi } from './harness.ts'
import { draftArtifact, project, randomAddress } from './projection.ts'

let api: TestApi
let token: string

beforeAll(async () => {
  api = await startApi(chainOperations, {
    simulate: {
      timeoutMs: 120_000,
      stepLimit: 500_000_000,
      gasLimit: 4_000_000_000n,
      maxQueue: 10,
      threads: 1,
    },
  })
  token = await api.token(randomAddress())
})
afterAll(() => api.close())

function create(kind: string, body: unknown) {
  return api.call('POST', `/${kind}`, { token, body })
}

// All of them in every run: `test/simulator/vectors.test.ts`, and `test/contracts/vectors.test.ts` on chain.
describe('every recorded case over HTTP: created, simulated, and its formats listed', () => {
  for (const vector of shareOf(vectorCases, 4)) {
    test(vector.id, async () => {
      await api.db.sql`truncate drafts, entities, entity_references, accounts, formats, artifacts`
      for (const kind of ['transformation', 'condition'] as const) {
        for (const { request, expected } of vector[`${kind}s`]) {
          const answer = await create(kind, request)
          expect(answer, request.name).toMatchObject({ status: 201, body: expected ?? {} })
        }
      }
      for (const { request, expected, expected_error: error, contract_only } of vector.connectors) {
        if (contract_only) continue
        const answer = await create('connector', request)
        if (expected) {
          expect(answer, request.name).toMatchObject({
            status: 201,
            body: { format_hash: expected.format_hash },
          })
        } else if (error?.name === 'ConnectorAlreadyRegistered') {
          // A second post by the owner revises a draft; the registry's own refusal is for what is published.
          expect(answer.status).toBe(201)
        } else {
          expect(answer.status, request.name).toBe(400)
          if (error?.about !== undefined) expect(messageOf(answer)).toContain(`${error.name}: ${error.about}`)
        }
      }

      for (const run of vector.execute) {
        if (run.contract_only) continue
        const answer = await api.call('POST', '/simulate', { body: run.request })
        if (run.expected) {
          expect(answer, JSON.stringify(run.request)).toMatchObject({ status: 200, body: run.expected })
        } else if (run.expected_error?.message === 'cannot find connector') {
          expect(answer.status).toBe(404)
        } else {
          expect(answer.status, JSON.stringify(run.request)).toBe(400)
          expect(messageOf(answer)).toMatch(/^Execution rejected: /)
          if (run.expected_error?.name === 'ConditionNotMet') {
            expect(messageOf(answer)).toBe('Execution rejected: Condition not met')
          }
        }
      }

      const published = vector.connectors.filter(({ expected }) => expected !== undefined)
      for (const { request } of published) {
        await project(api.db, await draftArtifact(api.db, 'connector', request.name))
      }
      for (const { request, expected } of published) {
        const { body } = await api.call('GET', `/format/${expected?.format_hash}?limit=256`)
        expect(body, request.name).toMatchObject({ scalars: expected?.scalars })
        expect((body as { connectors: string[] }).connectors).toContain(request.name)
      }
    })
  }
})
