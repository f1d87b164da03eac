import type { CDPSession } from 'playwright'
import { launchBrowser, WITHOUT_GPU } from '#scripts/browser/launch.ts'
import type { BenchProgram } from '../network/program.ts'
import { figure, ms } from '../support/format.ts'
import { median, percentile } from '../support/measure.ts'
import type { Report } from '../support/report.ts'
import { openSong, SONG } from '../support/studio-song.ts'

const MOVES = 120
const PIXELS_A_MOVE = 4
/** A task of this length or more delays what is pressed meanwhile. */
const LONG_TASK_MS = 50

/** Drags one number of eight paths of 1,024 particles in the built studio: time of the page's thread, renders, long tasks. */
export async function studioDrag(report: Report, { endpoints }: BenchProgram): Promise<void> {
  report.heading('Drag of a number')
  const browser = await launchBrowser(WITHOUT_GPU)
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
    await openSong(page, endpoints.site)
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable')
    const field = page.locator('input[aria-label^="Number 1 of climb_by"]').first()
    const { x, y, width, height } = (await field.boundingBox())!
    const at = (move: number) => [x + width / 2 + move * PIXELS_A_MOVE, y + height / 2] as const
    await page.mouse.move(...at(0))
    await page.mouse.down()
    // The first movements choose the row and take the number.
    for (let move = 1; move <= 3; move++) await page.mouse.move(...at(move))
    await page.evaluate(observe)
    const before = await timesOf(session)
    for (let move = 4; move < 4 + MOVES; move++) await page.mouse.move(...at(move))
    const after = await timesOf(session)
    const { longTasks, frames, rows } = await page.evaluate(() => globalThis.dragged())
    await page.mouse.up()
    const value = await field.inputValue()
    const aMove = (key: keyof typeof after) => ms(((after[key] - before[key]) * 1000) / MOVES)
    report.line(
      `${MOVES} moves of ${PIXELS_A_MOVE} pixels, ${SONG.particles} particles x ${SONG.paths} paths, to ${value}. The page's thread, a move: ` +
        `${aMove('ScriptDuration')} of script, ${aMove('RecalcStyleDuration')} of style, ${aMove('LayoutDuration')} of layout, ${aMove('TaskDuration')} in all.`,
    )
    report.line(
      `Frames: ${ms(median(frames))} (median), ${ms(percentile(frames, 0.95))} (p95). Tasks of ${LONG_TASK_MS} ms and more: ${longTasks.length}` +
        `${longTasks.length > 0 ? `, the longest ${ms(Math.max(...longTasks))}` : ''}. ` +
        `Rows rendered: ${figure(rows.rendered)} of ${figure(rows.all)}.`,
    )
  } finally {
    await browser.close()
  }
}

type Times = Record<'ScriptDuration' | 'RecalcStyleDuration' | 'LayoutDuration' | 'TaskDuration', number>

/** Seconds that the page's thread has spent. */
async function timesOf(session: CDPSession): Promise<Times> {
  const { metrics } = await session.send('Performance.getMetrics')
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value])) as Times
}

declare global {
  /** Durations in milliseconds since `observe`, and how many rows were rendered. */
  var dragged: () => {
    readonly longTasks: readonly number[]
    readonly frames: readonly number[]
    readonly rows: { readonly all: number; readonly rendered: number }
  }
}

/** Runs in the page. */
function observe(): void {
  // React makes new properties for each element whenever its component is rendered.
  const propertiesOf = (row: Element) =>
    [row, ...row.querySelectorAll('*')].map((element) => {
      const key = Object.keys(element).find((each) => each.startsWith('__reactProps$'))
      return key && element[key as keyof Element]
    })
  const before = [...document.querySelectorAll('[role=treegrid] [role=row]')].map(
    (row) => [row, propertiesOf(row)] as const,
  )
  const longTasks: number[] = []
  const tasks = new PerformanceObserver((list) =>
    longTasks.push(...list.getEntries().map(({ duration }) => duration)),
  )
  tasks.observe({ type: 'longtask' })
  const frames: number[] = []
  let last = performance.now()
  const frame = (now: number) => {
    frames.push(now - last)
    last = now
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  globalThis.dragged = () => ({
    longTasks,
    frames,
    rows: {
      all: before.length,
      rendered: before.filter(([row, properties]) => {
        const now = propertiesOf(row)
        return now.length !== properties.length || now.some((each, index) => each !== properties[index])
      }).length,
    },
  })
}
