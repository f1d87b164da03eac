import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BlobStore } from '#lib/platform/blobs/blob-store.ts'
import { createPostgresBlobStore } from '#lib/platform/blobs/blob-store-postgres.ts'
import { createS3BlobStore } from '#lib/platform/blobs/blob-store-s3.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { startBucket, type TestBucket } from './support/s3.ts'

const KIB = 1024

let db: TestDatabase
let bucket: TestBucket
const stores = new Map<string, BlobStore>()
beforeAll(async () => {
  ;[db, bucket] = await Promise.all([createTestDatabase(), startBucket()])
  stores.set('PostgreSQL', createPostgresBlobStore(db.url))
  stores.set('S3', createS3BlobStore(bucket.settings))
})
afterAll(async () => {
  await Promise.all([...stores.values()].map((store) => store.close()))
  await Promise.all([db.close(), bucket.close()])
})

function blob(bytes: number): { hash: string; bytes: Uint8Array } {
  const content = randomBytes(bytes)
  return { hash: createHash('sha256').update(content).digest('hex'), bytes: content }
}

describe.each(['PostgreSQL', 'S3'])('%s', (driver) => {
  const store = () => stores.get(driver) as BlobStore

  test.each([0, 1, 1000, 256 * KIB - 1, 256 * KIB, 256 * KIB + 1, 3_000_000])(
    'gives back %i bytes as they were',
    async (size) => {
      const { hash, bytes } = blob(size)
      await store().put(hash, bytes)
      const read = await store().read(hash)
      expect(read?.byteLength).toBe(size)
      expect(Buffer.compare(read!, bytes)).toBe(0)
    },
  )

  test.each<[number, number]>([
    [0, 1],
    [0, 600_000],
    [5, 5],
    [100, 200],
    [256 * KIB - 1, 256 * KIB + 1],
    [256 * KIB, 512 * KIB],
    [599_999, 600_000],
    [599_999, 9_999_999],
    [600_000, 600_001],
    [700_000, 800_000],
  ])('reads from %i up to %i', async (start, end) => {
    const { hash, bytes } = blob(600_000)
    await store().put(hash, bytes)
    const read = await store().read(hash, { start, end })
    expect(Buffer.compare(read!, bytes.subarray(start, end))).toBe(0)
  })

  test('a view of a larger buffer is stored alone', async () => {
    const { bytes } = blob(1000)
    const view = bytes.subarray(100, 200)
    const hash = createHash('sha256').update(view).digest('hex')
    await store().put(hash, view)
    expect(Buffer.compare((await store().read(hash))!, view)).toBe(0)
  })

  test('putting the same again, also at once, changes nothing', async () => {
    const { hash, bytes } = blob(700_000)
    await Promise.all(Array.from({ length: 6 }, () => store().put(hash, bytes)))
    await store().put(hash, bytes)
    expect(Buffer.compare((await store().read(hash))!, bytes)).toBe(0)
  })

  test('deletes exactly these hashes, known or not', async () => {
    const kept = blob(10)
    const gone = [blob(300_000), blob(20), blob(30)]
    for (const { hash, bytes } of [kept, ...gone]) await store().put(hash, bytes)
    await store().delete([...gone, blob(1)].map(({ hash }) => hash))
    await store().delete([])
    for (const { hash } of gone) expect(await store().read(hash)).toBeUndefined()
    expect(await store().read(kept.hash)).toBeDefined()
  })
})

describe('S3 that fails', () => {
  test('a wrong secret is reported as a store that does not answer', async () => {
    const store = createS3BlobStore({ ...bucket.settings, secretAccessKey: 'wrong' })
    const { hash, bytes } = blob(10)
    await expect(store.put(hash, bytes)).rejects.toMatchObject({ code: 'storage_unavailable' })
    await expect(store.read(hash)).rejects.toMatchObject({ code: 'storage_unavailable' })
    await expect(store.delete([hash])).rejects.toMatchObject({ code: 'storage_unavailable' })
  })

  test('a server that is not there', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    await new Promise((resolve) => server.close(resolve))
    const store = createS3BlobStore({ ...bucket.settings, endpoint: `http://127.0.0.1:${port}` })
    await expect(store.read(blob(1).hash)).rejects.toMatchObject({ code: 'storage_unavailable' })
  })

  test('another bucket than there is', async () => {
    const store = createS3BlobStore({ ...bucket.settings, bucket: 'other' })
    const { hash, bytes } = blob(10)
    await expect(store.put(hash, bytes)).rejects.toMatchObject({ code: 'storage_unavailable' })
  })
})
