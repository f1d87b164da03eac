import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Services } from '#lib/core/context/context.ts'
import { collectGarbage, deleteExpired } from '#lib/core/worlds/collect-garbage.ts'
import { setWorldHidden } from '#lib/core/worlds/hide-world.ts'
import { deleteWorld, uploadWorld } from '#lib/core/worlds/publish-world.ts'
import { replaceWorld } from '#lib/core/worlds/replace-world.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { pluginVersion } from '#lib/views/gallery.ts'
import { startApi, type TestApi } from '#test/support/api.ts'
import { makeBundle } from './support/bundle.ts'
import { openTestContext } from './support/context.ts'
import { storedRows } from './support/stored-rows.ts'

const owner: Address = `0x${'a1'.repeat(20)}`
const stranger: Address = `0x${'b2'.repeat(20)}`
const DAY_MS = 24 * 60 * 60_000

let api: TestApi
let now = new Date()
beforeAll(async () => {
  api = await startApi('services', {
    siteOrigin: 'https://weft.example',
    assetOrigin: 'https://worlds.example',
  })
})
afterAll(() => api.close())

function services(): Services {
  return { ...api.services, clock: () => now }
}

function as(address: Address) {
  return openTestContext(services(), address)
}

function get(path: string, headers: Record<string, string> = {}) {
  return api.send('GET', `/world-assets/${path}`, { headers })
}

async function collect(): Promise<void> {
  await deleteExpired(services())
  await collectGarbage(services())
}

function bundle(slug: string, version: string, words = version) {
  return makeBundle({ slug, version }, [{ name: 'words.txt', content: words }])
}

/** A World of two versions: hashes of the earlier and of the newest one. */
async function replaced(slug: string) {
  const { id, bundleHash: before } = await uploadWorld(as(owner), bundle(slug, '1.0.0', `${slug} before`))
  const { bundleHash: after } = await replaceWorld(as(owner), {
    id,
    zip: bundle(slug, '2.0.0', `${slug} after`),
  })
  return { id, before, after }
}

async function textOf(at: string): Promise<string> {
  return (await get(`${at}/words.txt`)).text
}

test('each version is served at its hash, under the walls of the World', async () => {
  const { id, before, after } = await replaced('walls')
  expect([await textOf(id), await textOf(after), await textOf(before)]).toEqual([
    'walls after',
    'walls after',
    'walls before',
  ])
  for (const path of ['index.html', 'world.js', 'preview.png', 'words.txt']) {
    const [own, version] = [await get(`${id}/${path}`), await get(`${before}/${path}`)]
    expect(version.status).toBe(200)
    const headersOf = (answer: typeof own, at: string) =>
      Object.fromEntries(
        [...answer.headers]
          .filter(
            ([name]) => !['cache-control', 'etag', 'x-request-id', 'date', 'content-length'].includes(name),
          )
          .map(([name, value]) => [name, value.replaceAll(at, 'HERE')]),
      )
    expect(headersOf(version, before)).toEqual(headersOf(own, id))
    expect(own.headers.get('cache-control')).toBe('no-cache')
  }
  const script = await get(`${before}/world.js`)
  expect(script.headers.get('content-security-policy')).toContain(`/world-assets/${before}/ `)
  expect(script.text).toContain('delete g.RTCPeerConnection')
})

test('a version is immutable, besides what carries the walls: its pages and their guards', async () => {
  const { before } = await replaced('caches')
  const page = await get(`${before}/index.html`)
  const [guard] = /inline-[0-9a-f]{16}\.js/.exec(page.text) ?? []
  for (const [path, cache] of [
    ['words.txt', 'public, max-age=31536000, immutable'],
    ['world.js', 'public, max-age=31536000, immutable'],
    ['index.html', 'no-cache'],
    [guard, 'no-cache'],
  ]) {
    expect([path, (await get(`${before}/${path}`)).headers.get('cache-control')]).toEqual([path, cache])
  }
  const etag = page.headers.get('etag') ?? ''
  expect((await get(`${before}/index.html`, { 'if-none-match': etag })).status).toBe(304)
  const opened = await get(`${before}/index.html`, { 'sec-fetch-dest': 'document' })
  expect([opened.status, opened.headers.get('location')]).toEqual([302, 'https://weft.example/worlds/caches'])
})

test.each(['f'.repeat(64), 'F'.repeat(64), `${'0'.repeat(64)}0`])('%s is no version', async (hash) => {
  const answer = await get(`${hash}/index.html`)
  expect([answer.status, answer.headers.get('x-error-code')]).toEqual([404, 'not_found'])
  expect(await pluginVersion(as(owner), hash, '')).toBeNull()
})

