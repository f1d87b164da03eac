import type { Address, Hash } from '#lib/protocol/entity.ts'
import { itemKey, type PlanItem } from './plan.ts'
import type { LocalRecord, RecordStore } from './records.ts'

/** An attempt recorded by the server, perhaps from another browser. */
export interface ServerAttempt {
  readonly txHash: Hash
  readonly publicationNonce: number
  readonly deadline: number
}

/** A record of a transaction that was asked for or sent. */
export type Sending = Extract<LocalRecord, { publicationNonce: number }>

/** The attempts of an account to publish something, as this browser and the server recorded them. */
export function createAttempts({
  account,
  chainId,
  records,
  serverAttempts,
}: {
  readonly account: Address
  readonly chainId: number
  readonly records: RecordStore
  readonly serverAttempts: ReadonlyMap<string, ServerAttempt>
}) {
  /** Attempts that are over for the server. */
  const dropped = new Set<string>()
  const named = ({ kind, name, contentHash }: PlanItem) => ({ account, chainId, kind, name, contentHash })

  const find = async (item: PlanItem): Promise<LocalRecord | undefined> => {
    const storedRecord = (await records.list(account, chainId)).find(
      (record) => itemKey(record) === itemKey(item),
    )
    if (storedRecord !== undefined) return storedRecord
    const noted = dropped.has(itemKey(item)) ? undefined : serverAttempts.get(itemKey(item))
    if (noted === undefined) return undefined
    const { txHash, publicationNonce, deadline } = noted
    return { ...named(item), stage: 'sent', txHash, publicationNonce, deadline }
  }

  /** Records of the same transaction: those of a batch share nonce and deadline. */
  const sameTransaction = async (record: Sending): Promise<readonly Sending[]> =>
    (await records.list(account, chainId)).filter(
      (each): each is Sending =>
        each.stage === record.stage &&
        each.publicationNonce === record.publicationNonce &&
        each.deadline === record.deadline,
    )

  const deleteAll = async (record: Sending): Promise<void> => {
    for (const each of await sameTransaction(record)) await records.delete(each)
  }

  return {
    named,
    find,
    sameTransaction,
    deleteAll,
    /** The attempt is void: what it would have published may be sent again. */
    async drop(item: PlanItem, record: Sending): Promise<void> {
      for (const each of [item, ...(await sameTransaction(record))]) dropped.add(itemKey(each))
      await deleteAll(record)
    },
    /** The first ones of `items` without an attempt in progress. */
    async unsent(items: readonly PlanItem[]): Promise<readonly PlanItem[]> {
      for (const [index, item] of items.entries()) {
        const record = await find(item)
        if (record !== undefined && record.stage !== 'mined') return items.slice(0, index)
      }
      return items
    },
  }
}
