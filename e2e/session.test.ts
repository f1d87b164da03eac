import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { testBrowser } from '#test/support/browser.ts'

/*
 * The cookie of the site in a real browser, beside pages that mean harm: one on another port of the same machine, to
 * which SameSite is no obstacle, one on another site, and a sandboxed frame inside our own page.
 */

const { site } = inject('endpoints')
const wallet = privateKeyToAccount(generatePrivateKey())

const browser = testBrowser()
let context: BrowserContext
let page: Page
let stranger: Server

beforeAll(async () => {
  context = await browser().newContext()
  page = await context.newPage()
  await page.goto(site)
  stranger = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>stranger</title><body>')
  })
  await new Promise<void>((resolve) => stranger.listen(0, '0.0.0.0', resolve))
})
afterAll(async () => {
  await context?.close()
  stranger?.closeAllConnections()
  await new Promise((resolve) => stranger?.close(resolve))
})

interface Told {
  readonly status: number
  readonly json: unknown
}

/** A request of a script in our own page. */
function call(method: string, path: string, json?: unknown): Promise<Told> {
  return page.evaluate(
    async ({ method, path, json }) => {
      const response = await fetch(path, {
        method,
        ...(json !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(json),
        }),
      })
      const text = await response.text()
      return { status: response.status, json: text === '' ? null : JSON.parse(text) }
    },
    { method, path, json },
  )
}

async function signIn(): Promise<void> {
  const asked = await call('POST', '/services/auth/siwe/challenge', {
    address: wallet.address,
    chain_id: 31_337,
  })
  expect(asked.status).toBe(200)
  const { message } = asked.json as { message: string }
  const signed = { message, signature: await wallet.signMessage({ message }) }
  expect((await call('POST', '/session', signed)).status).toBe(200)
}

async function expectSignedIn(): Promise<void> {
  expect((await call('GET', '/session')).json).toMatchObject({ session: { address: wallet.address } })
  expect(await call('GET', '/services/auth/me')).toMatchObject({ status: 200, json: { status: 'active' } })
}

describe('pages that mean harm', () => {
  /** Requests that a hostile page can send without a preflight: their answers are unreadable, but they are sent. */
  async function attack(target: Page): Promise<void> {
    await target.evaluate(async (site) => {
      const send = (path: string, init: RequestInit) =>
        fetch(site + path, { credentials: 'include', mode: 'no-cors', ...init }).catch(() => undefined)
      await send('/services/auth/logout', { method: 'POST' })
      await send('/session', { method: 'POST', body: '{"message":"a","signature":"b"}' })
      await send('/session', { method: 'DELETE', mode: 'cors' })
      await send('/services/auth/logout', { method: 'POST', mode: 'cors' })
      const frame = document.createElement('iframe')
      frame.name = 'out'
      document.body.append(frame)
      const form = document.createElement('form')
      form.method = 'post'
      form.action = `${site}/services/auth/logout`
      form.target = 'out'
      document.body.append(form)
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
      form.submit()
      await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, 1000))])
    }, site)
  }

  test.each(['localhost', '127.0.0.1'])('on another port of %s', async (host) => {
    await page.goto(site)
    await signIn()
    const other = await context.newPage()
    const carried: string[] = []
    other.on('request', async (request) => {
      const headers = await request.allHeaders().catch(() => ({}) as Record<string, string>)
      if (headers.cookie?.includes('weft-session')) carried.push(request.url())
    })
    await other.goto(`http://${host}:${(stranger.address() as AddressInfo).port}/`)
    await attack(other)
    const readable = await other.evaluate(
      (site) =>
        fetch(`${site}/session`, { credentials: 'include' }).then(
          () => true,
          () => false,
        ),
      site,
    )
    expect(readable).toBe(false)
    // A neighbour's requests do carry the cookie: that it proves nothing there is what is tested.
    if (host === new URL(site).hostname) await expect.poll(() => carried.length).toBeGreaterThan(0)
    await other.close()
    await expectSignedIn()
  })

  test('in a sandboxed frame of our own page, as Worlds are', async () => {
    // The first page contains frames.
    await page.goto(`${site}/status`)
    await signIn()
    const told = await page.evaluate(async (site) => {
      const frame = document.createElement('iframe')
      frame.sandbox.add('allow-scripts', 'allow-forms')
      const heard = new Promise<unknown>((resolve) => {
        addEventListener('message', ({ data }) => resolve(data), { once: true })
      })
      frame.src = `data:text/html,<script>${encodeURIComponent(`
        const send = (path, init) => fetch('${site}' + path, { credentials: 'include', ...init }).then((r) => r.status, () => 0)
        Promise.all([
          send('/session'), send('/services/auth/me'),
          send('/services/auth/logout', { method: 'POST', mode: 'no-cors' }),
          send('/session', { method: 'DELETE' }),
        ]).then((statuses) => parent.postMessage(statuses, '*'))`)}</script>`
      document.body.append(frame)
      return Promise.race([heard, new Promise((resolve) => setTimeout(() => resolve('nothing'), 3000))])
    }, site)
    // A content policy of our page that blocks such frames is as good.
    if (told !== 'nothing') expect(told).toEqual([0, 0, 0, 0])
    await expectSignedIn()
  })
})
