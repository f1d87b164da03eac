import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { VersionsAnswer, WorkspacesAnswer } from '#lib/features/workspaces/operations.ts'
import {
  DELETED_RETENTION_MS,
  MAX_ACCOUNT_BYTES,
  MAX_DOCUMENT_BYTES,
  MAX_WORKSPACES,
} from '#lib/features/workspaces/quota.ts'
import { createChainDispatcher } from '#lib/server/operations/chain/dispatcher.ts'
import { chainOperations } from '#lib/server/operations/chain/index.ts'
import { servicesOperations } from '#lib/server/operations/services/index.ts'
import { newPerson, signIn } from '#test/server/services/people.ts'
import { type Answer, type Endpoints, endpointsOf, SITE, startApi, type TestApi } from '#test/support/api.ts'

/* Unpublished work on the server: whose it is, who wins when two save, and what it was before. */

const SECRET = 'return x + 424242; // nobody else may read this'

let api: TestApi
let sendToStudio: Endpoints['send']

beforeAll(async () => {
  api = await startApi('services')
  sendToStudio = endpointsOf('studio', api.services).send
})
afterAll(() => api?.close())

interface Person {
  readonly account: string
  send<T = { message: string }>(
    method: string,
    path: string,
    json?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<T>>
  save(id: string, revision: number, entries: unknown[], name?: string): Promise<Answer<{ revision: number }>>
  list(): Promise<WorkspacesAnswer['workspaces']>
}

async function person(): Promise<Person> {
  const { address, token } = await newPerson(api)
  const account = address.toLowerCase()
  return asPerson(account, token)
}

function asPerson(account: string, token: string): Person {
  const send: Person['send'] = (method, path, json, headers = {}) =>
    sendToStudio(method, `/workspaces/${path}`, { token, json, headers })
  return {
    account,
    send,
    save: (id, revision, entries, name = 'Work') =>
      send('PUT', `${account}/${id}`, { revision, name, document: { entries, places: [] } }),
    list: async () => (await send<WorkspacesAnswer>('GET', account)).json.workspaces,
  }
}

function step(id: string, name = id, source = SECRET) {
  return { id, kind: 'transformation', name, source }
}

test('stores what is saved, and refuses a save of an older revision', async () => {
  const ann = await person()
  expect((await ann.save('loom', 0, [step('a')])).json.revision).toBe(1)
  expect((await ann.save('loom', 1, [step('a'), step('b')])).json.revision).toBe(2)
  const late = await ann.send('PUT', `${ann.account}/loom`, {
    revision: 1,
    name: 'Late',
    document: { entries: [], places: [] },
  })
  expect(late).toMatchObject({
    status: 409,
    json: { message: 'This workspace was saved elsewhere in the meantime' },
  })
  const read = await ann.send('GET', `${ann.account}/loom`)
  expect(read.json).toMatchObject({
    name: 'Work',
    revision: 2,
    document: { entries: [step('a'), step('b')], places: [] },
  })

  // Of many at the same moment one is first, and nothing of the others is left.
  const race = await Promise.all(Array.from({ length: 12 }, (_, i) => ann.save('loom', 2, [step(`r${i}`)])))
  expect(race.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(race.filter(({ status }) => status === 409)).toHaveLength(11)
  expect((await ann.list())[0]?.revision).toBe(3)
})

describe('private', () => {
  test('to the account: no other account reads, changes or detects it', async () => {
    const [ann, bob] = [await person(), await person()]
    await ann.save('diary', 0, [step('a')])
    for (const [method, path, json] of [
      ['GET', ''],
      ['GET', '/diary'],
      ['PUT', '/diary', { revision: 1, name: 'Mine', document: { entries: [], places: [] } }],
      ['DELETE', '/diary'],
      ['POST', '/diary/restore'],
      ['GET', '/diary/versions'],
      ['GET', '/diary/versions/1'],
    ] as const) {
      const answer = await bob.send(method, `${ann.account}${path}`, json)
      expect(answer, `${method} ${path}`).toMatchObject({
        status: 403,
        json: { message: 'Signed in as another account than the one of this request' },
      })
      const nobody = await sendToStudio(method, `/workspaces/${ann.account}${path}`, { json })
      expect(nobody.status).toBe(401)
      // A page of another site, in the browser of the owner.
      const foreign = await ann.send(method, `${ann.account}${path}`, json, {
        'sec-fetch-site': 'cross-site',
        origin: 'https://evil.example',
      })
      expect(foreign.status).toBe(403)
    }
    expect(await bob.list()).toEqual([])
    // The same id belongs to a different workspace of another account.
    await bob.save('diary', 0, [step('bobs')])
    expect((await ann.send('GET', `${ann.account}/diary`)).json).toMatchObject({
      document: { entries: [step('a')] },
    })
  })

  test('from both documented APIs', async () => {
    const ann = await person()
    await ann.save('diary', 0, [step('never_published')], 'Secret plans')
    const chain = createChainDispatcher({ services: async () => api.services })
    for (const path of [
      `/account/${ann.account}?limit=100`,
      '/transformation/never_published',
      '/accounts?limit=100',
      '/feed?limit=100',
    ]) {
      const text = await (await chain(new Request(`${SITE}/chain${path}`))).text()
      expect(text).not.toMatch(/424242|never_published"|Secret plans/)
    }
    const user = await api.send('GET', `/users/${ann.account}`)
    expect(user.text).not.toMatch(/424242|Secret plans/)
    const paths = [...chainOperations, ...servicesOperations].map(({ path }) => path)
    expect(paths.filter((path) => path.includes('workspace'))).toEqual([])
  })

  test('and deleted with the account', async () => {
    const { wallet, address, token } = await newPerson(api)
    const ann = asPerson(address.toLowerCase(), token)
    await ann.save('diary', 0, [step('a')])
    expect((await api.send('DELETE', `/users/${ann.account}`, { token })).status).toBe(204)
    const [{ left } = { left: -1 }] = await api.db.sql<{ left: number }[]>`
      select (select count(*) from workspaces where owner = ${ann.account})
           + (select count(*) from workspace_versions where owner = ${ann.account}) as left`
    expect(Number(left)).toBe(0)
    expect((await ann.save('diary', 0, [step('a')])).status).toBe(401)
    expect(await asPerson(ann.account, await signIn(api, wallet)).list()).toEqual([])
  })
})

test('a deleted workspace can be taken back for thirty days, or until it is deleted for good', async () => {
  const ann = await person()
  await ann.save('one', 0, [step('a')])
  await ann.save('two', 0, [step('b')])
  for (const id of ['one', 'two', 'never_was']) {
    expect((await ann.send('DELETE', `${ann.account}/${id}`)).status).toBe(204)
  }
  expect((await ann.send('GET', `${ann.account}/one`)).status).toBe(404)
  expect((await ann.list()).map(({ id, deleted_at }) => [id, deleted_at !== null]).toSorted()).toEqual([
    ['one', true],
    ['two', true],
  ])
  expect((await ann.send('POST', `${ann.account}/one/restore`)).status).toBe(200)
  expect((await ann.send('GET', `${ann.account}/one`)).status).toBe(200)
  // Only what is deleted can be deleted for good.
  await ann.send('DELETE', `${ann.account}/one?for_good=true`)
  await ann.send('DELETE', `${ann.account}/two?for_good=true`)
  expect((await ann.list()).map(({ id }) => id)).toEqual(['one'])
  expect((await ann.send('POST', `${ann.account}/two/restore`)).status).toBe(404)
  // Still being edited.
  await ann.send('DELETE', `${ann.account}/one`)
  expect((await ann.save('one', 1, [step('c')])).status).toBe(200)
  expect((await ann.list())[0]?.deleted_at).toBeNull()
})

test('what it was before can be read, with what changed each time', async () => {
  const ann = await person()
  await ann.save('h', 0, [step('a'), step('b')])
  await ann.save('h', 1, [step('a', 'renamed'), step('b', 'b', 'return x;'), step('c')])
  await ann.save('h', 2, [step('c')])
  const { versions } = (await ann.send<VersionsAnswer>('GET', `${ann.account}/h/versions`)).json
  const said = versions.map(({ revision, entries, changes }) => [
    revision,
    entries,
    ...changes.map(({ change, name, name_before }) => `${change} ${name}${name_before ?? ''}`),
  ])
  expect(said).toEqual([
    [3, 1, 'removed renamed', 'removed b'],
    [2, 3, 'renamed renameda', 'changed b', 'added c'],
    [1, 2, 'added a', 'added b'],
  ])
  const old = await ann.send<{ document: unknown }>('GET', `${ann.account}/h/versions/1`)
  expect(old.json.document).toEqual({ entries: [step('a'), step('b')], places: [] })
  expect((await ann.send('GET', `${ann.account}/h/versions/9`)).status).toBe(404)
})

test('Worlds are stored with the connectors that they are attached to', async () => {
  const ann = await person()
  const document = { entries: [step('a')], places: [], worlds: [{ of: 'entry/a', world: 'wld_1' }] }
  const put = (worlds: unknown) =>
    ann.send('PUT', `${ann.account}/w`, { revision: 0, name: 'W', document: { ...document, worlds } })
  expect((await put('many')).status).toBe(400)
  expect((await put(document.worlds)).status).toBe(200)
  for (const path of ['w', 'w/versions/1']) {
    const read = await ann.send<{ document: unknown }>('GET', `${ann.account}/${path}`)
    expect(read.json.document).toEqual(document)
  }
})

describe('limits', () => {
  test('of a document are sentences', async () => {
    const ann = await person()
    const big = (bytes: number) => [step('big', 'big', 'x'.repeat(bytes))]
    const { status, json } = await ann.send('PUT', `${ann.account}/big`, {
      revision: 0,
      name: 'Big',
      document: { entries: big(MAX_DOCUMENT_BYTES), places: [] },
    })
    expect(status).toBe(413)
    expect(json.message).toMatch(/takes 2(\.\d)? MiB; your account keeps at most 2 MiB each/)
    expect((await ann.save('big', 0, big(MAX_DOCUMENT_BYTES - 200))).status).toBe(200)
  })

  test('of an account: their number, and all they hold together', async () => {
    const ann = await person()
    await api.db.sql`
      insert into workspaces (owner, id, name, revision, created_at, updated_at)
      select ${ann.account}, 'w' || n, 'W', 1, now(), now() from generate_series(1, ${MAX_WORKSPACES}) n`
    const full = await ann.send('PUT', `${ann.account}/one_more`, {
      revision: 0,
      name: 'x',
      document: { entries: [], places: [] },
    })
    expect(full.status).toBe(429)
    expect(full.json.message).toContain('at most 100 workspaces')
    expect((await ann.save('w1', 1, [step('a')])).status).toBe(200)

    // Earlier versions are pruned; those of other workspaces are not.
    const fill = (id: string, revision: number, size: number) => api.db.sql`
      insert into workspace_versions (owner, workspace_id, revision, saved_at, document, marks, size)
      values (${ann.account}, ${id}, ${revision}, now() - interval '1 day', '{}', '[]', ${size})`
    await fill('w2', 1, 1)
    await api.db.sql`update workspaces set revision = 2 where owner = ${ann.account} and id = 'w2'`
    await fill('w2', 2, MAX_ACCOUNT_BYTES - 300)
    expect((await ann.save('w1', 2, [step('b')])).status).toBe(200)
    expect((await ann.save('w2', 2, [step('b')])).status).toBe(200)
    const revisions = await api.db.sql<{ revision: number }[]>`
      select revision from workspace_versions where owner = ${ann.account} and workspace_id = 'w2'`
    expect(revisions.map(({ revision }) => revision)).toEqual([3])
    await fill('w3', 1, MAX_ACCOUNT_BYTES)
    expect((await ann.save('w2', 3, [step('c')])).status).toBe(429)
    expect((await ann.send('GET', `${ann.account}/w2`)).json).toMatchObject({ revision: 3 })
  })

  test('of what may be sent: anything else is refused in words, and odd names are ordinary', async () => {
    const ann = await person()
    const odd = [step('__proto__', 'toString'), step('constructor', 'a\u0000b')]
    expect((await ann.save('__proto__', 0, odd)).status).toBe(200)
    expect((await ann.send('GET', `${ann.account}/__proto__`)).json).toMatchObject({
      document: { entries: odd },
    })
    const document = { entries: [], places: [] }
    for (const [path, body] of [
      ['x', { revision: 0, name: '', document }],
      ['x', { revision: 0, name: 'a\nb', document }],
      ['x', { revision: 0, name: 'x'.repeat(81), document }],
      ['x', { revision: -1, name: 'x', document }],
      ['x', { revision: 0, name: 'x', document: { entries: [1], places: [] } }],
      ['x', { revision: 0, name: 'x', document: { ...document, more: 1 } }],
      ['x', { revision: 0, name: 'x', document, more: 1 }],
      ['%00', { revision: 0, name: 'x', document }],
      ['a%2Fb', { revision: 0, name: 'x', document }],
      ['x', '{"revision":0'],
      ['x', `{"revision":0,"name":"x","document":${'['.repeat(500)}${']'.repeat(500)}}`],
    ] as const) {
      const { status, json } = await ann.send('PUT', `${ann.account}/${path}`, body)
      expect([status, json.message.length > 10], JSON.stringify(body)).toEqual([400, true])
    }
    for (const path of ['nobody', `${ann.account}/x/versions/0`, `${ann.account}/x/versions/99999999999`]) {
      expect((await ann.send('GET', path)).status).toBe(400)
    }
  })
})

test('expired workspaces are removed at any deletion', async () => {
  const own = await startApi('services')
  try {
    sendToStudio = endpointsOf('studio', own.services).send
    const { address, token } = await newPerson(own)
    const ann = asPerson(address.toLowerCase(), token)
    await ann.save('old', 0, [step('a')])
    await ann.send('DELETE', `${ann.account}/old`)
    own.advance(DELETED_RETENTION_MS + 1)
    const bob = await newPerson(own)
    await asPerson(bob.address.toLowerCase(), bob.token).send('DELETE', `${bob.address}/any`)
    const left = await own.db.sql`select * from workspaces`
    expect(left).toHaveLength(0)
  } finally {
    sendToStudio = endpointsOf('studio', api.services).send
    await own.close()
  }
})
