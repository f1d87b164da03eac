import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setSuspended } from '#lib/core/people/account-status.ts'
import { users } from '#lib/platform/db/schema/index.ts'
import { startApi, type TestApi } from '#test/support/api.ts'
import { lower } from '#test/support/lower.ts'
import { newPerson, newWallet, signIn } from './people.ts'

const ADMIN = newWallet()
const KIB = 1024

let api: TestApi

beforeAll(async () => {
  api = await startApi('services', { adminAddresses: [lower(ADMIN.address)] })
})
afterAll(() => api?.close())

function read(address: string) {
  return api.send('GET', `/users/${address}`)
}
function patch(address: string, token: string, json: unknown) {
  return api.send('PATCH', `/users/${address}`, { token, json })
}

describe('GET_user', () => {
  test('200: in every spelling of the address, always written as in EIP-55', async () => {
    const { address } = await newPerson(api)
    const bare = address.slice(2)
    for (const spelling of [address, bare, address.toLowerCase(), `0X${bare.toUpperCase()}`]) {
      const answer = await read(spelling)
      expect(answer.status).toBe(200)
      expect((answer.json as { id: string }).id).toBe(address)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    }
  })

  test('administrators are those the configuration names', async () => {
    await signIn(api, ADMIN)
    expect((await read(ADMIN.address)).json).toMatchObject({ roles: ['user', 'admin'] })
  })

  test.each([
    'xyz',
    '0x',
    '0x12',
    `0x${'g'.repeat(40)}`,
    `0x${'1'.repeat(41)}`,
    '__proto__',
    '%00',
    '%E0%A4%A',
  ])('400: %s', async (address) => {
    const answer = await read(address)
    expect([answer.status, answer.text]).toEqual([400, ''])
  })
})

