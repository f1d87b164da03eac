import { describe, expect, test } from 'vitest'
import { documentedFailures } from '#lib/server/http/operation.ts'
import { chainDocument } from '#lib/server/operations/chain/document.ts'
import { chainOperations } from '#lib/server/operations/chain/index.ts'

interface Drawn {
  readonly openapi: string
  readonly servers: readonly { url: string }[]
  readonly paths: Record<string, Record<string, { operationId: string; tags: string[]; responses: object }>>
  readonly components: { schemas: Record<string, { type?: string; additionalProperties?: unknown }> }
}

const document = JSON.parse(JSON.stringify(chainDocument(chainOperations))) as Drawn

test('the document is OpenAPI 3.0.3, relative to its server', () => {
  expect(document.openapi).toBe('3.0.3')
  expect(document.servers).toEqual([{ url: '/chain' }])
})

test('every row of the specification has its operation id and tag', () => {
  const rows = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId, tags }]) => `${method.toUpperCase()} ${path} ${operationId} ${tags}`,
    ),
  )
  expect(rows.toSorted()).toEqual(
    [
      'GET /version GET_version core',
      'GET /nonce/{address} GET_nonce auth',
      'POST /auth POST_auth auth',
      'GET /accounts GET_accounts account',
      'HEAD /accounts HEAD_accounts account',
      'GET /account/{address} GET_accountInfo account',
      ...['connector', 'transformation', 'condition'].flatMap((kind) => [
        `GET /${kind}/{name} GET_${kind} ${kind}`,
        `HEAD /${kind}/{name} HEAD_${kind} ${kind}`,
        `POST /${kind} POST_${kind} ${kind}`,
      ]),
      'GET /formats GET_formats format',
      'HEAD /formats HEAD_formats format',
      'GET /format/{hash} GET_format format',
      'GET /feed GET_feed feed',
      'GET /feed/stream GET_feedStream feed',
      'POST /simulate POST_simulate runner',
      'POST /execute POST_execute runner',
      'POST /publish/{kind}/prepare POST_publishPrepare publish',
      'POST /publish/{kind}/send POST_publishSend publish',
      'POST /publish/{kind} POST_publishConfirm publish',
    ].toSorted(),
  )
})

describe('statuses of the specification', () => {
  const specified: Record<string, readonly number[]> = {
    GET_version: [200],
    GET_nonce: [200, 400],
    POST_auth: [200, 400],
    GET_accounts: [200, 400],
    HEAD_accounts: [200, 400],
    GET_accountInfo: [200, 400],
    GET_connector: [200, 400, 404, 500],
    HEAD_connector: [200, 404],
    POST_connector: [201, 400, 401, 409, 500, 503],
    GET_transformation: [200, 400, 404, 500],
    HEAD_transformation: [200, 404],
    POST_transformation: [201, 400, 401, 409, 503],
    GET_condition: [200, 400, 404, 500],
    HEAD_condition: [200, 404],
    POST_condition: [201, 400, 401, 409, 503],
    GET_formats: [200, 400],
    HEAD_formats: [200, 400],
    GET_format: [200, 400],
    GET_feed: [200, 400],
    GET_feedStream: [200, 400],
    POST_simulate: [200, 400, 404, 500, 503],
    POST_execute: [200, 400, 404, 500, 502, 503],
    POST_publishPrepare: [200, 400, 401, 403, 404, 409, 503],
    POST_publishSend: [202, 400, 401, 403, 404, 409, 503],
    POST_publishConfirm: [201, 202, 400, 401, 403, 404, 409, 503],
  }
  /** Statuses that the specification does not name: bodies too large or not JSON, and too many drafts. */
  const added = [413, 415, 429]

  test.each(chainOperations.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
    const documented = [
      ...Object.keys(operation.responses).map(Number),
      ...documentedFailures(operation).keys(),
    ]
    expect(documented.filter((status) => !added.includes(status)).toSorted()).toEqual(specified[id])
  })
})

test('objects are closed', () => {
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    if (schema.type === 'object' && name !== 'PrepareResponse') {
      expect(schema.additionalProperties, name).toBe(false)
    }
  }
})
