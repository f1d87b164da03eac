import { afterAll, beforeAll, expect, test } from 'vitest'
import { followStanding } from '#lib/core/people/follows.ts'
import { publicProfile } from '#lib/core/people/public-profile.ts'
import { namesOf } from '#lib/core/people/users.ts'
import { search } from '#lib/features/search/search.ts'
import { mergeProfile } from '#lib/ui/people/merge-profile.ts'
import { startApi, type TestApi } from '#test/support/api.ts'
import { lower } from '#test/support/lower.ts'
import { newPerson } from './people.ts'

let api: TestApi

beforeAll(async () => {
  api = await startApi('services')
})
afterAll(() => api?.close())

test('a profile is read by the agreed keys, whatever else is in it', () => {
  expect(publicProfile(null, {})).toEqual({ name: undefined, bio: undefined, kind: undefined })
  expect(publicProfile('Ada', { public: { nickname: 'A.', bio: 'x', kind: 'AI agent' } })).toEqual({
    name: 'Ada',
    bio: 'x',
    kind: 'agent',
  })
  for (const odd of [null, 1, 'text', [], { nickname: {}, bio: [], kind: 7 }]) {
    expect(publicProfile(null, { public: odd })).toEqual({ name: undefined, bio: undefined, kind: undefined })
  }
  const inherited = JSON.parse('{"__proto__": {"public": {"nickname": "not mine"}}}') as Record<
    string,
    unknown
  >
  expect(publicProfile(null, inherited).name).toBeUndefined()
  // A name stands in lines with others: it has one line, one direction and an end.
  expect(publicProfile(' A\u202e\nB\u0000 ', {}).name).toBe('A B')
  expect(publicProfile(`${'🙂'.repeat(300)}`, {}).name).toBe('🙂'.repeat(100))
  expect(publicProfile(null, { public: { bio: 'a\r\n\n\n\n\nb\u0007' } }).bio).toBe('a\n\nb')
})

test('editing a profile leaves alone what the form does not know', () => {
  const before = JSON.parse(
    '{"mine": 1, "__proto__": {"x": 1}, "public": {"toolbox": ["a"], "bio": "old", "__proto__": 2}}',
  ) as Record<string, unknown>
  expect(JSON.stringify(mergeProfile(before, { nickname: ' N ', bio: '', kind: 'human' }))).toBe(
    '{"mine":1,"__proto__":{"x":1},"public":{"toolbox":["a"],"__proto__":2,"nickname":"N","kind":"human"}}',
  )
  expect(mergeProfile({ public: 'odd' }, { nickname: '', bio: 'b', kind: '' })).toEqual({
    public: { bio: 'b' },
  })
})

test('a name is found from the moment it is saved until its owner leaves', async () => {
  const { address, token } = await newPerson(api)
  const path = `/users/${address}`
  const found = async (text: string) =>
    (await search(api.services, { text, kinds: ['person'] })).hits
      .get('person')
      ?.map((hit) => (hit.kind === 'person' ? hit.name : ''))
  await api.send('PATCH', path, { token, json: { profile_json: { public: { nickname: 'Grace Brewster' } } } })
  expect(await found('grace')).toEqual(['Grace Brewster'])
  await api.send('PATCH', path, { token, json: { display_name: 'Amazing' } })
  expect(await found('grace')).toEqual(['Amazing'])
  expect(await namesOf(api.services, [lower(address)])).toEqual(new Map([[lower(address), 'Amazing']]))
  await api.send('PATCH', path, {
    token,
    json: { display_name: null, profile_json: { public: { nickname: '\u0000' } } },
  })
  expect(await found('grace')).toEqual([])
  await api.send('PATCH', path, { token, json: { display_name: 'Amazing' } })
  expect((await api.send('DELETE', path, { token })).status).toBe(204)
  expect(await found('amazing')).toEqual([])
})

test('followers count as long as they are here', async () => {
  const [one, two, three] = [await newPerson(api), await newPerson(api), await newPerson(api)]
  for (const { token } of [two, three]) {
    await api.send('POST', '/social/follow', { token, json: { followed_id: one.address } })
  }
  const address = lower(one.address)
  const standing = (viewer: string | undefined) =>
    followStanding(api.services, { address, viewer: viewer === undefined ? undefined : lower(viewer) })
  expect(await standing(two.address)).toEqual({
    followers: 2,
    moreFollowers: false,
    following: 0,
    followed: true,
  })
  expect(await standing(one.address)).toEqual({
    followers: 2,
    moreFollowers: false,
    following: 0,
    followed: false,
  })
  await api.db.sql`update users set status = 'suspended' where address = ${lower(three.address)}`
  expect(await standing(undefined)).toEqual({
    followers: 1,
    moreFollowers: false,
    following: 0,
    followed: false,
  })
})