describe('PATCH_user', () => {
  test('what is left out stays; null clears the name; the profile is replaced as a whole', async () => {
    const { address, token } = await newPerson(api)
    const profile = {
      public: { nickname: 'Ada', bio: 'Weaves.', kind: 'human' },
      extra: [1, null, { a: 1.5 }],
    }
    const first = await patch(address, token, { display_name: 'Ada', profile_json: profile })
    expect(first.status).toBe(200)
    expect(first.json).toMatchObject({ id: address, display_name: 'Ada', profile_json: profile })
    expect((await patch(address, token, { profile_json: { b: 1 } })).json).toMatchObject({
      display_name: 'Ada',
      profile_json: { b: 1 },
    })
    const cleared = await patch(address, token, { display_name: null })
    expect(cleared.json).toMatchObject({ display_name: null, profile_json: { b: 1 } })
    expect((await patch(address, token, { display_name: '' })).json).toMatchObject({ display_name: '' })
    expect((await patch(address, token, { profile_json: {} })).json).toMatchObject({ profile_json: {} })
    expect((await read(address)).json).toMatchObject({ display_name: '', profile_json: {} })
  })

  test('updated_at moves with the profile only', async () => {
    const { address, token, wallet } = await newPerson(api)
    const at = async () => ((await read(address)).json as { updated_at: string }).updated_at
    const first = await at()
    api.advance(1000)
    expect((await patch(address, token, {})).status).toBe(200)
    await signIn(api, wallet)
    expect(await at()).toBe(first)
    await patch(address, token, { display_name: null })
    expect(Date.parse(await at())).toBeGreaterThan(Date.parse(first))
  })

  test('hostile keys and odd strings are data, in the order they came', async () => {
    const { address, token } = await newPerson(api)
    const text =
      '{"z":1,"__proto__":{"admin":true},"constructor":{"prototype":{"x":1}},"toString":"no","hasOwnProperty":null,' +
      '"":0,"nul":"\\u0000","rtl":"\\u202e","10":1,"__proto__ ":{"__proto__":{"__proto__":[]}}}'
    const answer = await api.send('PATCH', `/users/${address}`, {
      token,
      body: `{"profile_json":${text}}`,
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(200)
    const { profile_json } = (await read(address)).json as { profile_json: Record<string, unknown> }
    expect(Object.keys(profile_json)).toEqual(Object.keys(JSON.parse(text) as object))
    expect(JSON.stringify(profile_json)).toBe(JSON.stringify(JSON.parse(text)))
    expect(Object.hasOwn(profile_json, '__proto__')).toBe(true)
    expect(({} as Record<string, unknown>).admin).toBeUndefined()
    expect(answer.json).toMatchObject({ roles: ['user'] })
  })

  test('64 KiB pass, one byte more is 400', async () => {
    const { address, token } = await newPerson(api)
    const sized = (bytes: number) => ({ profile_json: { a: 'é'.repeat((bytes - 8) / 2) } })
    expect(Buffer.byteLength(JSON.stringify(sized(64 * KIB).profile_json))).toBe(64 * KIB)
    expect((await patch(address, token, sized(64 * KIB))).status).toBe(200)
    const over = { profile_json: { a: `${sized(64 * KIB).profile_json.a}x` } }
    const answer = await patch(address, token, over)
    expect([answer.status, answer.text]).toEqual([400, ''])
    expect((await read(address)).json).toMatchObject(sized(64 * KIB))
  })

  test.each([
    { display_name: 1 },
    { display_name: ['a'] },
    { display_name: 'a\nb' },
    { display_name: 'a\u0000' },
    { profile_json: null },
    { profile_json: [] },
    { profile_json: 'a' },
    { profile_json: 1 },
    { roles: ['admin'] },
    { status: 'active' },
    { id: ADMIN.address },
    [],
    null,
    'a',
  ])('400: %j', async (json) => {
    const { address, token } = await newPerson(api)
    const before = (await read(address)).json
    const answer = await patch(address, token, json)
    expect([answer.status, answer.text]).toEqual([400, ''])
    expect((await read(address)).json).toEqual(before)
  })

  test('403: not your profile, be you an administrator; 401 without a session; 400 for no address', async () => {
    const { address, token } = await newPerson(api)
    const admin = await signIn(api, ADMIN)
    for (const other of [address, newWallet().address]) {
      expect((await patch(other, admin, { display_name: 'Mallory' })).status).toBe(403)
    }
    expect((await api.send('PATCH', `/users/${address}`, { json: {} })).status).toBe(401)
    expect((await patch('0x12', token, {})).status).toBe(400)
    expect((await read(address)).json).toMatchObject({ display_name: null })
  })

  test('two changes at once both hold', async () => {
    const { address, token } = await newPerson(api)
    await Promise.all([
      patch(address, token, { display_name: 'Ada' }),
      patch(address, token, { profile_json: { a: 1 } }),
    ])
    expect((await read(address)).json).toMatchObject({ display_name: 'Ada', profile_json: { a: 1 } })
  })
})

describe('DELETE_user', () => {
  const remove = (address: string, token?: string) =>
    api.send('DELETE', `/users/${address}`, token === undefined ? {} : { token })

  test('204: gone at once: profile, sessions, follows, and the record for readers', async () => {
    const { wallet, address, token } = await newPerson(api)
    const other = await signIn(api, wallet)
    const friend = await newPerson(api)
    await patch(address, token, { display_name: 'Ada', profile_json: { a: 1 } })
    await api.send('POST', '/social/follow', { token, json: { followed_id: friend.address } })
    await api.send('POST', '/social/follow', { token: friend.token, json: { followed_id: address } })

    const answer = await remove(address.toLowerCase(), token)
    expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([204, '', null])
    for (const dead of [token, other]) {
      expect((await api.send('GET', '/auth/me', { token: dead })).status).toBe(401)
      expect((await patch(address, dead, { display_name: 'x' })).status).toBe(401)
      expect((await remove(address, dead)).status).toBe(401)
    }
    expect((await read(address)).status).toBe(404)
    expect((await api.send('GET', '/social/followers', { token: friend.token })).json).toEqual([])
    expect((await api.send('GET', '/social/following', { token: friend.token })).json).toEqual([])
    const [row] = await api.db
      .sql`select status, display_name, profile from users where address = ${lower(address)}`
    expect(row).toEqual({ status: 'deleted', display_name: null, profile: '{}' })
    expect(await api.db.sql`select actor, act from audit_log where subject = ${lower(address)}`).toEqual([
      { actor: lower(address), act: 'delete_account' },
    ])
  })

  test('the next sign-in begins afresh, and no old session comes back', async () => {
    const { wallet, address, token } = await newPerson(api)
    await patch(address, token, { display_name: 'Ada', profile_json: { a: 1 } })
    await remove(address, token)
    const fresh = await signIn(api, wallet)
    expect((await read(address)).json).toMatchObject({
      status: 'active',
      display_name: null,
      profile_json: {},
    })
    expect((await api.send('GET', '/auth/me', { token })).status).toBe(401)
    expect((await api.send('GET', '/auth/me', { token: fresh })).status).toBe(200)
  })

  test('403: not your account, nor anything that is no address; 401 without a session', async () => {
    const { address, token } = await newPerson(api)
    const other = await newPerson(api)
    for (const path of [other.address, newWallet().address, 'xyz', '__proto__']) {
      const answer = await remove(path, token)
      expect([answer.status, answer.text]).toEqual([403, ''])
    }
    expect((await remove(address)).status).toBe(401)
    expect((await read(other.address)).status).toBe(200)
  })

  test('deleting races sign-ins and follows: no session of the deleted user survives, and no follow without a user', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => newPerson(api)))
    const calls = people.flatMap(({ token, address }) => [
      ...people.map((other) =>
        api.send('POST', '/social/follow', { token, json: { followed_id: other.address } }),
      ),
      remove(address, token),
    ])
    const answers = await Promise.all(calls)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    const addresses = people.map(({ address }) => lower(address))
    const { sql } = api.db
    expect(await sql`select 1 from sessions where address in ${sql(addresses)}`).toHaveLength(0)
    expect(
      await sql`select 1 from follows where follower in ${sql(addresses)} or followed in ${sql(addresses)}`,
    ).toHaveLength(0)
  })
})

