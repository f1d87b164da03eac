import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PostgresServer } from '#scripts/stack/postgres.ts'
import { EventStreamReader, type Frame } from '#test/support/event-stream.ts'
import { startOwnPostgres } from '#test/support/instances.ts'
import { type NextSite, type Program, startNextSite, startProgram } from '#test/support/program.ts'

/*
 * The built program, whose own server answers the APIs, and beside it the same build under `next start`, whose route
 * handlers do, over one database: two instances of one network.
 */

let folder: string
let database: PostgresServer
let program: Program
let next: NextSite
/** Where the APIs are answered by the server of `npm start`, and by Next. */
let sites: Record<'own' | 'next', string>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'weft-adapters-'))
  database = await startOwnPostgres(folder)
  const environment = {
    DATABASE_URL: database.url(),
    CHAIN_TOKEN_KEY: 'ab'.repeat(32),
    SESSION_KEY: 'cd'.repeat(32),
  }
  program = startProgram(join(folder, 'data'), { ...environment, EXAMPLE_NETWORK: 'false' })
  const { site, chainRpc, chainId, registry, runner } = await program.ready()
  next = await startNextSite({
    ...environment,
    CHAIN_RPC_URL: chainRpc,
    CHAIN_ID: String(chainId),
    REGISTRY_ADDRESS: registry,
    RUNNER_ADDRESS: runner,
    SITE_ORIGIN: site,
  })
  sites = { own: site, next: next.origin }
})
afterAll(async () => {
  await next?.stop()
  await program?.stop()
  await database?.stop()
  rmSync(folder, { recursive: true, force: true })
})

