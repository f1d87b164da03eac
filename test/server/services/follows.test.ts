import { checksumAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setSuspended } from '#lib/core/people/account-status.ts'
import { MAX_FOLLOWED } from '#lib/core/people/follows.ts'
import { startApi, type TestApi } from '#test/support/api.ts'
import { lower } from '#test/support/lower.ts'
import { newPerson, newWallet } from './people.ts'

let api: TestApi

beforeAll(async () => {
  api = await startApi('services')
})
afterAll(() => api?.close())

async function following(token: string, query = '') {
  return (await api.send('GET', `/social/following${query}`, { token })).json
}
async function followers(token: string, query = '') {
  return (await api.send('GET', `/social/followers${query}`, { token })).json
}
function follow(token: string, followed_id: unknown) {
  return api.send('POST', '/social/follow', { token, json: { followed_id } })
}
function unfollow(token: string, followed_id: unknown) {
  return api.send('POST', '/social/unfollow', { token, json: { followed_id } })
}

test('following and followers, from both sides, in the order of addresses', async () => {
  const [ada, ben, cyd] = await Promise.all([newPerson(api), newPerson(api), newPerson(api)])
  for (const spelling of [ben.address, ben.address.toLowerCase(), ben.address.slice(2).toUpperCase()]) {
    const answer = await follow(ada.token, spelling)
    expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([204, '', null])
  }
  await follow(ada.token, cyd.address)
  await follow(cyd.token, ben.address)
  const sorted = (...people: { address: string }[]) =>
    people.map(({ address }) => address).toSorted((a, b) => (lower(a) < lower(b) ? -1 : 1))
  expect(await following(ada.token)).toEqual(sorted(ben, cyd))
  expect(await followers(ben.token)).toEqual(sorted(ada, cyd))
  expect(await following(ben.token)).toEqual([])
  expect(await followers(ada.token)).toEqual([])
  expect(await followers(ben.token, '?limit=1')).toEqual(sorted(ada, cyd).slice(0, 1))
  expect(await followers(ben.token, '?limit=1&page=1')).toEqual(sorted(ada, cyd).slice(1))

  expect((await unfollow(ada.token, ben.address.toLowerCase())).status).toBe(204)
  expect((await unfollow(ada.token, ben.address)).status).toBe(204)
  expect(await following(ada.token)).toEqual([cyd.address])
  expect(await followers(ben.token)).toEqual([cyd.address])
})

describe.each([
  ['follow', follow],
  ['unfollow', unfollow],
] as const)('POST_social %s', (_name, act) => {
  test('400: an empty id, the own address, and invalid bodies', async () => {
    const { token, address } = await newPerson(api)
    for (const id of [
      '',
      '  ',
      '\t\n',
      address,
      address.toLowerCase(),
      address.slice(2),
      null,
      1,
      [address],
      {},
    ]) {
      const answer = await act(token, id)
      expect([id, answer.status, answer.text]).toEqual([id, 400, ''])
    }
  })

  test('404: no such user, whether it could be one or not', async () => {
    const { token } = await newPerson(api)
    const gone = await newPerson(api)
    await api.send('DELETE', `/users/${gone.address}`, { token: gone.token })
    for (const id of [newWallet().address, gone.address, 'ada', '0x12', '__proto__', 'toString', '\u0000']) {
      const answer = await act(token, id)
      expect([id, answer.status, answer.text]).toEqual([id, 404, ''])
    }
  })
})

test('suspended users are in no list; one can leave but not join them', async () => {
  const [ada, ben] = await Promise.all([newPerson(api), newPerson(api)])
  await follow(ada.token, ben.address)
  await follow(ben.token, ada.address)
  await setSuspended(api.services, {
    address: lower(ben.address),
    suspended: true,
    operator: 'ops',
    reason: 'spam',
  })
  expect(await following(ada.token)).toEqual([])
  expect(await followers(ada.token)).toEqual([])
  expect((await follow(ada.token, ben.address)).status).toBe(404)
  expect((await unfollow(ada.token, ben.address)).status).toBe(204)
})

test('429 beyond the most that one may follow; the list holds them all', async () => {
  const ada = await newPerson(api)
  const ben = await newPerson(api)
  const { sql } = api.db
  await sql`
    insert into users (address, created_at, updated_at)
    select '0x' || lpad(to_hex(i), 40, '0'), now(), now() from generate_series(1, ${MAX_FOLLOWED}) i`
  await sql`
    insert into follows (follower, followed, created_at)
    select ${lower(ada.address)}, '0x' || lpad(to_hex(i), 40, '0'), now() from generate_series(2, ${MAX_FOLLOWED}) i`
  expect((await follow(ada.token, `0x${'1'.padStart(40, '0')}`)).status).toBe(204)
  const answer = await follow(ada.token, ben.address)
  expect([answer.status, answer.text]).toEqual([429, ''])
  const all = (await following(ada.token)) as string[]
  expect(all).toHaveLength(MAX_FOLLOWED)
  expect(all[9]).toBe(checksumAddress(`0x${'a'.padStart(40, '0')}`))
  expect((await unfollow(ada.token, all[0])).status).toBe(204)
  expect((await follow(ada.token, ben.address)).status).toBe(204)
})

test('following the same person fifty times at once is following once', async () => {
  const [ada, ben] = await Promise.all([newPerson(api), newPerson(api)])
  const answers = await Promise.all(Array.from({ length: 50 }, () => follow(ada.token, ben.address)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
  expect(await following(ada.token)).toEqual([ben.address])
})
