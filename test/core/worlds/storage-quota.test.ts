import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context, Services } from '#lib/core/context/context.ts'
import { collectGarbage } from '#lib/core/worlds/collect-garbage.ts'
import { previewWorld } from '#lib/core/worlds/preview-world.ts'
import { deleteWorld, uploadWorld } from '#lib/core/worlds/publish-world.ts'
import { replaceWorld } from '#lib/core/worlds/replace-world.ts'
import { findVersion } from '#lib/core/worlds/world-versions.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { startServices, type TestServices } from '#test/support/services.ts'
import { makeBundle } from './support/bundle.ts'
import { openTestContext } from './support/context.ts'
import { keptRows } from './support/stored-rows.ts'

const MIB = 1024 * 1024
const LATER_MS = 24 * 60 * 60_000

let started: TestServices
let now = new Date()
beforeAll(async () => {
  started = await startServices({ worldMib: { ofAccount: 2, aDay: 4, inAll: 6 } })
})
afterAll(() => started?.close())

function as(address: Address): Context {
  return openTestContext({ ...started.services, clock: () => now } as Services, address)
}

async function newAccount(network: string | null): Promise<Address> {
  const address: Address = `0x${randomBytes(20).toString('hex')}`
  await started.db.sql`
    insert into users (address, created_at, updated_at, last_login_at, network)
    values (${address}, now(), now(), now(), ${network})`
  return address
}

let count = 0
/** A bundle with as many MiB that no other has. */
function bundleOf(mib: number, changes: Record<string, unknown> = {}) {
  const content = randomBytes(mib * MIB)
  return makeBundle({ slug: `large-${++count}`, ...changes }, [{ name: 'large.bin', content, stored: true }])
}

function full(says: RegExp) {
  return expect.objectContaining({ code: 'storage_full', message: expect.stringMatching(says) })
}

test('an account stores as much as it may, in all and in a day; new accounts of a network together', async () => {
  const [first, second] = [await newAccount('near'), await newAccount('near')]
  const world = await uploadWorld(as(first), bundleOf(1))
  const before = await keptRows(started.services)
  await expect(uploadWorld(as(second), bundleOf(1))).rejects.toEqual(full(/at most 2 MiB.*delete one/))
  await expect(
    replaceWorld(as(first), {
      id: world.id,
      zip: bundleOf(2, { slug: world.manifest.slug, version: '2.0.0' }),
    }),
  ).rejects.toEqual(full(/at most 4 MiB of Worlds in a day.*tomorrow/))
  expect(await keptRows(started.services)).toEqual(before)
  const other = await newAccount('far')
  await deleteWorld(as(other), (await uploadWorld(as(other), bundleOf(1))).id)
  await deleteWorld(as(first), world.id)
  now = new Date(now.getTime() + LATER_MS)
  const next = await uploadWorld(as(second), bundleOf(1))
  await deleteWorld(as(second), next.id)
})

test('versions count, and give way where nothing names them', async () => {
  now = new Date(now.getTime() + LATER_MS)
  const owner = await newAccount('versions')
  const { id, manifest, bundleHash } = await uploadWorld(as(owner), bundleOf(1))
  const next = (mib: number, version: string) =>
    replaceWorld(as(owner), { id, zip: bundleOf(mib, { slug: manifest.slug, version }) })
  const before = await keptRows(started.services)
  await next(0, '2.0.0')
  expect(await findVersion(started.services, bundleHash)).toMatchObject({ found: 'version' })
  await next(1, '3.0.0')
  expect(await findVersion(started.services, bundleHash)).toMatchObject({ found: 'newest' })
  expect((await keptRows(started.services)).files).toBe(before.files)
  await deleteWorld(as(owner), id)
})

test('a site that is full says so, for previews as well', async () => {
  // What earlier tests deleted, as the worker does.
  now = new Date(now.getTime() + LATER_MS)
  await collectGarbage({ ...started.services, clock: () => now })
  for (const network of ['a', 'b', 'c', 'd']) await uploadWorld(as(await newAccount(network)), bundleOf(1))
  const before = await keptRows(started.services)
  await expect(previewWorld(as(await newAccount('e')), bundleOf(2))).rejects.toEqual(full(/no room/))
  await expect(uploadWorld(as(await newAccount('f')), bundleOf(2))).rejects.toEqual(full(/no room/))
  expect(await keptRows(started.services)).toEqual(before)
})
