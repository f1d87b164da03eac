import type { BrowserContext, Page } from 'playwright'
import {
  createPublicClient,
  createWalletClient,
  type Hex,
  hexToNumber,
  http,
  type LocalAccount,
  numberToHex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { devChain } from '#scripts/stack/dev-chain.ts'
import type { Opening, SitePages } from './site-pages.ts'
import type { SigningAccount } from './smart-accounts.ts'

/** The user's reaction to a prompt of the wallet. */
type Answer = 'accept' | 'decline' | 'ignore'

/** A wallet extension for tests: it announces itself by EIP-6963 and really signs and sends. */
export interface BrowserWallet {
  readonly accounts: { readonly address: Hex }[]
  /** Every request of the page, in order. */
  readonly requests: { readonly method: string; readonly params: readonly unknown[] }[]
  chainId: number
  /** Sets the reaction to requests of a method. Default: accept. */
  answer(method: string, answer: Answer): void
  /** Selects another account and emits `accountsChanged`. */
  showAccount(index: number): Promise<void>
  /** The number of requests of a method. */
  count(method: string): number
}

export interface BrowserWalletOptions {
  /** JSON-RPC of the chain that transactions go to. */
  readonly rpcUrl?: string
  readonly accounts?: number
  /** The one account, in place of accounts of keys, which sign no typed data. */
  readonly account?: SigningAccount
  /** Its answer about batches (EIP-5792); without it, it takes none. */
  readonly batches?: 'supported' | 'ready'
  readonly name?: string
  readonly rdns?: string
  /** At `window.ethereum` only, as older wallets are. */
  readonly legacy?: boolean
  /** Ids of chains the wallet knows already. */
  readonly knownChains?: readonly number[]
}

/** Opens a page in a browser that has a wallet. */
export async function openWithWallet(
  open: SitePages['open'],
  path: string,
  opening: Opening = {},
  options: BrowserWalletOptions = {},
): Promise<{ readonly page: Page; readonly context: BrowserContext; readonly wallet: BrowserWallet }> {
  const added = Promise.withResolvers<BrowserWallet>()
  const before = async (context: BrowserContext) => added.resolve(await addBrowserWallet(context, options))
  const page = await open(path, { ...opening, before })
  return { page, context: page.context(), wallet: await added.promise }
}

/** Puts a wallet into every page of a browser context, also the ones that are opened later. */
export async function addBrowserWallet(
  context: BrowserContext,
  options: BrowserWalletOptions = {},
): Promise<BrowserWallet> {
  const { rpcUrl, accounts = 2, name = 'Test wallet', rdns = 'example.test.wallet', legacy = false } = options
  const { account: own, batches } = options
  const keys: LocalAccount[] =
    own === undefined ? Array.from({ length: accounts }, () => privateKeyToAccount(generatePrivateKey())) : []
  const sentCalls = new Map<string, Hex>()
  const known = new Set(options.knownChains ?? [31_337, 1])
  const answers = new Map<string, Answer>()
  const binding = `wallet_${rdns.replaceAll('.', '_')}`
  /** Shown to the site only after it was allowed to see them. */
  let allowed = false
  const wallet: BrowserWallet = {
    accounts: own === undefined ? keys : [own],
    requests: [],
    chainId: 31_337,
    answer: (method, answer) => void answers.set(method, answer),
    count: (method) => wallet.requests.filter((each) => each.method === method).length,
    async showAccount(index) {
      const [chosen] = wallet.accounts.splice(index, 1)
      if (chosen !== undefined) wallet.accounts.unshift(chosen)
      await tell('accountsChanged', [wallet.accounts[0]?.address])
    },
  }
  const tell = async (event: string, value: unknown) => {
    for (const page of context.pages()) {
      await page.evaluate(
        ([name, event, value]) =>
          window.dispatchEvent(new CustomEvent(`${name}:${event}`, { detail: value })),
        [binding, event, value] as const,
      )
    }
  }
  const shown = () => (allowed && wallet.accounts[0] ? [wallet.accounts[0].address] : [])

  const run = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    switch (method) {
      case 'eth_accounts':
        return shown()
      case 'eth_chainId':
        return numberToHex(wallet.chainId)
      case 'wallet_requestPermissions':
        allowed = true
        return [
          {
            parentCapability: 'eth_accounts',
            caveats: [{ type: 'restrictReturnedAccounts', value: shown() }],
          },
        ]
      case 'eth_requestAccounts':
        allowed = true
        return shown()
      case 'personal_sign': {
        if (own !== undefined) return own.signMessage(params[0] as Hex)
        const account = keys.find(({ address }) => address.toLowerCase() === String(params[1]).toLowerCase())
        if (account === undefined) throw coded(4100, 'unknown account')
        return account.signMessage({ message: { raw: params[0] as Hex } })
      }
      case 'wallet_switchEthereumChain': {
        const id = hexToNumber((params[0] as { chainId: Hex }).chainId)
        if (!known.has(id)) throw coded(4902, 'Unrecognized chain ID')
        wallet.chainId = id
        await tell('chainChanged', numberToHex(id))
        return null
      }
      case 'wallet_addEthereumChain': {
        const id = hexToNumber((params[0] as { chainId: Hex }).chainId)
        known.add(id)
        wallet.chainId = id
        await tell('chainChanged', numberToHex(id))
        return null
      }
      case 'eth_sendTransaction':
        return send(params[0] as { from: Hex; to: Hex; data: Hex; gas: Hex; value: Hex })
      default:
        return runMore(method, params)
    }
  }
  /** Habits that only wallets of one account of any kind have. */
  const runMore = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    if (own !== undefined && method === 'eth_signTypedData_v4') return own.signTypedData(String(params[1]))
    if (own === undefined || batches === undefined) throw coded(4200, `${method} is not supported`)
    switch (method) {
      case 'eth_getCode':
        return createPublicClient({ transport: http(rpcUrl) }).request({
          method,
          params: params as [Hex, 'latest'],
        })
      case 'wallet_getCapabilities':
        return { [numberToHex(31_337)]: { atomic: { status: batches } } }
      case 'wallet_sendCalls': {
        const { id, calls } = params[0] as { id: string; calls: { to: Hex; data: Hex }[] }
        for (const call of calls) sentCalls.set(id, await own.send(call))
        return { id }
      }
      case 'wallet_getCallsStatus': {
        const transactionHash = sentCalls.get(String(params[0]))
        if (transactionHash === undefined) throw coded(5730, 'Unknown bundle id')
        return { version: '2.0.0', status: 200, atomic: true, receipts: [{ transactionHash }] }
      }
      default:
        throw coded(4200, `${method} is not supported`)
    }
  }
  const send = async (fields: { from: Hex; to: Hex; data: Hex; gas: Hex; value: Hex }): Promise<Hex> => {
    if (rpcUrl === undefined) throw coded(4901, 'no chain')
    if (own !== undefined) return own.send(fields)
    const account = keys.find(({ address }) => address.toLowerCase() === fields.from.toLowerCase())
    if (account === undefined) throw coded(4100, 'unknown account')
    const transport = http(rpcUrl)
    const fees = await createPublicClient({ chain: devChain, transport }).estimateFeesPerGas()
    return createWalletClient({ account, chain: devChain, transport }).sendTransaction({
      to: fields.to,
      data: fields.data,
      gas: BigInt(fields.gas),
      value: BigInt(fields.value),
      ...fees,
    })
  }

  await context.exposeBinding(binding, async (_source, call: { method: string; params?: unknown[] }) => {
    const { method, params = [] } = call
    wallet.requests.push({ method, params })
    const answer = answers.get(method) ?? 'accept'
    if (answer === 'ignore') return new Promise(() => undefined)
    try {
      if (answer === 'decline') throw coded(4001, 'User rejected the request.')
      return { result: await run(method, params) }
    } catch (error) {
      const { code = -32_603, message } = error as { code?: number; message: string }
      return { error: { code, message } }
    }
  })
  await context.addInitScript(announce, { binding, name, rdns, legacy })
  return wallet
}

