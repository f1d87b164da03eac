import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeArtifact } from '#lib/core/entities/stored-leaves.ts'
import { drafts } from '#lib/platform/db/schema/index.ts'
import { bareAddress } from '#lib/protocol/address.ts'
import type { BuiltArtifact, BuiltConnector } from '#lib/protocol/artifact.ts'
import type { Address, Hash } from '#lib/protocol/entity.ts'
import { scalarLabels } from '#lib/protocol/format-hash.ts'
import { type Answer, startApi, type TestApi } from '#test/support/api.ts'
import { leafLabels, Shelf } from '#test/support/definitions.ts'
import { project, randomAddress } from './projection.ts'

let api: TestApi
const shelf = new Shelf()

beforeAll(async () => {
  api = await startApi('chain')
})
afterAll(() => api.close())

interface NameCursor {
  readonly has_more: boolean
  readonly next_after: string | null
}

function scalar(name: string, dimensions = 1): BuiltConnector {
  return shelf.connector({ name, dimensions: Array.from({ length: dimensions }, () => ({})) })
}

/** Another connector of the format of `of`. */
function wrapper(name: string, of: string): BuiltConnector {
  return shelf.connector({ name, dimensions: [{ composite: of }] })
}

async function draft(owner: Address, artifact: BuiltArtifact): Promise<void> {
  const { kind, name, contentHash } = artifact
  await storeArtifact(api.db.sql, artifact)
  await api.db.orm.insert(drafts).values({ kind, name, owner, contentHash })
}

async function get<T>(path: string): Promise<T> {
  const answer: Answer = await api.send('GET', path)
  expect(answer.status, path).toBe(200)
  return answer.json as T
}

describe('GET_version', () => {
  test('200: the API version and a timestamp that does not change between calls', async () => {
    const first = await get<{ build_timestamp: string; version: string }>('/version')
    expect(first.version).toBe('0.4.0')
    expect(new Date(first.build_timestamp).toISOString()).toBe(first.build_timestamp)
    expect(await get('/version')).toEqual(first)
  })
})

