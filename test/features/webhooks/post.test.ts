import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postJson } from '#lib/features/webhooks/post.ts'
import { listen } from '#test/support/listen.ts'

const PUBLIC_ONLY = { allowLoopback: false }
const DEVELOPMENT = { allowLoopback: true }

describe('requests', () => {
  let port: number
  const reached: string[] = []
  const server = createServer((request, response) => {
    reached.push(request.url ?? '')
    if (request.url === '/redirect') response.writeHead(302, { location: '/elsewhere' }).end()
    else if (request.url === '/silent') return
    else if (request.url === '/endless') {
      const more = () => {
        if (!response.destroyed) response.write('x'.repeat(16_384), more)
      }
      more()
    } else if (request.url === '/slow-endless') {
      response.write('a')
    } else response.writeHead(request.url === '/gone' ? 410 : 200).end('thank\0you\u{1f600}')
  })
  beforeAll(async () => {
    port = await listen(server)
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const post = (path: string, timeoutMs?: number) =>
    postJson(`http://localhost:${port}${path}`, { 'webhook-id': 'x' }, '{}', { ...DEVELOPMENT, timeoutMs })

  test('an answer of 200 and of 410', async () => {
    expect(await post('/')).toMatchObject({ status: 200, error: undefined, answer: 'thank you\u{1f600}' })
    expect(await post('/gone')).toMatchObject({ status: 410, error: 'status 410' })
  })

  test('redirects are not followed', async () => {
    expect(await post('/redirect')).toMatchObject({
      status: 302,
      error: 'status 302: redirects are not followed',
    })
    expect(reached).not.toContain('/elsewhere')
  })

  test('an endless answer counts by its status, as much of it as is read', async () => {
    const attempt = await post('/endless')
    expect(attempt).toMatchObject({ status: 200, error: undefined })
    expect(attempt.answer).toHaveLength(400)
  })

  test('a receiver that does not answer, or not to the end, is given up', async () => {
    for (const path of ['/silent', '/slow-endless']) {
      expect(await post(path, 300), path).toMatchObject({
        status: null,
        error: 'no complete answer within 0.3 seconds',
      })
    }
  })

  test('without the setting this machine is not reached', async () => {
    reached.length = 0
    const attempt = await postJson(`http://localhost:${port}/`, {}, '{}', PUBLIC_ONLY)
    expect(attempt).toMatchObject({ status: null, error: expect.stringContaining('https') })
    expect(reached).toEqual([])
  })

  test('a port where nothing listens', async () => {
    const closed = createServer()
    const free = await listen(closed)
    await new Promise((resolve) => closed.close(resolve))
    expect(await postJson(`http://127.0.0.1:${free}/`, {}, '{}', DEVELOPMENT)).toMatchObject({
      status: null,
      error: expect.stringContaining('ECONNREFUSED'),
    })
  })
})
