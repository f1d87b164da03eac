import type { Address, Hash, Hex } from '../../../domain/entity.ts'

/** A wallet that could be used. */
export interface WalletOption {
  /** Reverse domain name of EIP-6963, `injected`, `burner` or `walletConnect`. */
  readonly id: string
  readonly name: string
  /** A `data:` URL of an image; wallets announce theirs. */
  readonly icon: string | undefined
  readonly kind: 'extension' | 'burner' | 'walletConnect'
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

/** Fees and nonce besides, for wallets that leave sending to others. */
export interface SigningFields {
  readonly nonce: Hex
  readonly maxFeePerGas: Hex
  readonly maxPriorityFeePerGas: Hex
}

/** A wallet that shows accounts to this page. What it refuses is thrown as it says it; see `inWords`. */
export interface Wallet {
  readonly option: WalletOption
  /** Lower case, at least one; the first is the one it shows. */
  readonly accounts: readonly [Address, ...Address[]]
  chainId(): Promise<number>
  /** Asks the wallet to sign a text (EIP-191). */
  signMessage(account: Address, text: string): Promise<Hex>
  /** Asks it to move to the chain of this site, and to learn of it where it does not know it. */
  switchChain(): Promise<void>
  /** Asks it to sign and send. */
  sendTransaction(transaction: TransactionFields): Promise<Hash>
  /** Signs and gives the raw transaction; only wallets that leave sending to others. */
  readonly signTransaction?: (transaction: TransactionFields & SigningFields) => Promise<Hex>
}

export interface Wallets {
  /** Changes as wallets announce themselves. */
  getOptions(): readonly WalletOption[]
  subscribe(listener: () => void): () => void
  /** Asks for accounts; the wallet may show a window. @param onPairing Gets the link to show as a QR code. */
  connect(id: string, onPairing?: (uri: string) => void): Promise<Wallet>
  /** The accounts it shows already, without any window; undefined when there are none. */
  reconnect(id: string): Promise<Wallet | undefined>
}
