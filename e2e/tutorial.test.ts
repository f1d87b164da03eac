import { expect, inject, test } from 'vitest'
import { samplesOf } from '#test/support/doc-samples.ts'
import { sitePages } from '#test/support/site-pages.ts'
import { openDetails } from '#test/support/studio.ts'

const { site } = inject('endpoints')
const { open } = sitePages(site)

test('the route through the studio, step by step, ends with the scale', async () => {
  const samples = samplesOf('docs/site/tutorial/studio.md')
  const body = samples.find(({ language }) => language === 'solidity')?.code.trim() ?? ''
  const scale = samples.find(({ language }) => language === 'json')?.code.trim() ?? ''
  // Unpublished names are looked up, too.
  const page = await open('/studio')
  const id = Date.now().toString(36)

  await page.getByRole('button', { name: 'New function' }).first().click()
  await page.getByLabel('Name of this function').fill(`step_${id}`)
  await page.locator('.cm-content').click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(body)

  await page.getByRole('button', { name: 'New piece' }).first().click()
  await page.getByLabel('Name of this piece').fill(`scale_${id}`)
  await page.getByRole('row', { name: /^Voice 1/ }).focus()
  for (const [turn, width] of [2, 2, 1, 2, 2, 2, 1].entries()) {
    await page.keyboard.press('a')
    await page.keyboard.type(`step_${id}`)
    await expect.poll(() => page.getByLabel(`Number 1 of step_${id}`).count()).toBe(turn + 1)
    await page.keyboard.press('Tab')
    await page.keyboard.type(String(width))
    await page.keyboard.press('Escape')
  }
  await page.getByLabel('Start of voice 1').fill('60')

  const particles = page.getByRole('region', { name: 'Result', exact: true })
  await particles.getByText('Table', { exact: true }).click()
  const column = particles.getByRole('table').getByRole('cell')
  await expect.poll(async () => (await column.allTextContents()).slice(0, 8).join()).toBe(scale)
  await openDetails(page)
  for (const name of ['Play', /^Why is this 60/, 'Publish', 'Graph']) {
    const button = page.getByRole('button', { name, exact: true })
    await expect.poll(() => button.count(), { message: String(name) }).toBe(1)
  }
})
