import type { PublicClient, Transaction, TransactionReceipt } from 'viem'
import { readProvider } from '../chain/provider.ts'
import { viemError } from '../chain/viem-error.ts'
import type { Hash } from '../domain/entity.ts'

/** A transaction that the node knows, mined or waiting. @throws Failure('chain_unavailable') */
export const readTransaction = (client: PublicClient, hash: Hash): Promise<Transaction | undefined> =>
  readProvider('look up the transaction', () =>
    client.getTransaction({ hash }).catch((error: unknown) => {
      if (viemError(error, 'TransactionNotFoundError')) return undefined
      throw error
    }),
  )

/** The receipt of a mined transaction, in one look-up. @throws Failure('chain_unavailable') */
export const readReceipt = (client: PublicClient, hash: Hash): Promise<TransactionReceipt | undefined> =>
  readProvider('look up the receipt', () =>
    client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (viemError(error, 'TransactionReceiptNotFoundError')) return undefined
      throw error
    }),
  )
