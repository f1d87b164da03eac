import type { Page } from 'playwright'
import { expect, inject, test } from 'vitest'
import { sitePages } from '../test/support/site-pages.ts'

const { site } = inject('endpoints')
const { open } = sitePages(site)

function node(page: Page, name: RegExp) {
  return page.getByRole('group', { name }).filter({ has: page.locator('svg') })
}
function focused(page: Page) {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
}

test('a published connector is read as a graph, forked, changed there by keyboard, and kept', async () => {
  const page = await open('/studio', { reducedMotion: 'reduce' })
  await page
    .getByRole('region', { name: 'Published' })
    .getByRole('button', { name: 'weave', exact: true })
    .click()
  await page.getByRole('treegrid').waitFor()
  await page.getByRole('button', { name: 'Graph', exact: true }).click()
  const duet = node(page, /^duet, published/)
  await duet.waitFor()
  const expand = page.getByRole('button', { name: 'Expand duet' })
  const inside = page.getByRole('group', { name: 'Dimension 1, a scalar' }).first()
  // The canvas may still move to its place while it is pressed.
  await expect
    .poll(async () => {
      if (await expand.isVisible()) await expand.click()
      return inside.isVisible()
    })
    .toBe(true)
  expect(await page.locator('.react-flow input').count()).toBe(0)

  await page.getByRole('button', { name: 'Remix' }).click()
  await node(page, /^weave_2, the connector of this graph/).waitFor()
  await page.locator('.react-flow').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('d')
  await expect.poll(() => focused(page)).toMatch(/^Dimension \d+, a scalar$/)
  await page.keyboard.press('l')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^pitch\b/ })
    .first()
    .click()
  await expect.poll(() => focused(page)).toBe('Leads to pitch')
  await node(page, /^pitch, published/).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Alt+ArrowDown')
  await page
    .getByRole('button', { name: /^Undo/ })
    .and(page.locator('[title="Undo: Move in the graph"]'))
    .waitFor()
  await page.locator('[data-save=saved]').first().waitFor()

  // The editor, the graph and the places are there again.
  await page.reload()
  await node(page, /^weave_2, the connector of this graph/).waitFor()
  await node(page, /^pitch, published/).waitFor()
  await page.getByRole('button', { name: 'Outline', exact: true }).click()
  await page.getByRole('row').getByLabel('Connector this dimension leads to').last().waitFor()
  expect(
    await page
      .getByLabel('Connector this dimension leads to')
      .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value)),
  ).toContain('pitch')
})
