import { describe, expect, test } from 'vitest'
import type { BuiltConnector } from '#lib/protocol/artifact.ts'
import type { EntityKind } from '#lib/protocol/entity.ts'
import type { Operation } from '#lib/server/http/operation.ts'
import { chainOperations } from '#lib/server/operations/chain/index.ts'
import { devAccount } from '#test/support/chain.ts'
import { lower } from '#test/support/lower.ts'
import { draftArtifact, project } from '../chain/projection.ts'
import { publicationStatuses } from './chain-statuses/publication.ts'
import {
  alice,
  bob,
  crippled,
  crowded,
  defective,
  definitions,
  draft,
  main,
  matrix,
  openServers,
  reach,
  stranded,
} from './chain-statuses/servers.ts'

/*
 * Every documented answer of every operation is reached here, over the whole API, a real database and a real chain.
 * The last test fails when an operation documents an answer that no test above it reached.
 */

const KINDS = ['connector', 'transformation', 'condition'] as const satisfies readonly EntityKind[]

openServers()

test('core, nonces and lists', async () => {
  await reach(main, 'GET_version 200', 'GET', '/version')
  await reach(main, 'GET_nonce 200', 'GET', `/nonce/${devAccount(0).address}`)
  await reach(main, 'GET_nonce 400', 'GET', '/nonce/0x12')
  for (const [id, path] of [
    ['accounts', '/accounts'],
    ['formats', '/formats'],
  ]) {
    for (const method of ['GET', 'HEAD']) {
      await reach(main, `${method}_${id} 200`, method, `${path}?limit=1`)
      await reach(main, `${method}_${id} 400`, method, `${path}?limit=0`)
    }
  }
  await reach(main, 'GET_accountInfo 200', 'GET', `/account/${devAccount(5).address}?limit=1`)
  await reach(main, 'GET_accountInfo 400', 'GET', `/account/${devAccount(5).address}`)
  await reach(main, 'GET_format 200', 'GET', `/format/${'0'.repeat(64)}?limit=1`)
  await reach(main, 'GET_format 400', 'GET', '/format/0x00?limit=1')
  await reach(main, 'GET_feed 200', 'GET', '/feed?limit=1')
  await reach(main, 'GET_feed 400', 'GET', '/feed?limit=1&before=x')
  await reach(main, 'GET_feedStream 200', 'GET', '/feed/stream')
  await reach(main, 'GET_feedStream 400', 'GET', '/feed/stream?limit=0')
})

test('POST_auth', async () => {
  const account = devAccount(2)
  const { json: body } = await reach(main, 'GET_nonce 200', 'GET', `/nonce/${account.address}`)
  const message = `Login nonce: ${(body as { nonce: string }).nonce}`
  const signature = await account.signMessage({ message })
  const json = { address: account.address, message, signature }
  await reach(main, 'POST_auth 200', 'POST', '/auth', { json })
  await reach(main, 'POST_auth 400', 'POST', '/auth', { json })
})

describe.each(KINDS)('%s', (kind) => {
  test('reads and drafts', async () => {
    await reach(main, `GET_${kind} 404`, 'GET', `/${kind}/status`)
    await reach(main, `HEAD_${kind} 404`, 'HEAD', `/${kind}/status`)
    await draft(main, kind, 'status', alice)
    await reach(main, `GET_${kind} 200`, 'GET', `/${kind}/status`)
    await reach(main, `HEAD_${kind} 200`, 'HEAD', `/${kind}/status`)
    await reach(main, `GET_${kind} 400`, 'GET', `/${kind}/not-a-name`)
    const json = definitions[kind]('status')
    await reach(main, `POST_${kind} 400`, 'POST', `/${kind}`, { token: alice, json: { ...json, more: 1 } })
    await reach(main, `POST_${kind} 401`, 'POST', `/${kind}`, { json })
    await reach(main, `POST_${kind} 409`, 'POST', `/${kind}`, { token: bob, json })
  })

  test('503 while the name cannot be checked on chain', async () => {
    const json = definitions[kind]('status')
    await reach(stranded, `POST_${kind} 503`, 'POST', `/${kind}`, {
      token: await stranded.token(lower(devAccount(0).address)),
      json,
    })
  })

  test('429 beyond the most drafts an owner may have', async () => {
    const token = await crippled.token(lower(devAccount(3 + KINDS.indexOf(kind)).address))
    await draft(crippled, kind, `first_${kind}`, token)
    const json = definitions[kind]('second')
    await reach(crippled, `POST_${kind} 429`, 'POST', `/${kind}`, { token, json })
  })

  test('500 when the tables cannot be read', async () => {
    await reach(defective, `GET_${kind} 500`, 'GET', `/${kind}/status`)
  })
})

