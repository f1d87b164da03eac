import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BUNDLE_LIMITS } from '#lib/compute/bundle/limits.ts'
import { issueChainToken } from '#lib/core/identity/chain-token.ts'
import { MAX_FOLLOWED } from '#lib/core/people/follows.ts'
import type { Address } from '#lib/protocol/entity.ts'
import type { Operation } from '#lib/server/http/operation.ts'
import { servicesOperations } from '#lib/server/operations/services/index.ts'
import { makeBundle } from '#test/core/worlds/support/bundle.ts'
import { installWorld } from '#test/core/worlds/support/install-world.ts'
import { type Answer, type Sent, SITE, startApi, type TestApi } from '#test/support/api.ts'
import { counted, ONCE_A_MINUTE } from '../http/rates.ts'
import { statusMatrix } from '../http/status-matrix.ts'
import { challengeFor, newPerson, newWallet } from './people.ts'

/*
 * Every documented answer of every operation is reached here, over the whole API and a real database. The last test
 * fails when an operation documents an answer that no test above it reached.
 */

/** Additions are the studio's operations, whose answers `test/server/http/statuses-studio.test.ts` reaches. */
const specified = servicesOperations.filter(({ addition }) => addition !== true)
const matrix = statusMatrix(specified)

let api: TestApi
let ada: Awaited<ReturnType<typeof newPerson>>
let ben: Awaited<ReturnType<typeof newPerson>>

beforeAll(async () => {
  api = await startApi('services')
  ada = await newPerson(api)
  ben = await newPerson(api)
})
afterAll(() => api?.close())

/** Sends a request and holds it to the operation and the status that the test is about. */
async function reach(
  pair: `${string} ${number}`,
  method: string,
  path: string,
  sent: Sent = {},
): Promise<Answer> {
  const answer = await api.send(method, path, sent)
  expect(`${answer.operationId} ${answer.status}`, answer.text).toBe(pair)
  matrix.reach(pair)
  return answer
}

/** Refused without a word. */
async function reachEmpty(...request: Parameters<typeof reach>): Promise<void> {
  const answer = await reach(...request)
  expect([answer.text, answer.headers.get('content-type')]).toEqual(['', null])
}

test('GET_health', async () => {
  const answer = await reach('GET_health 200', 'GET', '/health')
  expect([answer.text, answer.headers.get('content-type')]).toEqual(['ok', 'text/plain'])
})

test('POST_authSiweChallenge', async () => {
  const path = '/auth/siwe/challenge'
  const json = { address: newWallet().address, chain_id: 31_337, app_origin: SITE }
  await reach('POST_authSiweChallenge 200', 'POST', path, { json })
  await reachEmpty('POST_authSiweChallenge 400', 'POST', path, { json: { ...json, chain_id: 5 } })
  await reachEmpty('POST_authSiweChallenge 403', 'POST', path, {
    json,
    headers: { origin: 'https://evil.example' },
  })
  for (let i = 0; i < 4; i++) await reach('POST_authSiweChallenge 200', 'POST', path, { json })
  await reachEmpty('POST_authSiweChallenge 429', 'POST', path, { json })
})

test('POST_authSiweVerify', async () => {
  const wallet = newWallet()
  const message = await challengeFor(api, wallet.address)
  const signature = await wallet.signMessage({ message })
  const path = '/auth/siwe/verify'
  await reachEmpty('POST_authSiweVerify 400', 'POST', path, { json: { message: 'hello', signature } })
  await reachEmpty('POST_authSiweVerify 400', 'POST', path, { json: { message, signature: '0x1234' } })
  await reachEmpty('POST_authSiweVerify 401', 'POST', path, {
    json: { message, signature: await newWallet().signMessage({ message }) },
  })
  await reach('POST_authSiweVerify 200', 'POST', path, { json: { message, signature } })
  await reachEmpty('POST_authSiweVerify 401', 'POST', path, { json: { message, signature } })
})

test('GET_authMe and POST_authLogout', async () => {
  const { token } = await newPerson(api)
  await reach('GET_authMe 200', 'GET', '/auth/me', { token })
  await reachEmpty('POST_authLogout 204', 'POST', '/auth/logout', { token })
})

