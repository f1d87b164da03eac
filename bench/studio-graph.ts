/**
 * Typing in the graph of the studio, measured: `node bench/studio-graph.ts [nodes] [strokes] [origin]`.
 *
 * A document of many connectors is opened as a graph, and digits are typed into an argument field of it. Of each key
 * stroke: what the main thread of a real Chromium does until the next one, read from its own trace, and the longest
 * turn of it that a frame has to wait for. Time of the processor depends less than time on the clock on what else the
 * machine does. Without an origin the editors are served by themselves; with one, the whole studio of a running site
 * is measured.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright'
import { writeFile } from '../lib/ui/studio/document/file.ts'
import { largeDocument, openGraph, startGraphSite } from '../test/studio/graph-site.ts'
import { launchBrowser } from '../test/support/browser.ts'

const NODES = Number(process.argv[2] ?? 200)
const STROKES = Number(process.argv[3] ?? 60)
const ORIGIN = process.argv[4]
/** Milliseconds between two strokes: a quick typist. */
const PAUSE = 120
const FRAME = 16
/** How Chromium calls a turn of a thread. */
const TASK = 'ThreadControllerImpl::RunTask'

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds on the clock, as `dur`. */
  readonly ts: number
  readonly dur?: number
  /** Microseconds of the processor. */
  readonly tdur?: number
  readonly args?: { readonly name?: string; readonly data?: { readonly type?: string } }
}

const site = ORIGIN === undefined ? await startGraphSite() : undefined
const browser = await launchBrowser()
try {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  const document = largeDocument(NODES)
  if (site) await openGraph(page, site, document)
  else await openInStudio(page)
  const started = performance.now()
  await page.getByRole('button', { name: /^Show all/ }).click()
  await page.waitForFunction(
    (most) => window.document.querySelectorAll('[data-node]').length >= most,
    NODES,
    { timeout: 60_000 },
  )
  console.log(`${NODES} connectors all in view after ${Math.round(performance.now() - started)} ms`)
  await typeInto(page)

  async function openInStudio(studio: Page): Promise<void> {
    await studio.goto(`${ORIGIN}/studio`)
    await studio.evaluate(() => localStorage.setItem('weft-studio-editor', '{"editor":"graph","wide":true}'))
    await studio.reload()
    const view = { tabs: [{ kind: 'entry', entryId: document.entries[0]!.id }], active: null } as const
    await studio.getByLabel('File to import').setInputFiles({
      name: 'bench.json',
      mimeType: 'application/json',
      buffer: Buffer.from(writeFile({ document, view })),
    })
    await studio.locator('[data-node]').first().waitFor()
  }
} finally {
  await browser.close()
  await site?.close()
}

async function typeInto(page: Page): Promise<void> {
  // Near enough to type, among many neighbours.
  const leaf = page.locator('[data-node^="own/id-leaf"]').first()
  await leaf.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.waitForFunction(() => window.document.activeElement?.getAttribute('inputmode') === 'numeric')
  await sleep(1000)
  await browser.startTracing(page, { categories: ['devtools.timeline', 'toplevel'] })
  for (let stroke = 0; stroke < STROKES; stroke++) {
    // Four digits and their removal, again and again: always a number.
    await page.keyboard.press(stroke % 8 < 4 ? String(1 + (stroke % 9)) : 'Backspace')
    await sleep(PAUSE)
  }
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  report(traceEvents)
}

function report(events: readonly TraceEvent[]): void {
  const strokes = events.filter(
    ({ name, args }) => name === 'EventDispatch' && args?.data?.type === 'keydown',
  )
  const { pid, tid } = strokes[0] ?? fail('The trace shows no key stroke')
  const tasks = events
    .filter((event) => event.pid === pid && event.tid === tid && event.name === TASK && event.dur)
    .sort((a, b) => a.ts - b.ts)
  const busy = strokes.map((stroke, index) => {
    const until = strokes[index + 1]?.ts ?? Number.POSITIVE_INFINITY
    const own = tasks.filter(({ ts, dur }) => ts + dur! > stroke.ts && ts < until)
    return {
      clock: sum(own.map(({ dur }) => dur!)),
      processor: sum(own.map(({ tdur, dur }) => tdur ?? dur!)),
      longest: Math.max(...own.map(({ tdur, dur }) => tdur ?? dur!)) / 1000,
    }
  })
  console.log(`${strokes.length} key strokes in a graph of ${NODES}, milliseconds of the main thread each:`)
  console.log('                         median    95 %     max')
  for (const [name, what] of [
    ['clock', 'all, on the clock'],
    ['processor', 'all, of the processor'],
    ['longest', 'its longest task'],
  ] as const) {
    const sorted = busy.map((each) => each[name]).sort((a, b) => a - b)
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
    const cells = [at(0.5), at(0.95), at(1)].map((value) => value.toFixed(1).padStart(8)).join('')
    console.log(`  ${what.padEnd(22)}${cells}`)
  }
  const slow = busy.filter(({ longest }) => longest > FRAME).length
  console.log(`${slow} of ${busy.length} held a frame up for more than ${FRAME} ms`)
}

function sum(microseconds: readonly number[]): number {
  return microseconds.reduce((total, each) => total + each, 0) / 1000
}

function fail(text: string): never {
  throw new Error(text)
}
