import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listNotices } from '#lib/core/people/notices.ts'
import { getWorld } from '#lib/core/worlds/get-world.ts'
import { findWorldRemixes } from '#lib/core/worlds/world-remixes.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { makeBundle, manifest, PNG } from '#test/core/worlds/support/bundle.ts'
import { type Answer, startApi, type TestApi } from '#test/support/api.ts'
import { encodeForm } from '#test/support/form.ts'
import { newPerson, newWallet, signIn } from './people.ts'

const MIB = 1024 * 1024

const admin = newWallet()
let api: TestApi
let alice: { address: string; token: string }
let bob: { address: string; token: string }
beforeAll(async () => {
  api = await startApi('services', {
    adminAddresses: [admin.address.toLowerCase() as Address],
    maxWorldsPerOwner: 40,
  })
  alice = await newPerson(api)
  bob = await newPerson(api)
})
afterAll(() => api.close())

let count = 0
function freshSlug() {
  return `world-${++count}`
}

function upload(token: string, slug: string, changes: Record<string, unknown> = {}): Promise<Answer> {
  return api.send('POST', '/worlds/upload', { token, bundle: makeBundle({ slug, ...changes }) })
}

function replace(token: string, id: string, bundle: Uint8Array<ArrayBuffer>): Promise<Answer> {
  return api.send('PATCH', `/worlds/${id}`, { token, bundle })
}

async function published(token: string, changes: Record<string, unknown> = {}) {
  const answer = await upload(token, freshSlug(), changes)
  expect(answer.status, answer.text).toBe(200)
  return answer.json as Record<string, unknown> & { id: string; slug: string }
}

/** The errors of Worlds are readable text with the matching `Content-Type`. */
function expectText(answer: Answer, status: number, says: RegExp): void {
  expect(answer.status, answer.text).toBe(status)
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(answer.text).toMatch(says)
}

function expectEmpty401(answer: Answer): void {
  expect(answer.status).toBe(401)
  expect(answer.text).toBe('')
  expect(answer.headers.get('content-type')).toBeNull()
}

describe('POST_worldValidate', () => {
  test('200: what would be published, with advice, and nothing is stored', async () => {
    const bundle = makeBundle({ slug: 'only-looking', shortDescription: '', flavour: 1 })
    const answer = await api.send('POST', '/worlds/validate', { bundle })
    expect(answer.status, answer.text).toBe(200)
    const { schemaVersion: _, entry, ...rest } = manifest
    expect(answer.json).toEqual({
      descriptor: { ...rest, slug: 'only-looking', entryPath: entry },
      bundleHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      manifestHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      warnings: [
        'Unknown manifest keys are ignored: "flavour".',
        'The accepted connector "pitch" is not published.',
        'The accepted connector "time" is not published.',
      ],
    })
    expect((await api.send('GET', '/worlds?q=only-looking')).json).toEqual([])
    const [row] = await api.db.sql`select count(*)::int as blobs from blobs`
    expect(row?.blobs).toBe(0)
  })

  test('400: everything that is wrong, in one text', async () => {
    const answer = await api.send('POST', '/worlds/validate', {
      bundle: makeBundle({ slug: 'A', name: '', preview: 'x.png' }),
    })
    expectText(
      answer,
      400,
      /^The bundle has 3 problems:\n- world-manifest.json slug: .*\n- world-manifest.json name: .*\n- world-manifest.json preview: /,
    )
  })

  test.each<[string, () => Promise<{ body?: BodyInit; headers?: Record<string, string> }>, RegExp]>([
    [
      'JSON',
      async () => ({ body: '{}', headers: { 'content-type': 'application/json' } }),
      /multipart\/form-data/,
    ],
    ['nothing', async () => ({}), /multipart\/form-data/],
    [
      'the ZIP alone',
      async () => ({ body: makeBundle(), headers: { 'content-type': 'application/zip' } }),
      /multipart\/form-data/,
    ],
    [
      'a form without boundary',
      async () => ({ body: makeBundle(), headers: { 'content-type': 'multipart/form-data' } }),
      /multipart\/form-data/,
    ],
    ['another field', () => formOf(['file', makeBundle()]), /no field "bundle"/],
    ['the field twice', () => formOf(['bundle', makeBundle()], ['bundle', makeBundle()]), /more than once/],
    [
      'a form that breaks off',
      async () => {
        const form = await formOf(['bundle', makeBundle()])
        return { ...form, body: form.body.slice(0, -100) }
      },
      /malformed or broke off/,
    ],
  ])('400: %s in place of a form with the file', async (_what, sent, says) => {
    expectText(await api.send('POST', '/worlds/validate', await sent()), 400, says)
  })
})

async function formOf(...fields: [string, Uint8Array<ArrayBuffer>][]) {
  const data = new FormData()
  for (const [name, bytes] of fields) data.append(name, new Blob([bytes]), 'b.zip')
  return encodeForm(data)
}