test('users', async () => {
  const { token, address } = await newPerson(api)
  await reach('GET_users 200', 'GET', '/users?page=0&limit=1')
  await reach('GET_user 200', 'GET', `/users/${address}`)
  await reachEmpty('GET_user 400', 'GET', '/users/nobody')
  await reachEmpty('GET_user 404', 'GET', `/users/${newWallet().address}`)
  await reach('PATCH_user 200', 'PATCH', `/users/${address}`, { token, json: { display_name: 'Ada' } })
  await reachEmpty('PATCH_user 400', 'PATCH', '/users/nobody', { token, json: {} })
  await reachEmpty('PATCH_user 403', 'PATCH', `/users/${ben.address}`, { token, json: {} })
  await reachEmpty('DELETE_user 403', 'DELETE', `/users/${ben.address}`, { token })
  await reachEmpty('DELETE_user 204', 'DELETE', `/users/${address}`, { token })
})

test('follows', async () => {
  const { token } = ada
  for (const verb of ['Follow', 'Unfollow'] as const) {
    const send = (status: number, followed_id: string) =>
      reachEmpty(`POST_social${verb} ${status}`, 'POST', `/social/${verb.toLowerCase()}`, {
        token,
        json: { followed_id },
      })
    await send(204, ben.address)
    await send(400, '')
    await send(400, ada.address)
    await send(404, newWallet().address)
  }
  await reach('GET_socialFollowing 200', 'GET', '/social/following', { token })
  await reach('GET_socialFollowers 200', 'GET', '/social/followers', { token })
  const { sql } = api.db
  await sql`
    with people as (
      insert into users (address, created_at, updated_at)
      select '0x' || lpad(to_hex(i), 40, '0'), now(), now() from generate_series(1, ${MAX_FOLLOWED}) i
      returning address
    )
    insert into follows (follower, followed, created_at)
    select ${ben.address.toLowerCase()}, address, now() from people`
  await reachEmpty('POST_socialFollow 429', 'POST', '/social/follow', {
    token: ben.token,
    json: { followed_id: ada.address },
  })
})

test('worlds', async () => {
  const { token } = ada
  const bundle = makeBundle()
  const wrong = makeBundle({ name: '' })
  const large = new Uint8Array(BUNDLE_LIMITS.upload + 1)
  await reach('POST_worldValidate 200', 'POST', '/worlds/validate', { bundle })
  await reach('POST_worldValidate 400', 'POST', '/worlds/validate', { bundle: wrong })
  await reach('POST_worldValidate 413', 'POST', '/worlds/validate', { bundle: large })
  const coded = { bundle, headers: { 'content-encoding': 'gzip' } }
  await reach('POST_worldValidate 415', 'POST', '/worlds/validate', coded)

  const upload = (status: number, sent: Sent) =>
    reach(`POST_worldUpload ${status}`, 'POST', '/worlds/upload', sent)
  const { id } = (await upload(200, { token, bundle })).json as { id: string }
  await upload(400, { token, bundle: wrong })
  await upload(409, { token: ben.token, bundle })
  await upload(413, { token, bundle: large })
  await upload(415, { token, ...coded })
  const { token: busy, address } = await newPerson(api)
  await api.db.sql`
    insert into worlds (id, slug, owner, status, version, bundle_hash, manifest_hash, entry_path, surfaces,
      permissions, manifest, search_text, created_at, updated_at)
    select 'full-' || i, 'full-' || i, ${address.toLowerCase()}, 'active', '1', '', '', '', '{}', '{}', '{}', '',
      'epoch', 'epoch'
    from generate_series(1, ${api.services.config.maxWorldsPerOwner}) i`
  await upload(429, { token: busy, bundle: makeBundle({ slug: 'one-more' }) })
  await api.db.sql`delete from worlds where id like 'full-%'`

  await api.db.sql`update stored_bytes set bytes = 1e12`
  await upload(507, { token, bundle: makeBundle({ slug: 'too-much' }) })

  const patch = (status: number, sent: Sent, world = id) =>
    reach(`PATCH_world ${status}`, 'PATCH', `/worlds/${world}`, sent)
  await patch(507, { token, bundle: makeBundle({ version: '0.2.0' }) })
  await api.db.sql`delete from stored_bytes`
  await patch(200, { token, bundle: makeBundle({ version: '0.2.0' }) })
  await patch(400, { token, bundle: wrong })
  await patch(403, { token: ben.token, bundle })
  await patch(404, { token, bundle }, 'wld_none')
  await patch(409, { token, bundle: makeBundle({ slug: 'another' }) })
  await patch(413, { token, bundle: large })
  await patch(415, { token, ...coded })

  await reach('GET_worlds 200', 'GET', '/worlds?page=0&limit=1&surface=world-page&q=loom')
  await reach('GET_worlds 400', 'GET', '/worlds?surface=moon')
  await reach('GET_world 200', 'GET', `/worlds/${id}`)
  await reach('GET_world 404', 'GET', '/worlds/wld_none')
  await reach('DELETE_world 403', 'DELETE', `/worlds/${id}`, { token: ben.token })
  await reach('DELETE_world 404', 'DELETE', '/worlds/wld_none', { token })
  await reach('DELETE_world 204', 'DELETE', `/worlds/${id}`, { token })
})