test('POST_simulate', async () => {
  const run = (connector_name: string) => ({ json: { connector_name, particles_count: 2 } })
  await reach(main, 'POST_simulate 200', 'POST', '/simulate', run('status'))
  await reach(main, 'POST_simulate 400', 'POST', '/simulate', { json: { connector_name: 'status' } })
  await reach(main, 'POST_simulate 404', 'POST', '/simulate', run('nobody'))
  const published = (await draftArtifact(main.db, 'connector', 'status')) as BuiltConnector
  const missing = { kind: 'connector' as const, name: 'gone', contentHash: `0x${'7'.repeat(64)}` as const }
  const contentHash = `0x${'8'.repeat(64)}` as const
  await project(main.db, { ...published, name: 'partless', dependencies: [missing], contentHash })
  await reach(main, 'POST_simulate 503', 'POST', '/simulate', run('partless'))
  await reach(crippled, 'POST_simulate 500', 'POST', '/simulate', run('first_connector'))
})

publicationStatuses()

const LIMITED = chainOperations.filter(({ limit }) => limit !== undefined)

test.each(LIMITED.map((operation, index) => [operation.id, operation, index] as const))(
  '%s: 429 for more than a client may send a minute, whatever they say',
  async (id, { method, path }, index) => {
    const sent = {
      headers: { 'X-Forwarded-For': `203.0.113.${index}` },
      ...(method === 'POST' && { json: {} }),
    }
    const line = path.replaceAll(/\{\w+\}/g, 'x')
    expect((await crowded.send(method, line, sent)).status).not.toBe(429)
    const { headers } = await reach(crowded, `${id} 429`, method, line, sent)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(50)
    const other = { ...sent, headers: { 'X-Forwarded-For': `198.51.100.${index}` } }
    expect((await crowded.send(method, line, other)).status).not.toBe(429)
  },
)

test('GET_feedStream: 429 for more streams than a client may have', async () => {
  const headers = { 'X-Forwarded-For': '203.0.113.200' }
  await reach(crowded, 'GET_feedStream 429', 'GET', '/feed/stream', { headers })
})

test('500 for a defect', async () => {
  const token = await defective.token(lower(devAccount(0).address))
  await reach(defective, 'POST_connector 500', 'POST', '/connector', {
    token,
    json: definitions.connector('a'),
  })
  const json = { connector_name: 'whole', particles_count: 2 }
  await reach(defective, 'POST_execute 500', 'POST', '/execute', { json })
})

const withBody = chainOperations.filter(({ request }) => request.body !== undefined)

test.each(withBody.map((operation): [string, Operation] => [operation.id, operation]))(
  '%s: 413 and 415, and 400 for a body that is not JSON',
  async (id, { path, request, auth, method }) => {
    const address = path.replace('{kind}', 'connector')
    const sender = auth === 'none' ? {} : { token: alice }
    const most = request.maxBodyBytes ?? 256 * 1024
    await reach(main, `${id} 413`, method, address, { ...sender, text: ' '.repeat(most + 1) })
    await reach(main, `${id} 400`, method, address, { ...sender, text: ' '.repeat(most) })
    await reach(main, `${id} 415`, method, address, {
      ...sender,
      text: '{}',
      headers: { 'content-type': 'text/plain' },
    })
    await reach(main, `${id} 400`, method, address, { ...sender, text: '{"name":"a","name":"a"}' })
  },
)

test('every documented answer was reached, and no other', () => {
  expect(matrix.unmatched()).toEqual({ missing: [], undocumented: [] })
})
