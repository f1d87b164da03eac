import type { Page } from 'playwright'
import { expect, inject, test } from 'vitest'
import { expectAccessible, sitePages } from '../test/support/site-pages.ts'
import { showParts } from '../test/support/studio.ts'

const { site } = inject('endpoints')
const { open } = sitePages(site)

function box(page: Page, name: string) {
  return page.getByRole('textbox', { name: `Solidity body of ${name}` })
}
function status(page: Page, text: string) {
  return page.getByTestId('code-status').filter({ hasText: text }).waitFor()
}
function lines(page: Page) {
  return page.locator('.cm-line')
}

async function newTransformation(page: Page): Promise<void> {
  await page
    .getByRole('region', { name: 'Your transformations' })
    .getByRole('button', { name: 'New transformation' })
    .first()
    .click()
  await page.locator('.cm-content').waitFor()
}

test('a body is written with the error at its line, mended, tried, and taken back', async () => {
  const page = await open('/studio')
  await newTransformation(page)
  await box(page, 'my_step').click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('uint32 twice = 2 * x;\nreturn twice + ags[0];')
  await status(page, '1 error')
  expect(await lines(page).nth(1).locator('.cm-lintRange-error').textContent()).toBe('ags')
  await expectAccessible(page)

  await page.getByRole('button', { name: /^Line 2, column 16: Undeclared identifier/ }).click()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('r')
  await status(page, 'Compiles')
  await page.getByText('takes 1 argument: args[0]').waitFor()

  await page.getByLabel('x', { exact: true }).fill('30')
  await page.getByLabel('args[0]').fill('4')
  await page.getByTestId('try-result').filter({ hasText: '30 → 64' }).waitFor()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Snippets' }).click()
  await page.getByRole('button', { name: /^Collatz/ }).click()
  await status(page, 'Compiles')
  expect(await lines(page).first().textContent()).toBe('return x % 2 == 0 ? x / 2 : 3 * x + 1;')
  // One history: the keys of the editor undo what the document did, however it was done.
  await page.keyboard.press('ControlOrMeta+z')
  await lines(page).filter({ hasText: 'uint32 twice' }).waitFor()
})

test('what was written is there again after a reload, also at phone width', async () => {
  const page = await open('/studio', {
    viewport: { width: 390, height: 780 },
    colorScheme: 'dark',
  })
  await showParts(page)
  await newTransformation(page)
  await box(page, 'my_step').click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('return x + 41;')
  await status(page, 'Compiles')
  await page.locator('[data-save=saved]').waitFor()
  await page.reload()
  await page.locator('.cm-line').filter({ hasText: 'return x + 41;' }).waitFor()
  await page.getByTestId('try-result').filter({ hasText: '1 → 42' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectAccessible(page)
})
