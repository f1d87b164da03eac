import type { Page } from 'playwright'
import { expect, inject, test } from 'vitest'
import { LESSONS } from '#lib/studio/lessons/catalog.ts'
import { done, lesson, next, ring, takeFirstLesson, takePublishLesson } from '#test/support/first-lesson.ts'
import { expectAccessible, sitePages } from '#test/support/site-pages.ts'
import { command, openExample, showParts } from '#test/support/studio.ts'

/*
 * The lessons inside the real studio: from nothing to a published connector by hand; what they offer the stuck, on
 * a phone.
 */

const { site, chainApi } = inject('endpoints')
const { open } = sitePages(site)
test('from nothing to a published connector, without a wallet of one’s own', async () => {
  const page = await open('/docs/lessons')
  await expectAccessible(page)
  await takeFirstLesson(page)
  await page.goto(`${site}/docs/lessons`)
  await takePublishLesson(page, chainApi)
})

test('by its help alone on a phone, beside other work', async () => {
  const page = await open('/studio', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
  })
  await openExample(page)
  await page.locator('[data-save=saved]').waitFor()
  // Only what can be pressed takes the focus.
  await expect.poll(() => page.getByRole('button', { name: 'Play', exact: true }).isEnabled()).toBe(true)

  // That the steps of all of them hold is shown without a browser.
  const others = LESSONS.filter(({ id }) => ['first-connector', 'start-value'].includes(id))
  for (const { title } of others) {
    await command(page, 'more', 'Lessons')
    await page.getByRole('button', { name: `Begin: ${title}` }).click()
    await lesson(page).waitFor()
    for (;;) {
      const help = lesson(page).getByRole('button', { name: 'Do it for me' })
      const ending = lesson(page).getByRole('heading', { name: 'That was it' })
      await help.or(ending).first().waitFor()
      if (await ending.isVisible()) break
      const before = await lesson(page).getByRole('heading').textContent()
      const show = lesson(page).getByRole('button', { name: 'Show me' })
      // The voice is not chosen by hand: what is there for the chosen one has to be shown all the same.
      if (before !== 'Say where it starts' && (await show.isVisible())) {
        await show.click()
        await ring(page).waitFor()
        await expect.poll(() => isFocusInSight(page), { message: `${title}: ${before}` }).toBe(true)
      }
      // Showing may have been the whole step.
      if (await help.isVisible()) await help.click({ timeout: 10_000 }).catch(() => undefined)
      await done(page)
      if (before === 'Write its body') await expectAccessible(page)
      await next(page).click()
      await expect.poll(() => lesson(page).getByRole('heading').textContent()).not.toBe(before)
    }
    await lesson(page).getByRole('button', { name: 'Remove it from my work' }).click()
    await lesson(page).waitFor({ state: 'detached' })
  }

  // Other work is as it was.
  await page.locator('[data-save=saved]').waitFor()
  await showParts(page)
  const lists = page.getByRole('complementary', { name: 'Your work and the library' })
  await lists.getByRole('region', { name: 'Your pieces' }).waitFor()
  const mine = await lists
    .getByRole('region', { name: /^Your (pieces|functions|gates)$/ })
    .getByRole('listitem')
    .allTextContents()
  expect(mine).toEqual(['first_melody', 'climb', 'lift'])
})

/** Tells whether the focus is on the page, and not under the sheet of the lesson. */
function isFocusInSight(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const sheet = document.querySelector('[data-lesson]')
    const focused = document.activeElement
    if (sheet === null || focused === null || sheet.contains(focused)) return false
    const { top, bottom } = focused.getBoundingClientRect()
    const cover = sheet.getBoundingClientRect()
    // The transport is below the sheet.
    return top < cover.top || (top >= cover.bottom && bottom <= window.innerHeight)
  })
}
