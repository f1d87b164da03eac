import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageHeaders } from '#lib/server/page-policy/page-headers.ts'
import { SERVICE_WORKER_HEADERS } from '#lib/server/page-policy/worker-csp.ts'
import { assetsIn, isAsset } from '#lib/ui/studio/offline/assets.ts'
import { SERVICE_WORKER_SCRIPT } from '#lib/ui/studio/offline/built/service-worker-script.ts'
import { testBrowser } from '#test/support/browser.ts'
import { GET } from '../../../app/studio/worker.js/route.ts'

/*
 * The studio's service worker in a real browser, under the policy of the site: a small site of two releases takes the
 * place of the built one.
 */

let server: Server | undefined
let port = 0
let release = 1
let script: 'registerServiceWorker' | 'removeServiceWorker' = 'registerServiceWorker'
let register = ''
const browser = testBrowser()
let page: Page

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from './lib/ui/studio/offline/register.ts'`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'offline',
  })
  register = outputFiles[0]?.text ?? ''
  await start()
  page = await (await browser().newContext()).newPage()
})
afterAll(async () => {
  await stop()
})

async function start(): Promise<void> {
  const headersOf = pageHeaders({
    siteOrigin: 'http://127.0.0.1',
    assetOrigin: undefined,
    walletConnectProjectId: undefined,
    rpcUrl: undefined,
    inlineScripts: [],
  })
  server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname
    if (path === '/studio/worker.js') {
      response.setHeaders(new Map(Object.entries(SERVICE_WORKER_HEADERS))).end(SERVICE_WORKER_SCRIPT)
    } else if (path === '/studio/api/answer' || path === '/chain/feed') {
      response.setHeader('content-type', 'application/json').end(`{"release":${release}}`)
    } else if (path.startsWith('/_next/static/')) {
      const text = files().get(path)
      response.writeHead(text === undefined ? 404 : 200, {
        'content-type': 'text/javascript',
        // So that what is there offline is there by the service worker. Scripts of other workers are outside its scope:
        // browsers have those in their own cache, for which it fetches them.
        'cache-control': path.includes('engine') ? 'public, max-age=31536000, immutable' : 'no-store',
      })
      response.end(text)
    } else {
      response.setHeader('content-type', 'text/html')
      const headers = headersOf(path)
      const [, nonce = ''] = /'nonce-([^']+)'/.exec(headers['Content-Security-Policy']) ?? []
      response.setHeaders(new Map(Object.entries(headers)))
      response.end(
        `<!doctype html><title>${path} ${release}</title><link rel="icon" href="data:,"><body><script nonce="${nonce}" src="/_next/static/chunks/main-${release}.js"></script>`,
      )
    }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
}

async function stop(): Promise<void> {
  server?.closeAllConnections()
  await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())))
  server = undefined
}

/** Each release has a script that loads another one, which names a third. */
function files(): ReadonlyMap<string, string> {
  const load = `globalThis.later = () => new Promise((done, failed) => document.body.append(Object.assign(document.createElement('script'), { src: '/_next/static/chunks/later-${release}.js', onload: done, onerror: failed })))`
  return new Map([
    [
      `/_next/static/chunks/main-${release}.js`,
      `const chunks = ["static/chunks/later-${release}.js"];${load};${register};offline.${script}()`,
    ],
    [
      `/_next/static/chunks/later-${release}.js`,
      `globalThis.loaded = ${release}; const worker = "static/chunks/engine-${release}.js"`,
    ],
    [`/_next/static/chunks/engine-${release}.js`, `postMessage(${release})`],
  ])
}

function stored(): Promise<string[]> {
  return page.evaluate(async () => {
    const found: string[] = []
    for (const name of await caches.keys()) {
      for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname)
    }
    return found.toSorted()
  })
}

function expected(of: number): string[] {
  const chunks = ['engine', 'later', 'main'].map((name) => `/_next/static/chunks/${name}-${of}.js`)
  return [...chunks, '/studio', '/studio/stored-files']
}

/** Loads the script that the page loads later. @returns the release it is of. */
function loadsLater(): Promise<number> {
  return page.evaluate(async () => {
    const own = globalThis as unknown as { later: () => Promise<void>; loaded: number }
    await own.later()
    return own.loaded
  })
}

/** Starts the worker that a script names. @returns the release it is of. */
function startsEngine(of: number): Promise<number> {
  return page.evaluate(
    (path) =>
      new Promise<number>((resolve, reject) => {
        const worker = new Worker(path)
        worker.onmessage = ({ data }) => resolve(data)
        worker.onerror = () => reject(new Error('The worker cannot be loaded'))
      }),
    `/_next/static/chunks/engine-${of}.js`,
  )
}

function fails(path: string): Promise<boolean> {
  return page.evaluate(
    (wanted) =>
      fetch(wanted).then(
        () => false,
        () => true,
      ),
    path,
  )
}

test('after one visit the studio opens without a connection, and nothing else was stored', async () => {
  const address = `http://127.0.0.1:${port}`
  await page.goto(`${address}/studio`)
  await expect.poll(stored).toEqual(expected(1))
  await page.evaluate(() => Promise.all([fetch('/studio/api/answer'), fetch('/chain/feed')]))
  await page.goto(`${address}/discover`)
  await page.goto(`${address}/studio?open=connector/weave`)
  expect(await stored()).toEqual(expected(1))

  await stop()
  await page.goto(`${address}/studio?open=connector/weave#draft=abc`)
  expect(await page.title()).toBe('/studio 1')
  expect(await loadsLater()).toBe(1)
  expect(await startsEngine(1)).toBe(1)
  expect(await fails('/studio/api/answer')).toBe(true)
  expect(await fails('/chain/feed')).toBe(true)
  const other = await page.context().newPage()
  await expect(other.goto(`${address}/discover`)).rejects.toThrow('ERR_CONNECTION_REFUSED')
  await other.close()
})

