import { afterAll, beforeAll, expect, test } from 'vitest'
import type {
  SharedDocumentAnswer,
  SharedDraftAnswer,
  SharedDraftsAnswer,
} from '#lib/features/workspaces/shared-draft-operations.ts'
import {
  MAX_SHARED_BYTES,
  MAX_SHARED_DOCUMENT_BYTES,
  MAX_SHARED_DRAFTS,
} from '#lib/features/workspaces/shared-drafts.ts'
import { newPerson } from '#test/server/services/people.ts'
import { type Endpoints, endpointsOf, startApi, type TestApi } from '#test/support/api.ts'

/* Links to stored documents: who may make, list and revoke them, who may read them, and how many there may be. */

let api: TestApi
let send: Endpoints['send']

beforeAll(async () => {
  api = await startApi('services')
  send = endpointsOf('studio', api.services).send
})
afterAll(() => api?.close())

async function person() {
  const { address, token } = await newPerson(api)
  const account = address.toLowerCase()
  return {
    account,
    token,
    share: (document: unknown, name = 'Melody') =>
      send<SharedDraftAnswer>('POST', `/shared-drafts/${account}`, { token, json: { name, document } }),
    list: async () =>
      (await send<SharedDraftsAnswer>('GET', `/shared-drafts/${account}`, { token })).json.shared,
    revoke: (id: string) => send('DELETE', `/shared-drafts/${account}/${id}`, { token }),
  }
}

function documentOf(source = 'return x;') {
  return { entries: [{ id: 'a', kind: 'transformation', name: 'twice', source }], places: [] }
}

function read(id: string) {
  return send<SharedDocumentAnswer>('GET', `/shared/${id}`)
}

test('a link is read by everybody who has it, until its owner revokes it', async () => {
  const [ann, bob] = [await person(), await person()]
  const first = await ann.share(documentOf('return 1;'))
  const second = await ann.share(documentOf('return 2;'), 'Second')
  expect([first.status, second.status]).toEqual([200, 200])
  expect(first.json.id).toMatch(/^[A-Za-z0-9_-]{22}$/)
  expect(second.json.id).not.toBe(first.json.id)
  expect((await read(first.json.id)).json).toMatchObject({
    name: 'Melody',
    document: documentOf('return 1;'),
  })
  expect((await ann.list()).map(({ name }) => name).toSorted()).toEqual(['Melody', 'Second'])
  expect(await bob.list()).toEqual([])

  // Another account neither revokes it nor lists it.
  expect((await bob.revoke(first.json.id)).status).toBe(204)
  for (const [method, path] of [
    ['GET', `/shared-drafts/${ann.account}`],
    ['DELETE', `/shared-drafts/${ann.account}/${first.json.id}`],
  ] as const) {
    expect((await send(method, path, { token: bob.token })).status).toBe(403)
    expect((await send(method, path)).status).toBe(401)
  }
  expect((await read(first.json.id)).status).toBe(200)

  expect((await ann.revoke(first.json.id)).status).toBe(204)
  expect(await read(first.json.id)).toMatchObject({
    status: 404,
    json: { message: 'There is nothing at this link: it was revoked, or a part of it is missing' },
  })
  expect((await ann.list()).map(({ name }) => name)).toEqual(['Second'])
})

test('visitors, other sites and addresses that cannot be are refused', async () => {
  const ann = await person()
  const json = { name: 'Melody', document: documentOf() }
  expect((await send('POST', `/shared-drafts/${ann.account}`, { json })).status).toBe(401)
  const { id } = (await ann.share(documentOf())).json
  expect((await send('GET', `/shared/${id}`, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(
    403,
  )
  for (const wrong of ['a', `${id}x`, '__proto__', encodeURIComponent('../..'), 'A'.repeat(22)]) {
    expect((await read(wrong)).status, wrong).toBe(404)
  }
})

test('size, number and sum are bounded, each with a sentence', async () => {
  const ann = await person()
  const large = documentOf('x'.repeat(MAX_SHARED_DOCUMENT_BYTES))
  expect(await ann.share(large)).toMatchObject({
    status: 413,
    json: { message: expect.stringMatching(/at most 0\.5 MiB/) },
  })
  expect(await ann.share({ entries: 1, places: [] })).toMatchObject({ status: 400 })

  const half = documentOf('x'.repeat(MAX_SHARED_DOCUMENT_BYTES - 1000))
  const fits = Math.floor(MAX_SHARED_BYTES / (MAX_SHARED_DOCUMENT_BYTES - 900))
  for (let count = 0; count < fits; count++) expect((await ann.share(half)).status).toBe(200)
  expect(await ann.share(half)).toMatchObject({
    status: 429,
    json: { message: expect.stringMatching(/more than 8 MiB/) },
  })

  const bob = await person()
  await api.db.sql`
    insert into shared_drafts (id, owner, name, created_at, document, size)
    select 'made' || number, ${bob.account}, 'Made', now(), '{}', 2 from generate_series(1, ${MAX_SHARED_DRAFTS}) number`
  expect(await bob.share(documentOf())).toMatchObject({
    status: 429,
    json: { message: expect.stringMatching(/at most 100 links. Revoke some first/) },
  })
  await api.db.sql`delete from shared_drafts where owner = ${bob.account} and id = 'made1'`
  expect((await bob.share(documentOf())).status).toBe(200)
})

test('what a suspended account shares is not read, and a deleted account leaves nothing', async () => {
  const [ann, bob] = [await person(), await person()]
  const { id } = (await ann.share(documentOf())).json
  await api.db.sql`update users set status = 'suspended' where address = ${ann.account}`
  expect((await read(id)).status).toBe(404)
  const other = (await bob.share(documentOf())).json.id
  const gone = await api.send('DELETE', `/users/${bob.account}`, { token: bob.token })
  expect(gone.status).toBeLessThan(300)
  expect((await read(other)).status).toBe(404)
  const rows = await api.db.sql`select id from shared_drafts where owner = ${bob.account}`
  expect(rows).toHaveLength(0)
})
