import { expect, test } from 'vitest'
import { documentFile, everything, isOut, openPlan, plan } from '#test/support/publication.ts'
import { publicationDesks } from '#test/support/publication-desk.ts'

/* Reasons why the publication plan of the studio is not carried out. */

const { site, transactions, sitDown, leaveUnanswered } = publicationDesks()

test('a wallet without a response gets a second request only on the user’s command', async () => {
  const desk = await sitDown()
  const { page, context, wallet } = desk
  await leaveUnanswered(desk)
  await page.close()

  const next = await context.newPage()
  await next.goto(`${site}/studio`)
  await openPlan(next)
  await plan(next).getByText('It is not known whether the wallet sent this.').waitFor()
  await plan(next).getByRole('button', { name: 'Go on' }).click()
  await next.waitForTimeout(1500)
  expect(wallet.count('eth_sendTransaction')).toBe(1)
  wallet.answer('eth_sendTransaction', 'accept')
  await plan(next).getByRole('button', { name: 'It was not sent' }).click()
  await everything(next)
  expect(await transactions(wallet)).toBe(1)
  await next.close()
})

test('the network is checked, and switched by one button', async () => {
  const { page, wallet } = await sitDown()
  wallet.chainId = 1
  await openPlan(page)
  await plan(page).getByText('Test wallet is on another network').waitFor()
  expect(await plan(page).getByRole('button', { name: 'Publish now' }).isDisabled()).toBe(true)
  await plan(page).getByRole('button', { name: 'Switch to Development chain' }).click()
  await expect.poll(() => plan(page).getByRole('button', { name: 'Publish now' }).isEnabled()).toBe(true)
  expect(wallet.chainId).toBe(31_337)
})

test('a name with other content is reported, and nothing can be sent', async () => {
  const { page, wallet } = await sitDown((unique) => documentFile(unique, { connector: 'motif' }))
  await openPlan(page)
  await plan(page).getByText('Something else is published under this name').waitFor()
  expect(await isOut(page).count()).toBe(0)
  // The plan has no link to the other account's connector.
  expect(await plan(page).getByRole('link', { name: 'motif' }).count()).toBe(0)
  expect(await plan(page).getByRole('button', { name: 'Publish now' }).isDisabled()).toBe(true)
  expect(wallet.count('eth_sendTransaction')).toBe(0)
})

test('an unfinished document shows its problems instead of a plan', async () => {
  const { page } = await sitDown((unique) => documentFile(unique).replace('"args":["1"]', '"args":["one"]'))
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await plan(page).getByText('Before it can be published:').waitFor()
})
