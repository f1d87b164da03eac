import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Refusal } from '#lib/browser/requests.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { createServicesDispatcher } from '#lib/server/operations/services/dispatcher.ts'
import { createSessionDispatcher } from '#lib/server/operations/session/dispatcher.ts'
import { createFlow, type Flow, type FlowParts } from '#lib/ui/wallet/connect/flow.ts'
import type { Network } from '#lib/ui/wallet/connect/network.ts'
import type { Wallet, WalletOption, Wallets } from '#lib/ui/wallet/connect/wallet.ts'
import type { Goal } from '#lib/ui/wallet/prompt.ts'
import type { SiteSession } from '#lib/ui/wallet/session/requests.ts'
import { createSessionStore, type SessionStore } from '#lib/ui/wallet/session/store.ts'
import { SITE, startApi, type TestApi } from '#test/support/api.ts'

/*
 * The sequence of signing in against the real session endpoints of the site, with a wallet that really signs and a user
 * with scripted reactions.
 */

let api: TestApi
let send: (request: Request) => Promise<Response>

beforeAll(async () => {
  api = await startApi('services')
  const services = async () => api.services
  const parts = {
    session: createSessionDispatcher({ services }),
    services: createServicesDispatcher({ services, validateResponses: true }),
  }
  send = (request) => parts[new URL(request.url).pathname.split('/')[1] as keyof typeof parts](request)
})
afterAll(() => api?.close())

const NETWORK: Network = {
  site_origin: SITE,
  chain: {
    id: 31_337,
    name: 'Development chain',
    currency: 'ETH',
    rpc_url: null,
    explorer_url: null,
    development: true,
    passkey_factory: null,
  },
  chain_ids: [1, 31_337],
  publication: true,
  wallet_connect: null,
  sponsored: false,
  paymaster: null,
  bundles_by_address: false,
}

type Account = ReturnType<typeof privateKeyToAccount>
function newAccount(): Account {
  return privateKeyToAccount(generatePrivateKey())
}
function lower({ address }: Account) {
  return address.toLowerCase() as Address
}

/** A wallet and the person in front of it. */
class TestWallet implements Wallets {
  accounts: Account[] = [newAccount()]
  chain = 31_337
  shown = true
  readonly asked: string[] = []
  /** Answer to `connect`, `sign` and `switch`; throwing is refusing. */
  person: (question: 'connect' | 'sign' | 'switch') => Promise<void> = async () => undefined
  readonly option: WalletOption = { id: 'io.test', name: 'Test wallet', icon: undefined, kind: 'extension' }

  getOptions = () => [this.option]
  subscribe = () => () => undefined
  async connect(): Promise<Wallet> {
    await this.person('connect')
    return this.wallet()
  }
  async reconnect(id: string): Promise<Wallet | undefined> {
    return id === this.option.id && this.shown ? this.wallet() : undefined
  }

  private wallet(): Wallet {
    const accounts = this.accounts.map(lower) as [Address, ...Address[]]
    return {
      option: this.option,
      accounts,
      chainId: async () => this.chain,
      signMessage: async (account, message) => {
        this.asked.push(message)
        await this.person('sign')
        const signer = this.accounts.find((each) => lower(each) === account)
        return signer!.signMessage({ message })
      },
      switchChain: async () => {
        await this.person('switch')
        this.chain = 31_337
      },
      signTypedData: async () => expect.unreachable(),
      batches: async () => undefined,
      sendTransaction: async () => expect.unreachable(),
    }
  }
}

/** One browser: its cookie, its storage, its page. */
class Page {
  cookie = ''
  readonly kept = new Map<string, string>()
  readonly wallet = new TestWallet()
  now = Date.now()
  readonly store: SessionStore = createSessionStore({
    source: { fetchSession: () => this.session('GET'), endSession: async () => undefined },
    memory: {
      read: (key) => this.kept.get(key),
      write: (key, value) => void (value === undefined ? this.kept.delete(key) : this.kept.set(key, value)),
    },
    openChannel: () => expect.unreachable(),
  })

