import type { Address, Hash } from '#lib/protocol/entity.ts'
import type { Wallet } from '#lib/ui/wallet/connect/wallet.ts'
import type { ServerAttempt } from './attempts.ts'
import type { RecordStore } from './records.ts'
import type { PublishRequests } from './requests.ts'

/** Progress of one publication. */
export type Progress =
  /** Not started, or cancelled before anything was sent. */
  | { readonly at: 'waiting' }
  | { readonly at: 'saving' }
  | { readonly at: 'preparing' }
  /** The wallet signs the plan, which the site pays for. */
  | { readonly at: 'signing' }
  | { readonly at: 'asking' }
  /** The wallet has the batch, and says that it is on its way. */
  | { readonly at: 'batched' }
  /** The wallet did not answer: it may have sent the transaction. */
  | { readonly at: 'unanswered'; readonly trouble: string | undefined }
  | { readonly at: 'sent'; readonly txHash: Hash }
  | {
      readonly at: 'done'
      readonly address: Address
      readonly txHash: Hash | undefined
      readonly block: number | undefined
    }
  | { readonly at: 'declined' }
  | { readonly at: 'failed'; readonly trouble: string }

export interface PublisherParts {
  readonly account: Address
  readonly chainId: number
  readonly requests: PublishRequests
  readonly records: RecordStore
  /** The wallet that holds the account, on the right chain. @throws what it refuses. */
  readonly openWallet: () => Promise<Wallet>
  /** Returns false without running when another tab publishes for the account. */
  readonly exclusive: (work: () => Promise<void>) => Promise<boolean>
  /** Transactions of earlier attempts recorded by the server, by `itemKey`. */
  readonly serverAttempts: ReadonlyMap<string, ServerAttempt>
  /** Whether this site pays, where the wallet signs the plan as typed data. */
  readonly sponsored: boolean
  /** Whether this site names a paymaster to wallets that take one. */
  readonly paymaster: boolean
  readonly errorMessage: (error: unknown) => string
  /** Unix milliseconds. */
  readonly now: () => number
  /** Rejects when the page is left. */
  readonly sleep: (milliseconds: number) => Promise<void>
}

/** Ends a run; `progress` is shown at the item. */
export class Stopped extends Error {
  readonly progress: Progress
  constructor(progress: Progress) {
    super(progress.at)
    this.progress = progress
  }
}
