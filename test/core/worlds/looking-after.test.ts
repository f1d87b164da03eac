import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Context, Services } from '#lib/core/context/context.ts'
import { compareBundle } from '#lib/core/worlds/compare-bundle.ts'
import { uploadWorld } from '#lib/core/worlds/publish-world.ts'
import type { World } from '#lib/core/worlds/world.ts'
import { openReports, report as sendReport, settleReport } from '#lib/features/social/reports.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { startServices, type TestServices } from '#test/support/services.ts'
import { makeBundle } from './support/bundle.ts'
import { openTestContext } from './support/context.ts'

const owner: Address = `0x${'a1'.repeat(20)}`
const other: Address = `0x${'b2'.repeat(20)}`
const stranger: Address = `0x${'c3'.repeat(20)}`
const DAY_MS = 24 * 60 * 60_000

let started: TestServices
let services: Services
let world: World

beforeAll(async () => {
  started = await startServices()
  services = started.services
  world = await uploadWorld(as(owner), makeBundle({ slug: 'looked-after' }))
})
afterAll(() => started.close())

function as(address: Address) {
  return openTestContext(services, address)
}
function visitor(): Context {
  return { ...as(other), caller: undefined, session: undefined }
}
function codeOf(promise: Promise<unknown>) {
  return promise.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  )
}

describe('comparing a bundle with the World it is to replace', () => {
  const compare = (zip: Uint8Array, address = owner) => compareBundle(as(address), { id: world.id, zip })

  test('the same files change nothing', async () => {
    expect(await compare(makeBundle({ slug: 'looked-after' }))).toMatchObject({
      same: true,
      changes: [],
      // The page’s prelude is a file, too.
      unchanged: 5,
      fields: [],
      permissions: { gained: [], lost: [] },
      refusal: undefined,
    })
  })

  test('lists files added, changed and removed with their sizes, and permissions in either spelling', async () => {
    const permissions = ['decentralised.art.execute', 'browser.audio']
    const changes = { slug: 'looked-after', version: '0.2.0', permissions, preview: undefined }
    const next = makeBundle(changes, [{ name: 'extra.js', content: 'export {}\n' }])
    const diff = await compare(next)
    expect(
      diff.changes.map(({ path, before, after }) => [path, before !== undefined, after !== undefined]),
    ).toEqual([
      ['extra.js', false, true],
      ['world-manifest.json', true, true],
    ])
    expect(diff.changes[0]?.after).toBe(10)
    expect(diff.permissions).toEqual({ gained: ['browser.audio'], lost: ['dcn.connectors.read'] })
    expect(diff.fields).toEqual(['preview'])
    expect(diff.version).toEqual({ before: '0.1.0', after: '0.2.0' })
    expect([diff.same, diff.refusal]).toEqual([false, undefined])
  })

  test('a rejected replacement has a reason', async () => {
    const more = [{ name: 'extra.js', content: 'export {}\n' }]
    expect((await compare(makeBundle({ slug: 'looked-after' }, more))).refusal).toMatch(/raise the version/)
    expect((await compare(makeBundle({ slug: 'elsewhere', version: '2.0.0' }))).refusal).toMatch(/slug/)
  })

  test('only accounts that may replace a World may compare', async () => {
    expect(await codeOf(compare(makeBundle({ slug: 'looked-after' }), other))).toBe('forbidden')
    expect(await codeOf(compareBundle(visitor(), { id: world.id, zip: makeBundle() }))).toBe(
      'unauthenticated',
    )
    expect(await codeOf(compareBundle(as(owner), { id: 'wld_none', zip: makeBundle() }))).toBe('not_found')
    expect(await codeOf(compare(new Uint8Array(3)))).toBe('invalid_request')
  })
})

/** A row as the worker writes it. */
function publishCondition(name: string) {
  return services.db.sql`
    insert into entities (kind, name, owner, address, content_hash, metadata_hash, block_number, block_hash, tx_hash,
      tx_index, log_index)
    values ('condition', ${name}, '0x', '0x', '0x', '0x', 1, '0x', '0x', 0, 0)`
}