  async json(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await send(
      new Request(SITE + path, {
        method,
        headers: {
          'sec-fetch-site': 'same-origin',
          origin: SITE,
          host: 'localhost:3000',
          ...(this.cookie !== '' && { cookie: this.cookie }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    )
    for (const set of response.headers.getSetCookie()) this.cookie = set.split('; ')[0] ?? ''
    const text = await response.text()
    const read = text === '' ? undefined : JSON.parse(text)
    if (!response.ok) throw new Refusal(response.status, read?.message ?? '')
    return read
  }

  async session(method: string, path = '/session', body?: unknown): Promise<SiteSession | undefined> {
    type Wire = { address: string; roles: string[]; expires_at: string }
    const { session } = (await this.json(method, path, body)) as { session: Wire | null }
    return session === null
      ? undefined
      : ({
          address: session.address.toLowerCase() as Address,
          roles: session.roles,
          notices: 0,
          expiresAtMs: Date.parse(session.expires_at),
        } as SiteSession)
  }

  readonly site: FlowParts['site'] = {
    askChallenge: async (address, chain_id) => {
      const body = { address, chain_id }
      return ((await this.json('POST', '/services/auth/siwe/challenge', body)) as { message: string }).message
    },
    startSession: (signed) => this.session('POST', '/session', signed),
  }

  flow(goal: Goal, more: Partial<FlowParts> = {}): Flow {
    return createFlow(goal, {
      network: NETWORK,
      wallets: this.wallet,
      session: this.store,
      site: this.site,
      remembered: () => this.kept.get('wallet'),
      remember: (id) => this.kept.set('wallet', id),
      now: () => this.now,
      ...more,
    })
  }

  async signIn(): Promise<void> {
    const flow = this.flow('sign_in')
    await flow.begin()
    await flow.choose('io.test')
    expect(flow.getState()).toEqual({ step: 'done' })
  }
}

function declined() {
  return Promise.reject(Object.assign(new Error('User rejected'), { code: 4001 }))
}
function address(page: Page) {
  return lower(page.wallet.accounts[0]!)
}

describe('signing in', () => {
  test('on another chain: switching, declining to, and going on without', async () => {
    const page = new Page()
    page.wallet.chain = 137
    page.wallet.person = (asked) => (asked === 'switch' ? declined() : Promise.resolve())
    const flow = page.flow('sign_in')
    await flow.begin()
    await flow.choose('io.test')
    expect(flow.getState()).toMatchObject({ step: 'wrong_chain', chainId: 137 })
    await flow.switchChain()
    expect(flow.getState()).toMatchObject({
      step: 'wrong_chain',
      trouble: expect.stringContaining('declined to switch'),
    })
    page.wallet.person = async () => undefined
    await flow.switchChain()
    expect(flow.getState().step).toBe('done')

    const other = new Page()
    other.wallet.chain = 137
    const second = other.flow('sign_in')
    await second.begin()
    await second.choose('io.test')
    await second.keepChain()
    expect(second.getState().step).toBe('done')
    expect(other.wallet.asked[0]).toContain('Chain ID: 31337')
  })

  test('a wallet response after cancellation does not sign in', async () => {
    const page = new Page()
    let answer: () => void = () => undefined
    page.wallet.person = (question) =>
      question === 'sign' ? new Promise((resolve) => (answer = resolve)) : Promise.resolve()
    const flow = page.flow('sign_in')
    await flow.begin()
    const choosing = flow.choose('io.test')
    await expect.poll(() => page.wallet.asked.length).toBe(1)
    flow.back()
    answer()
    await choosing
    expect(flow.getState()).toEqual({ step: 'choose' })
    expect(await page.session('GET')).toBeUndefined()
  })

  test('at another address of the site, the right one is named', async () => {
    const page = new Page()
    const flow = page.flow('sign_in', {
      site: { ...page.site, askChallenge: () => Promise.reject(new Refusal(403, '')) },
    })
    await flow.begin()
    await flow.choose('io.test')
    expect(flow.getState()).toMatchObject({ step: 'sign', trouble: expect.stringContaining(SITE) })
  })
})

describe('an account that the wallet shows instead', () => {
  test('signs in without connecting again', async () => {
    const page = new Page()
    await page.signIn()
    page.wallet.accounts.splice(0, 1, newAccount())
    page.wallet.person = async (question) => expect(question).toBe('sign')
    const flow = page.flow('switch')
    await flow.begin()
    expect(flow.getState().step).toBe('done')
    expect(page.store.getState()).toMatchObject({ status: 'signed_in', session: { address: address(page) } })
  })

  test('of a wallet that is gone starts with connecting again', async () => {
    const page = new Page()
    await page.signIn()
    page.wallet.shown = false
    const flow = page.flow('switch')
    await flow.begin()
    expect(flow.getState()).toMatchObject({
      step: 'choose',
      trouble: expect.stringContaining('Connect it again'),
    })
    await flow.choose('io.test')
    expect(flow.getState().step).toBe('done')
  })
})

test('a wallet that signs for longer than its message counts signs a new one', async () => {
  const page = new Page()
  page.wallet.person = async (question) => {
    if (question === 'sign' && page.wallet.asked.length === 1) page.now += 6 * 60_000
  }
  const flow = page.flow('sign_in')
  const shown: (boolean | undefined)[] = []
  flow.subscribe(() => {
    const state = flow.getState()
    if (state.step === 'sign') shown.push(state.renewed)
  })
  await flow.begin()
  await flow.choose('io.test')
  expect(flow.getState()).toEqual({ step: 'done' })
  expect(new Set(page.wallet.asked).size).toBe(2)
  expect(shown).toEqual([false, true])
})
