import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Hash } from '#lib/protocol/entity.ts'
import { devAccount } from '#scripts/stack/contracts.ts'
import { type PreparedWire, signPrepared } from '#test/core/publication/network.ts'
import { makeBundle } from '#test/core/worlds/support/bundle.ts'
import { EventStreamReader, type Frame } from '#test/support/event-stream.ts'
import { type Instances, SERVED_BY, startInstances } from '#test/support/instances.ts'
import { signInToServices, uploadWorld } from '#test/support/services-account.ts'
import { until } from '#test/support/until.ts'

/*
 * Two sites and two workers of one build over one database and one chain, behind a round-robin proxy: state held by
 * only one of them would be missed by the next request.
 */

const owner = devAccount(0)

let instances: Instances
let origin: string
let token: string

beforeAll(async () => {
  instances = await startInstances({ MAX_STREAMS_PER_CLIENT: '3' })
  origin = instances.proxy.origin
})
afterAll(() => instances?.close())

interface Told {
  readonly status: number
  readonly servedBy: string
  readonly json: Record<string, unknown>
  readonly headers: Headers
}

async function send(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Told> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await response.text()
  return {
    status: response.status,
    servedBy: response.headers.get(SERVED_BY) ?? '',
    json: text.startsWith('{') ? JSON.parse(text) : {},
    headers: response.headers,
  }
}

function asOwner(path: string, body: unknown) {
  return send('POST', path, body, { Authorization: `Bearer ${token}` })
}

/** Both sites' answers for one path. */
async function both(path: string): Promise<readonly [Told, Told]> {
  const told = [await send('GET', path), await send('GET', path)] as const
  expect(told.map(({ servedBy }) => servedBy).toSorted()).toEqual(['0', '1'])
  return told
}

async function draft(name: string, body: string): Promise<void> {
  expect((await asOwner('/chain/transformation', { name, sol_src: body })).status).toBe(201)
}

async function publish(name: string): Promise<void> {
  const prepared = await asOwner('/chain/publish/transformation/prepare', { name, relay: true })
  expect(prepared.status).toBe(200)
  const wire = prepared.json as unknown as PreparedWire
  const content_hash = wire.content_hash
  const raw_tx = await signPrepared(wire, owner)
  const sent = await asOwner('/chain/publish/transformation/send', { name, content_hash, raw_tx })
  expect(sent.status).toBe(202)
  const tx_hash = sent.json.tx_hash as Hash
  await until('confirmed', async () => {
    const { status } = await asOwner('/chain/publish/transformation', { name, content_hash, tx_hash })
    return status === 201
  })
}

async function isPublished(name: string) {
  return (await both(`/chain/transformation/${name}`)).every(({ json }) => json.address !== '0x0')
}

test('a session of one site is valid at the other, on both APIs and by cookie', async () => {
  const { json } = await send('GET', `/chain/nonce/${owner.address}`)
  const signature = await owner.signMessage({ message: `Login nonce: ${json.nonce}` })
  const message = `Login nonce: ${json.nonce}`
  const login = await send('POST', '/chain/auth', { address: owner.address, message, signature })
  expect(login.status).toBe(200)
  token = login.json.access_token as string

  const person = await signInToServices(origin)
  const bearer = { Authorization: `Bearer ${person.token}` }
  for (const turn of [0, 1])
    expect((await send('GET', '/services/auth/me', undefined, bearer)).status, `${turn}`).toBe(200)

  const page = { Origin: origin, 'Sec-Fetch-Site': 'same-origin' }
  const challenge = { address: person.account.address, chain_id: 31_337 }
  const asked = await send('POST', '/services/auth/siwe/challenge', challenge, page)
  const text = asked.json.message as string
  const entered = await send(
    'POST',
    '/session',
    { message: text, signature: await person.account.signMessage({ message: text }) },
    page,
  )
  expect(entered.status).toBe(200)
  const cookie = {
    ...page,
    Cookie: entered.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; '),
  }
  for (const turn of [0, 1]) {
    const { json: who } = await send('GET', '/session', undefined, cookie)
    expect(who.session, `${turn}`).toMatchObject({ address: person.account.address })
  }
  // Signed out at one, out at the other.
  expect((await send('DELETE', '/session', undefined, cookie)).status).toBe(204)
  for (const turn of [0, 1]) {
    const { json: who } = await send('GET', '/session', undefined, cookie)
    expect(who.session, `${turn}`).toBeNull()
  }
})

test('a draft is read at both sites as soon as it is saved, never an earlier one', async () => {
  // One at each site, so that both get their compilers ready at once.
  await Promise.all([draft('second', 'return x;'), draft('aftermath', 'return x;')])
  for (let version = 1; version <= 3; version++) {
    await draft('revised', `return x + ${version};`)
    const [one, other] = await both('/chain/transformation/revised')
    expect(one.status).toBe(200)
    expect(other.json).toEqual(one.json)
    const run = { connector_name: 'revised_line', particles_count: 2 }
    if (version === 1) {
      const dimensions = [{ transformations: [{ name: 'revised' }] }]
      expect((await asOwner('/chain/connector', { name: 'revised_line', dimensions })).status).toBe(201)
      const ran = [await send('POST', '/chain/simulate', run), await send('POST', '/chain/simulate', run)]
      expect(ran.map(({ status }) => status)).toEqual([200, 200])
      expect(ran[1]?.json).toEqual(ran[0]?.json)
    }
  }
})

test('what is published through one is listed at both, and a stream resumes at the other', async () => {
  const first = await EventStreamReader.open(`${origin}/chain/feed/stream`)
  const isMeta = ({ event }: Frame) => event === 'stream_meta'
  const begun = await first.until(isMeta)
  await publish('revised')
  await until('both sites list it', () => isPublished('revised'))
  const seen = await first.until(({ data }) => JSON.stringify(data ?? {}).includes('revised'))
  first.close()
  const last = [...begun, ...seen].findLast(({ id }) => id !== undefined)?.id as number

  await publish('second')
  await until('both sites list it', () => isPublished('second'))
  const resumed = await Promise.all(
    [0, 1].map(() =>
      EventStreamReader.open(`${origin}/chain/feed/stream`, { headers: { 'Last-Event-ID': String(last) } }),
    ),
  )
  expect(resumed.map(({ headers }) => headers[SERVED_BY]).toSorted()).toEqual(['0', '1'])
  for (const reader of resumed) {
    const frames = await reader.until(({ data }) => JSON.stringify(data ?? {}).includes('second'))
    const ids = frames.flatMap(({ id }) => id ?? [])
    expect(ids).toEqual(ids.map((_, index) => last + 1 + index))
    reader.close()
  }
})

test('a World uploaded at one is served by the other, and gone from both when it is deleted', async () => {
  const person = await signInToServices(origin)
  const { id } = await uploadWorld(origin, person.token, makeBundle({ slug: 'of-two-sites' }))
  const path = `/services/world-assets/${id}/index.html`
  const pages = [await fetch(origin + path), await fetch(origin + path)]
  const texts = await Promise.all(pages.map((page) => page.text()))
  expect(pages.map(({ status }) => status)).toEqual([200, 200])
  expect(texts[1]).toBe(texts[0])
  const deleted = await send('DELETE', `/services/worlds/${id}`, undefined, {
    Authorization: `Bearer ${person.token}`,
  })
  expect(deleted.status).toBe(204)
  for (const { status } of await both(path)) expect(status).toBe(404)
})
