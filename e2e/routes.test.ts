import { request } from 'node:http'
import { describe, expect, inject, test } from 'vitest'
import { chainOperations } from '../lib/server/operations/chain/index.ts'
import { servicesOperations } from '../lib/server/operations/services/index.ts'
import { bundleForm } from '../test/support/form.ts'

/*
 * The route files bind the dispatcher to its paths; what the dispatcher does is tested without them.
 */

const { chainApi, servicesApi } = inject('endpoints')

const EXAMPLES: Record<string, string> = {
  '{name}': 'pitch',
  '{address}': '0'.repeat(40),
  '{hash}': '0'.repeat(64),
  '{kind}': 'connector',
  '{id}': 'wld_none',
  '{path}': 'a/b.css',
  '{file}': 'world-runtime.js',
}
function fill(path: string) {
  return path.replaceAll(/\{\w+\}/g, (key) => EXAMPLES[key] ?? key)
}
const paths = [...new Set(chainOperations.map(({ path }) => path))]
function address(path: string) {
  return chainApi + fill(path)
}

describe.each(paths)('%s', (path) => {
  const documented: string[] = chainOperations
    .filter((operation) => operation.path === path)
    .map(({ method }) => method)

  test('OPTIONS is 204 with what the path allows', async () => {
    const response = await fetch(address(path), { method: 'OPTIONS' })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-max-age')).toBe('600')
    expect(response.headers.get('access-control-allow-methods')?.split(', ').toSorted()).toEqual(
      [...documented, 'OPTIONS'].toSorted(),
    )
    expect(response.headers.get('content-type')).toBeNull()
    expect(await response.text()).toBe('')
  })

  test('methods that are not documented are 405, HEAD among them', async () => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (documented.includes(method)) continue
      const response = await fetch(address(path), { method })
      expect(response.status, method).toBe(405)
      expect(response.headers.get('allow')).toContain('OPTIONS')
      if (method === 'HEAD') expect(response.headers.get('content-type')).toBeNull()
      else expect(await response.json()).toEqual({ message: 'This path has no such method' })
    }
  })
})

test.each(['', '/', '/none', '/connector', '/connector/a/b', '/version/x', '/openapi'])(
  '%s: JSON whatever',
  async (path) => {
    const response = await fetch(`${chainApi}${path}`)
    expect([404, 405]).toContain(response.status)
    expect(Object.keys((await response.json()) as object)).toEqual(['message'])
  },
)

test.each([
  ['/connector/%70itch', 200],
  ['/%63onnector/pitch', 200],
  ['/connector/pit%2Fch', 400],
  ['/connector/%00', 400],
  ['/connector/pitch%20', 400],
  ['/accounts?limit=5&limit=5', 400],
  ['/accounts?limit=%35', 200],
  ['/accounts?limit=5&after=%zz', 400],
  ['/connector/%zz', 400],
  ['/connector/%E0%A4%A', 400],
  ['/version/', 200],
  ['//version', 404],
])('%s is %i: the path reaches the dispatcher as it was sent', async (path, status) => {
  expect((await fetch(chainApi + path)).status).toBe(status)
})

test('a method that the web has no name for is 405, not a failure', async () => {
  const status = await new Promise((resolve, reject) => {
    request(`${chainApi}/version`, { method: 'TRACE' }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
  expect(status).toBe(405)
})

test('an asterisk in place of a path is 400, not a failure', async () => {
  const status = await new Promise((resolve, reject) => {
    request(new URL(chainApi).origin, { path: '*' }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
  expect(status).toBe(400)
})

test('HEAD announces no body', async () => {
  const response = await fetch(`${chainApi}/connector/pitch`, { method: 'HEAD' })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBeNull()
})

test('a large body is refused while it is being sent, announced or not', async () => {
  const text = JSON.stringify({ name: 'a'.repeat(300_000) })
  const announced = await fetch(`${chainApi}/auth`, {
    method: 'POST',
    body: text,
    headers: { 'content-type': 'application/json' },
  })
  expect(announced.status).toBe(413)
  let chunks = 0
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      chunks += 1
      if (chunks > 2000) controller.close()
      else controller.enqueue(new Uint8Array(16_384).fill(32))
    },
  })
  const streamed = await fetch(`${chainApi}/simulate`, {
    method: 'POST',
    body: endless,
    duplex: 'half',
    headers: { 'content-type': 'application/json' },
  } as RequestInit)
  expect(streamed.status).toBe(413)
})

test('the document is served, and cacheable', async () => {
  const response = await fetch(`${chainApi}/openapi.json`)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('cache-control')).toBe('public, max-age=60')
  expect(await response.json()).toMatchObject({ openapi: '3.0.3' })
})

describe('the services API', () => {
  const servicesPaths = [...new Set(servicesOperations.map(({ path }) => path))]

  test.each(servicesPaths)(
    '%s: OPTIONS is 204, and other methods are 405 with an empty body',
    async (path) => {
      const documented: string[] = servicesOperations
        .filter((operation) => operation.path === path)
        .map(({ method }) => method)
      const url = servicesApi + fill(path)
      const preflight = await fetch(url, { method: 'OPTIONS' })
      expect(preflight.status).toBe(204)
      expect(preflight.headers.get('access-control-allow-methods')?.split(', ').toSorted()).toEqual(
        [...documented, 'OPTIONS'].toSorted(),
      )
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        if (documented.includes(method)) continue
        const response = await fetch(url, { method })
        expect([response.status, await response.text()], method).toEqual([405, ''])
        expect(response.headers.get('content-type'), method).toBeNull()
      }
    },
  )

  test.each([
    '',
    '/',
    '/none',
    '/users/a/b',
    '//health',
    '/healthy/',
    '/worlds/%zz',
    '/world-assets/x/%E0%A4%A',
  ])('%s: 404 and empty, or what a World endpoint says in words', async (path) => {
    const response = await fetch(servicesApi + path)
    const text = await response.text()
    expect(response.status).toBe(404)
    expect(text === '' || response.headers.get('content-type')?.startsWith('text/plain')).toBe(true)
  })

  test('a bundle of 25 MiB is read whole; one byte more is refused in words, announced or not', async () => {
    const limit = 25 * 1024 * 1024
    const send = async (bytes: number, streamed: boolean) => {
      const form = await bundleForm(new Uint8Array(bytes))
      const body = streamed ? new Blob([form.body]).stream() : form.body
      const init = { method: 'POST', headers: form.headers, body, duplex: 'half' }
      const response = await fetch(`${servicesApi}/worlds/validate`, init as RequestInit)
      return { status: response.status, text: await response.text() }
    }
    for (const streamed of [false, true]) {
      // Zeros are no ZIP; what matters is that they were all taken.
      expect(await send(limit, streamed)).toMatchObject({ status: 400 })
      const over = await send(limit + 1, streamed)
      expect(over).toEqual({ status: 413, text: 'The file is larger than 25 MiB' })
    }
  })

  test('the document is served', async () => {
    const response = await fetch(`${servicesApi}/openapi.json`)
    expect(await response.json()).toMatchObject({ openapi: '3.0.3', servers: [{ url: '/services' }] })
  })
})