describe('a replaced version', () => {
  test('that nothing names is served for a day, and its files go with it', async () => {
    const { id, before, after } = await replaced('day')
    now = new Date(now.getTime() + DAY_MS - 1000)
    await collect()
    expect(await textOf(before)).toBe('day before')
    const rows = await storedRows(api.db)
    now = new Date(now.getTime() + 2000)
    await collect()
    expect((await get(`${before}/words.txt`)).status).toBe(404)
    expect((await storedRows(api.db)).blobs).toBeLessThan(rows.blobs)
    expect(await textOf(after)).toBe('day after')
    expect(await pluginVersion(as(owner), before, '')).toMatchObject({
      found: 'newest',
      world: {
        tile: { id, framed: { entryUrl: expect.stringContaining(`/world-assets/${after}/index.html`) } },
      },
    })
  })

  test('that a published connector names in its words stays while it does', async () => {
    const { before } = await replaced('named')
    const presentation = {
      particles: 8,
      tempo: 96,
      loop: true,
      world: { bundle_hash: before, slug: 'named' },
    }
    await api.db.sql`
      insert into entities (kind, name, owner, address, content_hash, metadata_hash, presentation, block_number, block_hash,
        tx_hash, tx_index, log_index)
      values ('connector', 'first_light', ${stranger}, '0x', '0x', '0x', ${JSON.stringify(presentation)}::text::jsonb, 1, '0x',
        '0x', 0, 0)`
    now = new Date(now.getTime() + 40 * DAY_MS)
    await collect()
    expect(await textOf(before)).toBe('named before')
    expect(await pluginVersion(as(owner), before, '')).toMatchObject({ found: 'version' })
    await api.db.sql`update entities set presentation = null where name = 'first_light'`
    await collect()
    expect((await get(`${before}/words.txt`)).status).toBe(404)
  })

  test('becomes the newest again, whole', async () => {
    const { id, before, after } = await replaced('back')
    await replaceWorld(as(owner), { id, zip: bundle('back', '1.0.0', 'back before') })
    expect([await textOf(id), await textOf(before), await textOf(after)]).toEqual([
      'back before',
      'back before',
      'back after',
    ])
    now = new Date(now.getTime() + 2 * DAY_MS)
    await collect()
    expect([await textOf(id), await textOf(before)]).toEqual(['back before', 'back before'])
    expect((await get(`${after}/words.txt`)).status).toBe(404)
  })
})

test('a deleted World is gone in every version, until its bundle is published again', async () => {
  const { id, before, after } = await replaced('gone')
  await deleteWorld(as(owner), id)
  for (const hash of [before, after]) {
    const answer = await get(`${hash}/words.txt`)
    expect([answer.status, answer.headers.get('x-error-code'), answer.text]).toEqual([
      404,
      'gone',
      'The World of this bundle was deleted',
    ])
    expect(await pluginVersion(as(owner), hash, 'gone')).toEqual({ found: 'deleted' })
  }
  expect((await get(`${id}/words.txt`)).headers.get('x-error-code')).toBe('not_found')
  const again = await uploadWorld(as(stranger), bundle('gone', '1.0.0', 'gone before'))
  expect(again.bundleHash).toBe(before)
  expect(await textOf(before)).toBe('gone before')
  expect(await pluginVersion(as(owner), before, 'gone')).toMatchObject({ found: 'version' })
  expect(await pluginVersion(as(owner), after, 'gone')).toEqual({ found: 'deleted' })
  await deleteWorld(as(stranger), again.id)
})

test('a World that an operator hides is gone in every version, and comes back whole', async () => {
  const { id, before, after } = await replaced('hidden')
  const hide = (hidden: boolean) =>
    setWorldHidden(services(), { slug: 'hidden', hidden, operator: 'op', reason: 'spam' })
  await expect(hide(false)).rejects.toMatchObject({ code: 'not_found' })
  await hide(true)
  await expect(hide(true)).rejects.toMatchObject({ code: 'not_found' })
  await collect()
  for (const hash of [before, after]) {
    expect((await get(`${hash}/words.txt`)).headers.get('x-error-code')).toBe('gone')
    expect(await pluginVersion(as(owner), hash, 'hidden')).toEqual({ found: 'deleted' })
  }
  expect((await get(`${id}/words.txt`)).status).toBe(404)
  const taken = await uploadWorld(as(stranger), bundle('hidden', '9.0.0'))
  await expect(hide(false)).rejects.toMatchObject({ code: 'conflict' })
  await deleteWorld(as(stranger), taken.id)
  await hide(false)
  expect([await textOf(id), await textOf(before), await textOf(after)]).toEqual([
    'hidden after',
    'hidden before',
    'hidden after',
  ])
  expect(
    await api.db.sql`select actor, act, reason from audit_log where subject = ${id} order by id`,
  ).toMatchObject([
    { actor: 'op', act: 'hide_world', reason: 'spam' },
    { actor: 'op', act: 'show_world', reason: 'spam' },
  ])
})

test('a player finds the version of a piece, with a frame at its address', async () => {
  const { id, before, after } = await replaced('found')
  for (const hash of [before, after]) {
    expect(await pluginVersion(as(owner), hash, 'other')).toMatchObject({
      found: 'version',
      world: {
        tile: {
          id,
          slug: 'found',
          framed: {
            entryUrl: `https://worlds.example/services/world-assets/${hash}/index.html`,
            previewUrl: expect.stringContaining(`/world-assets/${hash}/preview.png?v=`),
          },
        },
      },
    })
  }
  expect(await pluginVersion(as(owner), '1'.repeat(64), 'found')).toMatchObject({
    found: 'newest',
    world: { tile: { id } },
  })
})
