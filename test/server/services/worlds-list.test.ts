import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeBundle } from '#test/core/worlds/support/bundle.ts'
import { startApi, type TestApi } from '#test/support/api.ts'
import { newPerson } from './people.ts'

/* GET_worlds. */

let list: TestApi
const names = ['Alpha Drum', 'Beta Choir', 'Gamma_Drum', 'Delta 100%', 'Épsilon']
beforeAll(async () => {
  list = await startApi('services')
  const { token } = await newPerson(list)
  for (const [i, name] of names.entries()) {
    list.advance(1000)
    const bundle = makeBundle({
      slug: `list-${i}`,
      name,
      surfaces: i % 2 === 0 ? ['world-page'] : ['studio-plugin'],
      ...(i === 1 && { shortDescription: 'Voices of the NIGHT' }),
      ...(i === 2 && { surfaces: ['studio-plugin', 'world-page'] }),
    })
    const answer = await list.send('POST', '/worlds/upload', { token, bundle })
    expect(answer.status, answer.text).toBe(200)
  }
})
afterAll(() => list.close())

async function found(query: string): Promise<number[]> {
  const answer = await list.send('GET', `/worlds${query}`)
  expect(answer.status, answer.text).toBe(200)
  return (answer.json as { slug: string }[]).map(({ slug }) => Number(slug.slice(5)))
}

test.each<[string, number[]]>([
  ['', [4, 3, 2, 1, 0]],
  ['?limit=2', [4, 3]],
  ['?limit=2&page=1', [2, 1]],
  ['?limit=2&page=2', [0]],
  ['?limit=2&page=3', []],
  ['?limit=100&page=100000', []],
  ['?surface=world-page', [4, 2, 0]],
  ['?surface=studio-plugin', [3, 2, 1]],
  ['?surface=studio-plugin&limit=1&page=1', [2]],
  ['?q=drum', [2, 0]],
  ['?q=DRUM&surface=studio-plugin', [2]],
  ['?q=list-3', [3]],
  ['?q=weaves%20pitch', [4, 3, 2, 1, 0]],
  ['?q=voices+of+the+night', [1]],
  ['?q=100%25', [3]],
  ['?q=a_d', [2]],
  ['?q=%C3%A9psilon', [4]],
  ['?q=E%CC%81PSILON', [4]],
  ['?q=nothing', []],
  ['?q=', [4, 3, 2, 1, 0]],
  ['?q=%20drum%20', [2, 0]],
  ["?q='%3B--", []],
  ['?unknown=1&limit=1', [4]],
])('200: %s', async (query, slugs) => {
  expect(await found(query)).toEqual(slugs)
})

test('200: what was changed last comes first', async () => {
  const { token } = await newPerson(list)
  const ids: string[] = []
  for (const i of [7, 8]) {
    list.advance(1000)
    const answer = await list.send('POST', '/worlds/upload', {
      token,
      bundle: makeBundle({ slug: `list-${i}` }),
    })
    ids.push((answer.json as { id: string }).id)
  }
  expect((await found('')).slice(0, 2)).toEqual([8, 7])
  list.advance(1000)
  await list.send('PATCH', `/worlds/${ids[0]}`, {
    token,
    bundle: makeBundle({ slug: 'list-7', version: '0.2.0' }),
  })
  expect((await found('')).slice(0, 2)).toEqual([7, 8])
  for (const id of ids) await list.send('DELETE', `/worlds/${id}`, { token })
  expect(await found('')).toEqual([4, 3, 2, 1, 0])
})

test.each([
  '?surface=desktop',
  '?surface=',
  '?surface=__proto__',
  '?surface=world-page&surface=studio-plugin',
  '?page=-1',
  '?page=1.5',
  '?page=01',
  '?page=x',
  '?page=',
  '?page=100001',
  '?page=99999999999999999999',
  '?limit=0',
  '?limit=101',
  '?limit=5abc',
  '?limit=',
  '?limit=1e1',
  '?limit=5&limit=5',
  '?q=%00',
  '?q=%ff',
  `?q=${'x'.repeat(201)}`,
])('400: %s', async (query) => {
  const answer = await list.send('GET', `/worlds${query}`)
  expect(answer.status, answer.text).toBe(400)
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(answer.text).toMatch(/^(surface|page|limit|q): ./)
})
