import { launchBrowser, WITHOUT_GPU } from '#scripts/browser/launch.ts'
import type { BenchProgram } from '../network/program.ts'
import { ms } from '../support/format.ts'
import { median, percentile } from '../support/measure.ts'
import type { Report } from '../support/report.ts'
import { openSong, SONG } from '../support/studio-song.ts'

const EDITS = 60
const WARM_UP = 10

/**
 * From an edit of an argument to the picture of its particles, in the built studio and a real browser: the field's input
 * event, the document, the engine on its thread, React, and the canvas, until the frame that shows it.
 */
export async function studioPicture(report: Report, { endpoints }: BenchProgram): Promise<void> {
  report.heading('Picture of the studio')
  const browser = await launchBrowser(WITHOUT_GPU)
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
    await openSong(page, endpoints.site)
    const taken = await page.evaluate(
      async ([edits, warmUp]) => {
        const field = document.querySelector<HTMLInputElement>('input[aria-label^="Number 1 of climb_by"]')!
        const picture = document.querySelector('[role=img][aria-label*=":0: "]')!
        const setText = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!
        const frame = () =>
          new Promise<number>((resolve) => requestAnimationFrame(() => resolve(performance.now())))
        const found: number[] = []
        for (let edit = 0; edit < warmUp + edits; edit++) {
          await new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * 50))
          const changed = new Promise<void>((resolve) => {
            const changes = new MutationObserver(() => {
              changes.disconnect()
              resolve()
            })
            changes.observe(picture, { attributes: true, attributeFilter: ['aria-label'] })
          })
          const began = performance.now()
          setText.call(field, String(2 + edit))
          field.dispatchEvent(new Event('input', { bubbles: true }))
          await changed
          // The words change with the canvas; the frame after them shows both.
          const shown = await frame()
          if (edit >= warmUp) found.push(shown - began)
        }
        return found
      },
      [EDITS, WARM_UP] as const,
    )
    const p95 = percentile(taken, 0.95)
    report.line(
      `${EDITS} edits of an argument, ${SONG.particles} particles x ${SONG.paths} paths: the picture is there after ${ms(median(taken))} (median), ` +
        `${ms(p95)} (p95), ${ms(Math.max(...taken))} at most.`,
    )
    report.goal(
      'pictureAfterEdit',
      p95,
      `lines of ${SONG.particles} x ${SONG.paths} in the built studio, ${EDITS} edits`,
    )
  } finally {
    await browser.close()
  }
}
