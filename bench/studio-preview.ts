/**
 * An argument that changes under a finger, measured: `node bench/studio-preview.ts origin [particles] [changes]`.
 *
 * A connector of four dimensions is opened in the studio of a running site, and an argument of it is changed again and
 * again, while the server's answers are kept away. Of each change: milliseconds until this browser has made the
 * particles, and until they are drawn, on the clock of a real Chromium; and what its two threads did for it, of the
 * processor, which depends less on what else the machine does. Then one change a frame, as a slider makes them: how
 * many of the changes are drawn.
 */

import { writeFile } from '../lib/ui/studio/document/file.ts'
import type { StudioDocument } from '../lib/ui/studio/document/types.ts'
import { launchBrowser } from '../scripts/browser/launch.ts'

const [, , ORIGIN = 'http://localhost:3000', PARTICLES = '65536', CHANGES = '30'] = process.argv
const FRAME = 1000 / 60
/** How Chromium calls a turn of a thread, and the threads. */
const TASK = 'ThreadControllerImpl::RunTask'
const THREADS = { CrRendererMain: 'page', 'DedicatedWorker thread': 'worker' }

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of the processor. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

const call = (id: string, name: string, ...args: number[]) => ({ id, name, args: args.map(String) })
const dimension = (id: string, ...calls: ReturnType<typeof call>[]) => ({
  id,
  calls,
  composite: '',
  bindings: [],
})
const document: StudioDocument = {
  entries: [
    {
      kind: 'connector',
      id: 'song',
      name: 'bench_song',
      dimensions: [
        dimension('d0', call('c0', 'bench_add', 3)),
        dimension('d1', call('c1', 'bench_ring', 5, 97), call('c2', 'bench_add', 1)),
        dimension('d2', call('c3', 'bench_mix')),
        dimension('d3', call('c4', 'bench_ring', 7, 1021)),
      ],
      condition: null,
      staticRi: [],
    },
    ...Object.entries({
      bench_add: 'return x + args[0];',
      bench_ring: 'return (x + args[0]) % args[1];',
      bench_mix: 'unchecked { return x * 1664525 + 1013904223; }',
    }).map(([name, source]) => ({ kind: 'transformation' as const, id: name, name, source })),
  ],
  places: [],
}

const browser = await launchBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } })
  await page.goto(`${ORIGIN}/studio`)
  const view = { tabs: [{ kind: 'entry', entryId: 'song' }], active: null } as const
  await page.getByLabel('File to import').setInputFiles({
    name: 'bench.json',
    mimeType: 'application/json',
    buffer: Buffer.from(writeFile({ document, view })),
  })
  const panel = page.getByRole('region', { name: 'Particles' }).first()
  await panel.getByText('4 paths, 64 particles each').waitFor()
  await panel.getByLabel('How many').fill(PARTICLES)
  await panel.getByLabel('How many').press('Enter')
  await panel.getByText(`4 paths, ${Number(PARTICLES).toLocaleString('en')} particles each`).waitFor()
  const field = page.getByLabel('Argument 1 of bench_add').first()

  await page.route('**/studio/api/preview', (route) => route.abort())
  await browser.startTracing(page, { categories: ['toplevel'] })
  const changes = await field.evaluate(watch, { changes: Number(CHANGES), pauseMs: 300 })
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  const made = changes.map((change) => change.made)
  const drawn = changes.map((change) => change.drawn)
  console.log(`${PARTICLES} particles of four dimensions, ${changes.length} changes, milliseconds:`)
  console.log(`  made   median ${middle(made)}, fastest ${Math.min(...made)}`)
  console.log(
    `  drawn  median ${middle(drawn)}, fastest ${Math.min(...drawn)} ` +
      `(${(Math.min(...drawn) / FRAME).toFixed(1)} frames)`,
  )
  for (const [thread, what] of Object.entries(THREADS)) {
    const each = processorTime(traceEvents, thread) / changes.length
    console.log(`  ${what}'s thread: ${each.toFixed(1)} of the processor, a change`)
  }
  const drag = await field.evaluate(drawnInADrag, 3000)
  console.log(`  a change every frame for 3 s: ${drag.changes} changes, ${drag.drawn} of them drawn`)
} finally {
  await browser.close()
}

/** Milliseconds of the busiest thread of that name. */
function processorTime(events: readonly TraceEvent[], thread: string): number {
  const named = events.filter(({ name, args }) => name === 'thread_name' && args?.name === thread)
  const times = named.map(({ pid, tid }) =>
    events
      .filter((event) => event.pid === pid && event.tid === tid && event.name === TASK)
      .reduce((total, { tdur = 0 }) => total + tdur / 1000, 0),
  )
  return Math.max(0, ...times)
}

function middle(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? Number.NaN
}

/** Runs in the page. */
async function watch(
  node: Element,
  { changes, pauseMs }: { readonly changes: number; readonly pauseMs: number },
): Promise<{ made: number; drawn: number }[]> {
  const input = node as HTMLInputElement
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  const picture = () => window.document.querySelector('[role=img][aria-label^="/bench_song:0"]')?.ariaLabel
  const made = () => / each, ([\d,]+) ms/.exec(window.document.body.textContent ?? '')?.[1]?.replace(',', '')
  const found: { made: number; drawn: number }[] = []
  for (let change = 0; change < changes; change++) {
    const before = picture()
    const began = performance.now()
    set?.call(input, String(10 + change))
    input.dispatchEvent(new Event('input', { bubbles: true }))
    while (picture() === before) await new Promise(requestAnimationFrame)
    found.push({ drawn: Math.round(performance.now() - began), made: Number(made()) })
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  return found
}

/** Runs in the page. */
async function drawnInADrag(node: Element, forMs: number): Promise<{ changes: number; drawn: number }> {
  const input = node as HTMLInputElement
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  const picture = () => window.document.querySelector('[role=img][aria-label^="/bench_song:0"]')?.ariaLabel
  let [changes, drawn] = [0, 0]
  let last = picture()
  for (const began = performance.now(); performance.now() - began < forMs; changes++) {
    set?.call(input, String(1000 + changes))
    input.dispatchEvent(new Event('input', { bubbles: true }))
    await new Promise(requestAnimationFrame)
    if (picture() !== last) drawn += 1
    last = picture()
  }
  return { changes, drawn }
}
