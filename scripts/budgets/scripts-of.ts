import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright'

/** Bytes of script, gzipped. */
export interface ScriptCost {
  /** What the page itself names, however late it is fetched. */
  readonly first: number
  /** What those scripts fetch by themselves. */
  readonly later: number
}

/** What a first visit loads. Script fetched ahead for pages that the visitor has not asked for does not count. */
export async function scriptCost(browser: Browser, url: string): Promise<ScriptCost> {
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
