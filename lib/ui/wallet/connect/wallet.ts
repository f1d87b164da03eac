import type { Address, Hash, Hex } from '#lib/protocol/entity.ts'
import type { Batches } from './batches.ts'

/** An available wallet. */
export interface WalletOption {
  /** Reverse domain name of EIP-6963, `injected`, `burner`, `walletConnect`, `passkey` or `passkey-known`. */
  readonly id: string
  readonly name: string
  /** A `data:` URL of an image; wallets announce theirs. */
  readonly icon: string | undefined
  readonly kind: 'extension' | 'burner' | 'walletConnect' | 'passkey'
  /** Whether it is the wallet used last in this browser. */
  readonly last?: boolean
}

/** Quantities are hex, as in JSON-RPC. */
export interface TransactionFields {
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  readonly value: Hex
  readonly gas: Hex
  readonly chainId: Hex
}

/** Fees and nonce, for wallets that only sign. */
export interface SigningFields {
  readonly nonce: Hex
  readonly maxFeePerGas: Hex
  readonly maxPriorityFeePerGas: Hex
}

/** A connected wallet. Its errors are rethrown as they are; see `walletErrorMessage`. */
export interface Wallet {
  readonly option: WalletOption
  /** Lower case, at least one; the first is the one it shows. */
  readonly accounts: readonly [Address, ...Address[]]
  chainId(): Promise<number>
  /** Signs a text (EIP-191). */
  signMessage(account: Address, text: string): Promise<Hex>
  /** Signs EIP-712 data, as JSON. */
  signTypedData(account: Address, json: string): Promise<Hex>
  /** Switches to the site's chain; one that the wallet does not know is added from the table of chains. */
  switchChain(): Promise<void>
  /** Signs and sends. */
  sendTransaction(transaction: TransactionFields): Promise<Hash>
  /** Reads whether the wallet takes batches of calls for an account, without a prompt; undefined where it takes none. */
  batches(account: Address): Promise<Batches | undefined>
  /** Returns the signed raw transaction; only of wallets that cannot send. */
  readonly signTransaction?: (transaction: TransactionFields & SigningFields) => Promise<Hex>
}

export interface Wallets {
  /** Changes as wallets announce themselves. */
  getOptions(): readonly WalletOption[]
  subscribe(listener: () => void): () => void
  /** Requests accounts; the wallet may open a prompt. @param onPairing Called with the link for the QR code. */
  connect(id: string, onPairing?: (uri: string) => void): Promise<Wallet>
  /** The connected accounts, without a prompt; undefined without any. */
  reconnect(id: string): Promise<Wallet | undefined>
}
