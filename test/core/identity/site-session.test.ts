import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Services } from '#lib/core/context/context.ts'
import { issueChainToken } from '#lib/core/identity/chain-token.ts'
import { setSuspended } from '#lib/core/people/account-status.ts'
import { createChainDispatcher } from '#lib/server/operations/chain/dispatcher.ts'
import { createServicesDispatcher } from '#lib/server/operations/services/dispatcher.ts'
import { createSessionDispatcher } from '#lib/server/operations/session/dispatcher.ts'
import { challengeFor, newWallet, signIn, type Wallet } from '#test/server/services/people.ts'
import { type Answer, SAME_ORIGIN, SITE, startApi, type TestApi } from '#test/support/api.ts'
import { lower } from '#test/support/lower.ts'

/*
 * The cookie of our own site, over its session endpoints and both APIs in one process. `Browser` stores a cookie and
 * sends `Sec-Fetch-Site` and `Origin`, as browsers do.
 */

let api: TestApi
let fetchSite: (request: Request) => Promise<Response>

beforeAll(async () => {
  api = await startApi('services')
  fetchSite = siteOf(api.services)
})
afterAll(() => api?.close())

/** All that answers at the site's address. */
function siteOf(own: Services): (request: Request) => Promise<Response> {
  const services = async () => own
  const parts = {
    session: createSessionDispatcher({ services }),
    services: createServicesDispatcher({ services, validateResponses: true }),
    chain: createChainDispatcher({ services, validateResponses: true }),
  }
  return (request) => parts[new URL(request.url).pathname.split('/')[1] as keyof typeof parts](request)
}

type PageAnswer = Pick<Answer, 'status' | 'headers' | 'json'>

/** The cookie jar of one browser. */
class Browser {
  cookie: string | undefined

  async send(
    method: string,
    path: string,
    json?: unknown,
    headers: Record<string, string> = SAME_ORIGIN,
  ): Promise<PageAnswer> {
    const response = await fetchSite(
      new Request(`${SITE}${path}`, {
        method,
        headers: {
          ...(this.cookie !== undefined && { cookie: `theme=dark; ${this.cookie}; other=1` }),
          ...(json !== undefined && { 'content-type': 'application/json' }),
          host: 'localhost:3000',
          ...headers,
        },
        body: json === undefined ? null : JSON.stringify(json),
      }),
    )
    for (const set of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = set.split('; ')
      this.cookie = attributes.some((attribute) => /^max-age=0$/i.test(attribute)) ? undefined : pair
    }
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      json: text === '' ? undefined : JSON.parse(text),
    }
  }

  async signIn(wallet: Wallet): Promise<PageAnswer> {
    const message = await challengeFor(api, wallet.address)
    return this.send('POST', '/session', { message, signature: await wallet.signMessage({ message }) })
  }

  /** Tells whether the two APIs accept the cookie as authentication. */
  async trusted(
    headers: Record<string, string> = SAME_ORIGIN,
  ): Promise<{ services: boolean; chain: boolean }> {
    const services = await this.send('GET', '/services/auth/me', undefined, headers)
    // Rejected for its content, but only for an authenticated caller.
    const chain = await this.send(
      'POST',
      '/chain/transformation',
      { name: 'if', sol_src: 'return x;' },
      headers,
    )
    expect([200, 401]).toContain(services.status)
    expect([400, 401]).toContain(chain.status)
    return { services: services.status === 200, chain: chain.status === 400 }
  }
}

const NOBODY = { services: false, chain: false }
async function signedIn(): Promise<{ browser: Browser; wallet: Wallet }> {
  const [browser, wallet] = [new Browser(), newWallet()]
  expect((await browser.signIn(wallet)).status).toBe(200)
  return { browser, wallet }
}

