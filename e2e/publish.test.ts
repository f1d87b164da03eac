import { expect, test } from 'vitest'
import {
  everything,
  expectOnChain,
  openPlan,
  plan,
  publishAsVisitor,
  rows,
} from '#test/support/publication.ts'
import { provoked, publicationDesks } from '#test/support/publication-desk.ts'
import { expectAccessible } from '#test/support/site-pages.ts'

/*
 * The publication plan of the studio, from a document to entities on a real chain, with a wallet that really signs and
 * sends: whatever happens on the way, each thing is sent once.
 */

const { site, chainApi, open, receipts, transactions, sitDown, leaveUnanswered } = publicationDesks()

test('a document is published by one transaction, in order, with receipts', async () => {
  const { page, wallet, unique } = await sitDown()
  await openPlan(page)
  await rows(page).filter({ hasText: 'Published already' }).waitFor()
  const texts = await rows(page).allTextContents()
  expect(texts).toHaveLength(4)
  expect(texts.find((text) => text.includes('pitch'))).toContain('Published already')
  expect(texts.at(-1)).toContain(`cloth_${unique}`)
  await plan(page)
    .getByText(/3 publications in 1 transaction, about [\d,]+ gas/)
    .waitFor()
  await plan(page)
    .getByText(/probably 0\.\d+ ETH/)
    .waitFor()
  await expectAccessible(page)

  // The typed words are there again after the card was closed.
  const sentence = plan(page).getByLabel(/^In a sentence/)
  await sentence.fill('Up, and twice as far.')
  await plan(page).getByRole('button', { name: 'Close' }).click()
  await plan(page).waitFor({ state: 'detached' })
  await openPlan(page)
  expect(await sentence.inputValue()).toBe('Up, and twice as far.')

  await plan(page).getByRole('button', { name: 'Publish now' }).click()
  await everything(page)
  expect(wallet.count('eth_sendTransaction')).toBe(1)
  expect(await transactions(wallet)).toBe(1)
  await expect.poll(() => receipts(page)).toBe(3)
  await expectOnChain(chainApi, unique)
  const published = page.getByRole('region', { name: 'Published' })
  await published.getByRole('button', { name: `cloth_${unique}` }).waitFor()
  await expectAccessible(page)

  // The receipts are there on the next visit, and nothing is left to do.
  await page.reload({ waitUntil: 'load' })
  await openPlan(page)
  await everything(page)
  await expect.poll(() => receipts(page)).toBe(3)
})

test('a press while the plan is read again publishes by the plan that comes', async () => {
  const { page, wallet, unique } = await sitDown()
  await openPlan(page)
  const sentence = plan(page).getByLabel(/^In a sentence/)
  await sentence.fill('Up, and twice as far.')
  const release = Promise.withResolvers<void>()
  await page.route('**/studio/api/publication-plan', async (route) => {
    await release.promise
    await route.continue()
  })
  await plan(page).getByLabel('Name').fill(`renamed_${unique}`)
  await plan(page).getByLabel('Name').press('Enter')
  await plan(page).getByText(`/connectors/renamed_${unique}`).waitFor()
  // Nothing of the form goes away meanwhile.
  expect(await sentence.inputValue()).toBe('Up, and twice as far.')
  expect(await plan(page).getByLabel('Publish it as a piece').count()).toBe(1)
  await plan(page).getByRole('button', { name: 'Publish now' }).click()
  await plan(page).getByRole('button', { name: 'Publishing…', disabled: true }).waitFor()
  expect(await plan(page).getByLabel('Name').isDisabled()).toBe(true)
  expect(wallet.count('eth_sendTransaction')).toBe(0)
  release.resolve()
  await everything(page)
  expect(wallet.count('eth_sendTransaction')).toBe(1)
  await expect.poll(async () => (await fetch(`${chainApi}/connector/renamed_${unique}`)).status).toBe(200)
})

test('a second tab waits for the first', async () => {
  const desk = await sitDown()
  const { context, wallet } = desk
  await leaveUnanswered(desk)

  const other = await context.newPage()
  await other.goto(`${site}/studio`)
  await openPlan(other)
  await plan(other).getByRole('button', { name: 'Go on' }).click()
  await plan(other).getByText('Another tab is publishing').waitFor()
  expect(wallet.count('eth_sendTransaction')).toBe(1)
  await other.close()
})

// The first test meets the plan in the light theme on a wide screen.
test('with the throwaway wallet, the plan of a visitor is published after signing in, in the dark on a phone', async () => {
  const page = await open('/studio', {
    provoked,
    colorScheme: 'dark',
    viewport: { width: 390, height: 900 },
  })
  await publishAsVisitor(page, chainApi, () => expectAccessible(page))
  await expectAccessible(page)
})