interface Sent {
  readonly json?: unknown
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

function send(
  site: 'own' | 'next',
  method: string,
  path: string,
  { json, text, headers }: Sent = {},
): Promise<Response> {
  const body = text ?? (json === undefined ? null : JSON.stringify(json))
  const type = body === null ? {} : { 'content-type': 'application/json' }
  return fetch(sites[site] + path, { method, headers: { ...type, ...headers }, body })
}

/** Headers that must be the same: the rest belongs to the connection, or is one request's own. */
const HEADERS = [
  'content-type',
  'etag',
  'accept-encoding',
  'cache-control',
  'allow',
  'www-authenticate',
  'retry-after',
  'x-content-type-options',
  'access-control-allow-origin',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'access-control-expose-headers',
  'access-control-max-age',
]

const PAGE_HEADERS = [
  ...['x-frame-options', 'x-content-type-options', 'referrer-policy', 'permissions-policy'],
  ...['cross-origin-opener-policy', 'cross-origin-resource-policy', 'strict-transport-security'],
]

async function seenBy(site: 'own' | 'next', method: string, path: string, sent?: Sent) {
  const response = await send(site, method, path, sent)
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  return {
    status: response.status,
    headers: Object.fromEntries(HEADERS.map((name) => [name, response.headers.get(name)])),
    perOrigin: response.headers.get('vary')?.includes('Origin') ?? false,
    body: await response.text(),
  }
}

const stranger = { headers: { origin: 'https://stranger.example' } }

describe('both answer alike', () => {
  test.each<[number, string, string, Sent?]>([
    [200, 'GET', '/chain/accounts?limit=5'],
    [200, 'GET', '/chain/feed?limit=5', stranger],
    [200, 'HEAD', '/chain/accounts?limit=5'],
    [204, 'OPTIONS', '/chain/connector/pitch', stranger],
    [400, 'GET', '/chain/accounts?limit=0'],
    [404, 'HEAD', '/chain/connector/nobody'],
    [404, 'GET', '/chain/none'],
    [405, 'DELETE', '/chain/simulate'],
    [401, 'POST', '/chain/connector', { json: {} }],
    [400, 'POST', '/chain/simulate', { text: '{"connector_name":"a","connector_name":"b"}' }],
    [413, 'POST', '/chain/auth', { json: { message: 'a'.repeat(300_000) } }],
    [415, 'POST', '/chain/auth', { text: '{}', headers: { 'content-type': 'text/plain' } }],
    [415, 'POST', '/chain/simulate', { json: {}, headers: { 'content-encoding': 'gzip' } }],
    [304, 'GET', '/chain/accounts?limit=5', { headers: { 'if-none-match': '*' } }],
    [
      304,
      'GET',
      '/services/js/sdk/world-host.js',
      // Our own server alone compresses, which makes the ETag weak.
      { headers: { 'if-none-match': '*', 'accept-encoding': 'identity' } },
    ],
    [200, 'GET', '/services/openapi.json', { headers: { 'accept-encoding': 'identity' } }],
    [200, 'GET', '/chain/version/'],
    [400, 'POST', '/chain/simulate/', { json: {} }],
    [401, 'GET', '/services/auth/me', stranger],
    [404, 'GET', '/services/worlds/wld_none'],
    [404, 'GET', '/services/world-assets/wld_none/index.html'],
    [403, 'POST', '/studio/api/preview', { json: {}, ...stranger }],
  ])('%i to %s %s', async (status, method, path, sent) => {
    const own = await seenBy('own', method, path, sent)
    expect(own.status).toBe(status)
    expect(own).toEqual(await seenBy('next', method, path, sent))
    // Again, now perhaps from memory.
    expect(await seenBy('own', method, path, sent)).toEqual(own)
  })

  test.each(['/docs/concepts', '/studio', '/docs/api', '/run/none/image'])(
    '%s has the same headers, and a nonce that its own scripts carry',
    async (path) => {
      const [own, other] = await Promise.all(
        (['own', 'next'] as const).map(async (site) => {
          const response = await send(site, 'GET', path, {
            headers: {
              'content-security-policy': "script-src 'nonce-wished'",
              'content-security-policy-report-only': "script-src 'nonce-wished'",
            },
          })
          const policy = response.headers.get('content-security-policy') ?? ''
          const nonce = /'nonce-([\w-]+)'/.exec(policy)?.[1] ?? 'none'
          const carried = [...(await response.text()).matchAll(/<script[^>]* nonce="([^"]*)"/g)]
          if (!path.endsWith('/image')) expect(carried.length).toBeGreaterThan(1)
          for (const [, each] of carried) expect(each).toBe(nonce)
          // A cached copy would contain a known nonce.
          if (!path.endsWith('/image')) expect(response.headers.get('cache-control')).toContain('no-store')
          return {
            ...Object.fromEntries(PAGE_HEADERS.map((name) => [name, response.headers.get(name)])),
            // The one of our own server names one more script, which puts off the others until after the first paint.
            policy: policy.replaceAll(nonce, '').replace(/ 'sha256-[^']+'/g, ''),
          }
        }),
      )
      expect(other).toEqual(own)
      expect(own?.policy).toContain("script-src 'self' 'nonce-' 'strict-dynamic';")
    },
  )

  test.each(['/llms.txt', '/robots.txt', '/sitemap.xml', '/feed.xml', '/docs/concepts.md'])(
    '%s is a 304 for a client that has it',
    async (path) => {
      for (const site of ['own', 'next'] as const) {
        const { status, headers } = await send(site, 'GET', path)
        const etag = headers.get('etag') ?? ''
        expect([site, status, etag]).toEqual([site, 200, expect.stringMatching(/^W\/"/)])
        for (const names of [etag, etag.slice(2), '*']) {
          const unchanged = await send(site, 'GET', path, { headers: { 'if-none-match': names } })
          expect([site, unchanged.status, await unchanged.text()]).toEqual([site, 304, ''])
          expect(unchanged.headers.get('etag')).toBe(etag)
        }
      }
    },
  )

  test('a page with a slash at its end redirects to its one address, never to another host', async () => {
    for (const site of ['own', 'next'] as const) {
      const to = async (path: string) => {
        const answer = await fetch(sites[site] + path, { redirect: 'manual' })
        const location = answer.headers.get('location')
        return [answer.status, location && new URL(location, sites[site]).href.replace(sites[site], '')]
      }
      expect([site, await to('/docs/')]).toEqual([site, [308, '/docs']])
      expect([site, await to('/docs/concepts/?a=b')]).toEqual([site, [308, '/docs/concepts?a=b']])
      for (const path of ['//evil.example/', '/%5Cevil.example/', '///evil.example//']) {
        const [, location] = await to(path)
        expect(String(location ?? '/')).toMatch(/^\/(?!\/)/)
      }
      expect((await fetch(`${sites[site]}/nothing/at/all/`)).status).toBe(404)
    }
  })
})

test('a stream is the same, and ends where it is served when its reader leaves', async () => {
  const isMeta = ({ event }: Frame) => event === 'stream_meta'
  const readers = await Promise.all(
    (['own', 'next'] as const).map((site) => EventStreamReader.open(`${sites[site]}/chain/feed/stream`)),
  )
  const [own, viaNext] = await Promise.all(readers.map((reader) => reader.until(isMeta)))
  expect(viaNext).toEqual(own)
  for (const reader of readers) {
    expect(reader.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
    })
    expect(reader.headers['content-encoding']).toBeUndefined()
    reader.close()
  }
  for (const site of ['own', 'next'] as const) {
    const openStreams = async () => {
      const metrics = await (await fetch(`${sites[site]}/metrics`)).text()
      return Number(/^weft_streams_open\S* (\d+)$/m.exec(metrics)?.[1])
    }
    await expect.poll(openStreams).toBe(0)
  }
})

// The last: it takes the database away.
test('while the database is unavailable pages report it, in their text and status', async () => {
  await database.stop()
  for (const path of ['/', '/feed', '/connectors/drift', '/search?q=drift']) {
    const answer = await fetch(sites.own + path)
    expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '5'])
    expect(await answer.text()).toContain('The network cannot be read right now')
  }
  // The way to the lists stays where the wall cannot be read.
  const wall = await fetch(`${sites.own}/discover`)
  expect([wall.status, await wall.text()]).toEqual([503, expect.stringContaining('Pieces by name')])
  for (const path of ['/docs', '/status', '/healthz']) {
    expect(`${(await fetch(sites.own + path)).status} ${path}`).toBe(`200 ${path}`)
  }
})
