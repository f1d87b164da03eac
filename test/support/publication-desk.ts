import type { BrowserContext, Page } from 'playwright'
import { createPublicClient, http } from 'viem'
import { expect, inject } from 'vitest'
import { devChain } from '#scripts/stack/dev-chain.ts'
import { type BrowserWallet, openWithWallet } from './browser-wallet.ts'
import { documentFile, importDocument, openPlan, plan, signIn, uniqueName } from './publication.ts'
import { sitePages } from './site-pages.ts'

/** Unpublished names return 404, which browsers write to the console. */
export const provoked = ['404', '409']

interface Desk {
  readonly page: Page
  readonly context: BrowserContext
  readonly wallet: BrowserWallet
  readonly unique: string
}

/** Opens the studio with documents to publish and a wallet that really signs and sends, for the tests of a file. */
export function publicationDesks() {
  const { site, chainRpc, chainApi } = inject('endpoints')
  const { open } = sitePages(site)
  const chain = createPublicClient({ chain: devChain, transport: http(chainRpc) })
  function receipts(page: Page) {
    return plan(page)
      .getByText(/Published in block \d+\./)
      .count()
  }
  function transactions({ accounts }: BrowserWallet) {
    return chain.getTransactionCount({ address: accounts[0]!.address })
  }

  /** A signed-in, funded account with a document open. */
  async function sitDown(text?: (unique: string) => string): Promise<Desk> {
    const { page, context, wallet } = await openWithWallet(
      open,
      '/studio',
      { provoked },
      { rpcUrl: chainRpc },
    )
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

  /** Publishes up to the request that the wallet leaves without a response. */
  async function leaveUnanswered({ page, wallet }: Desk): Promise<void> {
    await openPlan(page)
    wallet.answer('eth_sendTransaction', 'ignore')
    await plan(page).getByRole('button', { name: 'Publish now' }).click()
    await plan(page).getByText('Confirm the transaction in the wallet.').waitFor()
    await expect.poll(() => wallet.count('eth_sendTransaction')).toBe(1)
  }
  return { site, chainApi, open, receipts, transactions, sitDown, leaveUnanswered }
}
