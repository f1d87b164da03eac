import { Refusal } from '#lib/browser/requests.ts'
import { createValue, type Readable } from '#lib/browser/value.ts'
import type { Address } from '#lib/protocol/entity.ts'
import type { Goal } from '../prompt.ts'
import type { Signed } from '../session/requests.ts'
import type { SessionStore } from '../session/store.ts'
import { type WalletAction, walletErrorMessage } from './error-messages.ts'
import type { Network } from './network.ts'
import type { Wallet, WalletOption, Wallets } from './wallet.ts'

/** The state of the flow. `trouble` is the message of the last error. */
export type FlowState =
  | { readonly step: 'choose'; readonly trouble?: string }
  /** `pairing`: the link to show as a QR code, for wallets on a phone. */
  | {
      readonly step: 'connect'
      readonly option: WalletOption
      readonly pairing?: string
      readonly trouble?: string
    }
  | {
      readonly step: 'wrong_chain'
      readonly option: WalletOption
      readonly chainId: number
      readonly trouble?: string
    }
  | { readonly step: 'switching'; readonly option: WalletOption }
  | {
      readonly step: 'sign'
      readonly option: WalletOption
      readonly account: Address
      /** Signing took so long that the message before has expired. */
      readonly renewed?: boolean
      readonly trouble?: string
    }
  | { readonly step: 'done' }

export interface FlowParts {
  readonly network: Network
  readonly wallets: Wallets
  readonly session: Pick<SessionStore, 'getState' | 'accept' | 'walletShows'>
  /** Each throws Refusal or NoAnswer. */
  readonly site: Pick<typeof import('../session/requests.ts'), 'askChallenge' | 'startSession'>
  readonly remembered: () => string | undefined
  readonly remember: (walletId: string) => void
  /** Unix milliseconds. */
  readonly now: () => number
}

export interface Flow extends Readable<FlowState> {
  /** Starts with the list of wallets, or with the wallet that shows another account now. */
  begin(): Promise<void>
  choose(walletId: string): Promise<void>
  switchChain(): Promise<void>
  /** Signs in on another chain: only publication needs the site's. */
  keepChain(): Promise<void>
  retry(): Promise<void>
  /** Returns to the list and ignores pending responses. */
  back(): void
  /** Whether the flow was stopped. */
  stop(): void
}

