import { type Chain, type EIP1193Provider, http, toHex } from 'viem'
import { type Connector, type CreateConnectorFn, createConfig } from 'wagmi'
import { injected } from 'wagmi/connectors/injected'
import { chainFacts } from '#lib/protocol/chains.ts'
import type { Address } from '#lib/protocol/entity.ts'
import { rememberedWallet } from '../session/browser-store.ts'
import { readBatches } from './batches.ts'
import { burner } from './burner.ts'
import { fetchNetwork, type Network } from './network.ts'
import { passkey } from './passkey.ts'
import type { Wallet, WalletOption, Wallets } from './wallet.ts'
import { PAIRING, walletConnect } from './wallet-connect.ts'

let opened: Promise<{ network: Network; wallets: Wallets }> | undefined

/**
 * The wallets of this browser and the site's network; cached for the page, retried after a failure.
 *
 * @throws Refusal, NoAnswer when the network cannot be read.
 */
export function openWallets(): Promise<{ network: Network; wallets: Wallets }> {
  opened ??= fetchNetwork().then(
    (network) => ({ network, wallets: createWallets(network) }),
    (error: unknown) => {
      opened = undefined
      throw error
    },
  )
  return opened
}

function createWallets(network: Network): Wallets {
  const chain = chainOf(network)
  const connectors: CreateConnectorFn[] = [injected()]
  const factory = network.chain?.passkey_factory
  if (factory) connectors.push(passkey(chain.id, factory, 'new'), passkey(chain.id, factory, 'known'))
  if (network.wallet_connect !== null) {
    connectors.push(walletConnect({ projectId: network.wallet_connect, siteOrigin: network.site_origin }))
  }
  if (network.chain?.development) connectors.push(burner(chain.id))
  const config = createConfig({
    chains: [chain],
    connectors,
    transports: { [chain.id]: http() },
    // Our own store persists the state.
    storage: null,
  })

  const find = (id: string): Connector => {
    const connector = config.connectors.find((each) => each.id === id)
    if (connector === undefined) throw new WalletGone(id)
    return connector
  }
  const connected = async (connector: Connector, isReconnecting: boolean): Promise<Wallet | undefined> => {
    const { accounts } = await connector.connect({ isReconnecting })
    const [first, ...rest] = accounts.map((each) => each.toLowerCase() as Address)
    if (first === undefined) return undefined
    return walletOf(connector, [first, ...rest], chain, network.paymaster)
  }
  let options: readonly WalletOption[] = []
  const list = () => {
    const next = optionsOf(config.connectors, rememberedWallet())
    if (JSON.stringify(next) !== JSON.stringify(options)) options = next
    return options
  }

  return {
    getOptions: list,
    subscribe: (listener) => config._internal.connectors.subscribe(listener),
    async connect(id, onPairing) {
      const connector = find(id)
      const onEvent = ({ type, data }: { type: string; data?: unknown }) => {
        if (type === PAIRING && typeof data === 'string') onPairing?.(data)
      }
      connector.emitter.on('message', onEvent)
      try {
        const wallet = await connected(connector, false)
        if (wallet === undefined) throw new NoAccounts()
        return wallet
      } finally {
        connector.emitter.off('message', onEvent)
      }
    },
    async reconnect(id) {
      const connector = config.connectors.find((each) => each.id === id)
      if (connector === undefined) return undefined
      try {
        return await connected(connector, true)
      } catch {
        return undefined
      }
    },
  }
}

/** The wallet is no longer available. */
export class WalletGone extends Error {
  override readonly name = 'WalletGone'
}

/** The wallet returned no accounts. */
export class NoAccounts extends Error {
  override readonly name = 'NoAccounts'
}

/** A page may announce any number of wallets. */
const MAX_ANNOUNCED = 24
const MAX_NAME = 40
const MAX_ICON = 128 * 1024

/**
 * Announced wallets, or the one at `window.ethereum`; then WalletConnect and throwaway wallets. The wallet used last is
 * the first of its kind.
 */
