import { expect, inject, test } from 'vitest'
import { sitePages } from '#test/support/site-pages.ts'
import { loudest, tapSpeakers } from '#test/support/speakers.ts'
import { openDetails, result } from '#test/support/studio.ts'

const { site } = inject('endpoints')
const { open } = sitePages(site)

test('what plays goes on through edits, broken drafts, other tabs and undo, until Stop', async () => {
  const page = await open('/studio?fork=connector/velocity', { provoked: '404', before: tapSpeakers })
  const play = page.getByRole('button', { name: 'Play', exact: true })
  await expect.poll(() => play.isEnabled()).toBe(true)
  await play.click()
  const stop = page.getByRole('button', { name: 'Stop', exact: true })
  await stop.waitFor()
  await expect.poll(() => loudest(page)).toBeGreaterThan(0.02)

  const argument = page.getByLabel(/^Number 1 of /).first()
  for (const text of ['1', '', 'x', '2', '3', '']) {
    await argument.fill(text)
    await expect.poll(() => loudest(page), { message: `with ${text}` }).toBeGreaterThan(0.02)
  }
  // Something else in front that does not run: the last good run plays on.
  await page
    .getByRole('button', { name: /^velocity_2/ })
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'New function' }).click()
  await expect.poll(() => loudest(page)).toBeGreaterThan(0.02)
  await stop.click()
  await play.waitFor()
  await expect.poll(() => loudest(page)).toBeLessThan(0.001)
})

test('four clicks lead from the empty studio to a function of one’s own that sounds', async () => {
  const page = await open('/studio', { before: tapSpeakers })
  await page
    .getByRole('region', { name: 'Templates' })
    .getByRole('button', { name: 'Melody', exact: true })
    .click()
  const name = page.getByLabel(/^What steps? .* do(es)?$/).first()
  await name.click()
  await name.fill('my_move')
  await page.getByRole('option', { name: /^New: my_move/ }).click()
  await page
    .getByRole('button', { name: /^my_move/ })
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect.poll(() => loudest(page)).toBeGreaterThan(0.02)
  // What sounds is its numbers.
  await openDetails(page)
  await result(page)
    .getByRole('button', { name: /^Why is this/ })
    .first()
    .click()
  await result(page)
    .getByText(/my_move/)
    .first()
    .waitFor()
})
