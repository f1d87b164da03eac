import type { Page } from 'playwright'
import { describe, expect, inject, test } from 'vitest'
import { violationsOf } from '#test/support/axe.ts'
import {
  type BrowserWallet,
  type BrowserWalletOptions,
  openWithWallet as openAt,
} from '#test/support/browser-wallet.ts'
import { dialog, signIn } from '#test/support/publication.ts'
import { type Opening, shiftOf, sitePages } from '#test/support/site-pages.ts'

/*
 * Signing in at the header of every page, with a wallet extension that announces itself and really signs, and with
 * the throwaway wallet of the development chain.
 */

const { site } = inject('endpoints')
const { open } = sitePages(site)

function signInButton(page: Page) {
  return page.getByRole('button', { name: 'Sign in', exact: true })
}
function accountButton(page: Page) {
  return page.getByRole('button', { name: /^Account / })
}
function short(address: string) {
  return `${address.slice(2, 8)}…${address.slice(-4)}`.toLowerCase()
}

function openWithWallet(options: BrowserWalletOptions = {}, opening: Opening = {}) {
  return openAt(open, '/', opening, options)
}

async function expectAccount(page: Page, { accounts }: BrowserWallet, index = 0): Promise<void> {
  const text = short(accounts[index]!.address)
  await expect.poll(() => accountButton(page).textContent()).toContain(text)
}

function focusedText(page: Page) {
  return page.evaluate(() => document.activeElement?.textContent)
}

function whoAmI(page: Page) {
  return page.evaluate(
    async () => ((await (await fetch('/session')).json()) as { session: unknown }).session,
  ) as Promise<{ address: string } | null>
}

test('connects, signs, stays over a reload and in the next tab, and signs out of both', async () => {
  const { page, context, wallet } = await openWithWallet()
  await signIn(page)
  await expectAccount(page, wallet)
  expect((await whoAmI(page))?.address).toBe(wallet.accounts[0]!.address)
  expect(wallet.count('personal_sign')).toBe(1)
  // The focus is restored, and no script can read the tokens.
  await expect.poll(() => focusedText(page)).toContain(short(wallet.accounts[0]!.address))
  expect(await page.evaluate(() => document.cookie)).toBe('')
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toMatch(
    /[0-9a-f]{64}|eyJ/,
  )

  await page.reload({ waitUntil: 'load' })
  await expectAccount(page, wallet)
  const other = await context.newPage()
  await other.goto(`${site}/feed`)
  await expectAccount(other, wallet)
  expect(wallet.count('personal_sign')).toBe(1)

  await accountButton(other).click()
  await expect
    .poll(() => other.getByRole('link', { name: 'Your page' }).getAttribute('href'))
    .toBe(`/users/${wallet.accounts[0]!.address.toLowerCase()}`)
  await other.getByRole('button', { name: 'Sign out' }).click()
  await signInButton(other).waitFor()
  await signInButton(page).waitFor()
  expect(await whoAmI(page)).toBeNull()
})

test('a wallet that never answers can be left', async () => {
  const { page, wallet } = await openWithWallet()
  wallet.answer('personal_sign', 'ignore')
  await signInButton(page).click()
  await dialog(page).getByRole('button', { name: 'Test wallet' }).click()
  await dialog(page).getByText('Sign the message').waitFor()
  await dialog(page).getByRole('button', { name: 'Use another wallet' }).click()
  await dialog(page).getByRole('button', { name: 'Test wallet' }).waitFor()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'hidden' })
  await expect.poll(() => focusedText(page)).toBe('Sign in')
})

test('after an account switch no private data is shown until the user has chosen', async () => {
  const { page, context, wallet } = await openWithWallet()
  await signIn(page)
  const other = await context.newPage()
  await other.goto(site)
  await expectAccount(other, wallet)

  await wallet.showAccount(1)
  for (const each of [page, other]) await each.getByText('Your wallet has another account now').waitFor()
  await page.getByRole('button', { name: `Stay as ${short(wallet.accounts[1]!.address)}` }).click()
  for (const each of [page, other]) {
    await each.getByText('Your wallet has another account now').waitFor({ state: 'hidden' })
    await expectAccount(each, wallet, 1)
  }

  await wallet.showAccount(1)
  await wallet.showAccount(1)
  await page.reload({ waitUntil: 'load' })
  await expectAccount(page, wallet, 1)
})