describe('POST_worldUpload', () => {
  test('200: a World of the caller, with every field; optional texts that are absent are left out', async () => {
    const slug = freshSlug()
    const before = Date.now()
    const answer = await upload(alice.token, slug, { heroLabel: '', shortDescription: 'Short.' })
    expect(answer.status, answer.text).toBe(200)
    const world = answer.json as Record<string, string>
    const { schemaVersion: _, entry, ...rest } = manifest
    expect(world).toEqual({
      ...rest,
      slug,
      shortDescription: 'Short.',
      entryPath: entry,
      id: expect.stringMatching(/^wld_[a-z2-7]{20}$/),
      entryUrn: `/world-assets/${world.id}/index.html`,
      ownerId: alice.address,
      bundleHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      manifestHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      status: 'active',
      createdAt: world.updatedAt,
      updatedAt: expect.any(String),
    })
    expect(Date.parse(String(world.createdAt))).toBeGreaterThanOrEqual(before)
    expect((await api.send('GET', `/worlds/${world.id}`)).json).toEqual(world)
  })

  test('200: a remix is named on both pages, and its original owner is told', async () => {
    const original = await published(alice.token)
    const first = await published(bob.token, { name: 'First', remixOf: original.id })
    const second = await published(alice.token, { name: 'Second', remixOf: first.id })
    const of = async ({ id }: { id: string }) =>
      findWorldRemixes(api.services, await getWorld(api.services, id))
    const below = (await of(original)).remixedBy.next
    expect(below).toMatchObject([
      { name: first.slug, title: 'First', owner: bob.address.toLowerCase(), next: [{ name: second.slug }] },
    ])
    expect((await of(second)).madeFrom.next).toMatchObject([
      { name: first.slug, next: [{ name: original.slug }] },
    ])
    expect((await of(original)).count).toBe(1)
    const told = async (account: string) =>
      (await listNotices(api.services, { account: account.toLowerCase() as Address, limit: 10 })).map(
        ({ what, of: mine, by }) => [what, mine?.name, by?.title],
      )
    expect(await told(alice.address)).toEqual([['remixed', original.slug, 'First']])
    expect(await told(bob.address)).toEqual([['remixed', first.slug, 'Second']])
    await api.send('DELETE', `/worlds/${first.id}`, { token: bob.token })
    expect((await of(original)).remixedBy.next).toEqual([])
    expect((await of(second)).madeFrom.next).toEqual([])
    expect(await told(alice.address)).toEqual([])
  })

  test('401 before the file is looked at', async () => {
    const body = new Uint8Array(26 * MIB)
    expectEmpty401(await api.send('POST', '/worlds/upload', { body }))
  })

  test('409: a slug that is taken, by another or by the caller, or the same bundle again', async () => {
    const { slug } = await published(alice.token)
    expectText(await upload(bob.token, slug, { name: 'Other' }), 409, new RegExp(`"${slug}" exists already`))
    expectText(await upload(alice.token, slug, { name: 'Other' }), 409, /exists already/)
    expectText(await upload(alice.token, slug), 409, /You have published this bundle already/)
  })

  test('429: more Worlds than an account may have; deleting makes room', async () => {
    const carol = await newPerson(api)
    await api.db.sql`
      insert into worlds (id, slug, owner, status, version, bundle_hash, manifest_hash, entry_path, surfaces,
        permissions, manifest, search_text, created_at, updated_at)
      select 'full-' || i, 'full-' || i, ${carol.address.toLowerCase()}, 'active', '1', '', '', '', '{}', '{}', '{}',
        '', 'epoch', 'epoch'
      from generate_series(1, 39) i`
    // Two at once for one place: the limit must hold against races too.
    const answers = await Promise.all([upload(carol.token, freshSlug()), upload(carol.token, freshSlug())])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429])
    expectText(answers.find(({ status }) => status === 429)!, 429, /40 Worlds/)
    const { id } = answers.find(({ status }) => status === 200)!.json as { id: string }
    expect((await api.send('DELETE', `/worlds/${id}`, { token: carol.token })).status).toBe(204)
    expect((await upload(carol.token, freshSlug())).status).toBe(200)
    await api.db.sql`update worlds set status = 'deleted' where id like 'full-%'`
  })
})

