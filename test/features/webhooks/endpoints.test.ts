import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_ENDPOINTS } from '#lib/features/webhooks/endpoints.ts'
import { feedTables } from '#test/core/feed/feed-tables.ts'
import { type Studio, startStudio } from '#test/server/http/studio-requests.ts'
import { newPerson } from '#test/server/services/people.ts'

let studio: Studio

beforeAll(async () => {
  studio = await startStudio()
  const feed = await feedTables(studio.api.db.sql)
  await feed.append(5)
})
afterAll(() => studio?.api.close())

async function newAccount() {
  const { token, address } = await newPerson(studio.api)
  const base = `/webhooks/${address.toLowerCase()}`
  const send = (method: string, path = '', json?: unknown) =>
    // biome-ignore lint/suspicious/noExplicitAny: Read field by field below.
    studio.send<any>(method, `${base}${path}`, { token, json })
  return { send, token, address }
}

const INPUT = { name: 'My bot', url: 'https://example.com/hook', filter: {} }

test('a secret is shown when it is made, and never again', async () => {
  const { send } = await newAccount()
  const filter = { kind: 'connector', owner: 'AB'.repeat(20), format: 'cd'.repeat(32), name: 'pitch' }
  const created = await send('POST', '', { ...INPUT, filter })
  expect(created.status).toBe(200)
  const { webhook, secret } = created.json
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(webhook).toMatchObject({
    name: 'My bot',
    url: 'https://example.com/hook',
    filter: {
      kind: 'connector',
      owner: `0x${'ab'.repeat(20)}`,
      format: `0x${'cd'.repeat(32)}`,
      name: 'pitch',
    },
    state: 'active',
    // What was published before is only sent on demand.
    position: 5,
    next_attempt_at: null,
  })
  const listed = await send('GET')
  expect(listed.json).toEqual({ webhooks: [webhook], newest_seq: 5, max_webhooks: MAX_ENDPOINTS })
  expect(JSON.stringify(listed.json)).not.toContain(secret)

  const rotated = await send('POST', `/${webhook.id}/secret`)
  expect(rotated.json.secret).not.toBe(secret)
  const [row] = await studio.api.db
    .sql`select secret, previous_secret from webhook_endpoints where id = ${webhook.id}`
  expect(row).toEqual({ secret: rotated.json.secret, previous_secret: secret })
  expect(Date.parse(rotated.json.webhook.previous_secret_until)).toBeGreaterThan(Date.now())
})

test('changes, replay and deletion', async () => {
  const { send } = await newAccount()
  const { webhook } = (await send('POST', '', INPUT)).json
  const path = `/${webhook.id}`
  expect((await send('PATCH', path, { state: 'paused' })).json).toMatchObject({ state: 'paused' })
  await studio.api.db.sql`
    update webhook_endpoints set state = 'disabled', disabled_reason = 'It failed', attempts = 9,
      failing_since = now() - interval '3 days' where id = ${webhook.id}`
  expect((await send('PATCH', path, { state: 'active', name: 'Again' })).json).toMatchObject({
    ...{ state: 'active', name: 'Again', url: INPUT.url },
    ...{ disabled_reason: null, attempts: 0, failing_since: null },
  })
  expect((await send('PATCH', path, {})).json).toMatchObject({ name: 'Again' })
  expect((await send('POST', `${path}/replay`, { since_seq: 2 })).json).toMatchObject({ position: 2 })
  expect(await send('POST', `${path}/replay`, { since_seq: 6 })).toMatchObject({ status: 400 })
  expect((await send('GET', `${path}/deliveries`)).json).toEqual({ deliveries: [] })
  expect((await send('DELETE', path)).status).toBe(204)
  expect((await send('GET')).json.webhooks).toEqual([])
})

test('400 says what is wrong', async () => {
  const { send } = await newAccount()
  const { webhook } = (await send('POST', '', INPUT)).json
  for (const [change, reason] of [
    [{ url: 'http://example.com/' }, 'url: the address must begin with https://'],
    [{ url: 'https://169.254.169.254/' }, 'not an address of the public Internet'],
    [{ url: 'https://example.com:3000/' }, 'only port 443'],
    [{ url: 'http://localhost:3000/' }, 'cannot reach your own machine'],
    [{ url: 'https://127.0.0.1/' }, 'cannot reach your own machine'],
    [{ url: 'http://[::1]:8080/' }, 'cannot reach your own machine'],
    [{ url: '' }, 'url: that is no address'],
    [{ name: ' ' }, 'name'],
    [{ filter: { kind: 'world' } }, 'kind'],
    [{ filter: { owner: '0x1' } }, 'owner'],
    [{ filter: { more: 1 } }, 'more'],
    [{ secret: 'mine' }, 'secret'],
  ] as const) {
    for (const [method, path, body] of [
      ['POST', '', { ...INPUT, ...change }],
      ['PATCH', `/${webhook.id}`, change],
    ] as const) {
      const answer = await send(method, path, body)
      expect(answer, JSON.stringify(change)).toMatchObject({
        status: 400,
        json: { message: expect.stringContaining(reason) },
      })
    }
  }
})

test('an account has a limited number, and takes them along', async () => {
  const { send, address, token } = await newAccount()
  const made = await Promise.all(Array.from({ length: MAX_ENDPOINTS + 3 }, () => send('POST', '', INPUT)))
  expect(made.map(({ status }) => status).toSorted()).toEqual([
    ...Array.from({ length: MAX_ENDPOINTS }, () => 200),
    ...[429, 429, 429],
  ])
  await studio.api.send('DELETE', `/users/${address}`, { token })
  const left = await studio.api.db.sql`select 1 from webhook_endpoints where owner = ${address.toLowerCase()}`
  expect(left).toHaveLength(0)
})
