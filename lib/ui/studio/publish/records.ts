import { type DBSchema, openDB } from 'idb'
import type { Address, EntityKind, Hash, Hex } from '../../../domain/entity.ts'

/**
 * How far this browser came with one publication. Written before each step that cannot be taken back.
 *
 * - `asking`: the wallet is being asked, or was when the page went away; whether it sent anything is not known.
 * - `sent`: the transaction has a hash.
 * - `mined`: done; kept as the receipt.
 */
export type PublicationRecord = Named &
  (
    | (Sending & { readonly stage: 'asking'; readonly rawTransaction: Hex | undefined })
    | (Sending & { readonly stage: 'sent'; readonly txHash: Hash })
    | {
        readonly stage: 'mined'
        readonly txHash: Hash | undefined
        readonly block: number | undefined
        readonly address: Address
      }
  )

interface Named {
  readonly account: Address
  readonly chainId: number
  readonly kind: EntityKind
  readonly name: string
  readonly contentHash: Hash
}

/** What tells whether a transaction can still do anything. */
interface Sending {
  /** The owner's publication nonce it is bound to. */
  readonly publicationNonce: number
  /** Unix seconds after which the registry refuses it. */
  readonly deadline: number
}

/** Where records are kept. Nothing may be sent before `put` has resolved. */
export interface Records {
  /** Of one account on one chain. */
  list(account: Address, chainId: number): Promise<readonly PublicationRecord[]>
  put(record: PublicationRecord): Promise<void>
  delete(record: PublicationRecord): Promise<void>
}

interface RecordsSchema extends DBSchema {
  records: {
    key: [Address, number, EntityKind, string, Hash]
    value: PublicationRecord
    indexes: { account: [Address, number] }
  }
}

const keyOf = (each: PublicationRecord): RecordsSchema['records']['key'] => [
  each.account,
  each.chainId,
  each.kind,
  each.name,
  each.contentHash,
]

/** Opens the browser's storage. Rejects where there is none: then nothing can be published from this browser safely. */
export async function openRecords(): Promise<Records> {
  const database = await openDB<RecordsSchema>('weft-publications', 1, {
    upgrade(opened) {
      const store = opened.createObjectStore('records', {
        keyPath: ['account', 'chainId', 'kind', 'name', 'contentHash'],
      })
      store.createIndex('account', ['account', 'chainId'])
    },
    blocking: (_from, _to, event) => (event.target as IDBDatabase).close(),
  })
  return {
    list: (account, chainId) => database.getAllFromIndex('records', 'account', [account, chainId]),
    async put(record) {
      const write = database.transaction('records', 'readwrite', { durability: 'strict' })
      await write.store.put(record)
      await write.done
    },
    async delete(record) {
      await database.delete('records', keyOf(record))
    },
  }
}