test('a wallet at window.ethereum only is found too', async () => {
  const { page, wallet } = await openWithWallet({ legacy: true })
  await signIn(page, 'Browser wallet')
  await expectAccount(page, wallet)
  await wallet.showAccount(1)
  await page.getByText('Your wallet has another account now').waitFor()
})

test('without a wallet, the dialog explains how to get one', async () => {
  const page = await open('/')
  await signInButton(page).click()
  await dialog(page).getByText('This browser has no wallet.').waitFor()
  await dialog(page).getByText('What is a wallet?').click()
  await dialog(page).getByText('keeps a secret key for you').waitFor()
})

describe('the page stays light', () => {
  test('no wallet code and no third party is loaded before the sign-in dialog opens, and the layout does not shift', async () => {
    const page = await open('/')
    await page.waitForLoadState('networkidle')
    const scripts = await scriptsOf(page)
    expect(
      scripts.some(
        ({ text }) => text.includes('personal_sign') || text.includes('wallet_requestPermissions'),
      ),
    ).toBe(false)
    await signInButton(page).click()
    await dialog(page).getByText('This browser has no wallet.').waitFor()
    expect((await scriptsOf(page)).some(({ text }) => text.includes('wallet_requestPermissions'))).toBe(true)
    // Beside a page that scrolls, the room of its scrollbar is as dark as the page.
    const gutter = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundImage)
    expect(gutter).toContain('gradient')
    expect((await scriptsOf(page)).some(({ text }) => text.includes('wc_sessionPropose'))).toBe(false)
    expect(await shiftOf(page)).toBeLessThan(0.02)
  })
})

async function scriptsOf(page: Page): Promise<{ url: string; text: string }[]> {
  const urls = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => new URL(name).pathname.endsWith('.js')),
  )
  return Promise.all(urls.map(async (url) => ({ url, text: await (await fetch(url)).text() })))
}

// Both themes and both widths are met, without the time of all four.
test.each([
  ['light', 1440],
  ['dark', 390],
] as const)(
  'in the %s theme at %i pixels everything of signing in is accessible, what is declined and tried again too',
  async (colorScheme, width) => {
    const { page, wallet } = await openWithWallet({}, { colorScheme, viewport: { width, height: 800 } })
    await signInButton(page).click()
    await dialog(page).getByRole('button', { name: 'Test wallet' }).waitFor()
    await expectNoViolations(page)
    wallet.answer('wallet_requestPermissions', 'decline')
    await dialog(page).getByRole('button', { name: 'Test wallet' }).click()
    await dialog(page).getByText('You declined in the wallet. Nothing has been shared.').waitFor()
    wallet.answer('wallet_requestPermissions', 'accept')
    wallet.answer('personal_sign', 'decline')
    await dialog(page).getByRole('button', { name: 'Try again' }).click()
    await dialog(page).getByText('You declined to sign. Nothing has happened.').waitFor()
    expect(await whoAmI(page)).toBeNull()
    await expectNoViolations(page)
    wallet.answer('personal_sign', 'accept')
    await dialog(page).getByRole('button', { name: 'Try again' }).click()
    await accountButton(page).click()
    await page.getByRole('region', { name: 'Account' }).waitFor()
    await expectNoViolations(page)
    await wallet.showAccount(1)
    await page.getByText('Your wallet has another account now').waitFor()
    await expectNoViolations(page)
  },
)

async function expectNoViolations(page: Page): Promise<void> {
  expect(await violationsOf(page, { runOnly: ['wcag2a', 'wcag2aa', 'wcag22aa'] })).toEqual([])
}
