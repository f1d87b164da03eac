import { expect, inject, test } from 'vitest'
import { sitePages } from '#test/support/site-pages.ts'
import { result, runExample } from '#test/support/studio.ts'

const { site } = inject('endpoints')
const { open } = sitePages(site)

test('a run that stops shows the line, and the last particles stay visible', async () => {
  const page = await open('/studio')
  await runExample(page)
  const panel = result(page)
  // Around a ring of no places: modulo by zero at the first step.
  await page.getByRole('row', { name: 'step 1 of 3' }).getByLabel('Argument 2 of climb').fill('0')
  await panel.getByText('Division or modulo by zero').waitFor()
  await panel.getByText('Dimension 0 of first_melody stops at its step 1: climb(5, 0) refuses 12.').waitFor()
  await panel.getByText('What you see is an earlier version').waitFor()
  await panel.getByRole('img', { name: /^\/first_melody:0: 64 values/ }).waitFor()
  await panel.getByRole('button', { name: 'Show where' }).click()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('step 1 of 3')

  await page.getByRole('button', { name: 'Undo' }).click()
  await panel.getByText('2 paths, 64 particles each').waitFor()
})
