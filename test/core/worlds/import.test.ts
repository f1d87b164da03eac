import JSZip from 'jszip'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { importWorld } from '#lib/core/worlds/import-world.ts'
import { deleteWorld, uploadWorld } from '#lib/core/worlds/publish-world.ts'
import { replaceWorld } from '#lib/core/worlds/replace-world.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { startApi, type TestApi } from '#test/support/api.ts'
import { makeBundle } from './support/bundle.ts'
import { openTestContext } from './support/context.ts'
import { type Listening, listen } from './support/listen.ts'
import { keptRows } from './support/stored-rows.ts'

const author: Address = `0x${'a1'.repeat(20)}`
const stranger: Address = `0x${'b2'.repeat(20)}`
const PAGE =
  '<!doctype html><title>W</title><SCRIPT  async >start( )</SCRIPT ><script src=world.js integrity=sha384-x></script>'

let origin: TestApi
let api: TestApi
let site: Listening
let from: string
/** Behaviour of the other site in place of an honest response. */
let lie: ((bundle: Uint8Array<ArrayBuffer>) => Response) | undefined
beforeAll(async () => {
  origin = await startApi('services')
  api = await startApi('services', { webhooksAllowLoopback: true })
  site = await listen(async (request) => {
    const { pathname } = new URL(request.url)
    const { status, headers, bytes } = await origin.send('GET', pathname.replace('/services', ''))
    const body = new Uint8Array(bytes)
    return lie?.(body) ?? new Response(body, { status, headers })
  })
  from = `http://127.0.0.1:${site.port}`
})
afterAll(() => Promise.all([site.close(), origin.close(), api.close()]))
beforeEach(() => {
  lie = undefined
})

function as(address: Address, { services }: TestApi = api) {
  return openTestContext(services, address)
}

function bundle(slug: string, version = '1.0.0') {
  return makeBundle({ slug, version }, [
    { name: 'index.html', content: PAGE },
    { name: 'inline-0123456789abcdef.js', content: 'own()' },
    { name: 'ü/words.txt', content: `${slug} ${version}` },
  ])
}

function download(hash: string, { send } = api) {
  return send('GET', `/world-bundles/${hash}`)
}

test('a bundle is downloaded by its hash as it was uploaded, with the same bytes from every site', async () => {
  const { id, bundleHash } = await uploadWorld(as(author, origin), bundle('taken'))
  const answer = await download(bundleHash, origin)
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
    200,
    'application/zip',
    'public, max-age=31536000, immutable',
  ])
  const [before, after] = await Promise.all(
    [bundle('taken'), answer.bytes].map((zip) => JSZip.loadAsync(zip)),
  )
  const names = Object.keys(after!.files)
  expect(names.toSorted()).toEqual(Object.keys(before!.files).toSorted())
  for (const name of names) {
    expect([name, await after!.file(name)?.async('text')]).toEqual([
      name,
      await before!.file(name)?.async('text'),
    ])
  }
  expect((await importWorld(as(stranger), { bundleHash, from })).bundleHash).toBe(bundleHash)
  expect(Buffer.compare((await download(bundleHash)).bytes, answer.bytes)).toBe(0)
  const again = await origin.send('GET', `/world-bundles/${bundleHash}`, {
    headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
  })
  expect([again.status, again.bytes.byteLength]).toEqual([304, 0])

  // What is stored for it is no file of the World.
  for (const at of [id, bundleHash]) {
    for (const path of ['bundle%3Alisting', 'bundle%3Aindex.html~', 'bundle%3Aindex.html']) {
      expect((await origin.send('GET', `/world-assets/${at}/${path}`)).status).toBe(404)
    }
  }
  await deleteWorld(as(author, origin), id)
  const gone = await download(bundleHash, origin)
  expect([gone.status, gone.headers.get('x-error-code')]).toEqual([404, 'gone'])
  for (const hash of ['0'.repeat(64), 'nothing']) {
    const none = await download(hash, origin)
    expect([none.status, none.headers.get('x-error-code')]).toEqual([404, 'not_found'])
  }
})

