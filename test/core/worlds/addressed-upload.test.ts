import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BUNDLE_LIMITS } from '#lib/compute/bundle/limits.ts'
import type { Context, Services } from '#lib/core/context/context.ts'
import { addressUpload, takeUpload, type UploadAddress } from '#lib/core/worlds/addressed-upload.ts'
import { collectGarbage } from '#lib/core/worlds/collect-garbage.ts'
import { uploadWorld } from '#lib/core/worlds/publish-world.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { startServices, type TestServices } from '#test/support/services.ts'
import { makeBundle } from './support/bundle.ts'
import { openTestContext } from './support/context.ts'
import { startBucket, type TestBucket } from './support/s3.ts'

const ADA: Address = `0x${'a1'.repeat(20)}`
const BEN: Address = `0x${'b2'.repeat(20)}`
const MINUTE = 60_000

let bucket: TestBucket
let started: TestServices
beforeAll(async () => {
  bucket = await startBucket()
  started = await startServices({ blobBucket: bucket.settings, uploadsByAddress: true })
})
afterAll(async () => {
  await started?.close()
  await bucket?.close()
})

function as(address: Address, parts: Partial<Services> = {}): Context {
  return openTestContext({ ...started.services, ...parts }, address)
}

function put(url: string, bytes: Uint8Array<ArrayBuffer>, type = 'application/zip'): Promise<Response> {
  return fetch(url, { method: 'PUT', body: bytes, headers: { 'content-type': type } })
}

async function uploaded(bytes: Uint8Array<ArrayBuffer>, owner = ADA): Promise<UploadAddress> {
  const address = await addressUpload(as(owner), bytes.byteLength)
  expect((await put(address.url, bytes)).status).toBe(200)
  return address
}

function publish(key: string, owner = ADA) {
  return takeUpload(as(owner), key, (zip) => uploadWorld(as(owner), zip))
}

function staged(): readonly string[] {
  return bucket.keys().filter((key) => key.includes('upload-'))
}

const NONE = { code: 'not_found', message: expect.stringContaining('There is no such upload') }

test('a bundle of more than 4.5 MB comes through the bucket, is published, and is gone there', async () => {
  const noise = { name: 'noise.wav', content: randomBytes(5_000_000) }
  const bundle = makeBundle({ slug: 'large' }, [noise])
  const address = await uploaded(bundle)
  expect(staged()).toEqual([`weft/${address.key}`])
  expect(await publish(address.key)).toMatchObject({ owner: ADA, manifest: { slug: 'large' } })
  expect(staged()).toEqual([])
})

test('the same upload is completed once, also by several at once', async () => {
  const { key } = await uploaded(makeBundle({ slug: 'once' }))
  const ends = await Promise.allSettled([publish(key), publish(key), publish(key)])
  expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  for (const end of ends) if (end.status === 'rejected') expect(end.reason).toMatchObject(NONE)
  await expect(publish(key)).rejects.toMatchObject(NONE)
})

test('an invalid bundle is refused as when sent directly, and deleted', async () => {
  const bundle = makeBundle({ name: '' })
  const { key } = await uploaded(bundle)
  const refusal = await uploadWorld(as(ADA), bundle).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'invalid_request' })
  await expect(publish(key)).rejects.toMatchObject({ message: (refusal as Error).message })
  expect(staged()).toEqual([])
})

test('the bucket takes neither another length nor another type nor another key', async () => {
  const bundle = makeBundle({ slug: 'signed' })
  const { url, key } = await addressUpload(as(ADA), bundle.byteLength)
  expect((await put(url, new Uint8Array([...bundle, 0]))).status).toBe(403)
  expect((await put(url, bundle.slice(1))).status).toBe(403)
  expect((await put(url, bundle, 'text/html')).status).toBe(403)
  expect((await put(url.replace(key, 'a'.repeat(64)), bundle)).status).toBe(403)
  expect((await put(url.replace('Expires=600', 'Expires=6000'), bundle)).status).toBe(403)
  expect(staged()).toEqual([])
  await expect(publish(key)).rejects.toMatchObject({ code: 'invalid_request' })
})

test('an object of another size is refused after one byte more than was announced', async () => {
  const { key } = await uploaded(makeBundle({ slug: 'grown' }))
  const asked: unknown[] = []
  const { blobs } = started.services
  const careless = {
    ...blobs,
    read: async (_: string, range?: { start: number; end: number }) => {
      asked.push(range)
      return new Uint8Array(range?.end ?? 0)
    },
  }
  const size = Number(key.split('-')[2])
  await expect(takeUpload(as(ADA, { blobs: careless }), key, async () => 0)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining(`${size} announced bytes`),
  })
  expect(asked).toEqual([{ start: 0, end: size + 1 }])
})

test("another account's key, a changed one and an invented one are unknown", async () => {
  const { key } = await uploaded(makeBundle({ slug: 'mine' }))
  await expect(publish(key, BEN)).rejects.toMatchObject(NONE)
  const [word, id, size, until, tag] = key.split('-')
  for (const parts of [
    [word, id, Number(size) + 1, until, tag],
    [word, id, size, Number(until) + MINUTE, tag],
    [word, 'f'.repeat(32), size, until, tag],
    [word, id, size, until, '0'.repeat(32)],
    [word, id, size, until],
  ]) {
    await expect(publish(parts.join('-'))).rejects.toMatchObject(NONE)
  }
  // Nor is a file of a World an upload.
  const [file] = await started.db.sql<{ hash: string }[]>`select hash from world_files limit 1`
  await expect(publish(file?.hash ?? '')).rejects.toMatchObject(NONE)
  await publish(key)
})

test('no more than a bundle may have, and a number of them for each account', async () => {
  await expect(addressUpload(as(ADA), BUNDLE_LIMITS.upload + 1)).rejects.toMatchObject({
    code: 'payload_too_large',
  })
  const many = async () => {
    for (let i = 0; i < 31; i++) await addressUpload(as(BEN), 1000)
  }
  await expect(many()).rejects.toMatchObject({ code: 'too_many' })
  await addressUpload(as(ADA), 1000)
})

test('where the site or its store takes none, it says where bundles go', async () => {
  const { config, blobs } = started.services
  const { signUpload: _, ...unsigned } = blobs
  for (const parts of [{ config: { ...config, uploadsByAddress: false } }, { blobs: unsigned }]) {
    const refused = { code: 'not_found', message: expect.stringContaining('/services/worlds/upload') }
    await expect(addressUpload(as(ADA, parts), 1000)).rejects.toMatchObject(refused)
    await expect(takeUpload(as(ADA, parts), 'x', async () => 0)).rejects.toMatchObject(refused)
  }
})

test('what expires, and what is sent again after completion, is collected', async () => {
  const bundle = makeBundle({ slug: 'late' })
  const { key } = await uploaded(bundle)
  const again = await uploaded(makeBundle({ slug: 'again' }))
  await publish(again.key)
  expect((await put(again.url, makeBundle({ slug: 'again' }))).status).toBe(200)
  started.advance(31 * MINUTE)
  await expect(publish(key)).rejects.toMatchObject(NONE)
  await collectGarbage(started.services)
  expect(staged()).toEqual([`weft/${key}`, `weft/${again.key}`].toSorted())
  started.advance(60 * MINUTE)
  await collectGarbage(started.services)
  expect(staged()).toEqual([])
  const rows = await started.db.sql`select hash from blobs where hash like 'upload-%'`
  expect(rows).toEqual([])
})
