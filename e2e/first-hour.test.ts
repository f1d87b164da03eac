import type { Page } from 'playwright'
import { afterAll, expect, test } from 'vitest'
import { startOwnProgram } from '#test/support/program.ts'
import { dialog, everything, plan } from '#test/support/publication.ts'
import { expectAccessible, sitePages } from '#test/support/site-pages.ts'
import { addAuthenticator } from '#test/support/virtual-authenticator.ts'

/* A visitor without wallet and coins: from the first page to a published piece and its link. */

/** A program of its own: the site pays for the publication, and for one at a time. */
const {
  endpoints: { site, chainApi },
  close,
} = await startOwnProgram()
afterAll(close)
const { open } = sitePages(site)

function accountButton(page: Page) {
  return page.getByRole('button', { name: /^Account / })
}

async function signOut(page: Page): Promise<void> {
  await accountButton(page).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
}

function whoAmI(page: Page): Promise<string | undefined> {
  return page.evaluate(async () => (await (await fetch('/session')).json()).session?.address?.toLowerCase())
}

test('six presses lead from the first page to a published piece and its link, by a passkey', async () => {
  const page = await open('/', {
    provoked: ['404', '409'],
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const authenticator = await addAuthenticator(page)
  let presses = 0
  const press = async (name: string | RegExp, within: Page | ReturnType<Page['getByRole']> = page) => {
    presses += 1
    await within.getByRole('button', { name, exact: typeof name === 'string' }).click()
  }

  const hero = page.getByRole('region', { name: 'two_clocks, live' })
  await expect.poll(() => hero.getByRole('button', { name: 'Play' }).isEnabled()).toBe(true)
  await hero.getByRole('button', { name: 'Play', exact: true }).click()
  await hero.getByRole('button', { name: /dice/i }).click()
  await press('Remix', hero)
  const name = page.getByLabel('Name of this piece')
  await expect.poll(() => name.inputValue()).toMatch(/^two_clocks_/)
  const kept = await name.inputValue()

  await press('Publish')
  const sentence = plan(page).getByLabel(/^In a sentence/)
  await sentence.fill('Two clocks that meet again.')
  await press('Sign in', plan(page))
  await dialog(page).getByRole('button', { name: 'Continue with a passkey' }).waitFor()
  expect(await dialog(page).getByRole('alert').count()).toBe(0)
  await expectAccessible(page)
  await press(/^Continue with a passkey/, dialog(page))
  await accountButton(page).waitFor()
  // One makes the passkey and one signs in; one more publishes, however much there is of it.
  expect(authenticator.prompts()).toBe(2)
  await expect.poll(() => sentence.inputValue()).toBe('Two clocks that meet again.')
  await press('Publish now', plan(page))
  await everything(page)
  expect(authenticator.prompts()).toBe(3)
  // Neither messages nor buttons are left beside the moment.
  expect(await page.getByRole('button', { name: 'Dismiss' }).count()).toBe(0)
  expect(await plan(page).getByRole('button', { name: 'Take another moment' }).count()).toBe(0)
  await press('Copy link', plan(page))
  expect(presses).toBe(6)

  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toBe(`${site}/connectors/${kept}`)
  // A name is asked for once, after the first publication.
  await plan(page).getByLabel('By which name do you want to be shown').fill('Ada of the looms')
  await plan(page).getByRole('button', { name: 'Use this name' }).click()
  await plan(page).getByText('Your pages carry your name now.').waitFor()
  await page.getByRole('button', { name: 'Account Ada of the looms' }).waitFor()
  const account = await whoAmI(page)
  await expect
    .poll(async () => `0x${(await (await fetch(`${chainApi}/connector/${kept}`)).json()).owner}`)
    .toBe(account)
  expect(await authenticator.passkeys()).toHaveLength(1)
  await page.goto(link)
  // It is titled by its name.
  await page
    .getByRole('heading', { name: kept.replaceAll('_', ' ') })
    .first()
    .waitFor()

  // Signed out and unknown to this browser, the passkey is enough to come back.
  for (const forgets of [false, true]) {
    await signOut(page)
    if (forgets) await page.evaluate(() => localStorage.clear())
    await page.reload()
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const way = forgets ? 'I have a passkey for this site' : /^Continue with a passkey/
    await dialog(page).getByRole('button', { name: way }).click()
    await accountButton(page).waitFor()
    expect(await whoAmI(page)).toBe(account)
  }

  // What it means is said where the account is.
  await accountButton(page).click()
  await page.getByRole('link', { name: 'Other devices, and how to move' }).click()
  await page.getByRole('heading', { name: 'Your passkey' }).waitFor()
  await expectAccessible(page)
  await page.goto(link)

  // A finger of another: nothing happens, and the page says so.
  await signOut(page)
  await page.reload()
  await authenticator.verify(false)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await dialog(page)
    .getByRole('button', { name: /^Continue with a passkey/ })
    .click()
  await dialog(page).getByText('Nothing has happened').waitFor()
  expect(await whoAmI(page)).toBeUndefined()
})