describe('paged lists', () => {
  const queries = [
    '',
    'limit=0',
    'limit=5&limit=5',
    'limit=5&after=%20',
    'limit=5&after=',
    'limit=5&after=xyz',
  ]

  test.each(['/accounts', '/formats'])(
    '%s: 400 for a bad limit or cursor; HEAD mirrors it with an empty body',
    async (path) => {
      for (const query of queries) {
        expect((await api.send('GET', `${path}?${query}`)).status, query).toBe(400)
        const head = await api.send('HEAD', `${path}?${query}`)
        expect(head.status, query).toBe(400)
        expect(head.json).toBeUndefined()
        expect(head.headers.get('content-type')).toBeNull()
      }
      const head = await api.send('HEAD', `${path}?limit=256&unknown=1&unknown=2`)
      expect(head.status).toBe(200)
      expect(head.headers.get('content-type')).toBeNull()
    },
  )

  test('400 for the lists below an account and a format', async () => {
    const account = bareAddress(randomAddress())
    for (const query of queries.slice(0, 3)) {
      expect((await api.send('GET', `/account/${account}?${query}`)).status, query).toBe(400)
      expect((await api.send('GET', `/format/${'0'.repeat(64)}?${query}`)).status, query).toBe(400)
    }
    for (const key of ['after_connectors', 'after_transformations', 'after_conditions']) {
      for (const value of ['', '%20', '%00', '%FF']) {
        expect((await api.send('GET', `/account/${account}?limit=1&${key}=${value}`)).status).toBe(400)
      }
    }
    expect((await api.send('GET', `/format/${'0'.repeat(64)}?limit=1&after=%20`)).status).toBe(400)
    expect((await api.send('GET', '/account/xyz?limit=1')).status).toBe(400)
    expect((await api.send('GET', '/format/xyz?limit=1')).status).toBe(400)
    expect((await api.send('GET', `/format/${'0'.repeat(63)}?limit=1`)).status).toBe(400)
  })

  test('an unknown account and an unknown format are empty', async () => {
    const account = bareAddress(randomAddress())
    const end = { has_more: false, next_after: null }
    expect(await get(`/account/0x${account.toUpperCase()}?limit=7`)).toEqual({
      address: account,
      limit: 7,
      owned_connectors: [],
      owned_transformations: [],
      owned_conditions: [],
      cursor_connectors: end,
      cursor_transformations: end,
      cursor_conditions: end,
    })
    expect(await get(`/format/${'0'.repeat(64)}?limit=7`)).toEqual({
      format_hash: '0'.repeat(64),
      limit: 7,
      total_connectors: 0,
      cursor: end,
      scalars: [],
      connectors: [],
    })
  })

  test('accounts and formats: published ones only, once each, ascending, whole by any page size', async () => {
    const owners = Array.from({ length: 7 }, randomAddress)
    const formats = new Set<Hash>()
    for (const [i, owner] of owners.entries()) {
      const connector = scalar(`listed${i}`, (i % 3) + 1)
      formats.add(connector.formatHash)
      await project(api.db, connector, { owner })
      await project(api.db, shelf.code('condition', `listed${i}`, 0), { owner })
    }
    await draft(randomAddress(), scalar('only_a_draft'))

    const { accounts: all } = await get<{ accounts: string[] }>('/accounts?limit=256')
    expect(all).toEqual(owners.map(bareAddress).sort())
    for (const limit of [1, 2, 3, 6, 7, 8]) {
      expect(await walk('/accounts', 'accounts', 'total_accounts', limit, 7)).toEqual(all)
    }
    const { formats: hashes } = await get<{ formats: string[] }>('/formats?limit=256')
    expect(hashes).toEqual([...formats].map((hash) => hash.slice(2)).sort())
    for (const limit of [1, 2, 100]) {
      expect(await walk('/formats', 'formats', 'total_formats', limit, formats.size)).toEqual(hashes)
    }

    // A cursor is any position, in any spelling, whether or not something is there.
    const after = all[3] as string
    for (const cursor of [after, `0x${after}`, after.toUpperCase(), `%200X${after.toUpperCase()}%20`]) {
      expect(await get(`/accounts?limit=256&after=${cursor}`)).toMatchObject({ accounts: all.slice(4) })
    }
    const bare = await get(`/account/${after}?limit=1`)
    expect(await get(`/account/0X${after.toUpperCase()}?limit=1`)).toEqual(bare)
    const [hash = ''] = hashes
    expect(await get(`/format/0X${hash.toUpperCase()}?limit=1`)).toEqual(await get(`/format/${hash}?limit=1`))
    expect(await get(`/accounts?limit=256&after=${'f'.repeat(40)}`)).toMatchObject({
      accounts: [],
      total_accounts: 7,
      cursor: { has_more: false, next_after: null },
    })
  })

  async function walk(
    path: string,
    list: string,
    total: string,
    limit: number,
    count: number,
  ): Promise<string[]> {
    const found: string[] = []
    let after: string | null = null
    do {
      const cursor: string = after === null ? '' : `&after=${after}`
      const page = await get<Record<string, unknown>>(`${path}?limit=${limit}${cursor}`)
      expect(page[total]).toBe(count)
      const keys = page[list] as string[]
      const state = page.cursor as NameCursor
      expect(state.has_more).toBe(state.next_after !== null)
      if (state.has_more) expect(keys).toHaveLength(limit)
      if (state.has_more) expect(state.next_after).toBe(keys.at(-1))
      found.push(...keys)
      after = state.next_after
    } while (after !== null)
    return found
  }

  test('format members: total, scalars and pages, untouched by what is added before the cursor', async () => {
    const base = shelf.connector({ name: 'FMT', dimensions: [{}, {}, {}] })
    for (const name of ['FMT_A', 'FMT_B', 'FMT_C']) await project(api.db, wrapper(name, 'FMT'))
    const path = `/format/${base.formatHash.slice(2)}`
    const first = await get(`${path}?limit=2`)
    expect(first).toEqual({
      format_hash: base.formatHash.slice(2),
      limit: 2,
      total_connectors: 3,
      cursor: { has_more: true, next_after: 'FMT_B' },
      scalars: scalarLabels(base.leaves),
      connectors: ['FMT_A', 'FMT_B'],
    })
    await project(api.db, wrapper('FMT_AA', 'FMT'))
    const rest = { connectors: ['FMT_C'], total_connectors: 4, cursor: { has_more: false, next_after: null } }
    expect(await get(`${path}?limit=2&after=FMT_B`)).toMatchObject(rest)
    expect(await get(`${path}?limit=2&after=%20FMT_B%20`)).toMatchObject(rest)
    expect(await get(`${path}?limit=2&after=FMT_BB!`)).toMatchObject(rest)
    expect(leafLabels(base)).toEqual(['FMT:0', 'FMT:1', 'FMT:2'])
  })
})

