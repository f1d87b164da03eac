import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Context, Services } from '#lib/core/context/context.ts'
import { openWriter } from '#lib/core/indexer/writer.ts'
import { collectGarbage, deleteExpired, sweepGarbage } from '#lib/core/worlds/collect-garbage.ts'
import { deleteWorld, uploadWorld } from '#lib/core/worlds/publish-world.ts'
import { replaceWorld } from '#lib/core/worlds/replace-world.ts'
import { findWorldFile } from '#lib/core/worlds/serve-file.ts'
import type { BlobStore } from '#lib/platform/blobs/blob-store.ts'
import { createS3BlobStore } from '#lib/platform/blobs/blob-store-s3.ts'
import { MemoryBudget } from '#lib/platform/limits/memory-budget.ts'
import { UsageLedger } from '#lib/platform/limits/usage-ledger.ts'
import type { Address } from '#lib/protocol/entity.ts'
import type { TestDatabase } from '#test/support/database.ts'
import { startServices, type TestServices } from '#test/support/services.ts'
import { makeBundle } from './support/bundle.ts'
import { openTestContext } from './support/context.ts'
import { startBucket, type TestBucket } from './support/s3.ts'
import { keptRows, storedRows } from './support/stored-rows.ts'

const owner: Address = `0x${'a1'.repeat(20)}`
const HOUR = 60 * 60_000
const NOTHING = { worlds: 0, files: 0, blobs: 0, parts: 0, leases: 0 }

let started: TestServices
let db: TestDatabase
let services: Services
beforeAll(async () => {
  started = await startServices()
  ;({ db, services } = started)
})
afterAll(() => started?.close())
beforeEach(async () => {
  const rows = await db.sql<
    { id: string; owner: Address }[]
  >`select id, owner from worlds where status = 'active'`
  for (const row of rows) await deleteWorld(as(row.owner), row.id)
  expect(await keptRows(services)).toEqual(NOTHING)
})

function as(address: Address = owner, parts: Partial<Services> = {}): Context {
  return openTestContext({ ...services, ...parts }, address)
}

/** A store that fails or waits under control of the test. */
function blobsThat(change: Partial<BlobStore>): Partial<Services> {
  return { blobs: { ...services.blobs, ...change } }
}

/** Collects a day later, when no replaced version is served any more. */
async function endVersions(): Promise<void> {
  const later = { ...services, clock: () => new Date(services.clock().getTime() + 25 * HOUR) }
  await deleteExpired(later)
  await collectGarbage(later)
}

function account(i: number): Address {
  return `0x${i.toString(16).padStart(40, '0')}`
}

describe('at the same time', () => {
  test('of twenty uploads with one slug exactly one wins, and nothing of the others stays', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        uploadWorld(
          as(account(i + 1), { bundles: patient() }),
          makeBundle({ slug: 'wanted', name: `By ${i}` }, [{ name: 'own.txt', content: `${i}` }]),
        ),
      ),
    )
    const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(won).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'conflict' })
    }
    await collectGarbage(services)
    const rows = await keptRows(services)
    expect(rows).toMatchObject({ worlds: 1, leases: 0 })
    expect(rows.blobs).toBe(rows.files)
    expect(rows.parts).toBe(rows.blobs)
  })

  test('uploads, replacements and deletions of Worlds that share files leave every World whole', async () => {
    const shared = Array.from({ length: 8 }, (_, i) => ({
      name: `shared-${i}.txt`,
      content: `${i}`.repeat(500),
    }))
    const live = async (i: number) => {
      const world = await uploadWorld(
        as(account(i), { bundles: patient() }),
        makeBundle({ slug: `w-${i}` }, shared),
      )
      if (i % 3 === 0) await deleteWorld(as(account(i)), world.id)
      if (i % 3 === 1) {
        const zip = makeBundle({ slug: `w-${i}`, version: '0.2.0' }, shared.slice(4))
        await replaceWorld(as(account(i), { bundles: patient() }), { id: world.id, zip })
      }
      await collectGarbage(services)
    }
    await Promise.all(Array.from({ length: 24 }, (_, i) => live(i + 1)))
    await endVersions()
    const files = await db.sql<{ hash: string; size: number }[]>`select distinct hash, size from world_files`
    for (const { hash, size } of files) {
      expect((await services.blobs.read(hash))?.byteLength).toBe(size)
    }
    expect(await keptRows(services)).toMatchObject({ worlds: 16, blobs: files.length, leases: 0 })
  })

  test('of two replacements one after the other is what stays, whole', async () => {
    const { id } = await uploadWorld(as(), makeBundle())
    const versions = ['0.2.0', '0.3.0', '0.4.0']
    await Promise.all(
      versions.map((version) =>
        replaceWorld(as(owner, { bundles: patient() }), {
          id,
          zip: makeBundle({ version }, [{ name: `${version}.txt`, content: version }]),
        }),
      ),
    )
    const [world] = await db.sql`select version from worlds where id = ${id}`
    expect(versions).toContain(world?.version)
    expect(await findWorldFile(services, id, `${world?.version}.txt`)).toBeDefined()
    // A collector that finds another one at work leaves the rest to the next one.
    await endVersions()
    const rows = await keptRows(services)
    expect(rows.blobs).toBe(rows.files)
  })
})

