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

test('particles are there before the server has made them, and are held against its own', async () => {
  const page = await open('/studio')
  const policies: (string | undefined)[] = []
  page.on('response', (response) => {
    if (response.url().includes('turbopack-worker'))
      policies.push(response.headers()['content-security-policy'])
  })
  await runExample(page)
  const panel = result(page)
  const argument = page.getByRole('row', { name: 'step 2 of 2' }).getByLabel('Argument 1 of lift')
  const last = panel.getByRole('img', { name: /^\/first_melody:1: 64 values/ })
  let hold = Promise.withResolvers<void>()
  let change = (text: string) => text
  await page.route('**/studio/api/preview', async (route) => {
    const answer = await route.fetch()
    const text = change(await answer.text())
    await hold.promise
    await route.fulfill({ response: answer, body: text })
  })

  // 0, 3, 5, 8, 10: the last of 64 is 158.
  // A browser that is too busy leaves a run to the server; the next edit is another chance.
  await expect
    .poll(async () => {
      await argument.fill('1')
      await argument.fill('2')
      // Each edit ends the run before it, and a busy browser takes seconds to begin one.
      const shown = panel.getByText('preview', { exact: true }).waitFor({ timeout: 10_000 })
      return shown.then(
        () => true,
        () => false,
      )
    })
    .toBe(true)
  await last.and(page.getByRole('img', { name: /to 158 \(step 63\)/ })).waitFor()
  hold.resolve()
  await panel.getByText('preview', { exact: true }).waitFor({ state: 'detached' })
  expect(await panel.getByText('This browser made other particles').count()).toBe(0)
  expect([...new Set(policies)]).toEqual(["default-src 'none'; script-src 'self' 'unsafe-eval'"])

  // A differing result of the server replaces the browser's.
  hold = Promise.withResolvers()
  change = (text) => text.replace('"data":[0,3,7,10,', '"data":[0,3,7,99,')
  await argument.fill('4')
  await last.and(page.getByRole('img', { name: /to 220 \(step 63\)/ })).waitFor()
  const [told] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/preview-differences')),
    hold.resolve(),
  ])
  expect(told.status()).toBe(204)
  await panel.getByText('This browser made other particles at first').waitFor()
  await panel.getByRole('button', { name: '/first_melody:1' }).click()
  await panel.getByLabel('Step, as a number').fill('3')
  await panel.getByRole('button', { name: 'Why is this 99?' }).waitFor()
})