test('an earlier version comes to the World that is here, for its owner and administrators', async () => {
  const { id, bundleHash } = await uploadWorld(as(author, origin), bundle('grown'))
  await replaceWorld(as(author, origin), { id, zip: bundle('grown', '2.0.0') })
  const here = await uploadWorld(as(author), bundle('grown', '2.0.0'))
  await expect(importWorld(as(stranger), { bundleHash, from })).rejects.toMatchObject({ code: 'forbidden' })
  const admin = as(stranger)
  const imported = await importWorld(
    { ...admin, session: { id: 'a', address: stranger, roles: ['admin'] } },
    { bundleHash, from },
  )
  expect([imported.id, imported.bundleHash, imported.manifest.version]).toEqual([
    here.id,
    bundleHash,
    '1.0.0',
  ])
  const words = await api.send('GET', `/world-assets/${bundleHash}/${encodeURI('ü/words.txt')}`)
  expect(words.text).toBe('grown 1.0.0')
  const newest = await api.send('GET', `/worlds/${here.id}`)
  expect(newest.json).toMatchObject({ version: '2.0.0', bundleHash: here.bundleHash })
  expect((await download(bundleHash)).status).toBe(200)
  const before = await keptRows(api.services)
  expect(await importWorld(as(author), { bundleHash, from })).toMatchObject({ id: here.id, bundleHash })
  expect(await keptRows(api.services)).toEqual(before)
})

test('a site that lies imports nothing', async () => {
  const { bundleHash } = await uploadWorld(as(author, origin), bundle('lied-about'))
  const before = await keptRows(api.services)
  const announced = (size: number) => ({ headers: { 'content-length': String(size) } })
  for (const [name, does, refusal] of [
    [
      'another bundle',
      () => new Response(bundle('other')),
      /sent another bundle, with the hash [0-9a-f]{64}/,
    ],
    [
      'another file in it',
      (zip: Uint8Array<ArrayBuffer>) => new Response(zip.fill(0x20, 400, 402)),
      /checksum|bundle|ZIP|manifest/i,
    ],
    ['something else', () => new Response('hello', announced(5)), /ZIP/],
    ['nothing', () => new Response(null, { status: 404 }), /no such bundle \(404\)/],
    ['a way elsewhere', () => Response.redirect('http://127.0.0.1:1/', 302), /no such bundle \(302\)/],
    ['an endless answer', () => new Response(new Blob(['PK']).stream()), /does not announce the size/],
  ] as const) {
    lie = (zip) => {
      const answer = does(zip)
      const { headers } = answer
      const isWhole = name === 'another bundle' || name === 'another file in it'
      if (isWhole)
        headers.set(
          'content-length',
          String(name === 'another bundle' ? bundle('other').byteLength : zip.byteLength),
        )
      return answer
    }
    await expect(importWorld(as(stranger), { bundleHash, from }), name).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(refusal),
    })
  }
  lie = () => new Response('much', announced(26 * 1024 * 1024))
  await expect(importWorld(as(stranger), { bundleHash, from })).rejects.toMatchObject({
    code: 'payload_too_large',
  })
  expect(await keptRows(api.services)).toEqual(before)
})

test.each([
  ['http://10.0.0.1', /must begin with https/],
  ['https://10.0.0.1', /not an address of the public Internet/],
  ['https://metadata.internal', /not a name of the public Internet/],
  ['https://weft.example:8443', /only port 443/],
  ['https://user:word@weft.example', /its origin/],
  ['https://weft.example/path', /its origin/],
  ['file:///etc', /its origin/],
  ['weft.example', /its origin/],
  ['http://127.0.0.1:1', /does not answer/],
])('no request goes to %s', async (address, refusal) => {
  await expect(
    importWorld(as(stranger), { bundleHash: '1'.repeat(64), from: address }),
  ).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringMatching(refusal) })
})
