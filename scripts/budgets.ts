import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright'
import { launchBrowser, WITHOUT_GPU } from './browser/launch.ts'
import { publicPages } from './browser/pages.ts'
import { openSite } from './browser/site.ts'

/*
 * Prints what each page costs its first visitor, and fails where that is more than we allow.
 *
 *   npm run budgets                          builds and starts a new network
 *   npm run budgets -- http://localhost:3000 measures a running one
 *   npm run budgets -- --runs 3 --only home  the median of three paints, of one page
 *   npm run budgets -- --runs 0              script only
 */

/** Bytes of gzipped script. */
const PUBLIC_SCRIPT = 170_000
const STUDIO_SCRIPT = 350_000
const PAINT_MS = 1500

/** A phone on a slow mobile network: bytes per second, milliseconds per round trip. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 180_000, uploadThroughput: 75_000 }
const CPU_SLOWDOWN = 4

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '1' }, only: { type: 'string' } },
  allowPositionals: true,
})
const runs = Number(values.runs)
const site = await openSite(positionals[0])
// A software renderer takes 80 to 200 ms to start, which is not a cost of the page.
const browser = await launchBrowser(WITHOUT_GPU)
let over = 0
try {
  const pages = [
    ...(await publicPages(site.origin)).map((page) => ({ ...page, script: PUBLIC_SCRIPT, paint: PAINT_MS })),
    { title: 'studio', path: '/studio', script: STUDIO_SCRIPT, paint: undefined },
  ]
  console.log('page            script kB  of  later kB  largest paint s   of')
  for (const { title, path, script, paint } of pages) {
    if (values.only !== undefined && values.only !== title) continue
    const { first, later } = await scriptCost(browser, site.origin + path)
    const times: number[] = []
    for (let run = 0; run < runs; run++) times.push(await largestPaint(browser, site.origin + path))
    const time = median(times)
    const bad = first > script || (paint !== undefined && time > paint)
    if (bad) over++
    const limit = paint === undefined ? '' : (paint / 1000).toFixed(1)
    console.log(
      `${title.padEnd(15)} ${kilobytes(first).padStart(9)} ${String(script / 1000).padStart(3)} ${kilobytes(later).padStart(9)} ` +
        `${(runs === 0 ? '-' : (time / 1000).toFixed(2)).padStart(16)} ${limit.padStart(4)}${bad ? '  over' : ''}`,
    )
  }
} finally {
  await browser.close()
  await site.close()
}
console.log(over === 0 ? 'Everything is within its budget.' : `Over budget: ${over}`)
process.exit(over === 0 ? 0 : 1)

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1)
}

/** Largest contentful paint of a first visit as the browser observes it, in milliseconds since navigation. */
async function largestPaint(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } })
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', NETWORK)
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    await page.goto(url, { waitUntil: 'networkidle' })
    return await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          new PerformanceObserver((list) =>
            resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN),
          ).observe({
            type: 'largest-contentful-paint',
            buffered: true,
          })
        }),
    )
  } finally {
    await context.close()
  }
}

/** Bytes of script, gzipped. */
interface ScriptCost {
  /** Bytes that the page itself names, however late they are fetched. */
  readonly first: number
  /** Bytes that those scripts fetch by themselves. */
  readonly later: number
}

/** Measures the scripts that a first visit loads. Prefetched script of other pages does not count. */
async function scriptCost(browser: Browser, url: string): Promise<ScriptCost> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    await page.route('**/*', (route) =>
      route.request().headers()['next-router-prefetch'] === undefined ? route.continue() : route.abort(),
    )
    const sizes = new Map<string, Promise<number>>()
    page.on('response', (response) => {
      if (response.request().resourceType() !== 'script') return
      sizes.set(
        response.url(),
        response.body().then((body) => gzipSync(body).byteLength),
      )
    })
    const answer = await page.goto(url, { waitUntil: 'networkidle' })
    if (!answer?.ok()) throw new Error(`${url} answers ${answer?.status()}`)
    const html = await answer.text()
    const cost = { first: 0, later: 0 }
    for (const [script, size] of sizes)
      cost[html.includes(new URL(script).pathname) ? 'first' : 'later'] += await size
    return cost
  } finally {
    await context.close()
  }
}