describe('the session of the site', () => {
  test('visitor, signed in for both APIs by one signature, and out again', async () => {
    const [browser, wallet] = [new Browser(), newWallet()]
    expect((await browser.send('GET', '/session')).json).toEqual({ session: null })
    expect(await browser.trusted()).toEqual(NOBODY)

    const { json } = await browser.signIn(wallet)
    const expected = {
      address: wallet.address,
      roles: ['user'],
      notices: 0,
      expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
      name: null,
    }
    expect(json).toEqual({ session: expected })
    expect((await browser.send('GET', '/session')).json).toEqual({ session: expected })
    expect(await browser.trusted()).toEqual({ services: true, chain: true })

    const kept = browser.cookie
    const out = await browser.send('DELETE', '/session')
    expect([out.status, out.json, out.headers.get('content-type')]).toEqual([204, undefined, null])
    expect(browser.cookie).toBeUndefined()
    // The server forgets the session too, and with it everything the cookie stood for.
    browser.cookie = kept
    expect(await browser.trusted()).toEqual(NOBODY)
    const read = await browser.send('GET', '/session')
    expect([read.json, read.headers.getSetCookie()]).toEqual([{ session: null }, []])
    expect((await browser.send('DELETE', '/session')).status).toBe(204)
    expect(browser.cookie).toBeUndefined()
  })

  test('the cookie is sealed, HttpOnly, SameSite, for all paths; no answer shows a token', async () => {
    const [browser, wallet] = [new Browser(), newWallet()]
    const answers = [await browser.signIn(wallet), await browser.send('GET', '/session')]
    const [header] = (answers[0] as PageAnswer).headers.getSetCookie()
    expect(header).toMatch(/^weft-session=Fe26\.2\*/)
    expect(header).toMatch(/; HttpOnly/)
    expect(header).toMatch(/; SameSite=Lax/i)
    expect(header).toMatch(/; Path=\//)
    const { sql } = api.db
    const [row] = await sql`select selector from sessions where address = ${lower(wallet.address)}`
    const told = JSON.stringify(answers.map(({ json, headers }) => [json, [...headers]]))
    expect(told).not.toContain(row?.selector)
    expect(told).not.toMatch(/eyJ/)
    expect(answers.every(({ headers }) => headers.get('cache-control') === 'no-store')).toBe(true)
    expect(answers.every(({ headers }) => !headers.has('access-control-allow-origin'))).toBe(true)
  })

  test('a site with TLS marks the cookie Secure and binds it to the host', async () => {
    const site = 'https://weft.example'
    const own = {
      ...api.services,
      config: { ...api.services.config, siteOrigin: site, allowedOrigins: [site] },
    }
    const wallet = newWallet()
    const tls = siteOf(own)
    const post = (path: string, json: unknown) =>
      tls(
        new Request(`${site}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', origin: site },
          body: JSON.stringify(json),
        }),
      )
    const asked = await post('/services/auth/siwe/challenge', { address: wallet.address, chain_id: 1 })
    const { message } = (await asked.json()) as { message: string }
    const answer = await post('/session', { message, signature: await wallet.signMessage({ message }) })
    expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-weft-session=.*; Secure/)
  })

  test('the access to the chain API lasts as long as the session', async () => {
    const { browser } = await signedIn()
    api.advance(5 * 60_000 + 1000)
    expect(await browser.trusted()).toEqual({ services: true, chain: true })
  })

  test('signing in as another ends the session before once its requests are answered', async () => {
    const { browser } = await signedIn()
    const before = browser.cookie
    const other = newWallet()
    expect((await browser.signIn(other)).json).toMatchObject({
      session: { address: other.address },
    })
    // A request that was under way before the browser stored the new cookie.
    browser.cookie = before
    expect((await browser.trusted()).services).toBe(true)
    api.advance(60_001)
    expect(await browser.trusted()).toEqual(NOBODY)
  })

  test('a failed sign-in changes nothing', async () => {
    const { browser, wallet } = await signedIn()
    const before = browser.cookie
    const message = await challengeFor(api, wallet.address)
    const signature = await newWallet().signMessage({ message })
    expect((await browser.send('POST', '/session', { message, signature })).status).toBe(401)
    expect(browser.cookie).toBe(before)
    expect(await browser.trusted()).toEqual({ services: true, chain: true })
  })

  test('signing out everywhere else ends the other sessions of this account, and of no other', async () => {
    const { browser: here, wallet } = await signedIn()
    const [there, stranger] = [new Browser(), await signedIn()]
    await there.signIn(wallet)
    const program = { authorization: `Bearer ${await signIn(api, wallet)}` }
    const other = { 'sec-fetch-site': 'same-site', origin: 'https://weft.example' }
    expect((await here.send('DELETE', '/session/others', undefined, other)).status).toBe(403)
    expect((await new Browser().send('DELETE', '/session/others')).status).toBe(401)
    expect((await there.trusted()).services).toBe(true)

    expect((await here.send('DELETE', '/session/others')).status).toBe(204)
    expect((await here.trusted()).services).toBe(true)
    expect((await there.trusted()).services).toBe(false)
    expect((await new Browser().send('GET', '/services/auth/me', undefined, program)).status).toBe(401)
    expect((await stranger.browser.trusted()).services).toBe(true)
  })

  test('deletion and suspension hold for the cookie at once, on both APIs', async () => {
    const one = await signedIn()
    expect((await one.browser.send('DELETE', `/services/users/${one.wallet.address}`)).status).toBe(204)
    expect(await one.browser.trusted()).toEqual(NOBODY)

    const two = await signedIn()
    const address = lower(two.wallet.address)
    const bearer = { authorization: `Bearer ${await issueChainToken(api.services, address)}` }
    expect((await new Browser().trusted(bearer)).chain).toBe(true)
    await setSuspended(api.services, { address, suspended: true, operator: 'ops', reason: 'spam' })
    expect(await two.browser.trusted()).toEqual(NOBODY)
    expect((await two.browser.signIn(two.wallet)).status).toBe(401)
    expect((await new Browser().trusted(bearer)).chain).toBe(false)
  })
})

describe('requests that are not from our own pages', () => {
  test.each<[string, Record<string, string>]>([
    ['a fetch', { 'sec-fetch-site': 'same-origin' }],
    ['a post', SAME_ORIGIN],
    [
      'a post by another name of the site',
      { 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' },
    ],
    ['a post of an old browser', { origin: SITE }],
    ['a fetch of an old browser', { referer: `${SITE}/studio?a=1` }],
  ])('%s of our own pages is', async (_what, headers) => {
    const { browser } = await signedIn()
    expect(await browser.trusted(headers)).toEqual({ services: true, chain: true })
    expect((await browser.send('GET', '/session', undefined, headers)).json).not.toEqual({ session: null })
  })
})

describe('a cookie that is not ours', () => {
  async function trustedWith(cookie: string | undefined) {
    const browser = new Browser()
    browser.cookie = cookie
    return browser.trusted()
  }

  test('edited, cut, empty, foreign or with the token in the open', async () => {
    const { browser, wallet } = await signedIn()
    const good = browser.cookie as string
    // The seal ends with the number of its format, which is outside of it and means nothing.
    const [seal = ''] = good.split('~')
    const token = await signIn(api, wallet)
    const middle = Math.floor(good.length / 2)
    const flipped = good[middle] === 'A' ? 'B' : 'A'
    for (const cookie of [
      `${good.slice(0, middle)}${flipped}${good.slice(middle + 1)}`,
      seal.slice(0, -1),
      `${seal.slice(0, -1)}${seal.endsWith('A') ? 'Q' : 'A'}`,
      `${seal}*`,
      `${seal}AAAA`,
      good.replace('weft-session=', 'weft-session='.repeat(2)),
      good.replace('weft-session', 'Weft-Session'),
      'weft-session=',
      `weft-session=${token}`,
      `weft-session=${encodeURIComponent(JSON.stringify({ token }))}`,
      'weft-session=__proto__',
      `weft-session=${'A'.repeat(100_000)}`,
    ]) {
      expect(await trustedWith(cookie), cookie.slice(0, 60)).toEqual(NOBODY)
    }
    expect(await trustedWith(good)).toEqual({ services: true, chain: true })
  })

  test('sealed with another key', async () => {
    const other = siteOf({
      ...api.services,
      config: { ...api.services.config, sessionKey: new Uint8Array(32).fill(1) },
    })
    const { browser } = await signedIn()
    const headers = { cookie: browser.cookie as string, ...SAME_ORIGIN }
    const answer = await other(new Request(`${SITE}/services/auth/me`, { headers }))
    expect(answer.status).toBe(401)
  })
})

describe('one proof at a time', () => {
  test('a bad bearer token is not made good by a cookie', async () => {
    const { browser } = await signedIn()
    for (const authorization of [
      'Bearer x',
      'Basic eA==',
      '',
      `Bearer ${'0'.repeat(64)}.${'0'.repeat(64)}`,
    ]) {
      expect(await browser.trusted({ ...SAME_ORIGIN, authorization })).toEqual(NOBODY)
    }
  })

  test('the two tokens are not interchangeable', async () => {
    const wallet = newWallet()
    const session = await signIn(api, wallet)
    const chain = await issueChainToken(api.services, lower(wallet.address))
    const with_ = (token: Hex | string) => new Browser().trusted({ authorization: `Bearer ${token}` })
    expect(await with_(session)).toEqual({ services: true, chain: false })
    expect(await with_(chain)).toEqual({ services: false, chain: true })
  })

  test('bearer tokens work from anywhere, with no cookie', async () => {
    const wallet = newWallet()
    const headers = {
      authorization: `Bearer ${await signIn(api, wallet)}`,
      'sec-fetch-site': 'cross-site',
      origin: 'https://evil.example',
    }
    expect((await new Browser().trusted(headers)).services).toBe(true)
  })
})

describe('the endpoints', () => {
  test('404, 405, 413, 415 and 400 have messages', async () => {
    const browser = new Browser()
    const { headers, status } = await browser.send('PUT', '/session', {})
    expect([status, headers.get('allow')]).toEqual([405, 'GET, POST, DELETE'])
    expect((await browser.send('GET', '/session/nothing')).status).toBe(404)
    const message = 'a'.repeat(5000)
    for (const json of [
      {},
      [],
      null,
      { message, signature: '0x' },
      { message: 'a', signature: '0x', x: 1 },
    ]) {
      const answer = await browser.send('POST', '/session', json)
      expect(answer.status).toBe(400)
      expect((answer.json as { message: string }).message).not.toBe('')
    }
    expect((await browser.send('POST', '/session', { message: 'a'.repeat(20_000) })).status).toBe(413)
    const form = { ...SAME_ORIGIN, 'content-type': 'application/x-www-form-urlencoded' }
    expect((await browser.send('POST', '/session', 'message=a', form)).status).toBe(415)
  })
})
