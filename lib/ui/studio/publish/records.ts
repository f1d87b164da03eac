import { type DBSchema, openDB } from 'idb'
import type { Address, EntityKind, Hash, Hex } from '#lib/protocol/entity.ts'

/**
 * Progress of one publication in this browser, written before each irreversible step.
 *
 * - `asking`: the wallet was prompted; whether it sent anything is unknown.
 * - `sent`: the transaction has a hash.
 * - `mined`: done; kept as the receipt.
 */
export type LocalRecord = RecordKey &
  (
    | (Sending & {
        readonly stage: 'asking'
        readonly rawTransaction: Hex | undefined
        /** Id of the batch of calls (EIP-5792) that the wallet was asked for. */
        readonly batch?: string
        /** A signed plan that the site pays for and submits: its items and the owner's signature. */
        readonly signed?: {
          readonly items: readonly Pick<RecordKey, 'kind' | 'name' | 'contentHash'>[]
          readonly signature: Hex
        }
      })
    | (Sending & { readonly stage: 'sent'; readonly txHash: Hash })
    | {
        readonly stage: 'mined'
        readonly txHash: Hash | undefined
        readonly block: number | undefined
        readonly address: Address
      }
  )

interface RecordKey {
  readonly account: Address
  readonly chainId: number
  readonly kind: EntityKind
  readonly name: string
  readonly contentHash: Hash
}

/** Determines whether a transaction can still be mined. */
interface Sending {
  /** The owner's publication nonce it is bound to. */
  readonly publicationNonce: number
  /** Unix seconds after which the registry refuses it. */
  readonly deadline: number
}

/** Storage of records. Nothing may be sent before `put` has resolved. */
export interface RecordStore {
  /** Records of one account on one chain. */
  list(account: Address, chainId: number): Promise<readonly LocalRecord[]>
  put(record: LocalRecord): Promise<void>
  delete(record: LocalRecord): Promise<void>
}

interface RecordsSchema extends DBSchema {
  records: {
    key: [Address, number, EntityKind, string, Hash]
    value: LocalRecord
    indexes: { account: [Address, number] }
  }
}

function keyOf(each: LocalRecord): RecordsSchema['records']['key'] {
  return [each.account, each.chainId, each.kind, each.name, each.contentHash]
}

/** Opens the browser's storage. Rejects where there is none: then nothing can be published from this browser safely. */
export async function openRecords(): Promise<RecordStore> {
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
