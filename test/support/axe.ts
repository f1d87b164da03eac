import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright'

type Options = NonNullable<Parameters<AxeBuilder['options']>[0]>

/**
 * The rules of accessibility that a page breaks, each with the places.
 *
 * Only a page with frames needs axe's default mode: its script in each frame and in a separate page that merges the
 * findings. Any other page is analysed directly, for violations only, at a third of the work.
 */
export async function violationsOf(page: Page, options: Options = {}): Promise<string[]> {
  const alone = page.frames().length === 1
  const isThere = alone && (await page.evaluate(() => 'axe' in window))
  const axe = new AxeBuilder({ page, ...(isThere && { axeSource: ';' }) })
  const { violations } = await axe
    .setLegacyMode(alone)
    .options({ ...options, resultTypes: ['violations'] })
    .analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' ')}`)
}
