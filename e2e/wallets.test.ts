import { writeFileSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright'
import { createPublicClient, http, keccak256, parseAbiItem, stringToBytes } from 'viem'
import { afterAll, expect, inject, test } from 'vitest'
import { devChain } from '#scripts/stack/dev-chain.ts'
import { violationsOf } from '#test/support/axe.ts'
import { addBrowserWallet } from '#test/support/browser-wallet.ts'
import {
  dialog,
  documentFile,
  everything,
  importDocument,
  isOut,
  openPlan,
  plan,
  sixEntities,
  uniqueName,
} from '#test/support/publication.ts'
import { sitePages } from '#test/support/site-pages.ts'
import { sliceOf } from '#test/support/slice.ts'
import { newContractAccount, newKeyAccount, type SigningAccount } from '#test/support/smart-accounts.ts'
import { type Authenticator, addAuthenticator } from '#test/support/virtual-authenticator.ts'
import { connectToRelay, startPhone, startWalletConnectRelay } from '#test/support/wallet-connect.ts'

/*
 * Kinds of accounts, each through signing in on the wrong network, a rejection, publishing six entities, and a tab that is
 * lost. A slice of the eight; with `WALLET_TABLE_FILE` their prompts, seconds and gas are written there as Markdown (`npm run
 * wallets:table`, which takes them all).
 */

const { site, chainRpc, chainApi } = inject('endpoints')
const { open } = sitePages(site)
const chain = createPublicClient({ chain: devChain, transport: http(chainRpc) })
// 503: the site pays for the publication of another test just now.
const provoked = ['404', '409', '503', 'Content Security Policy', 'verify.walletconnect']

/** A wallet as this test sees it. */
interface Held {
  /** Name in the dialog. */
  readonly name: string | RegExp
  /** Puts it into the browser, on another chain than the site's. */
  install?(context: BrowserContext): Promise<void>
  /** Puts it into a page, which knows of no earlier one. */
  enter?(page: Page): Promise<void>
  /** Before a page is closed. */
  leave?(): Promise<void>
  /** After its name was pressed: what its user does outside the page. */
  pair?(page: Page): Promise<void>
  /** Prompts that its user accepted. */
  prompts(): number
  /** Declines such requests from now on, or accepts them again. */
  decline(method: string, declined: boolean): void | Promise<void>
  close?(): void
}

const PROMPTS = ['personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction', 'wallet_sendCalls']

interface Kind {
  readonly kind: string
  readonly by: 'signature' | 'batch of calls' | 'signature without a prompt'
  /** The request that publishes; none for wallets that sign by themselves. */
  readonly prompt?: string
  /** The site makes the account: it has no other network, and asks without an explanation. */
  readonly own?: true
  hold(): Promise<Held>
}

const KINDS: readonly Kind[] = [
  {
    kind: 'a key',
    by: 'signature',
    prompt: 'eth_signTypedData_v4',
    hold: async () => extension(await newKeyAccount(chainRpc)),
  },
  {
    kind: 'a contract (EIP-1271)',
    by: 'signature',
    prompt: 'eth_signTypedData_v4',
    hold: async () => extension(await newContractAccount(chainRpc, { keys: 1, threshold: 1 })),
  },
  {
    kind: 'a contract not deployed yet (ERC-6492)',
    by: 'batch of calls',
    prompt: 'wallet_sendCalls',
    hold: async () =>
      extension(
        await newContractAccount(chainRpc, { keys: 1, threshold: 1, counterfactual: true }),
        'supported',
      ),
  },
  {
    kind: 'a key with code (EIP-7702)',
    by: 'signature',
    prompt: 'eth_signTypedData_v4',
    hold: async () => extension(await newKeyAccount(chainRpc, true)),
  },
  {
    kind: 'two of three keys',
    by: 'signature',
    prompt: 'eth_signTypedData_v4',
    hold: async () => extension(await newContractAccount(chainRpc, { keys: 3, threshold: 2 })),
  },
  {
    kind: 'a phone (WalletConnect)',
    by: 'signature',
    prompt: 'eth_signTypedData_v4',
    hold: async () => phone(await newKeyAccount(chainRpc)),
  },
  {
    kind: 'the throwaway wallet',
    by: 'signature without a prompt',
    own: true,
    hold: async () => ({ name: 'Throwaway wallet', prompts: () => 0, decline: () => undefined }),
  },
  { kind: 'a passkey', by: 'signature', prompt: 'passkey', own: true, hold: async () => passkey() },
]

const { WALLET_TABLE_FILE: tableFile } = process.env

const table: string[] = []
afterAll(() => {
  if (tableFile === undefined) return
  const head = [
    '| account | publishes by | prompts to sign in | prompts for six entities | seconds from click to observed | gas |',
    '| --- | --- | ---: | ---: | ---: | ---: |',
  ]
  writeFileSync(tableFile, `${[...head, ...table].join('\n')}\n`)
})

test.each(sliceOf(KINDS, 4))('$kind', async ({ kind, by, prompt, own, hold }) => {
  const wallet = await hold()
  try {
    const page = await open('/studio', { provoked, before: async (context) => wallet.install?.(context) })
    await wallet.enter?.(page)
    await signInFromAnotherChain(page, wallet, prompt, own)
    const toSignIn = wallet.prompts()

    const unique = uniqueName()
    await importDocument(page, sixEntities(unique))
    await openPlan(page)
    const publish = plan(page).getByRole('button', { name: 'Publish now' })
    if (prompt !== undefined) await declineOnce(page, wallet, prompt)
    const before = wallet.prompts()
    const clicked = performance.now()
    await publish
      .or(plan(page).getByRole('button', { name: 'Go on' }))
      .first()
      .click()
    await everything(page)
    await expect.poll(() => addressOf(unique), { interval: 50 }).toMatch(/^0x[0-9a-f]{40}$/)
    const seconds = (performance.now() - clicked) / 1000
    const prompts = wallet.prompts() - before
    expect(prompts).toBe(prompt === undefined ? 0 : 1)

    await loseTheTab(page, wallet, prompt)
    const figures = [toSignIn, prompts, seconds.toFixed(1), await gasOf(unique)]
    table.push(`| ${[kind, by, ...figures].join(' | ')} |`)
  } finally {
    wallet.close?.()
  }
})

/** Signs in; a wallet with a user declines at first, and one that is not the site's own is on another network. */
async function signInFromAnotherChain(
  page: Page,
  wallet: Held,
  prompt: string | undefined,
  own = false,
): Promise<void> {
  await wallet.decline('personal_sign', true)
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click()
  await dialog(page).getByRole('button', { name: wallet.name }).click()
  await wallet.pair?.(page)
  if (!own) {
    await dialog(page).getByText('is on another network').waitFor()
    await dialog(page).getByRole('button', { name: 'Switch to Development chain' }).click()
  }
  if (prompt !== undefined) {
    await dialog(page).getByText('Nothing has happened.').waitFor()
    await wallet.decline('personal_sign', false)
    await dialog(page).getByRole('button', { name: 'Try again' }).click()
  }
  await page.getByRole('button', { name: /^Account / }).waitFor()
}

/** Declines to publish. */
async function declineOnce(page: Page, wallet: Held, prompt: string): Promise<void> {
  const publish = plan(page).getByRole('button', { name: 'Publish now' })
  await wallet.decline(prompt, true)
  await publish.click()
  await plan(page).getByText('Declined in the wallet. Nothing was sent.').waitFor()
  await wallet.decline(prompt, false)
}

/** Publishes once more; the tab is closed when the wallet was asked, and the next one finishes. */
async function loseTheTab(page: Page, wallet: Held, prompt: string | undefined): Promise<void> {
  await plan(page).getByRole('button', { name: 'Close', exact: true }).click()
  await importDocument(page, documentFile(uniqueName()))
  await openPlan(page)
  const before = wallet.prompts()
  await wallet.leave?.()
  await plan(page).getByRole('button', { name: 'Publish now' }).click()
  if (prompt === undefined)
    await plan(page)
      .getByText(/Sent, and waiting|Published in block/)
      .first()
      .waitFor()
  else await expect.poll(() => wallet.prompts()).toBeGreaterThan(before)
  const context = page.context()
  await page.close()

  const next = await context.newPage()
  await wallet.enter?.(next)
  await next.goto(`${site}/studio`)
  await openPlan(next)
  const button = plan(next).getByRole('button', { name: /^(Go on|Publish now)/ })
  await button.or(isOut(next)).first().waitFor()
  // What was under way may arrive while the button is being clicked.
  if (await button.isVisible()) button.click().catch(() => {})
  await everything(next)
  await next.close()
}

/** The address of the last of the six, once the worker has it. */
async function addressOf(unique: string): Promise<string | undefined> {
  const answer = await fetch(`${chainApi}/connector/song_${unique}`)
  return ((await answer.json()) as { address?: string }).address
}

const PUBLISHED = parseAbiItem(
  'event Published(uint8 indexed kind, address indexed owner, bytes32 indexed nameHash, string name, address entity, bytes32 contentHash, bytes32 metadataHash, uint256 nonce)',
)

/** Gas of the transaction that published it. */
async function gasOf(unique: string): Promise<string> {
  const nameHash = keccak256(stringToBytes(`song_${unique}`))
  const [log] = await chain.getLogs({ event: PUBLISHED, args: { nameHash }, fromBlock: 0n })
  const { gasUsed } = await chain.getTransactionReceipt({ hash: log!.transactionHash })
  return gasUsed.toLocaleString('en-US')
}

async function extension(account: SigningAccount, batches?: 'supported' | 'ready'): Promise<Held> {
  let installed: Awaited<ReturnType<typeof addBrowserWallet>> | undefined
  return {
    name: 'Test wallet',
    async install(context) {
      installed = await addBrowserWallet(context, {
        rpcUrl: chainRpc,
        account,
        knownChains: [1],
        ...(batches && { batches }),
      })
      installed.chainId = 1
    },
    ...accepted(
      (method) => installed?.count(method) ?? 0,
      (method, declined) => installed?.answer(method, declined ? 'decline' : 'accept'),
    ),
  }
}

async function phone(account: SigningAccount): Promise<Held> {
  const relay = await startWalletConnectRelay()
  const asked: string[] = []
  const declines = new Set<string>()
  const client = await startPhone(relay.url, account, asked, { chainId: 1, declines })
  return {
    name: 'WalletConnect',
    install: (context) => connectToRelay(context, relay),
    async pair(page) {
      await dialog(page).getByRole('img', { name: 'Code to scan with a wallet app' }).waitFor()
      expect(await violationsOf(page, { runOnly: ['wcag2a', 'wcag2aa', 'wcag22aa'] })).toEqual([])
      const link = await dialog(page).getByRole('link', { name: 'Open it' }).getAttribute('href')
      await client.pair({ uri: link as string })
    },
    ...accepted(
      (method) => asked.filter((each) => each === method).length,
      (method, declined) => void (declined ? declines.add(method) : declines.delete(method)),
    ),
    close: () => relay.close(),
  }
}

/** A passkey of the browser's own authenticator, which follows its user from page to page. */
function passkey(): Held {
  let authenticator: Authenticator | undefined
  let known: Awaited<ReturnType<Authenticator['passkeys']>> = []
  let earlier = 0
  return {
    name: 'Continue with a passkey',
    async enter(page) {
      earlier += authenticator?.prompts() ?? 0
      authenticator = await addAuthenticator(page, known)
    },
    async leave() {
      known = (await authenticator?.passkeys()) ?? []
    },
    prompts: () => earlier + (authenticator?.prompts() ?? 0),
    decline: (_, declined) => authenticator?.verify(!declined),
  }
}

/** Counts requests that were not declined. */
function accepted(
  count: (method: string) => number,
  answer: (method: string, declined: boolean) => void,
): Pick<Held, 'prompts' | 'decline'> {
  const since = new Map<string, number>()
  let declined = 0
  return {
    prompts: () => PROMPTS.reduce((sum, method) => sum + count(method), 0) - declined,
    decline(method, now) {
      const before = since.get(method)
      if (now) since.set(method, count(method))
      else if (before !== undefined) declined += count(method) - before
      answer(method, now)
    },
  }
}