describe('reports', () => {
  const report = (ctx: Context, words = '') =>
    codeOf(sendReport(ctx, { kind: 'world', name: world.id, reason: 'broken', words }))

  test('are listed until they are settled; an account that reports again changes its report', async () => {
    expect(await report(as(other), 'first')).toBe('done')
    expect(await report(as(other), 'second')).toBe('done')
    expect(await report(visitor(), 'from nobody')).toBe('done')
    const [mine, theirs, ...rest] = await openReports(services)
    expect([mine?.words, mine?.reporter, mine?.page, mine?.outdated]).toEqual([
      'second',
      other,
      '/worlds/looked-after',
      false,
    ])
    expect([theirs?.words, theirs?.reporter, rest]).toEqual(['from nobody', null, []])
    expect(await settleReport(services, mine?.id ?? '')).toBe(true)
    expect(await settleReport(services, mine?.id ?? '')).toBe(false)
    expect(await report(as(other), 'third')).toBe('done')
    expect((await openReports(services)).map(({ words }) => words)).toEqual(['from nobody', 'third'])
  })

  test('are about entities and profiles, too, while those are there', async () => {
    const about = [
      { kind: 'condition', name: 'rude' },
      { kind: 'profile', name: other.toUpperCase().replace('X', 'x') },
    ] as const
    const send = (each: (typeof about)[number]) =>
      codeOf(sendReport(visitor(), { ...each, reason: 'other', words: '' }))
    expect(await send(about[0])).toBe('not_found')
    const { sql } = services.db
    await publishCondition('rude')
    await sql`
      insert into users (address, created_at, updated_at) values (${other}, now(), now()) on conflict do nothing`
    expect([await send(about[0]), await send(about[1])]).toEqual(['done', 'done'])
    const pages = async () => (await openReports(services)).map(({ page }) => page)
    expect(await pages()).toEqual(expect.arrayContaining(['/conditions/rude', `/users/${other}`]))
    await sql`delete from entities where name = 'rude'`
    expect(await pages()).not.toContain('/conditions/rude')
    for (const { id, kind } of await openReports(services))
      if (kind !== 'world') await settleReport(services, id)
  })

  test('of a World that is not there are not found', async () => {
    expect(
      await codeOf(sendReport(visitor(), { kind: 'world', name: 'wld_none', reason: 'other', words: '' })),
    ).toBe('not_found')
  })

  test('the visitors of one network have a quota a day, which shuts nobody else out', async () => {
    started.advance(DAY_MS + 1)
    const from = (client: string) => ({ ...visitor(), client })
    const outcomes = await Promise.all(
      Array.from({ length: 25 }, (_, n) => report(from(`2001:db8:1:${n}::/64`))),
    )
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(20)
    expect(outcomes.filter((outcome) => outcome === 'too_many')).toHaveLength(5)
    expect(await report({ ...as(stranger), client: '2001:db8:1:7::/64' })).toBe('too_many')
    expect(await report(from('2001:db8:2:0::/64'))).toBe('done')
    expect(await report({ ...as(stranger), client: '192.0.2.1' })).toBe('done')
    expect(await report(as(owner))).toBe('done')
    started.advance(DAY_MS + 1)
    expect(await report(visitor())).toBe('done')
  })

  test('an account has so many a day', async () => {
    started.advance(DAY_MS + 1)
    const names = Array.from({ length: 21 }, (_, index) => `reported_${index}`)
    for (const name of names) await publishCondition(name)
    const outcomes = []
    for (const name of names) {
      outcomes.push(
        await codeOf(sendReport(as(other), { kind: 'condition', name, reason: 'stolen', words: '' })),
      )
    }
    expect(outcomes).toEqual([...Array.from({ length: 20 }, () => 'done'), 'too_many'])
  })
})
