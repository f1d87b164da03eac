import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError, DcnClient, DecentralisedArtClient } from '#lib/core/worlds/sdk/host.ts'
import { type Listening, listen } from './support/listen.ts'

const seen: string[] = []
let server: Listening
let client: DcnClient

beforeAll(async () => {
  server = await listen(async (request) => {
    const { pathname, search } = new URL(request.url)
    const authorization = request.headers.get('authorization')
    seen.push(`${request.method} ${pathname}${search}${authorization ? ` ${authorization}` : ''}`)
    if (pathname.endsWith('/missing'))
      return Response.json({ message: 'Connector not found' }, { status: 404 })
    if (pathname.endsWith('/broken')) return new Response('<html>', { status: 502 })
    return request.method === 'HEAD' ? new Response(null) : Response.json({ from: pathname })
  })
  client = new DcnClient({ baseUrl: `http://127.0.0.1:${server.port}/chain/`, accessToken: 'abc' })
})

afterAll(() => server.close())

test('both names mean the same class', () => {
  expect(DecentralisedArtClient).toBe(DcnClient)
})

test.each<[string, () => Promise<unknown>]>([
  ['GET /chain/connector/a%2Fb', () => client.connectorGet('a/b')],
  ['HEAD /chain/connector/a', () => client.connectorExists('a')],
  ['GET /chain/transformation/a', () => client.transformationGet('a')],
  ['HEAD /chain/condition/__proto__', () => client.conditionExists('__proto__')],
  ['GET /chain/formats?limit=50', () => client.listFormats()],
  ['GET /chain/format/abc?limit=2&after=x%26y', () => client.formatInfo('abc', { limit: 2, after: 'x&y' })],
  ['GET /chain/feed?limit=50&include_unfinalized=0', () => client.feed({ includeUnfinalized: false })],
  ['POST /chain/execute', () => client.execute('a', 4)],
  ['POST /chain/simulate', () => client.simulate('a', '4', {})],
])('%s', async (request, call) => {
  await call()
  expect(seen.at(-1)).toBe(`${request} Bearer abc`)
})

test('for a missing connector the check returns false and the read throws', async () => {
  expect(await client.connectorExists('missing')).toBe(false)
  await expect(client.connectorGet('missing')).rejects.toEqual(new ApiError(404, 'Connector not found'))
  await expect(client.connectorGet('missing')).rejects.toMatchObject({ status: 404 })
})

test('an answer that is no JSON still has its status', async () => {
  await expect(client.connectorGet('broken')).rejects.toMatchObject({ status: 502 })
  await expect(client.connectorExists('broken')).rejects.toMatchObject({ status: 502 })
})

test.each(['', '.', '..', '\ud800'])('a name that would be another address is not sent: %j', async (name) => {
  const before = seen.length
  await expect(client.connectorGet(name)).rejects.toMatchObject({ status: 400 })
  expect(seen).toHaveLength(before)
})