function optionsOf(connectors: readonly Connector[], last?: string): WalletOption[] {
  const announced = connectors
    .filter(({ type, id }) => type === 'injected' && id !== 'injected')
    .slice(0, MAX_ANNOUNCED)
    .sort((a, b) => Number(b.id === last) - Number(a.id === last))
  const ethereum = (globalThis as { ethereum?: unknown }).ethereum
  const fallback: WalletOption[] =
    announced.length === 0 && ethereum !== undefined && ethereum !== null
      ? [{ id: 'injected', name: 'Browser wallet', icon: undefined, kind: 'extension' }]
      : []
  return [
    ...announced.map(
      ({ id, name, icon }): WalletOption => ({
        id,
        name: plainName(name),
        icon: safeIcon(icon),
        kind: 'extension',
        ...(id === last && { last: true }),
      }),
    ),
    ...fallback,
    ...connectors.flatMap(({ id, name, type }): WalletOption[] =>
      type === 'burner' || type === 'walletConnect' || type === 'passkey'
        ? [{ id, name, icon: undefined, kind: type, ...(id === last && { last: true }) }]
        : [],
    ),
  ]
}

/** Only `data:` URLs: a remote image would leak the visit. Shown in `<img>` alone, where an SVG runs nothing. */
export function safeIcon(icon: unknown): string | undefined {
  if (typeof icon !== 'string' || icon.length > MAX_ICON) return undefined
  const text = icon.trim()
  return /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/.test(text) ? text : undefined
}

/** A name without what would change the text around it. */
export function plainName(name: unknown): string {
  const text = typeof name === 'string' ? name.slice(0, 200).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '') : ''
  return text.trim().slice(0, MAX_NAME) || 'Browser wallet'
}

function walletOf(
  connector: Connector,
  accounts: Wallet['accounts'],
  chain: Chain,
  paymasterUrl: string | null,
): Wallet {
  const [option] = optionsOf([connector])
  const ask = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const provider = (await connector.getProvider()) as EIP1193Provider
    return provider.request({ method, params } as Parameters<EIP1193Provider['request']>[0])
  }
  return {
    option: option ?? { id: connector.id, name: 'Browser wallet', icon: undefined, kind: 'extension' },
    accounts,
    chainId: () => connector.getChainId(),
    signMessage: async (account, text) =>
      (await ask('personal_sign', [toHex(text), account])) as `0x${string}`,
    signTypedData: async (account, json) =>
      (await ask('eth_signTypedData_v4', [account, json])) as `0x${string}`,
    async switchChain() {
      if ((await connector.getChainId()) === chain.id) return
      await connector.switchChain?.({ chainId: chain.id })
    },
    sendTransaction: async ({ from, to, data, value, gas }) =>
      // Without the chain id, which some wallets reject; the chain was checked before.
      (await ask('eth_sendTransaction', [{ from, to, data, value, gas }])) as `0x${string}`,
    batches: async (account) =>
      connector.type === 'burner' ? undefined : readBatches(ask, account, chain.id, paymasterUrl),
    ...(connector.type === 'burner' && {
      signTransaction: async (transaction) =>
        (await ask('eth_signTransaction', [transaction])) as `0x${string}`,
    }),
  }
}

/** The chain, for `wallet_addEthereumChain`. */
function chainOf({ chain, chain_ids: chainIds, site_origin: origin }: Network): Chain {
  const id = chain?.id ?? chainIds[0] ?? 1
  const facts = chainFacts(id)
  const currency = chain?.currency ?? facts.currency
  const explorer = chain?.explorer_url ?? facts.explorers[0]
  return {
    id,
    name: chain?.name ?? facts.name,
    nativeCurrency: { name: currency, symbol: currency, decimals: 18 },
    rpcUrls: { default: { http: [chain?.rpc_url ?? facts.publicRpc ?? origin] } },
    ...(explorer && { blockExplorers: { default: { name: 'Explorer', url: explorer } } }),
  }
}
