import type { BrowserContext, Page } from 'playwright'
import { createPublicClient, http } from 'viem'
import { expect, inject, test } from 'vitest'
import { devChain } from '../scripts/stack/dev-chain.ts'
import { type BrowserWallet, openWithWallet } from '../test/support/browser-wallet.ts'
import {
  dialog,
  documentFile,
  everything,
  expectOnChain,
  importDocument,
  openPlan,
  plan,
  publishAsVisitor,
  rows,
  signIn,
  uniqueName,
} from '../test/support/publication.ts'
import { expectAccessible, sitePages } from '../test/support/site-pages.ts'

/*
 * The publication plan of the studio, from a document to entities on a real chain, with a wallet that really signs and
 * sends: whatever happens on the way, each thing is sent once.
 */

const { site, chainRpc, chainApi } = inject('endpoints')
const { open } = sitePages(site)
const chain = createPublicClient({ chain: devChain, transport: http(chainRpc) })
/** Unpublished names return 404, which browsers write to the console. */
const provoked = ['404', '409']

function receipts(page: Page) {
  return plan(page)
    .getByText(/Published in block \d+\./)
    .count()
}
function transactions({ accounts }: BrowserWallet) {
  return chain.getTransactionCount({ address: accounts[0]!.address })
}

interface Desk {
  readonly page: Page
  readonly context: BrowserContext
  readonly wallet: BrowserWallet
  readonly unique: string
}

/** A signed-in, funded account with a document open. */
async function sitDown(text?: (unique: string) => string): Promise<Desk> {
  const { page, context, wallet } = await openWithWallet(open, '/studio', { provoked }, { rpcUrl: chainRpc })
  for (const { address } of wallet.accounts) {
    await chain.request({
      method: 'anvil_setBalance' as never,
      params: [address, '0x8ac7230489e80000'] as never,
    })
  }
  await signIn(page)
  const unique = uniqueName()
  await importDocument(page, (text ?? documentFile)(unique))
  return { page, context, wallet, unique }
}

async function allowPublishing(page: Page): Promise<void> {
  await dialog(page).getByText('second signature').first().waitFor()
  await dialog(page).getByRole('button', { name: 'Sign in Test wallet' }).click()
}

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

  await plan(page).getByRole('button', { name: 'Publish with 1 transaction' }).click()
  await allowPublishing(page)
  await everything(page)
  expect(wallet.count('eth_sendTransaction')).toBe(1)
  expect(await transactions(wallet)).toBe(1)
  await expect.poll(() => receipts(page)).toBe(3)
  await expectOnChain(chainApi, unique)
  const published = page.getByRole('region', { name: 'Published' })
  await published.getByRole('button', { name: `cloth_${unique}` }).waitFor()

  // The receipts are there on the next visit, and nothing is left to do.
  await page.reload({ waitUntil: 'load' })
  await openPlan(page)
  await everything(page)
  await expect.poll(() => receipts(page)).toBe(3)
})

// The publisher's own tests interrupt it everywhere.
test('the tab closed while the transaction is under way: the next one finishes', async () => {
  const { page, context, wallet, unique } = await sitDown()
  await openPlan(page)
  await plan(page).getByRole('button', { name: 'Publish with 1 transaction' }).click()
  await allowPublishing(page)
  await expect.poll(() => wallet.count('eth_sendTransaction'), { timeout: 30_000 }).toBeGreaterThanOrEqual(1)
  await page.close()

  const next = await context.newPage()
  await next.goto(`${site}/studio`)
  await openPlan(next)
  // Where the wallet sent before the page could record it, the chain shows it.
  const button = plan(next).getByRole('button', { name: /^(Go on|Publish with)/ })
  await button.or(plan(next).getByText('Everything is published.')).first().waitFor()
  // Or shows it while the button is being clicked.
  if (await button.isVisible()) button.click().catch(() => {})
  await everything(next)
  expect(await transactions(wallet)).toBe(1)
  await expectOnChain(chainApi, unique)
  await next.close()
})

test('a wallet without a response gets a second request only on the user’s command', async () => {
  const { page, context, wallet } = await sitDown()
  await openPlan(page)
  wallet.answer('eth_sendTransaction', 'ignore')
  await plan(page).getByRole('button', { name: 'Publish with 1 transaction' }).click()
  await allowPublishing(page)
  await plan(page).getByText('Confirm the transaction in the wallet.').waitFor()
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

test('a second tab waits for the first', async () => {
  const { page, context, wallet } = await sitDown()
  await openPlan(page)
  wallet.answer('eth_sendTransaction', 'ignore')
  await plan(page).getByRole('button', { name: 'Publish with 1 transaction' }).click()
  await allowPublishing(page)
  await plan(page).getByText('Confirm the transaction in the wallet.').waitFor()

  const other = await context.newPage()
  await other.goto(`${site}/studio`)
  await openPlan(other)
  await plan(other).getByRole('button', { name: 'Go on' }).click()
  await plan(other).getByText('Another tab is publishing').waitFor()
  expect(wallet.count('eth_sendTransaction')).toBe(1)
  await other.close()
})

test('the network is checked, and switched by one button', async () => {
  const { page, wallet } = await sitDown()
  wallet.chainId = 1
  await openPlan(page)
  await plan(page).getByText('Test wallet is on another network').waitFor()
  expect(
    await plan(page)
      .getByRole('button', { name: /^Publish with/ })
      .isDisabled(),
  ).toBe(true)
  await plan(page).getByRole('button', { name: 'Switch to Development chain' }).click()
  await expect
    .poll(() =>
      plan(page)
        .getByRole('button', { name: /^Publish with/ })
        .isEnabled(),
    )
    .toBe(true)
  expect(wallet.chainId).toBe(31_337)
})

test('a name with other content is reported, and nothing can be sent', async () => {
  const { page, wallet } = await sitDown((unique) => documentFile(unique, { connector: 'motif' }))
  await openPlan(page)
  await plan(page).getByText('Something else is published under this name').waitFor()
  expect(await plan(page).getByText('Everything is published.').count()).toBe(0)
  // The plan has no link to the other account's connector.
  expect(await plan(page).getByRole('link', { name: 'motif' }).count()).toBe(0)
  expect(
    await plan(page)
      .getByRole('button', { name: /^Publish with/ })
      .isDisabled(),
  ).toBe(true)
  expect(wallet.count('eth_sendTransaction')).toBe(0)
})

test('an unfinished document shows its problems instead of a plan', async () => {
  const { page } = await sitDown((unique) => documentFile(unique).replace('"args":["1"]', '"args":["one"]'))
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await plan(page).getByText('Before it can be published:').waitFor()
})

test('with the throwaway wallet, the plan of a visitor is published after signing in', async () => {
  await publishAsVisitor(await open('/studio', { provoked }), chainApi)
})

// Both themes and both widths are met, without the time of all four.
test.each([
  ['light', 1440],
  ['dark', 390],
] as const)('in the %s theme at %i pixels the plan is accessible', async (colorScheme, width) => {
  const page = await open('/studio', {
    provoked,
    colorScheme,
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
  })
  await signIn(page, 'Throwaway wallet')
  await importDocument(page, documentFile(uniqueName()))
  await openPlan(page)
  await expectAccessible(page)
  await plan(page).getByRole('button', { name: 'Publish with 1 transaction' }).click()
  await everything(page)
  await expectAccessible(page)
})
