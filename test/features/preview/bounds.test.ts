import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveNode } from '#lib/server/http/node-adapter.ts'
import type { CompileAnswer, TryAnswer } from '#lib/server/operations/studio/preview-schemas.ts'
import { SITE, startApi, type TestApi } from '#test/support/api.ts'
import { compileLimitMs } from '#test/support/compiler.ts'
import { hostileBodies } from '#test/support/hostile-bodies.ts'
import { listen, stop } from '#test/support/listen.ts'
import { sliceOf } from '#test/support/slice.ts'
import { until } from '#test/support/until.ts'

/** Requests that the studio's endpoints reject, and that one client cannot exhaust them for the others. */

/** Takes many seconds to compile. */
const SLOW = { kind: 'transformation', sol_src: `return x${'+1'.repeat(1000)};` }
const QUICK = { kind: 'transformation', sol_src: 'return x;' }
let api: TestApi

beforeAll(async () => {
  api = await startApi('studio')
})
afterAll(() => api?.close())

describe('limits of a request', () => {
  test.each<[string, string, unknown]>([
    ['/compile', 'another kind', { ...QUICK, kind: 'connector' }],
    ['/compile', 'a field too many', { ...QUICK, extra: 1 }],
    ['/compile', 'a body beyond any limit', { ...QUICK, sol_src: 'x'.repeat(65_537) }],
    ['/try', 'no x', QUICK],
    ['/try', 'x out of range', { ...QUICK, x: 4_294_967_296 }],
    ['/try', 'too many steps', { ...QUICK, x: 1, steps: 257 }],
    ['/try', 'no step', { ...QUICK, x: 1, steps: 0 }],
    ['/try', 'x for a condition', { kind: 'condition', sol_src: 'return true;', x: 1 }],
    ['/try', 'a negative argument', { ...QUICK, x: 1, args: [-1] }],
    ['/preview', 'no particle', { connector_name: 'A', particles_count: 0 }],
    ['/preview', 'too many particles', { connector_name: 'A', particles_count: 65_537 }],
    ['/preview', 'a name that is none', { connector_name: 'A B', particles_count: 1 }],
    [
      '/preview',
      'a reserved name in the document',
      { connector_name: 'A', particles_count: 1, bodies: [{ ...QUICK, name: 'contract' }] },
    ],
    [
      '/preview',
      'too many bodies',
      {
        connector_name: 'A',
        particles_count: 1,
        bodies: Array.from({ length: 201 }, (_, i) => ({ ...QUICK, name: `b${i}` })),
      },
    ],
    ['/explain', 'no step', { connector_name: 'A', path: '/A:0' }],
    ['/explain', 'a step that is no number', { connector_name: 'A', path: '/A:0', step: 'x' }],
  ])('400: %s with %s', async (path, _what, sent) => {
    expect((await api.post(path, sent)).status).toBe(400)
  })
})

test('400: the bodies of a document together may take as long as three of them', async () => {
  const slow = await startApi('studio', {}, (own) => ({
    config: { ...own.config, compile: { ...own.config.compile, timeoutMs: 7 } },
    compiler: {
      ...own.compiler,
      inspect: (_kind, _source, signal) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    },
  }))
  const bodies = [{ ...QUICK, name: 'b' }]
  const connectors = [{ name: 'A', dimensions: [{ transformations: [{ name: 'b', args: [] }] }] }]
  const { status, json } = await slow.post('/preview', {
    connector_name: 'A',
    particles_count: 1,
    connectors,
    bodies,
  })
  await slow.close()
  expect([status, json.message]).toEqual([400, expect.stringContaining('longer than 0.021 seconds')])
})

describe('hostile bodies', () => {
  // The compiler's own tests hold all of them; here it is the way through the endpoints.
  const short = hostileBodies.filter(({ body }) => body.length < 3000)
  const bodies = [
    ...sliceOf(
      short.filter(({ outcome }) => outcome === 'accepted'),
      8,
    ),
    ...sliceOf(
      short.filter(({ outcome }) => outcome === 'refused'),
      24,
    ),
  ]
  let small: TestApi
  beforeAll(async () => {
    small = await startApi('studio', { simulate: { ...api.services.config.simulate, gasLimit: 1_000_000n } })
  })
  afterAll(() => small?.close())

  test(`200: ${bodies.length} of them compile, or are refused with a reason, and do no harm when tried`, async () => {
    for (const { title, kind, body, outcome } of bodies) {
      const compiled = await small.post<CompileAnswer>('/compile', { kind, sol_src: body })
      expect(compiled.status, title).toBe(200)
      expect(compiled.json.args_count === null, title).toBe(outcome === 'refused')
      expect(compiled.json.diagnostics.length > 0, title).toBe(outcome === 'refused')
      const count = compiled.json.args_count
      if (count === null || count > 256) continue
      const given = kind === 'condition' ? {} : { x: 7 }
      const tried = await small.post<TryAnswer>('/try', {
        kind,
        sol_src: body,
        args: Array.from({ length: count }, () => 1),
        ...given,
      })
      expect([tried.status, tried.json.outcome], title).toEqual([200, 'ran'])
    }
    const fine = await small.post<TryAnswer>('/try', { ...QUICK, x: 7 })
    expect(fine.json).toMatchObject({ values: [7], rejection: null })
  })
})

describe('a busy server', () => {
  test('503: the compiler refuses more', async () => {
    const { config } = api.services
    const full = await startApi('studio', {
      compile: { ...config.compile, maxQueue: 0, timeoutMs: await compileLimitMs() },
    })
    try {
      const slow = full.post('/compile', SLOW)
      await until('the compiler is at work', () => full.services.pools.compile()?.running === 1)
      const answer = await full.post('/compile', QUICK)
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
      // Too slow is an answer about the body.
      expect(await slow).toMatchObject({
        status: 200,
        json: { diagnostics: [{ message: expect.stringContaining('took longer') }] },
      })
    } finally {
      await full.close()
    }
  })

  test('work is aborted when its client disconnects', async () => {
    const server = createServer(serveNode(api.dispatch))
    const origin = `http://127.0.0.1:${await listen(server)}`
    try {
      await api.post('/compile', QUICK)
      const before = api.services.pools.compile()!.outcomes.abandoned
      const leave = new AbortController()
      const headers = { origin: SITE, 'content-type': 'application/json' }
      const left = expect(
        fetch(`${origin}/studio/api/compile`, {
          method: 'POST',
          headers,
          body: JSON.stringify(SLOW),
          signal: leave.signal,
        }),
      ).rejects.toThrow()
      await until('the compiler is at work', () => api.services.pools.compile()?.running === 1)
      leave.abort()
      await left
      await until(
        'the work is given up',
        () => api.services.pools.compile()!.outcomes.abandoned === before + 1,
      )
      expect(api.services.pools.compile()).toMatchObject({ running: 0, waiting: 0 })
    } finally {
      await stop(server)
    }
  })
})