describe('GET_accountInfo', () => {
  test('drafts and published names alike, each once, in byte order', async () => {
    const owner = randomAddress()
    const both = shelf.code('transformation', 'owned_both', 1)
    await draft(owner, both)
    await project(api.db, both, { owner })
    for (const name of ['a', 'A', '_', 'B', 'b']) await draft(owner, shelf.code('transformation', name, 0))
    await project(api.db, shelf.code('transformation', 'Z', 0), { owner })
    await draft(owner, shelf.code('condition', '__proto__', 0))
    await project(api.db, scalar('owned_connector'), { owner })
    expect(await get(`/account/${owner}?limit=256`)).toMatchObject({
      address: bareAddress(owner),
      owned_connectors: ['owned_connector'],
      owned_transformations: ['A', 'B', 'Z', '_', 'a', 'b', 'owned_both'],
      owned_conditions: ['__proto__'],
    })
  })

  test('a draft shadowed by another account’s publication is not listed', async () => {
    const [owner, other] = [randomAddress(), randomAddress()]
    await draft(owner, shelf.code('transformation', 'shadowed', 0))
    await project(api.db, shelf.code('transformation', 'shadowed', 3), { owner: other })
    expect(await get(`/account/${owner}?limit=1`)).toMatchObject({ owned_transformations: [] })
    expect(await get(`/account/${other}?limit=1`)).toMatchObject({ owned_transformations: ['shadowed'] })
  })

  test('property: pages of any size return every name once, ascending, whatever is inserted before the cursor', async () => {
    let round = 0
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,3}$/), { maxLength: 12 }),
        fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        async (suffixes, published, limit) => {
          round += 1
          const owner = randomAddress()
          const names = suffixes.map((suffix) => `p${round}_${suffix}`)
          for (const [i, name] of names.entries()) {
            const artifact = shelf.code('condition', name, 0)
            if (published[i]) await project(api.db, artifact, { owner })
            else await draft(owner, artifact)
          }
          const found: string[] = []
          let after = ''
          for (let page = 0; ; page++) {
            const cursor = after === '' ? '' : `&after_conditions=${after}`
            const { owned_conditions: keys, cursor_conditions: state } = await get<{
              owned_conditions: string[]
              cursor_conditions: NameCursor
            }>(`/account/${owner}?limit=${limit}${cursor}`)
            found.push(...keys)
            if (state.next_after === null) break
            after = state.next_after
            // Sorts before every cursor.
            await draft(owner, shelf.code('condition', `a${round}_${page}`, 0))
          }
          expect(found).toEqual(names.toSorted())
        },
      ),
      { numRuns: 15 },
    )
  })

  test('the three lists page on their own', async () => {
    const owner = randomAddress()
    for (const name of ['w1', 'w2', 'w3']) {
      await draft(owner, shelf.code('transformation', name, 0))
      await draft(owner, shelf.code('condition', name, 0))
      await draft(owner, scalar(name))
    }
    expect(
      await get(`/account/${owner}?limit=1&after_transformations=w1&after_conditions=w2&after_connectors=zz`),
    ).toMatchObject({
      owned_transformations: ['w2'],
      cursor_transformations: { has_more: true, next_after: 'w2' },
      owned_conditions: ['w3'],
      cursor_conditions: { has_more: false, next_after: null },
      owned_connectors: [],
      cursor_connectors: { has_more: false, next_after: null },
    })
  })
})