function coded(code: number, message: string): Error {
  return Object.assign(new Error(message), { code })
}

/** Runs in the page. */
function announce(options: { binding: string; name: string; rdns: string; legacy: boolean }): void {
  const { binding, name, rdns, legacy } = options
  type Listener = (value: unknown) => void
  const listeners = new Map<Listener, EventListener>()
  const provider = {
    async request(call: { method: string; params?: unknown[] }): Promise<unknown> {
      const ask = (window as unknown as Record<string, (call: unknown) => Promise<unknown>>)[binding]
      const { result, error } = (await ask!(call)) as {
        result?: unknown
        error?: { code: number; message: string }
      }
      if (error !== undefined) throw Object.assign(new Error(error.message), { code: error.code })
      return result
    },
    on(event: string, listener: Listener) {
      const heard: EventListener = (told) => listener((told as CustomEvent).detail)
      listeners.set(listener, heard)
      window.addEventListener(`${binding}:${event}`, heard)
      return provider
    },
    removeListener(event: string, listener: Listener) {
      const heard = listeners.get(listener)
      if (heard !== undefined) window.removeEventListener(`${binding}:${event}`, heard)
      return provider
    },
  }
  if (legacy) {
    Object.assign(window, { ethereum: provider })
    return
  }
  const icon =
    'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"%3E%3Crect width="32" height="32" rx="8" fill="%233450b4"/%3E%3Cpath d="M8 12h16v9H8z" fill="none" stroke="white" stroke-width="2"/%3E%3C/svg%3E'
  const detail = Object.freeze({
    info: { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name, icon, rdns },
    provider,
  })
  const tell = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', tell)
  tell()
}