test('online the newest release is there at once, and its files take the place of the old ones', async () => {
  release = 2
  await start()
  await page.goto(`http://127.0.0.1:${port}/studio`)
  expect(await page.title()).toBe('/studio 2')
  expect(await loadsLater()).toBe(2)
  await expect.poll(stored).toEqual(expected(2))
  await stop()
  await page.reload()
  expect(await page.title()).toBe('/studio 2')
  expect(await loadsLater()).toBe(2)
})

test('switched off, browsers remove it with all that it stored', async () => {
  script = 'removeServiceWorker'
  release = 3
  await start()
  await page.goto(`http://127.0.0.1:${port}/studio`)
  const registrations = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
  await expect.poll(registrations).toBe(0)
  await expect.poll(stored).toEqual([])
  await stop()
  await expect(page.reload()).rejects.toThrow('ERR_CONNECTION_REFUSED')
})

test('the script is served under a policy of its own', async () => {
  const served = GET()
  expect(await served.text()).toBe(SERVICE_WORKER_SCRIPT)
  expect(Object.fromEntries(served.headers)).toMatchObject({
    'content-security-policy': "default-src 'none'; connect-src 'self'",
    'service-worker-allowed': '/studio',
    'cache-control': 'no-cache',
  })
})

test('only files of the build are assets', () => {
  expect(isAsset('/_next/static/chunks/a-b_c.~1.js')).toBe(true)
  for (const path of [
    '/studio/api/x',
    '/_next/static/../../chain/feed',
    '/chain/_next/static/a.js',
    '/_next/image',
  ]) {
    expect(isAsset(path), path).toBe(false)
  }
  expect(
    assetsIn('x("static/chunks/a.js","static/chunks/a.js","static/media/f.woff2","/other/b.js")'),
  ).toEqual(['/_next/static/chunks/a.js', '/_next/static/media/f.woff2'])
})
