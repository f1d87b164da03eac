import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSessionDispatcher } from '#lib/server/operations/session/dispatcher.ts'
import { SITE, startApi, type TestApi } from '#test/support/api.ts'
import { challengeFor, newWallet } from '../services/people.ts'
import { FUZZ_TIMEOUT_MS, fuzzParameters } from './fuzz-runs.ts'
import { UNLIMITED } from './rates.ts'
import { bodyOf, hostileText } from './requests.ts'

/** Requests to the session of our own pages, with cookies of all kinds: none may end in a 500. */

const wallet = newWallet()
const PATHS = ['/session', '/session', '/session/others', '/session/network', '/session/x']
const METHODS = ['GET', 'POST', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS']

let api: TestApi
let handle: (request: Request) => Promise<Response>
/** A cookie as issued. */
let cookie: string
const defects: unknown[] = []

function send(method: string, path: string, body?: BodyInit, headers: Record<string, string> = {}) {
  return handle(
    new Request(`${SITE}${path}`, {
      method,
      headers: {
        'sec-fetch-site': 'same-origin',
        origin: SITE,
        'content-type': 'application/json',
        ...headers,
      },
      body: method === 'GET' || method === 'HEAD' ? null : (body ?? null),
    }),
  )
}

async function signIn(): Promise<Response> {
  const message = await challengeFor(api, wallet.address)
  return send(
    'POST',
    '/session',
    JSON.stringify({ message, signature: await wallet.signMessage({ message }) }),
  )
}

beforeAll(async () => {
  api = await startApi('services', { rateLimits: UNLIMITED })
  // A 500 has no details for its client; the log does.
  const log = pino({ level: 'error' }, { write: (line) => void defects.push(line) })
  handle = createSessionDispatcher({ services: async () => ({ ...api.services, log }) })
  const answer = await signIn()
  expect(answer.status).toBe(200)
  cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
})
afterAll(() => api?.close())

/** Headers are Latin-1 without control characters. */
const headerText = hostileText.map((text) => text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200))

test(
  'no request breaks the session',
  async () => {
    const cookies = fc.oneof(
      { weight: 3, arbitrary: fc.constant('valid') },
      { weight: 2, arbitrary: fc.nat().map((at) => `cut ${at}`) },
      { weight: 1, arbitrary: headerText },
    )
    const signed = fc.record({
      message: fc.oneof(hostileText, fc.constantFrom('Login nonce: 1', `${SITE} wants you to sign in`)),
      signature: fc.oneof(hostileText, fc.constant(`0x${'1'.repeat(130)}`)),
    })
    const requests = fc.record({
      method: fc.constantFrom(...METHODS),
      path: fc.constantFrom(...PATHS),
      sent: cookies,
      type: fc.constantFrom('application/json', 'application/json', 'text/plain', ';'),
      body: bodyOf(signed),
    })
    await fc.assert(
      fc.asyncProperty(requests, async ({ method, path, sent, type, body }) => {
        const [, cut] = /^cut (\d+)$/.exec(sent) ?? []
        const value = cut === undefined ? sent : cookie.slice(0, Number(cut) % cookie.length)
        const headers = { 'content-type': type, cookie: sent === 'valid' ? cookie : value }
        const answer = await send(method, path, body, headers)
        expect(answer.status, defects.join('\n')).toBeLessThan(500)
        const text = await answer.text()
        if (method === 'HEAD') expect(text).toBe('')
        else if (answer.status >= 400) expect(JSON.parse(text)).toEqual({ message: expect.any(String) })
      }),
      fuzzParameters(250),
    )
    // Signing out is among the requests; signing in restores the session.
    expect((await signIn()).status).toBe(200)
    expect(defects).toEqual([])
  },
  FUZZ_TIMEOUT_MS,
)