function named(operations: readonly Operation[]) {
  return operations.map((operation): [string, Operation] => [operation.id, operation])
}

/** An address that the path accepts. */
function pathOf({ path }: Operation): string {
  return path.replace(/\{address\}/, ada.address).replaceAll(/\{\w+\}/g, 'any')
}

describe.each(named(specified.filter(({ auth }) => auth === 'session')))('%s', (id, operation) => {
  test('401 without a session, and with a token of the chain API', async () => {
    const { method } = operation
    await reachEmpty(`${id} 401`, method, pathOf(operation))
    const token = await issueChainToken(api.services, ada.address.toLowerCase() as Address)
    await reachEmpty(`${id} 401`, method, pathOf(operation), { token })
  })
})

describe.each(named(specified.filter(({ request }) => request.body !== undefined)))('%s', (id, operation) => {
  test('413 and 415, and 400 for a body that is not JSON', async () => {
    const { method, request, auth } = operation
    const path = pathOf(operation)
    const sender = auth === 'none' ? {} : { token: ada.token }
    const send = (status: number, body: string, type = 'application/json') =>
      reachEmpty(`${id} ${status}`, method, path, { ...sender, body, headers: { 'content-type': type } })
    const most = request.maxBodyBytes ?? 256 * 1024
    await send(413, ' '.repeat(most + 1))
    await send(400, ' '.repeat(most))
    await send(415, '{}', 'text/plain')
    await send(400, '{"address":1,"address":1}')
  })
})

describe('paths and methods', () => {
  test('404 and 405 with empty bodies', async () => {
    for (const path of [
      '/nothing',
      '/auth',
      '/auth/siwe',
      '/users/a/b',
      '/social',
      '//users',
      '/__proto__',
    ]) {
      const answer = await api.send('GET', path)
      expect([path, answer.status, answer.text, answer.headers.get('content-type')]).toEqual([
        path,
        404,
        '',
        null,
      ])
    }
    for (const [method, path, allow] of [
      ['GET', '/auth/siwe/challenge', 'POST, OPTIONS'],
      ['DELETE', '/auth/me', 'GET, OPTIONS'],
      ['HEAD', '/users', 'GET, OPTIONS'],
      ['POST', `/users/${newWallet().address}`, 'GET, PATCH, DELETE, OPTIONS'],
    ] as const) {
      const answer = await api.send(method, path)
      expect([path, answer.status, answer.text]).toEqual([path, 405, ''])
      expect(answer.headers.get('allow')).toBe(allow)
    }
  })

  test('a token on a public path is ignored, however foreign', async () => {
    for (const token of ['x', 'a.b.c', `${'0'.repeat(64)}.${'0'.repeat(64)}`]) {
      await reach('GET_users 200', 'GET', '/users', { token })
      await reach('GET_user 200', 'GET', `/users/${ada.address}`, { token })
    }
  })
})

