import type { Address } from '../../../protocol/entity.ts'
import { ask } from '../session/requests.ts'

/** The site and its chain, as wallets need them. */
export interface Network {
  /** The one origin that sign-in messages name by default. */
  readonly siteOrigin: string
  /** Null while the chain does not answer, or where there is none. */
  readonly chain: NetworkChain | null
  /** Chains that sign-in messages may name. */
  readonly chainIds: readonly number[]
  /** Whether publication is possible. */
  readonly publication: boolean
  readonly walletConnectProjectId: string | null
  /** Whether the operator pays for publications, within budgets. */
  readonly sponsored: boolean
  /** Service that pays for batches (ERC-7677), for wallets that take one. */
  readonly paymasterUrl: string | null
}

export interface NetworkChain {
  readonly id: number
  readonly name: string
  /** Symbol of the currency that pays for gas. */
  readonly currency: string
  readonly rpcUrl: string | null
  readonly explorerUrl: string | null
  /** Allows throwaway wallets. */
  readonly development: boolean
  /** Contract that creates accounts of passkeys; null where the chain lacks it. */
  readonly passkeyFactory: Address | null
}

interface Wire {
  readonly site_origin: string
  readonly chain: {
    readonly id: number
    readonly name: string
    readonly currency: string
    readonly rpc_url: string | null
    readonly explorer_url: string | null
    readonly development: boolean
    readonly passkey_factory: Address | null
  } | null
  readonly chain_ids: readonly number[]
  readonly publication: boolean
  readonly wallet_connect: string | null
  readonly sponsored: boolean
  readonly paymaster: string | null
}

/** @throws Refusal, NoAnswer */
export async function fetchNetwork(): Promise<Network> {
  const wire = (await ask('GET', '/session/network')) as Wire
  return {
    siteOrigin: wire.site_origin,
    chain: wire.chain && {
      id: wire.chain.id,
      name: wire.chain.name,
      currency: wire.chain.currency,
      rpcUrl: wire.chain.rpc_url,
      explorerUrl: wire.chain.explorer_url,
      development: wire.chain.development,
      passkeyFactory: wire.chain.passkey_factory,
    },
    chainIds: wire.chain_ids,
    publication: wire.publication,
    walletConnectProjectId: wire.wallet_connect,
    sponsored: wire.sponsored,
    paymasterUrl: wire.paymaster,
  }
}
