import { expect, test } from 'vitest'
import { createDispatcher } from '#lib/server/http/dispatch.ts'
import { chainErrors } from '#lib/server/http/errors.ts'
import { defineOperation } from '#lib/server/http/operation.ts'
import { bareServices } from '#test/support/bare-services.ts'

/** A read whose runs end under control of the test. */
function startReads(cache?: string) {
  const runs: { readonly end: () => void; readonly signal: AbortSignal }[] = []
  const operation = defineOperation({
    ...{ id: 'GET_thing', api: 'chain', method: 'GET', path: '/thing', tag: 'core', auth: 'none' },
    ...{ summary: 'x', description: 'x', request: {} },
    ...(cache !== undefined && { cache }),
    responses: { 200: { description: 'x', contentType: 'text/plain' } },
    handler: async ({ signal }) => {
      const run = runs.length
      await new Promise<void>((end) => runs.push({ end, signal }))
      return { status: 200, body: `run ${run}` }
    },
  })
  const dispatch = createDispatcher([operation], {
    base: '/api',
    services: async () => bareServices(),
    errors: chainErrors,
    authenticate: () => expect.unreachable(),
  })
  const get = (init?: RequestInit) => dispatch(new Request('http://h/api/thing', init))
  const begun = (count: number) => expect.poll(() => runs.length).toBe(count)
  return { runs, get, begun }
}

/** Until the requests that were sent wait for the read, which they do before any timer or answer of the system. */
function arrived(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

test('concurrent clients get one response, from a read that began after each request', async () => {
  const { runs, get, begun } = startReads('no-cache')
  const first = get()
  await begun(1)
  const later = [get(), get(), get()]
  await arrived()
  runs[0]?.end()
  expect(await (await first).text()).toBe('run 0')
  await begun(2)
  runs[1]?.end()
  const responses = await Promise.all(later)
  expect(await Promise.all(responses.map((each) => each.text()))).toEqual(['run 1', 'run 1', 'run 1'])
  expect(new Set(responses.map(({ headers }) => headers.get('x-request-id'))).size).toBe(3)
  expect(runs).toHaveLength(2)
})

test('conditions and departures stay those of one client', async () => {
  const { runs, get, begun } = startReads('no-cache')
  const leaving = new AbortController()
  const first = get({ signal: leaving.signal })
  await begun(1)
  leaving.abort()
  expect(runs[0]?.signal.aborted).toBe(false)
  const whole = get()
  const unchanged = get({ headers: { 'if-none-match': '*' } })
  await arrived()
  runs[0]?.end()
  await first
  await begun(2)
  runs[1]?.end()
  expect([(await whole).status, await (await whole).text()]).toEqual([200, 'run 1'])
  expect([(await unchanged).status, await (await unchanged).text()]).toEqual([304, ''])
})

test('what may not be stored is not shared', async () => {
  const { runs, get, begun } = startReads()
  const both = [get(), get()]
  await begun(2)
  for (const { end } of runs) end()
  const texts = await Promise.all(both.map(async (each) => (await each).text()))
  expect(texts.toSorted()).toEqual(['run 0', 'run 1'])
})