describe('a suspended user', () => {
  test('401 everywhere at once, and again at home when the suspension is lifted and a new sign-in made', async () => {
    const { wallet, address, token } = await newPerson(api)
    await setSuspended(api.services, {
      address: lower(address),
      suspended: true,
      operator: 'ops',
      reason: 'spam',
    })
    for (const [method, path, json] of [
      ['GET', '/auth/me'],
      ['POST', '/auth/logout'],
      ['PATCH', `/users/${address}`, {}],
      ['DELETE', `/users/${address}`],
      ['GET', '/social/following'],
      ['GET', '/social/followers'],
      ['POST', '/social/follow', { followed_id: ADMIN.address }],
      ['POST', '/social/unfollow', { followed_id: ADMIN.address }],
    ] as const) {
      expect((await api.send(method, path, { token, json })).status, path).toBe(401)
    }
    expect((await read(address)).json).toMatchObject({ status: 'suspended' })
    await setSuspended(api.services, {
      address: lower(address),
      suspended: false,
      operator: 'ops',
      reason: 'spam',
    })
    expect((await api.send('GET', '/auth/me', { token })).status).toBe(401)
    expect((await api.send('GET', '/auth/me', { token: await signIn(api, wallet) })).status).toBe(200)
    expect(
      await api.db
        .sql`select actor, act, reason from audit_log where subject = ${lower(address)} order by id`,
    ).toEqual([
      { actor: 'ops', act: 'suspend_account', reason: 'spam' },
      { actor: 'ops', act: 'lift_suspension', reason: 'spam' },
    ])
  })

  test('lifting no suspension brings no deleted user back', async () => {
    const { address, token } = await newPerson(api)
    await api.send('DELETE', `/users/${address}`, { token })
    await setSuspended(api.services, {
      address: lower(address),
      suspended: false,
      operator: 'ops',
      reason: 'spam',
    })
    expect((await read(address)).status).toBe(404)
  })
})

describe('GET_users', () => {
  let crowd: TestApi
  let everybody: Hex[]

  beforeAll(async () => {
    crowd = await startApi('services')
    const addresses = Array.from({ length: 230 }, (_, i) => `0x${(i * 7919).toString(16).padStart(40, 'f')}`)
    const now = new Date()
    await crowd.db.orm
      .insert(users)
      .values(addresses.map((address) => ({ address, createdAt: now, updatedAt: now })))
    await crowd.db.sql`update users set status = 'deleted' where address = ${addresses[3] as string}`
    await crowd.db.sql`update users set status = 'suspended' where address = ${addresses[4] as string}`
    everybody = addresses.filter((_, i) => i !== 3 && i !== 4).toSorted() as Hex[]
  })
  afterAll(() => crowd?.close())

  const list = async (query: string) => {
    const answer = await crowd.send('GET', `/users${query}`)
    expect(answer.status).toBe(200)
    return answer.json as string[]
  }

  test('pages in the order of addresses, active users only, as in EIP-55', async () => {
    const pages = await Promise.all([0, 1, 2, 3, 4, 5].map((page) => list(`?page=${page}&limit=50`)))
    expect(pages.map((page) => page.length)).toEqual([50, 50, 50, 50, 28, 0])
    expect(pages.flat().map((address) => address.toLowerCase())).toEqual(everybody)
    expect(pages.flat().some((address) => /[A-F]/.test(address))).toBe(true)
  })

  test('page and limit out of range are brought into it', async () => {
    const first = everybody.slice(0, 50)
    for (const query of ['', '?page=', '?page=-1', '?page=x', '?limit=', '?limit=ten', '?page=1e9&x=1']) {
      expect(
        (await list(query)).map((address) => address.toLowerCase()),
        query,
      ).toEqual(first)
    }
    expect(await list('?limit=0')).toHaveLength(1)
    expect(await list('?limit=-5')).toHaveLength(1)
    expect(await list('?limit=201')).toHaveLength(200)
    expect(await list(`?limit=${'9'.repeat(400)}`)).toHaveLength(200)
    expect(await list(`?page=${'9'.repeat(400)}&limit=200`)).toEqual([])
  })
})
