import type { Address } from '../../../protocol/entity.ts'
import { ask } from '../session/requests.ts'

/** The site and its chain, as wallets need them and the site spells it. */
export interface Network {
  /** The one origin that sign-in messages name by default. */
  readonly site_origin: string
  /** Null while the chain does not answer, or where there is none. */
  readonly chain: NetworkChain | null
  /** Chains that sign-in messages may name. */
  readonly chain_ids: readonly number[]
  /** Whether publication is possible. */
  readonly publication: boolean
  /** The project's id at WalletConnect; null without one. */
  readonly wallet_connect: string | null
  /** Whether the operator pays for publications, within budgets. */
  readonly sponsored: boolean
  /** Service that pays for batches (ERC-7677), for wallets that take one. */
  readonly paymaster: string | null
}

export interface NetworkChain {
  readonly id: number
  readonly name: string
  /** Symbol of the currency that pays for gas. */
  readonly currency: string
  readonly rpc_url: string | null
  readonly explorer_url: string | null
  /** Allows throwaway wallets. */
  readonly development: boolean
  /** Contract that creates accounts of passkeys; null where the chain lacks it. */
  readonly passkey_factory: Address | null
}

/** @throws Refusal, NoAnswer */
export async function fetchNetwork(): Promise<Network> {
  return (await ask('GET', '/session/network')) as Network
}