describe('CORS', () => {
  const evil = { origin: 'https://evil.example' }
  const site = { origin: SITE }
  const allowed = (answer: Answer) => answer.headers.get('access-control-allow-origin')

  test('public data needs no authentication', async () => {
    for (const path of ['/users', `/users/${ada.address}`, '/health']) {
      expect(allowed(await api.send('GET', path, { headers: evil }))).toBe('*')
    }
    expect(allowed(await api.send('GET', `/users/${newWallet().address}`, { headers: evil }))).toBe('*')
  })

  test('what concerns a session only the configured origins, failures included', async () => {
    const { token } = ada
    for (const [method, path] of [
      ['GET', '/auth/me'],
      ['GET', '/social/following'],
      ['POST', '/social/follow'],
      ['PATCH', `/users/${ada.address}`],
      ['POST', '/auth/siwe/challenge'],
      ['POST', '/auth/siwe/verify'],
    ] as const) {
      const own = await api.send(method, path, { token, headers: site })
      expect([path, allowed(own)]).toEqual([path, SITE])
      expect(own.headers.get('vary')).toContain('Origin')
      expect([path, allowed(await api.send(method, path, { token, headers: evil }))]).toEqual([path, null])
    }
  })

  test('a preflight answers for the requested method', async () => {
    const ask = (method: string, headers: Record<string, string>) =>
      api.send('OPTIONS', `/users/${ada.address}`, {
        headers: { ...headers, 'access-control-request-method': method },
      })
    const own = await ask('PATCH', site)
    expect([own.status, allowed(own), own.headers.get('access-control-max-age')]).toEqual([204, SITE, '600'])
    expect(own.headers.get('access-control-allow-headers')).toContain('Authorization')
    expect(allowed(await ask('PATCH', evil))).toBeNull()
    expect(allowed(await ask('GET', evil))).toBe('*')
    expect(own.headers.get('access-control-allow-credentials')).toBeNull()
  })
})

test('files of Worlds and the modules of the SDK', async () => {
  await installWorld(api.services, 'asset-world', { 'index.html': '<title>World</title>' })
  for (const method of ['GET', 'HEAD'] as const) {
    const path = '/world-assets/asset-world/index.html'
    const { headers } = await reach(`${method}_worldAsset 200`, method, path)
    const etag = headers.get('etag') ?? ''
    await reach(`${method}_worldAsset 206`, method, path, { headers: { range: 'bytes=0-0' } })
    await reach(`${method}_worldAsset 304`, method, path, { headers: { 'if-none-match': etag } })
    await reach(`${method}_worldAsset 416`, method, path, { headers: { range: 'bytes=9999-' } })
    await reach(`${method}_worldAsset 302`, method, path, { headers: { 'sec-fetch-dest': 'document' } })
    await reach(`${method}_worldAsset 404`, method, '/world-assets/asset-world/nothing.html')
  }
  const { headers } = await reach('GET_sdkModule 200', 'GET', '/js/sdk/world-runtime.js')
  const etag = headers.get('etag') ?? ''
  await reach('GET_sdkModule 304', 'GET', '/js/sdk/world-runtime.js', { headers: { 'if-none-match': etag } })
  await reach('GET_sdkModule 404', 'GET', '/js/sdk/world-other.js')
})

describe('a client in a hurry', () => {
  let strict: TestApi
  beforeAll(async () => {
    strict = await startApi('services', ONCE_A_MINUTE)
  })
  afterAll(() => strict?.close())

  test.each(counted(specified))('%s: 429', async (id, operation, client) => {
    const again = () =>
      strict.send(operation.method, pathOf(operation), { headers: { 'x-forwarded-for': client } })
    expect((await again()).status).not.toBe(429)
    const { operationId, status, headers } = await again()
    expect(`${operationId} ${status}`).toBe(`${id} 429`)
    matrix.reach(`${id} 429`)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

test('every documented answer was reached, and no other', () => {
  expect(matrix.unmatched()).toEqual({ missing: [], undocumented: [] })
})
