import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright'
import { launchBrowser, WITHOUT_GPU } from '../../scripts/browser/launch.ts'
import { startComponentSite } from '../../test/studio/component-site.ts'
import type { TransportPage } from '../../test/studio/transport/transport-page.ts'
import { figure, ms } from '../support/format.ts'
import { median, percentile } from '../support/measure.ts'
import type { Report } from '../support/report.ts'

const EDITS = 60
const STEPS = 64
/** Between an edit and its particles, as the browser's engine and React take. */
const RUN_MS = 25
/** Steps of 125 ms. */
const SOUND = { bpm: 120, stepsPerBeat: 4 } as const
const EDITS_A_SECOND = 4

/**
 * From an edit of what plays to its sound, in a real browser: how long after the next step it reaches the speakers. The
 * new particles arrive 25 ms after the edit, at any moment inside of a step.
 *
 * @param minutes Of a soak that plays and edits after it; 0 for none.
 */
export async function studioSound(report: Report, { minutes }: { readonly minutes: number }): Promise<void> {
  report.heading('Sound of the studio')
  const site = await startComponentSite({ pages: { '/': 'transport/transport-page' } })
  const browser = await launchBrowser([
    ...WITHOUT_GPU,
    '--enable-precise-memory-info',
    '--js-flags=--expose-gc',
  ])
  try {
    const page = await browser.newPage()
    await page.goto(site.origin)
    await page.waitForSelector('body[data-ready]')
    await page.evaluate(
      ([steps, sound]) => {
        const own = window as unknown as TransportPage
        own.load('song', [{ path: '/song:0', data: Array<number>(steps).fill(0) }], {
          ...sound,
          paths: [{ path: '0', instrument: 'hat' }],
        })
      },
      [STEPS, SOUND] as const,
    )
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()
    await sleep(500)
    const after = await editsToSound(page)
    const p95 = percentile(after, 0.95)
    report.line(
      `${EDITS} edits between two steps of 125 ms, with their particles ${RUN_MS} ms later: the changed sound begins ${ms(median(after))} (median) and ` +
        `${ms(p95)} (p95) after the next step, at most ${ms(Math.max(...after))}.`,
    )
    report.goal(
      'soundAfterEdit',
      p95,
      `a silent path of ${STEPS} steps that becomes a hi-hat, ${EDITS} times`,
    )
    if (minutes > 0) await soak(report, page, minutes)
  } finally {
    await browser.close()
    await site.close()
  }
}

/** Milliseconds from the step after each edit to the first sample of its sound. */
function editsToSound(page: Page): Promise<number[]> {
  return page.evaluate(
    async ([edits, steps, stepSeconds, runMs]) => {
      const own = window as unknown as TransportPage
      const wait = (forMs: number) => new Promise((resolve) => setTimeout(resolve, forMs))
      const fill = (value: number) =>
        own.load('song', [{ path: '/song:0', data: Array<number>(steps).fill(value) }])
      await own.record()
      const [context] = own.contexts
      const at: number[] = []
      for (let edit = 0; edit < edits; edit++) {
        // What sounded is over by then; the moment inside of the step is another one each time.
        await wait(700 + Math.random() * 125)
        at.push(context!.currentTime)
        own.transport.edited()
        await wait(runMs)
        fill(1)
        await wait(350)
        fill(0)
      }
      const { samples, firstFrame, rate } = await own.recorded()
      const onsets: number[] = []
      let last = Number.NEGATIVE_INFINITY
      for (let index = 0; index < samples.length; index++) {
        if (Math.abs(samples[index]!) < 0.004) continue
        const seconds = (firstFrame + index) / rate
        if (seconds - last > stepSeconds / 4) onsets.push(seconds)
        last = seconds
      }
      // Most begin with a step: their median phase is that of the steps.
      const phases = onsets.map((onset) => onset % stepSeconds).sort((a, b) => a - b)
      const first = phases[Math.floor(phases.length / 2)] ?? 0
      return at.map((edited) => {
        const onset = onsets.find((each) => each > edited) ?? Number.POSITIVE_INFINITY
        const boundary = first + Math.ceil((edited - first) / stepSeconds) * stepSeconds
        return (onset - boundary) * 1000
      })
    },
    [EDITS, STEPS, 60 / SOUND.bpm / SOUND.stepsPerBeat, RUN_MS] as const,
  )
}

/** Plays eight paths and edits them all the time; prints memory, gaps and drift. */
async function soak(report: Report, page: Page, minutes: number): Promise<void> {
  const rows: string[][] = []
  const heap = () =>
    page.evaluate(() => {
      const { gc, performance } = window as unknown as {
        gc: () => void
        performance: { memory: { usedJSHeapSize: number } }
      }
      gc()
      return performance.memory.usedJSHeapSize / 1e6
    })
  const startMb = await heap()
  const parts = Math.max(2, Math.min(30, Math.round(minutes)))
  const totals = { seconds: 0, lost: 0, silence: 0, steps: 0 }
  for (let part = 1; part <= parts; part++) {
    const found = await page.evaluate(
      async ([seconds, editsASecond]) => {
        const own = window as unknown as TransportPage
        own.drain()
        own.steps.length = 0
        const paths = Array.from({ length: 8 }, (_, path) => ({
          path: String(path),
          instrument: (['pad', 'bass', 'keys', 'bell', 'pluck', 'lead', 'kick', 'hat'] as const)[path]!,
        }))
        const until = performance.now() + seconds * 1000
        const all = { seconds: 0, longestSilenceMs: 0, lostBlocks: 0, steps: 0, driftMs: 0 }
        for (let edit = 0; performance.now() < until; edit++) {
          const streams = paths.map(({ path }, index) => ({
            path: `/song:${path}`,
            data: Array.from({ length: 1024 }, (_, step) => ((step + edit) * (index + 3)) % 97),
          }))
          own.load('song', streams, { bpm: 120, stepsPerBeat: 4, paths })
          await new Promise((resolve) => setTimeout(resolve, 1000 / editsASecond))
          const { seconds: more, longestSilenceMs, lostBlocks } = own.drain()
          all.seconds += more
          all.lostBlocks += lostBlocks
          all.longestSilenceMs = Math.max(all.longestSilenceMs, longestSilenceMs)
        }
        all.steps = own.steps.length
        return all
      },
      [(minutes * 60) / parts, EDITS_A_SECOND] as const,
    )
    totals.seconds += found.seconds
    totals.lost += found.lostBlocks
    totals.steps += found.steps
    // The first part begins with the silence from before.
    if (part > 1) totals.silence = Math.max(totals.silence, found.longestSilenceMs)
    rows.push([
      figure((part * minutes) / parts),
      figure(found.steps),
      ms(found.longestSilenceMs),
      `${figure(await heap())} MB`,
    ])
  }
  report.table(['minutes', 'steps', 'longest silence', 'heap after collection'], rows)
  report.line(
    `Soak of ${figure(minutes)} minutes, eight paths of 1,024 steps edited ${EDITS_A_SECOND} times a second: ` +
      `${figure(totals.steps)} steps, ${totals.lost} lost blocks, longest silence ${ms(totals.silence)}, ` +
      `heap ${figure(startMb)} MB before, ${rows.at(-1)?.[3]} after.`,
  )
}