/** The checker, for more uploads at once than may wait for it. */
function patient(): Services['bundles'] {
  return {
    ...services.bundles,
    check: async (...args) => {
      for (;;) {
        try {
          return await services.bundles.check(...args)
        } catch (error) {
          if ((error as { code?: string }).code !== 'overloaded') throw error
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
      }
    },
  }
}

test('bundles that are held count in the memory budget, with all that their files may have', async () => {
  const memory = new MemoryBudget(new UsageLedger(), 20 * 1024 * 1024)
  const held = Promise.withResolvers<void>()
  const checked = Promise.withResolvers<void>()
  const check: Services['bundles']['check'] = async (...args) => {
    checked.resolve()
    await held.promise
    return services.bundles.check(...args)
  }
  const first = uploadWorld(as(owner, { memory, bundles: { ...services.bundles, check } }), makeBundle())
  await checked.promise
  const second = () => uploadWorld(as(account(1), { memory }), makeBundle({ slug: 'second' }))
  await expect(second()).rejects.toMatchObject({ code: 'overloaded' })
  held.resolve()
  await first
  await second()
})

describe('files', () => {
  test('are found with what serving needs, and not after deletion', async () => {
    const { id } = await uploadWorld(as(), makeBundle())
    expect(await findWorldFile(services, id, 'index.html')).toMatchObject({
      path: 'index.html',
      entry: true,
      permissions: ['dcn.connectors.read', 'dcn.execute'],
    })
    const file = await findWorldFile(services, id, 'preview.png')
    expect(file).toMatchObject({ entry: false, size: 12 })
    expect((await services.blobs.read(file!.hash))?.byteLength).toBe(12)
    for (const path of ['', 'INDEX.html', '/index.html', 'other.js', 'a\0b', '\ud800', '__proto__']) {
      expect(await findWorldFile(services, id, path)).toBeUndefined()
    }
    await deleteWorld(as(), id)
    expect(await findWorldFile(services, id, 'index.html')).toBeUndefined()
    await collectGarbage(services)
    expect(await services.blobs.read(file!.hash)).toBeUndefined()
  })

  test('that two Worlds share are stored once, and survive the deletion of one', async () => {
    const shared = [{ name: 'shared.bin', content: 'x'.repeat(10_000) }]
    const one = await uploadWorld(as(), makeBundle({ slug: 'one' }, shared))
    const before = await keptRows(services)
    const other = await uploadWorld(as(account(7)), makeBundle({ slug: 'other' }, shared))
    // Only the manifest differs, and the listing.
    expect((await keptRows(services)).blobs).toBe(before.blobs + 2)
    await deleteWorld(as(), one.id)
    const file = await findWorldFile(services, other.id, 'shared.bin')
    expect((await services.blobs.read(file!.hash))?.byteLength).toBe(10_000)
    await deleteWorld(as(account(7)), other.id)
    expect(await keptRows(services)).toEqual(NOTHING)
  })

  test('that a replacement no longer has are deleted, and the others stay', async () => {
    const extra = [{ name: 'old.txt', content: 'old' }]
    const { id } = await uploadWorld(as(), makeBundle({}, extra))
    const old = await findWorldFile(services, id, 'old.txt')
    const page = await findWorldFile(services, id, 'world.js')
    await replaceWorld(as(), { id, zip: makeBundle({ version: '0.2.0' }) })
    expect(await findWorldFile(services, id, 'old.txt')).toBeUndefined()
    await endVersions()
    await collectGarbage(services)
    expect(await services.blobs.read(old!.hash)).toBeUndefined()
    expect(await services.blobs.read(page!.hash)).toBeDefined()
    expect((await keptRows(services)).leases).toBe(0)
  })
})

describe('nothing is left behind', () => {
  test('by a store that fails at the third file', async () => {
    let puts = 0
    const failing = blobsThat({
      put: async (hash, bytes) => {
        if (++puts >= 3) throw new Error('disk full')
        await services.blobs.put(hash, bytes)
      },
    })
    await expect(uploadWorld(as(owner, failing), makeBundle())).rejects.toThrow('disk full')
    expect(puts).toBeGreaterThanOrEqual(3)
    expect(await keptRows(services)).toEqual(NOTHING)
  })

  test('by a replacement that fails; the World stays as it was', async () => {
    const { id } = await uploadWorld(as(), makeBundle())
    const before = await keptRows(services)
    const failing = blobsThat({ put: () => Promise.reject(new Error('disk full')) })
    const zip = makeBundle({ version: '0.2.0' }, [{ name: 'new.txt', content: 'new' }])
    await expect(replaceWorld(as(owner, failing), { id, zip })).rejects.toThrow('disk full')
    expect(await keptRows(services)).toEqual(before)
    expect(await findWorldFile(services, id, 'new.txt')).toBeUndefined()
  })

  test('by a client that goes away while files are stored', async () => {
    const gone = new AbortController()
    const leaving = blobsThat({
      put: async (hash, bytes) => {
        await services.blobs.put(hash, bytes)
        gone.abort()
      },
    })
    const files = Array.from({ length: 20 }, (_, i) => ({ name: `${i}.txt`, content: `${i}` }))
    const ctx = openTestContext({ ...services, ...leaving }, owner, gone.signal)
    await expect(uploadWorld(ctx, makeBundle({}, files))).rejects.toThrow(/abort/)
    expect(await keptRows(services)).toEqual(NOTHING)
  })

  test('by a World that is deleted while its replacement is stored', async () => {
    const { id } = await uploadWorld(as(), makeBundle())
    let deleted = false
    const slow = blobsThat({
      put: async (hash, bytes) => {
        if (!deleted) {
          deleted = true
          await deleteWorld(as(), id)
        }
        await services.blobs.put(hash, bytes)
      },
    })
    const zip = makeBundle({ version: '0.2.0' })
    await expect(replaceWorld(as(owner, slow), { id, zip })).rejects.toMatchObject({ code: 'not_found' })
    expect(await keptRows(services)).toEqual(NOTHING)
  })

  test('by a process that dies after its first file', async () => {
    const child = spawn(process.execPath, ['test/core/worlds/support/upload-and-die.ts', db.url, 'dying'], {
      stdio: 'inherit',
    })
    const [, signal] = await once(child, 'exit')
    expect(signal).toBe('SIGKILL')
    const left = await storedRows(db)
    expect(left.worlds).toBe(0)
    expect(left.parts).toBeGreaterThan(0)
    expect(left.leases).toBe(left.blobs)
    // Not while it could still be alive …
    await collectGarbage(services)
    expect(await storedRows(db)).toEqual(left)
    // … but then, and by any collector.
    started.advance(2 * HOUR)
    await uploadWorld(as(), makeBundle({ slug: 'next' }))
    const { id } = (await db.sql`select id from worlds where slug = 'next'`)[0] as { id: string }
    await deleteWorld(as(), id)
    expect(await keptRows(services)).toEqual(NOTHING)
  })

  test('by a process that dies, without later uploads: the worker sweeps', async () => {
    const dying = blobsThat({ put: () => new Promise(() => {}) })
    void uploadWorld(as(owner, dying), makeBundle())
    while ((await storedRows(db)).leases === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    started.advance(2 * HOUR)
    // As a worker does as long as it lives.
    const writer = openWriter(db.url)
    expect(await writer.acquire()).toBe(true)
    const ending = new AbortController()
    const sweeping = sweepGarbage(
      { ...services, config: { ...services.config, databaseUrl: db.url } },
      ending.signal,
      20,
    )
    while ((await storedRows(db)).blobs > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    ending.abort()
    await Promise.all([sweeping, writer.close()])
    expect(await storedRows(db)).toEqual(NOTHING)
  })

  test('by a collection that fails: what is left is found again', async () => {
    const { id } = await uploadWorld(as(), makeBundle())
    const failing = blobsThat({ delete: () => Promise.reject(new Error('unreachable')) })
    // Deleting the World succeeds all the same.
    await deleteWorld(as(owner, failing), id)
    const left = await storedRows(db)
    expect(left.blobs).toBeGreaterThan(0)
    await expect(collectGarbage({ ...services, ...failing })).rejects.toThrow('unreachable')
    expect(await storedRows(db)).toEqual(left)
    expect(await collectGarbage(services)).toBe(left.blobs)
    expect(await storedRows(db)).toEqual(NOTHING)
  })
})

describe('an upload that takes too long', () => {
  test('fails when its files may have been collected, and leaves nothing', async () => {
    const slow = blobsThat({
      put: async (hash, bytes) => {
        await services.blobs.put(hash, bytes)
        started.advance(2 * HOUR)
      },
    })
    await expect(uploadWorld(as(owner, slow), makeBundle())).rejects.toMatchObject({
      code: 'storage_unavailable',
    })
    expect(await keptRows(services)).toEqual(NOTHING)
  })

  test('protects its files from a collection meanwhile', async () => {
    const collecting = blobsThat({
      put: async (hash, bytes) => {
        await services.blobs.put(hash, bytes)
        await collectGarbage(services)
      },
    })
    const { id } = await uploadWorld(as(owner, collecting), makeBundle())
    const file = await findWorldFile(services, id, 'world.js')
    expect(await services.blobs.read(file!.hash)).toBeDefined()
  })

  test('may share files with a World that is deleted meanwhile', async () => {
    const old = await uploadWorld(as(), makeBundle({ slug: 'old' }))
    let deleted = false
    const slow = blobsThat({
      put: async (hash, bytes) => {
        await services.blobs.put(hash, bytes)
        if (!deleted) {
          deleted = true
          await deleteWorld(as(), old.id)
        }
      },
    })
    const { id } = await uploadWorld(as(account(3), slow), makeBundle({ slug: 'young' }))
    for (const path of ['index.html', 'world.js', 'preview.png', 'world-manifest.json']) {
      const file = await findWorldFile(services, id, path)
      expect(await services.blobs.read(file!.hash), path).toBeDefined()
    }
  })
})

describe('with a bucket', () => {
  let bucket: TestBucket
  let parts: Partial<Services>
  beforeAll(async () => {
    bucket = await startBucket()
    parts = { blobs: createS3BlobStore(bucket.settings) }
  })
  afterAll(() => bucket.close())

  test('files are objects under their hash, and go with the last World that has them', async () => {
    const one = await uploadWorld(as(owner, parts), makeBundle({ slug: 'one' }))
    const other = await uploadWorld(as(owner, parts), makeBundle({ slug: 'other' }))
    const hashes = await db.sql<{ hash: string }[]>`select hash from blobs order by hash`
    expect(bucket.keys()).toEqual(hashes.map(({ hash }) => `weft/${hash}`))
    expect((await storedRows(db)).parts).toBe(0)
    const file = await findWorldFile(services, other.id, 'world.js')
    await deleteWorld(as(owner, parts), one.id)
    await collectGarbage({ ...services, ...parts })
    expect(await parts.blobs?.read(file!.hash)).toBeDefined()
    await deleteWorld(as(owner, parts), other.id)
    await collectGarbage({ ...services, ...parts })
    expect(bucket.keys()).toEqual([])
    expect(await storedRows(db)).toEqual(NOTHING)
  })

  test('a bucket that does not answer fails the upload and leaves nothing', async () => {
    const blobs = createS3BlobStore({ ...bucket.settings, secretAccessKey: 'wrong' })
    await expect(uploadWorld(as(owner, { blobs }), makeBundle())).rejects.toMatchObject({
      code: 'storage_unavailable',
    })
    await collectGarbage({ ...services, ...parts })
    expect(await storedRows(db)).toEqual(NOTHING)
    expect(bucket.keys()).toEqual([])
  })
})
