import type { SignClient } from '@walletconnect/sign-client'
import { type Address, type Chain, getAddress, numberToHex } from 'viem'
import { type CreateConnectorFn, createConnector } from 'wagmi'
import { importAgain } from '#lib/ui/kit/missing-chunk.ts'

/** Message of the connector's emitter that carries the link to show as a QR code. */
export const PAIRING = 'pairing'

const METHODS = [
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
  'wallet_getCapabilities',
  'wallet_sendCalls',
  'wallet_getCallsStatus',
]
/** Methods that must not reach another chain than the one they are for. */
const SENDS: ReadonlySet<string> = new Set(['eth_sendTransaction', 'wallet_sendCalls'])
const EVENTS = ['accountsChanged', 'chainChanged']

type Client = Awaited<ReturnType<typeof SignClient.init>>
type ClientOptions = NonNullable<Parameters<typeof SignClient.init>[0]>
type Session = ReturnType<Client['session']['getAll']>[number]

interface Provider {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

export interface WalletConnectOptions {
  readonly projectId: string
  /** The site as the wallet shows it. */
  readonly siteOrigin: string
  /** Relay and storage of tests. */
  readonly client?: Pick<ClientOptions, 'relayUrl' | 'storageOptions' | 'customStoragePrefix'>
}

/** Phone wallets by WalletConnect. Code and relay are loaded only when it is chosen; telemetry is off. */
export function walletConnect(options: WalletConnectOptions): CreateConnectorFn<Provider> {
  let opening: Promise<Client> | undefined
  let session: Session | undefined
  let shownChain: number | undefined

  const open = (): Promise<Client> => {
    opening ??= importAgain(() => import('@walletconnect/sign-client'))
      .then(({ SignClient }) =>
        SignClient.init({
          projectId: options.projectId,
          ...options.client,
          metadata: {
            name: 'Weft',
            description: 'Compose tiny Solidity functions into pieces',
            url: options.siteOrigin,
            icons: [`${options.siteOrigin}/icon.svg`],
          },
          logger: 'silent',
          telemetryEnabled: false,
        }),
      )
      .catch((error: unknown) => {
        opening = undefined
        throw error
      })
    return opening
  }
  const take = (next: Session, chain: Chain) => {
    const chains = accountsOf(next).map(({ chainId }) => chainId)
    if (chains.includes(chain.id)) shownChain = chain.id
    // What it has switched to without telling still holds.
    else if (session?.topic !== next.topic) shownChain = chains[0]
    session = next
  }
  const addresses = (): Address[] => [
    ...new Set(session === undefined ? [] : accountsOf(session).map(({ address }) => address)),
  ]

  return createConnector<Provider>((config) => {
    const chain = config.chains[0]
    const request = async (method: string, params: readonly unknown[]): Promise<unknown> => {
      if (method === 'eth_accounts') return addresses()
      if (method === 'eth_chainId') return numberToHex(shownChain ?? chain.id)
      if (session === undefined) throw Object.assign(new Error('The wallet is not connected'), { code: 4900 })
      const client = await open()
      const chainId = shownChain ?? chain.id
      // As the wallet has changed it since.
      const approved = accountsOf(client.session.get(session.topic)).map((account) => account.chainId)
      // Wallets that switch without telling take requests of the chains they approved only.
      const elsewhere = approved.includes(chainId) ? undefined : approved[0]
      if (elsewhere !== undefined && SENDS.has(method)) {
        throw Object.assign(new Error(`The wallet is not connected on ${chain.name}`), { code: 4901 })
      }
      return client.request({
        topic: session.topic,
        chainId: `eip155:${elsewhere ?? chainId}`,
        request: { method, params },
      })
    }
    return {
      id: 'walletConnect',
      name: 'WalletConnect',
      type: 'walletConnect',
      async connect<withCapabilities extends boolean = false>(parameters?: {
        isReconnecting?: boolean | undefined
      }) {
        const client = await open()
        if (parameters?.isReconnecting) {
          const liveSessions = client.session.getAll().filter(({ expiry }) => expiry * 1000 > Date.now())
          const last = liveSessions.at(-1)
          if (last !== undefined) take(last, chain)
        } else {
          const { uri, approval } = await client.connect({
            optionalNamespaces: {
              eip155: { chains: [`eip155:${chain.id}`], methods: METHODS, events: EVENTS },
            },
          })
          if (uri !== undefined) config.emitter.emit('message', { type: PAIRING, data: uri })
          take(await approval(), chain)
        }
        type Accounts = withCapabilities extends true
          ? readonly { address: Address; capabilities: Record<string, unknown> }[]
          : readonly Address[]
        return { accounts: addresses() as readonly unknown[] as Accounts, chainId: shownChain ?? chain.id }
      },
      disconnect: async () => undefined,
      getAccounts: async () => addresses(),
      getChainId: async () => shownChain ?? chain.id,
      getProvider: async () => ({ request: ({ method, params = [] }) => request(method, params) }),
      isAuthorized: async () => session !== undefined,
      async switchChain({ chainId }) {
        // A wallet that returned accounts of the chain only needs its prefix.
        const known =
          session !== undefined && accountsOf(session).some((account) => account.chainId === chainId)
        if (!known) {
          await request('wallet_switchEthereumChain', [{ chainId: numberToHex(chainId) }]).catch(
            (error: unknown) => {
              if ((error as { code?: unknown }).code !== 4902) throw error
              return request('wallet_addEthereumChain', [addedChain(chain)])
            },
          )
        }
        shownChain = chainId
        return chain
      },
      onAccountsChanged: () => undefined,
      onChainChanged: () => undefined,
      onDisconnect: () => undefined,
    }
  })
}

/** A chain as wallets take it (EIP-3085). */
function addedChain({ id, name, nativeCurrency, rpcUrls, blockExplorers }: Chain) {
  return {
    chainId: numberToHex(id),
    chainName: name,
    nativeCurrency,
    rpcUrls: rpcUrls.default.http,
    ...(blockExplorers && { blockExplorerUrls: [blockExplorers.default.url] }),
  }
}

/** `eip155:1:0x…` of CAIP-10. */
function accountsOf(session: Session): { chainId: number; address: Address }[] {
  return (session.namespaces.eip155?.accounts ?? []).flatMap((account) => {
    const [, chainId = '', address = ''] = account.split(':')
    return /^0x[0-9a-fA-F]{40}$/.test(address)
      ? [{ chainId: Number(chainId), address: getAddress(address) }]
      : []
  })
}
