import type { BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contractVerification } from '#lib/features/verifier/contract-verification.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { challengeFor, newWallet, type Wallet } from '#test/server/services/people.ts'
import { violationsOf } from '#test/support/axe.ts'
import { testBrowser } from '#test/support/browser.ts'
import { type TestChain, testChain } from '#test/support/chain.ts'
import { chainConfig } from '#test/support/chain-config.ts'
import { type StandInVerifier, startVerifier } from '#test/support/verifier.ts'
import { type ShareSite, startShareSite } from '#test/ui/studio/share-site.ts'

/* The button on the status page, from a click to the answers of a stand-in for Sourcify. */

const ADMIN = newWallet()
let chain: TestChain
let verifier: StandInVerifier
let site: ShareSite
let context: BrowserContext
const browser = testBrowser()

beforeAll(async () => {
  ;[chain, verifier] = await Promise.all([testChain(), startVerifier()])
  const adminAddresses = [ADMIN.address.toLowerCase() as Address]
  site = await startShareSite({
    pages: { '/status': '../../features/verifier/verification-page' },
    config: { ...chainConfig(chain), adminAddresses, features: { verifier: { sourcifyUrl: verifier.url } } },
    json: { '/sourcify': ({ services }) => contractVerification(services) },
  })
  context = await browser().newContext()
})
afterAll(async () => {
  await context?.close()
  await site?.close()
  await Promise.all([chain?.close(), verifier?.close()])
})

async function visit(): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${site.origin}/status`)
  await page.locator('[data-read]').waitFor({ state: 'attached' })
  return page
}

async function signIn(page: Page, wallet: Wallet): Promise<void> {
  const message = await challengeFor(site.api, wallet.address)
  const body = JSON.stringify({ message, signature: await wallet.signMessage({ message }) })
  const status = await page.evaluate(async (text) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch('/session', { method: 'POST', headers, body: text })).status
  }, body)
  expect(status).toBe(200)
  await page.reload()
  await page.locator('[data-read]').waitFor({ state: 'attached' })
}

test('administrators submit the contracts by a click, and everybody sees the answers', async () => {
  verifier.answer = ({ method, path }) => {
    if (method === 'POST') return { status: 409, body: {} }
    if (path.includes(chainConfig(chain).registryAddress)) return { body: { runtimeMatch: 'exact_match' } }
    return path.includes(chainConfig(chain).runnerAddress)
      ? { body: { runtimeMatch: 'match' } }
      : { status: 404, body: {} }
  }
  const page = await visit()
  await signIn(page, newWallet())
  const button = page.getByRole('button', { name: 'Submit the sources' })
  expect(await page.getByRole('heading', { level: 2 }).count()).toBe(0)

  await signIn(page, ADMIN)
  await button.click()
  await page.getByText('Submitted: the answers show above').waitFor()
  await page.getByText('Registry: exact match').waitFor()
  await page.getByText('Runner: partial match').waitFor()
  await page.getByText('PasskeyFactory: no match').waitFor()
  await page.getByText('It says: no match. Sourcify does not take these sources').waitFor()
  expect(await violationsOf(page)).toEqual([])

  await context.clearCookies()
  await page.reload()
  await page.getByText('Registry: exact match').waitFor()
  expect(await button.count()).toBe(0)
})