describe('PATCH_world', () => {
  test('200: new content under the same id, for its owner', async () => {
    const world = await published(alice.token)
    api.advance(5000)
    const bundle = makeBundle({ slug: world.slug, version: '0.2.0', name: 'Renamed' })
    const answer = await replace(alice.token, world.id, bundle)
    expect(answer.status, answer.text).toBe(200)
    const changed = answer.json as Record<string, string>
    expect(changed).toMatchObject({
      id: world.id,
      slug: world.slug,
      name: 'Renamed',
      version: '0.2.0',
      ownerId: alice.address,
      createdAt: world.createdAt,
    })
    expect(changed.bundleHash).not.toBe(world.bundleHash)
    expect(changed.manifestHash).not.toBe(world.manifestHash)
    expect(Date.parse(String(changed.updatedAt))).toBeGreaterThan(Date.parse(String(world.updatedAt)))
    expect((await api.send('GET', `/worlds/${world.id}`)).json).toEqual(changed)
  })

  test('200: for an administrator; the owner stays', async () => {
    const world = await published(alice.token)
    const bundle = makeBundle({ slug: world.slug, version: '0.2.0' })
    const answer = await replace(await signIn(api, admin), world.id, bundle)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.json).toMatchObject({ ownerId: alice.address, version: '0.2.0' })
    expect(await api.db.sql`select actor, act from audit_log where subject = ${world.id}`).toEqual([
      { actor: admin.address.toLowerCase(), act: 'replace_world_of_another' },
    ])
  })

  test('200: the same files again, zipped in another way, change nothing', async () => {
    const world = await published(alice.token)
    api.advance(5000)
    const bundle = makeBundle({ slug: world.slug }, [{ name: 'preview.png', content: PNG }])
    const answer = await replace(alice.token, world.id, bundle)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.json).toEqual(world)
  })

  test('400: an invalid bundle', async () => {
    const world = await published(alice.token)
    expectText(await replace(alice.token, world.id, makeBundle({ slug: world.slug, name: '' })), 400, /name/)
    expect((await api.send('GET', `/worlds/${world.id}`)).json).toEqual(world)
  })

  test('403: anybody else, whatever the bundle is', async () => {
    const world = await published(alice.token)
    for (const bundle of [
      makeBundle({ slug: world.slug, version: '9.0.0' }),
      makeBundle({ slug: 'B a d' }),
    ]) {
      expectText(await replace(bob.token, world.id, bundle), 403, /another account/)
    }
  })

  test.each(['wld_aaaaaaaaaaaaaaaaaaaa', 'x'.repeat(500), '%00', '%ff', "'--", '__proto__'])(
    '404: the id %s',
    async (id) => {
      const answer = await replace(alice.token, id, makeBundle())
      expect(answer.status, answer.text).toBe(404)
    },
  )

  test('409: another slug, also a free one', async () => {
    const [world, other] = [await published(alice.token), await published(alice.token)]
    for (const slug of [other.slug, freshSlug()]) {
      const answer = await replace(alice.token, world.id, makeBundle({ slug, version: '0.2.0' }))
      expectText(answer, 409, /slug of a World cannot change/)
    }
  })

  test('409: other files under the same version', async () => {
    const world = await published(alice.token)
    const answer = await replace(alice.token, world.id, makeBundle({ slug: world.slug, name: 'Other' }))
    expectText(answer, 409, /Version "0.1.0" is published with other files/)
  })
})

describe('DELETE_world', () => {
  test('204: gone from every read at once, and the slug is free', async () => {
    const world = await published(alice.token)
    const answer = await api.send('DELETE', `/worlds/${world.id}`, { token: alice.token })
    expect(answer.status).toBe(204)
    expect(answer.text).toBe('')
    expectText(await api.send('GET', `/worlds/${world.id}`), 404, /not found/)
    expect((await api.send('GET', `/worlds?q=${world.slug}`)).json).toEqual([])
    const again = await upload(bob.token, world.slug)
    expect(again.status, again.text).toBe(200)
    expect((again.json as { id: string }).id).not.toBe(world.id)
    expect(await api.db.sql`select actor, act, reason from audit_log where subject = ${world.id}`).toEqual([
      { actor: alice.address.toLowerCase(), act: 'delete_world', reason: world.slug },
    ])
  })

  test('403: anybody else, administrators too', async () => {
    const world = await published(alice.token)
    for (const token of [bob.token, await signIn(api, admin)]) {
      expectText(await api.send('DELETE', `/worlds/${world.id}`, { token }), 403, /another account/)
    }
    expect((await api.send('GET', `/worlds/${world.id}`)).status).toBe(200)
  })

  test('204, once: of ten at the same time', async () => {
    const world = await published(alice.token)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api.send('DELETE', `/worlds/${world.id}`, { token: alice.token })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, ...Array(9).fill(404)])
  })
})

describe('GET_world', () => {
  test.each(['wld_aaaaaaaaaaaaaaaaaaaa', 'x'.repeat(5000), '%00', '%ff', 'constructor'])(
    '404: the id %s',
    async (id) => {
      expectText(await api.send('GET', `/worlds/${id}`), 404, /./)
    },
  )

  test('200 for pages of any origin, whatever the token is', async () => {
    const world = await published(alice.token)
    const answer = await api.send('GET', `/worlds/${world.id}`, {
      token: 'broken',
      headers: { origin: 'https://elsewhere.example' },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })
})
