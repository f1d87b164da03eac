import type { Chain, Hex } from 'viem'
import { type CreateConnectorFn, createConnector } from 'wagmi'
import type { Address, Hash } from '#lib/protocol/entity.ts'
import { importAgain } from '#lib/ui/kit/missing-chunk.ts'
import { knownPasskey, PasskeyFailed, rememberPasskey } from './known-passkey.ts'

interface PasskeyProvider {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

/**
 * An account of a passkey (WebAuthn): a contract that the site's factory creates with the first publication.
 *
 * @param first `new` makes a passkey where this browser knows none; `known` lets the browser offer those it has.
 */
export function passkey(
  chainId: number,
  factory: Address,
  first: 'new' | 'known',
): CreateConnectorFn<PasskeyProvider> {
  return createConnector<PasskeyProvider>((config) => ({
    id: first === 'new' ? 'passkey' : 'passkey-known',
    name: 'Passkey',
    type: 'passkey',
    async connect<withCapabilities extends boolean = false>(parameters?: {
      isReconnecting?: boolean | undefined
    }) {
      type Accounts = withCapabilities extends true
        ? readonly { address: Address; capabilities: Record<string, unknown> }[]
        : readonly Address[]
      const remembered = first === 'new' || parameters?.isReconnecting ? knownPasskey(factory) : undefined
      if (remembered === undefined && parameters?.isReconnecting) return { accounts: [] as never, chainId }
      const { createPasskey, findPasskey } = await importAgain(() => import('./passkey-ceremonies.ts'))
      const passkey = remembered ?? (await (first === 'new' ? createPasskey(factory) : findPasskey(factory)))
      rememberPasskey(passkey)
      return { accounts: [passkey.account] as readonly unknown[] as Accounts, chainId }
    },
    disconnect: async () => undefined,
    async getAccounts() {
      const passkey = knownPasskey(factory)
      return passkey === undefined ? [] : [passkey.account]
    },
    getChainId: async () => chainId,
    getProvider: async () => ({ request: (call) => answer(call, chainId, factory) }),
    isAuthorized: async () => knownPasskey(factory) !== undefined,
    switchChain: async () => config.chains[0] as Chain,
    onAccountsChanged: () => undefined,
    onChainChanged: () => undefined,
    onDisconnect: () => undefined,
  }))
}

async function answer(
  { method, params = [] }: { method: string; params?: readonly unknown[] },
  chainId: number,
  factory: Address,
): Promise<unknown> {
  const passkey = knownPasskey(factory)
  if (method === 'eth_chainId') return `0x${chainId.toString(16)}`
  if (passkey === undefined)
    throw new PasskeyFailed('This browser does not know your passkey any more: sign in again.')
  if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [passkey.account]
  if (method === 'eth_sendTransaction') {
    throw new PasskeyFailed(
      'An account of a passkey publishes where this site pays, which it does not do now. Nothing has been sent.',
    )
  }
  const signed = await hashOf(method, params)
  const { signHash } = await importAgain(() => import('./passkey-ceremonies.ts'))
  return signHash(passkey, chainId, signed)
}

/** Hash to be signed; both methods hash it in the ways of their EIPs. */
async function hashOf(method: string, params: readonly unknown[]): Promise<Hash> {
  const { hashMessage, hashTypedData } = await importAgain(() => import('viem'))
  if (method === 'personal_sign') return hashMessage({ raw: params[0] as Hex })
  if (method === 'eth_signTypedData_v4') {
    const data = JSON.parse(String(params[1]))
    const { EIP712Domain: _, ...types } = data.types
    return hashTypedData({ ...data, types })
  }
  throw Object.assign(new Error(`${method} is not something a passkey does`), { code: 4200 })
}
