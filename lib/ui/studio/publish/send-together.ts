import type { Address, Hash, Hex } from '#lib/protocol/entity.ts'
import { type Batches, newBatchId } from '#lib/ui/wallet/connect/batches.ts'
import { isDeclined, isUnsupported } from '#lib/ui/wallet/connect/error-messages.ts'
import type { Wallet } from '#lib/ui/wallet/connect/wallet.ts'
import type { createAttempts, Sending } from './attempts.ts'
import type { PlanItem } from './plan.ts'
import { type Progress, type PublisherParts, Stopped } from './publisher-parts.ts'
import type { LocalRecord } from './records.ts'
import { isRefusal, type PreparedBatch, type PreparedTransaction } from './requests.ts'

export function checkSender(
  { chainId, from }: PreparedTransaction['transaction'],
  expected: { readonly account: Address; readonly chainId: number },
): void {
  if (Number(chainId) !== expected.chainId || from.toLowerCase() !== expected.account) {
    throw new Stopped({ at: 'failed', trouble: 'The site prepared it for another account or chain.' })
  }
}

type SignedPlan = NonNullable<Extract<LocalRecord, { stage: 'asking' }>['signed']>

export interface Steps {
  readonly set: (item: PlanItem, progress: Progress) => void
  /** Saves an item as a draft, where the document defines it. */
  readonly save: (item: PlanItem) => Promise<void>
  readonly retryWhileUnavailable: <T>(question: () => Promise<T>) => Promise<T>
}

/** Publishes several items by one transaction: the site's own, where it pays, else one of the wallet. */
export function createTogether(
  parts: PublisherParts,
  { named, deleteAll }: Pick<ReturnType<typeof createAttempts>, 'named' | 'deleteAll'>,
  { set, save, retryWhileUnavailable }: Steps,
) {
  const { account, requests, records } = parts
  const asking = (
    item: PlanItem,
    { publicationNonce, deadline }: PreparedBatch,
    more: { readonly signed?: SignedPlan; readonly batch?: string } = {},
  ) =>
    ({
      ...named(item),
      ...{ publicationNonce, deadline },
      stage: 'asking',
      rawTransaction: undefined,
      ...more,
    }) as const

  /**
   * Submits a signed plan and records its transaction. Repeating it is safe.
   *
   * @param record Of one of its items.
   * @throws Stopped when the site refuses it: then it can be published in another way.
   */
  const submitSigned = async (record: Sending, { items, signature }: SignedPlan): Promise<Hash> => {
    let txHash: Hash
    try {
      txHash = await retryWhileUnavailable(() => requests.sponsor(items, signature))
    } catch (error) {
      if (!isRefusal(error)) throw error
      await deleteAll(record)
      throw new Stopped({ at: 'failed', trouble: parts.errorMessage(error) })
    }
    const { publicationNonce, deadline } = record
    for (const { kind, name, contentHash } of items) {
      const key = { account, chainId: parts.chainId, kind, name, contentHash }
      await records.put({ ...key, publicationNonce, deadline, stage: 'sent', txHash })
    }
    return txHash
  }

  /** @returns false where the wallet cannot sign typed data: nothing has happened then. */
  const sponsored = async (
    wallet: Wallet,
    together: readonly PlanItem[],
    batch: PreparedBatch,
  ): Promise<boolean> => {
    const { typedData } = batch
    if (typedData === undefined) return false
    let signature: Hex
    try {
      signature = await wallet.signTypedData(account, typedData)
    } catch (error) {
      if (isUnsupported(error)) return false
      throw new Stopped(
        isDeclined(error) ? { at: 'declined' } : { at: 'failed', trouble: parts.errorMessage(error) },
      )
    }
    const items = together.map(({ kind, name, contentHash }) => ({ kind, name, contentHash }))
    const signed = { items, signature }
    const attempts = together.map((item) => asking(item, batch, { signed }))
    for (const record of attempts) await records.put(record)
    const txHash = await submitSigned(attempts[0]!, signed)
    for (const item of together) set(item, { at: 'sent', txHash })
    return true
  }

  const onSent = async (
    wallet: Wallet,
    together: readonly PlanItem[],
    batch: PreparedBatch,
  ): Promise<void> => {
    const { publicationNonce, deadline } = batch
    for (const item of together) await records.put(asking(item, batch))
    let txHash: Hash
    try {
      txHash = await wallet.sendTransaction({ ...batch.transaction, from: account, value: '0x0' })
    } catch (error) {
      // The wallet may have sent it: the publisher finds out.
      if (!isDeclined(error)) return
      for (const item of together) {
        await records.delete(asking(item, batch))
        set(item, { at: 'waiting' })
      }
      throw new Stopped({ at: 'declined' })
    }
    for (const item of together) {
      await records.put({ ...named(item), publicationNonce, deadline, stage: 'sent', txHash })
      set(item, { at: 'sent', txHash })
    }
  }

  /**
   * Sends a plan as a batch of calls with the registry's own batch as the only one: all or none whatever the wallet
   * does, and for the least gas.
   *
   * @returns false where the wallet refuses batches after all: nothing has happened then.
   */
  const batched = async (
    batches: Batches,
    together: readonly PlanItem[],
    batch: PreparedBatch,
  ): Promise<boolean> => {
    const id = newBatchId()
    const put = async (known: string) => {
      for (const item of together) await records.put(asking(item, batch, { batch: known }))
    }
    const remove = async () => {
      for (const item of together) await records.delete(asking(item, batch))
    }
    await put(id)
    try {
      const { to, data } = batch.transaction
      const known = await batches.send(id, { to, data, value: '0x0' })
      if (known !== id) await put(known)
    } catch (error) {
      if (isUnsupported(error)) {
        await remove()
        return false
      }
      // The wallet may have sent it: the publisher finds out.
      if (!isDeclined(error)) return true
      await remove()
      for (const item of together) set(item, { at: 'waiting' })
      throw new Stopped({ at: 'declined' })
    }
    for (const item of together) set(item, { at: 'batched' })
    return true
  }

  /**
   * Asks the wallet once for all that it can of `items`, and leaves records that the publisher goes on from. Leaves none
   * where the site cannot prepare them together: then each is sent by itself, which also says what is wrong.
   */
  const sendTogether = async (items: readonly PlanItem[]): Promise<void> => {
    const wallet = await parts.openWallet()
    const sends = wallet.signTransaction === undefined
    if (!sends && !parts.sponsored) return
    for (const item of items) await save(item)
    const batch = await requests.prepareBatch(items).catch((error: unknown) => {
      if (isRefusal(error)) return undefined
      throw error
    })
    const together = items.slice(0, batch?.contentHashes.length ?? 0)
    const matches = together.every(({ contentHash }, index) => contentHash === batch?.contentHashes[index])
    for (const item of items.slice(together.length)) set(item, { at: 'waiting' })
    const [first] = together
    if (batch === undefined || first === undefined || !matches) return
    checkSender(batch.transaction, parts)
    const batches = await wallet.batches(account)
    if (batch.typedData !== undefined && batches?.paymaster !== true && batches?.undeployed !== true) {
      set(first, { at: 'signing' })
      if (await sponsored(wallet, together, batch)) return
    }
    if (!sends) return
    if (batches !== undefined) {
      set(first, { at: 'asking' })
      if (await batched(batches, together, batch)) return
    }
    if (together.length < 2) return
    set(first, { at: 'asking' })
    await onSent(wallet, together, batch)
  }

  return { sendTogether, submitSigned }
}
