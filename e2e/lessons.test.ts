import type { Page } from 'playwright'
import { expect, inject, test } from 'vitest'
import { LESSONS } from '../lib/ui/studio/lessons/catalog.ts'
import { expectAccessible, sitePages } from '../test/support/site-pages.ts'

/*
 * The lessons inside the real studio: the first from nothing to a published connector, by hand; the others by what they
 * offer the stuck, on a phone.
 */

const { site, chainApi } = inject('endpoints')
const { open } = sitePages(site)
/** Names that nobody has published answer 404, which browsers write to the console. */
const provoked = ['404']

const lesson = (page: Page) => page.getByRole('complementary', { name: /^Lesson: / })
const next = (page: Page) => lesson(page).getByRole('button', { name: 'Next', exact: true })
const heading = (page: Page, name: string) =>
  lesson(page).getByRole('heading', { name, exact: true }).waitFor()
const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent)
const ring = (page: Page) => page.locator('[data-lesson-ring=control]')
const done = (page: Page) => lesson(page).getByText('Done.', { exact: true }).waitFor({ timeout: 30_000 })

async function goOn(page: Page, title: string): Promise<void> {
  await done(page)
  await next(page).click()
  await heading(page, title)
}

/** Changes the body in the editor, as somebody types it. */
async function write(page: Page, body: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Solidity body/ }).click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(body)
}

test('from nothing to a published connector, without a wallet of one’s own', async () => {
  const page = await open('/docs/lessons', { provoked })
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Begin in the studio: Your first connector' }).click()
  await heading(page, 'Make a connector')
  await ring(page).waitFor()
  await expect.poll(() => focusedText(page)).toBe('Make a connector')
  expect(await next(page).getAttribute('aria-disabled')).toBe('true')
  await next(page).click({ force: true })
  await heading(page, 'Make a connector')
  await page.getByRole('button', { name: 'New connector' }).first().click()
  await goOn(page, 'Give it a name')

  await ring(page).waitFor()
  const suggested = (await lesson(page).locator('code').first().textContent()) as string
  await page.getByLabel('Name of this connector').fill('msg')
  await lesson(page).getByText('is a reserved word of Solidity').waitFor()
  await page.getByLabel('Name of this connector').fill(suggested)
  await goOn(page, 'Make a function')

  // What is left is taken up at the same place, with the same pieces.
  await page.keyboard.press('Escape')
  await lesson(page).waitFor({ state: 'detached' })
  await page.reload({ waitUntil: 'load' })
  await page.getByRole('button', { name: 'Lessons' }).click()
  await page.getByRole('button', { name: 'Go on: Your first connector' }).click()
  await heading(page, 'Make a function')
  await page.getByRole('button', { name: 'New transformation' }).first().click()
  await goOn(page, 'Name the function, too')
  const climb = suggested.replace('melody', 'climb')
  await page.getByLabel('Name of this transformation').fill(climb)
  await goOn(page, 'Write its body')
  await write(page, 'return (x + args[0]) % 11;')
  await lesson(page).getByText('makes something else of it so far').waitFor()
  await write(page, 'return (x + args[0]) % 12;')
  await goOn(page, 'Put it into the connector')

  // The way there is marked first, then the control.
  await page.locator('[data-lesson-ring=way]').waitFor()
  await lesson(page).getByRole('button', { name: 'Show me' }).click()
  await ring(page).waitFor()
  await page.getByRole('treegrid').getByRole('row').first().focus()
  await page.keyboard.press('a')
  await page.keyboard.type(climb)
  await page.getByLabel(`Argument 1 of ${climb}`).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type('5')
  await done(page)
  // Back by the keyboard alone.
  await page.keyboard.press('Alt+l')
  await expect.poll(() => focusedText(page)).toBe('Next')
  await page.keyboard.press('Enter')
  await heading(page, 'Change a number and watch')
  await page.getByLabel(`Argument 1 of ${climb}`).fill('8')
  await lesson(page).getByText(`wanted is ${climb}(7)`).waitFor()
  await page.getByLabel(`Argument 1 of ${climb}`).fill('7')
  await goOn(page, 'Sign in')

  // A reload in the middle of a lesson shows it again.
  await page.reload({ waitUntil: 'load' })
  await heading(page, 'Sign in')
  await lesson(page).getByRole('button', { name: 'Open it for me' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Throwaway wallet/ })
    .click()
  await page.getByRole('button', { name: /^Account / }).waitFor()
  await goOn(page, 'Publish it')
  await lesson(page).getByRole('button', { name: 'Open it for me' }).click()
  await page.getByRole('button', { name: 'Publish with 2 transactions' }).click()
  await page.getByText('Everything is published.').waitFor({ timeout: 60_000 })
  await goOn(page, 'That was it')

  await expect
    .poll(async () => {
      const answer = await fetch(`${chainApi}/connector/${suggested}`)
      return ((await answer.json()) as { address?: string }).address
    })
    .toMatch(/^0x[0-9a-f]{40}$/)
  await lesson(page).getByRole('link', { name: suggested }).click()
  await page.waitForURL(`**/connectors/${suggested}`)
})

test('others on a phone, beside other work', async () => {
  const page = await open('/studio', {
    provoked,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
  })
  await page.getByRole('button', { name: 'Start with an example' }).click()
  await page.locator('[data-save=saved]').waitFor()

  // Between them these use most of the controls; that the steps of all of them hold is shown without a browser.
  const others = LESSONS.filter(({ id }) => ['start-value', 'selection', 'condition'].includes(id))
  for (const { title } of others) {
    await page.getByRole('button', { name: 'Lessons' }).click()
    await page.getByRole('button', { name: `Begin: ${title}` }).click()
    await lesson(page).waitFor()
    for (;;) {
      const help = lesson(page).getByRole('button', { name: /^(Do it|Reload) for me$/ })
      const ending = lesson(page).getByRole('heading', { name: 'That was it' })
      await help.or(ending).first().waitFor()
      if (await ending.isVisible()) break
      const before = await lesson(page).getByRole('heading').textContent()
      const show = lesson(page).getByRole('button', { name: 'Show me' })
      if (await show.isVisible()) {
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
  const lists = page.locator('details', { hasText: 'Your work and the library' })
  await lists.evaluate((details) => details.setAttribute('open', ''))
  await lists.getByRole('region', { name: 'Your connectors' }).waitFor()
  const mine = await lists
    .getByRole('region', { name: /^Your (connectors|transformations|conditions)$/ })
    .getByRole('listitem')
    .allTextContents()
  expect(mine).toEqual(['first_melody', 'climb', 'lift'])
})

/** Whether the focus is on the page, and not under the sheet of the lesson. */
function isFocusInSight(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const sheet = document.querySelector('[data-lesson]')
    const focused = document.activeElement
    if (sheet === null || focused === null || sheet.contains(focused)) return false
    return focused.getBoundingClientRect().top < sheet.getBoundingClientRect().top
  })
}
