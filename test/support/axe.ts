import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright'

type Options = NonNullable<Parameters<AxeBuilder['options']>[0]>

const ofAxe = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))
/** Minified: half as much for each page to read as what axe gives by itself. */
const SOURCE = readFileSync(ofAxe.resolve('axe-core/axe.min.js'), 'utf8')

/**
 * The rules of accessibility that a page breaks, each with the places.
 *
 * Only a page with frames needs axe's default mode: its script in each frame and in a separate page that merges the
 * findings. Any other page is analysed directly, for violations only, at a third of the work.
 */
export async function violationsOf(page: Page, options: Options = {}): Promise<string[]> {
  const alone = page.frames().length === 1
  const isThere = alone && (await page.evaluate(() => 'axe' in window))
  const axe = new AxeBuilder({ page, axeSource: isThere ? ';' : SOURCE })
  const { violations } = await axe
    .setLegacyMode(alone)
    .options({ ...options, resultTypes: ['violations'] })
    .analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' ')}`)
}