/** The state machine of connecting and signing in. */
export function createFlow(goal: Goal, parts: FlowParts): Flow {
  const { network, wallets, session } = parts
  const { getState, setState: set, subscribe } = createValue<FlowState>({ step: 'choose' })
  let wallet: Wallet | undefined
  /** Incremented by each new action: results of earlier ones are dropped. */
  let turn = 0
  let again: () => Promise<void> = async () => undefined
  /** Runs one request to the wallet or the site and shows its error, unless a newer action has replaced it. */
  const attempt = async (
    action: WalletAction,
    option: WalletOption,
    work: (current: () => boolean) => Promise<void>,
    failed: (trouble: string) => FlowState,
  ): Promise<void> => {
    const mine = ++turn
    again = () => attempt(action, option, work, failed)
    try {
      await work(() => turn === mine)
    } catch (error) {
      if (turn === mine) set(failed(words(error, action, option.name, network)))
    }
  }

  const connect = (option: WalletOption) =>
    attempt(
      'connect',
      option,
      async (current) => {
        set({ step: 'connect', option })
        const connected = await wallets.connect(option.id, (pairing) => {
          if (current()) set({ step: 'connect', option, pairing })
        })
        if (!current()) return
        wallet = connected
        await afterConnecting(connected, current)
      },
      (trouble) => ({ step: 'connect', option, trouble }),
    )

  const afterConnecting = async (connected: Wallet, current: () => boolean) => {
    const chainId = await connected.chainId()
    if (!current()) return
    if (network.chain !== null && chainId !== network.chain.id) {
      set({ step: 'wrong_chain', option: connected.option, chainId })
      return
    }
    await sign(connected)
  }

  const sign = (connected: Wallet) => {
    const { option } = connected
    const [account] = connected.accounts
    return attempt(
      'sign',
      option,
      async (current) => {
        const chainId = await chainToName(network, connected)
        const signed = await signInTime(connected, account, current, (renewed) => {
          set({ step: 'sign', option, account, renewed })
          return parts.site.askChallenge(account, chainId)
        })
        if (signed === undefined) return
        const opened = await parts.site.startSession(signed)
        parts.remember(option.id)
        // Only extensions report account switches.
        session.walletShows(option.kind === 'extension' ? account : undefined)
        session.accept(opened)
        if (current()) set({ step: 'done' })
      },
      (trouble) => ({ step: 'sign', option, account, trouble }),
    )
  }

  /**
   * Has the wallet sign a message, and another one where signing outlives the message, as it does in multi-signature wallets.
   *
   * @returns undefined when a newer action has replaced this one.
   */
  const signInTime = async (
    connected: Wallet,
    account: Address,
    current: () => boolean,
    ask: (renewed: boolean) => Promise<string>,
  ): Promise<Signed | undefined> => {
    for (let renewed = false; ; renewed = true) {
      const startedAt = parts.now()
      const message = await ask(renewed)
      if (!current()) return undefined
      const signature = await connected.signMessage(account, message)
      if (!current()) return undefined
      if (parts.now() - startedAt < MESSAGE_MS) return { message, signature }
    }
  }

  const begin = async () => {
    const now = session.getState()
    const signedIn = now.status === 'signed_in' || now.status === 'switched'
    if (goal === 'sign_in' || !signedIn) {
      set({ step: 'choose' })
      return
    }
    const mine = ++turn
    const remembered = parts.remembered()
    const reconnected = remembered === undefined ? undefined : await wallets.reconnect(remembered)
    if (turn !== mine) return
    wallet = reconnected
    if (reconnected === undefined) set({ step: 'choose', trouble: LOST })
    else await sign(reconnected)
  }

  return {
    getState,
    subscribe,
    begin,
    async choose(walletId) {
      const option = wallets.getOptions().find(({ id }) => id === walletId)
      if (option !== undefined) await connect(option)
    },
    async switchChain() {
      const state = getState()
      if (state.step !== 'wrong_chain' || wallet === undefined) return
      const { option, chainId } = state
      const connected = wallet
      await attempt(
        'switch',
        option,
        async (current) => {
          set({ step: 'switching', option })
          await connected.switchChain()
          if (current()) await afterConnecting(connected, current)
        },
        (trouble) => ({ step: 'wrong_chain', option, chainId, trouble }),
      )
    },
    async keepChain() {
      if (getState().step === 'wrong_chain' && wallet !== undefined) await sign(wallet)
    },
    retry: () => again(),
    back() {
      turn++
      set({ step: 'choose' })
    },
    stop() {
      turn++
    },
  }
}

/** A message counts for this long; a little less, for the request itself. */
const MESSAGE_MS = 5 * 60_000 - 5_000

const LOST =
  'The wallet you signed in with does not share its account with this page. Connect it again to continue.'

/** The chain of sign-in messages: the site's, if the site accepts it. */
async function chainToName({ chain, chain_ids: chainIds }: Network, wallet: Wallet): Promise<number> {
  if (chain !== null && chainIds.includes(chain.id)) return chain.id
  const walletChain = await wallet.chainId()
  return chainIds.includes(walletChain) ? walletChain : (chainIds[0] ?? walletChain)
}

function words(
  error: unknown,
  action: WalletAction,
  walletName: string,
  { site_origin: origin }: Network,
): string {
  if (error instanceof Refusal && error.status === 403 && error.message === '') {
    return `This site accepts sign-ins at ${origin} only: open it there.`
  }
  return walletErrorMessage(error, action, walletName)
}
