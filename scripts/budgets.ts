import { parseArgs } from 'node:util'
import { launchBrowser, WITHOUT_GPU } from './browser/launch.ts'
import { publicPages } from './browser/pages.ts'
import { openSite } from './browser/site.ts'
import { largestPaint } from './budgets/largest-paint.ts'
import { scriptCost } from './budgets/scripts-of.ts'

/*
 * Prints what each page costs its first visitor, and fails where that is more than we allow.
 *
 *   npm run budgets                          builds and starts a network of its own
 *   npm run budgets -- http://localhost:3000 looks at a running one
 *   npm run budgets -- --runs 3 --only home  the median of three paints, of one page
 *   npm run budgets -- --runs 0              script only
 */

/** Bytes of gzipped script. */
const PUBLIC_SCRIPT = 170_000
const STUDIO_SCRIPT = 350_000
const PAINT_MS = 1500

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '1' }, only: { type: 'string' } },
  allowPositionals: true,
})
const runs = Number(values.runs)
const site = await openSite(positionals[0])
// A graphics processor made of software takes 80 to 200 ms to begin, which says nothing about a page.
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
