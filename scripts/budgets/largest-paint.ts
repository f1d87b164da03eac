import type { Browser } from 'playwright'

/** A phone on a slow mobile network: bytes per second, milliseconds per round trip. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 180_000, uploadThroughput: 75_000 }
const CPU_SLOWDOWN = 4

/** Largest contentful paint of a first visit as the browser observes it, in milliseconds since navigation. */
export async function largestPaint(browser: Browser, url: string): Promise<number> {
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
