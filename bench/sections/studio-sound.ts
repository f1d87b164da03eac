import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright'
import { launchBrowser, WITHOUT_GPU } from '#scripts/browser/launch.ts'
import { startComponentSite } from '#test/ui/studio/component-site.ts'
import type { TransportPage } from '#test/ui/studio/transport/transport-page.ts'
import { ms } from '../support/format.ts'
import { median, percentile } from '../support/measure.ts'
import type { Report } from '../support/report.ts'

const EDITS = 60
const STEPS = 64
/** Between an edit and its particles, as the browser's engine and React take. */
const RUN_MS = 25
/** Particles that are later than this were held up by other work of the machine, not by the studio. */
const HELD_UP_MS = 50
/** Steps of 125 ms. */
const SOUND = { bpm: 120, stepsPerBeat: 4 } as const

/**
 * From an edit of what plays to its sound, in a real browser: how long after the next step it reaches the speakers. The
 * new particles arrive 25 ms after the edit, at any moment inside of a step.
 */
export async function studioSound(report: Report): Promise<void> {
  report.heading('Sound of the studio')
  const site = await startComponentSite({ pages: { '/': 'transport/transport-page' } })
  const browser = await launchBrowser(WITHOUT_GPU)
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
    const edits = await editsToSound(page)
    const inTime = edits.filter(({ particlesMs }) => particlesMs <= HELD_UP_MS)
    const after = inTime.map(({ soundMs }) => soundMs)
    const p95 = percentile(after, 0.95)
    report.line(
      `${EDITS} edits between two steps of 125 ms, with their particles ${RUN_MS} ms later: the changed sound begins ${ms(median(after))} (median) and ` +
        `${ms(p95)} (p95) after the next step, at most ${ms(Math.max(...after))}. ` +
        `Left out: ${edits.length - inTime.length}, whose particles came more than ${HELD_UP_MS} ms later, as the machine was busy.`,
    )
    report.goal(
      'soundAfterEdit',
      p95,
      `a silent path of ${STEPS} steps that becomes a hi-hat, ${EDITS} times`,
    )
  } finally {
    await browser.close()
    await site.close()
  }
}

/** Times of each edit: milliseconds to its particles, and from the step after it to the first sample of its sound. */
function editsToSound(page: Page): Promise<{ readonly particlesMs: number; readonly soundMs: number }[]> {
  return page.evaluate(
    async ([edits, steps, stepSeconds, runMs]) => {
      const own = window as unknown as TransportPage
      const wait = (forMs: number) => new Promise((resolve) => setTimeout(resolve, forMs))
      const fill = (value: number) =>
        own.load('song', [{ path: '/song:0', data: Array<number>(steps).fill(value) }])
      await own.record()
      const [context] = own.contexts
      const at: { readonly edited: number; readonly particlesMs: number }[] = []
      for (let edit = 0; edit < edits; edit++) {
        // What sounded is over by then; the moment inside of the step is another one each time.
        await wait(700 + Math.random() * 125)
        const edited = context!.currentTime
        const began = performance.now()
        own.transport.edited()
        await wait(runMs)
        fill(1)
        at.push({ edited, particlesMs: performance.now() - began })
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
      return at.map(({ edited, particlesMs }) => {
        const onset = onsets.find((each) => each > edited) ?? Number.POSITIVE_INFINITY
        const boundary = first + Math.ceil((edited - first) / stepSeconds) * stepSeconds
        return { particlesMs, soundMs: (onset - boundary) * 1000 }
      })
    },
    [EDITS, STEPS, 60 / SOUND.bpm / SOUND.stepsPerBeat, RUN_MS] as const,
  )
}
