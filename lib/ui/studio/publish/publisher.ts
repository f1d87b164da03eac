import { createValue, type Readable } from '#lib/browser/value.ts'
import type { Hash, Hex } from '#lib/protocol/entity.ts'
import { isDeclined } from '#lib/ui/wallet/connect/error-messages.ts'
import { createAttempts } from './attempts.ts'
import { createFollowing } from './following.ts'
import { itemKey, type PlanItem } from './plan.ts'
import { type Progress, type PublisherParts, Stopped } from './publisher-parts.ts'
import type { LocalRecord } from './records.ts'
import { isConflict, isRefusal, isUnavailable } from './requests.ts'
import { checkSender, createTogether } from './send-together.ts'

const POLL_MS = 4000

export interface Publisher extends Readable<ReadonlyMap<string, Progress>> {
  /** Restores the progress of earlier visits; sends nothing. */
  recall(items: readonly PlanItem[]): Promise<void>
  /**
   * Publishes in order, resuming earlier attempts: together in as few transactions as possible, else one at a time.
   * Ends at the first item that cannot continue.
   *
   * @returns false when another tab publishes.
   */
  run(items: readonly PlanItem[]): Promise<boolean>
  /** Sets the transaction hash found in the wallet. */
  enterHash(item: PlanItem, txHash: Hash): Promise<void>
  /** Records that the wallet sent nothing: it may be prompted again. */
  forget(item: PlanItem): Promise<void>
}

/** Publishes the items of a plan; nothing is sent twice, wherever it is interrupted. */
export function createPublisher(parts: PublisherParts): Publisher {
  const { account, requests, records } = parts
  const state = createValue<ReadonlyMap<string, Progress>>(new Map())
  let wake: () => void = () => undefined
  const set = (item: PlanItem, progress: Progress) =>
    state.setState(new Map(state.getState()).set(itemKey(item), progress))
  const attempts = createAttempts(parts)
  const { named, find, sameTransaction, deleteAll, unsent } = attempts
  /** Retries while the site is unavailable; transactions already sent are not affected. */
  const retryWhileUnavailable = async <T>(question: () => Promise<T>): Promise<T> => {
    for (let wait = 1000; ; wait = Math.min(wait * 2, 15_000)) {
      try {
        return await question()
      } catch (error) {
        if (!isUnavailable(error)) throw error
        await parts.sleep(wait)
      }
    }
  }
  const { isLate, mined, confirmed, followBatch } = createFollowing(parts, attempts, {
    set,
    retryWhileUnavailable,
  })

  /** Resolves a prompt that the wallet never answered; false when it is safe to prompt again. */
  const resolveUnanswered = async (
    item: PlanItem,
    record: LocalRecord & { stage: 'asking' },
  ): Promise<boolean> => {
    if (record.signed !== undefined) {
      await submitSigned(record, record.signed)
      return confirmed(item, (await find(item)) as LocalRecord & { stage: 'sent' })
    }
    if (record.batch !== undefined) return followBatch(item, record, record.batch)
    if (record.rawTransaction !== undefined) {
      try {
        return await relayed(item, record, record.rawTransaction)
      } catch (error) {
        if (isRefusal(error)) return false
        throw error
      }
    }
    const preparation = await requests.prepare(item, false, 'again')
    if (preparation.status === 'published') {
      await mined(item, preparation.address)
      return true
    }
    if (preparation.publication_nonce !== record.publicationNonce || isLate(record)) {
      await deleteAll(record)
      return false
    }
    throw new Stopped({ at: 'unanswered', trouble: undefined })
  }

  const onSent = async (
    item: PlanItem,
    { publicationNonce, deadline }: { publicationNonce: number; deadline: number },
    txHash: Hash,
  ): Promise<boolean> => {
    const record = { ...named(item), stage: 'sent', txHash, publicationNonce, deadline } as const
    await records.put(record)
    return confirmed(item, record)
  }

  /** Relays a signed transaction. A refusal is final: the item can be prepared and signed again. */
  const relayed = async (
    item: PlanItem,
    record: LocalRecord & { stage: 'asking' },
    rawTransaction: Hex,
  ): Promise<boolean> => {
    let txHash: Hash
    try {
      txHash = await retryWhileUnavailable(() => requests.relay(item, rawTransaction))
    } catch (error) {
      if (isRefusal(error)) await records.delete(record)
      throw error
    }
    return onSent(item, record, txHash)
  }

  const save = async (item: PlanItem): Promise<void> => {
    if (item.inDocument) {
      set(item, { at: 'saving' })
      try {
        await requests.save(item)
      } catch (error) {
        // The name is taken, perhaps by the same content: preparing shows which.
        if (!isConflict(error)) throw error
      }
    }
    set(item, { at: 'preparing' })
  }

  const { sendTogether, submitSigned } = createTogether(parts, attempts, { set, save, retryWhileUnavailable })

  const send = async (item: PlanItem): Promise<boolean> => {
    await save(item)
    const wallet = await parts.openWallet()
    const relay = wallet.signTransaction !== undefined
    const prepared = await requests.prepare(item, relay)
    if (prepared.content_hash !== item.contentHash) {
      throw new Stopped({
        at: 'failed',
        trouble: 'It has changed since this was checked. Look at it again.',
      })
    }
    if (prepared.status === 'published') {
      await mined(item, prepared.address)
      return true
    }
    const { transaction, signing, publication_nonce: publicationNonce, deadline } = prepared
    checkSender(transaction, parts)
    const fields = { ...transaction, from: account, value: '0x0' } as const
    const asking = { ...named(item), stage: 'asking', publicationNonce, deadline } as const
    if (wallet.signTransaction !== undefined && signing !== undefined) {
      const rawTransaction = await wallet.signTransaction({ ...fields, ...signing })
      const record = { ...asking, rawTransaction }
      await records.put(record)
      set(item, { at: 'asking' })
      return relayed(item, record, rawTransaction)
    }
    const record = { ...asking, rawTransaction: undefined }
    await records.put(record)
    set(item, { at: 'asking' })
    let txHash: Hash
    try {
      txHash = await wallet.sendTransaction(fields)
    } catch (error) {
      if (!isDeclined(error)) throw new Stopped({ at: 'unanswered', trouble: parts.errorMessage(error) })
      await records.delete(record)
      throw new Stopped({ at: 'declined' })
    }
    return onSent(item, record, txHash)
  }

  const stopAt = async (item: PlanItem, error: unknown): Promise<Progress> => {
    if (error instanceof Stopped) return error.progress
    // Leaving the dialog of signing in, or the page, changes nothing of what was sent.
    if (isLeft(error)) return progressOf(await find(item)) ?? { at: 'waiting' }
    return { at: 'failed', trouble: parts.errorMessage(error) }
  }

  const publish = async (item: PlanItem): Promise<boolean> => {
    const record = await find(item)
    if (record?.stage === 'mined') {
      // A reorg may have reverted it: the plan lists it as open.
      await records.delete(record)
    }
    if (record?.stage === 'sent') return confirmed(item, record)
    if (record?.stage === 'asking' && (await resolveUnanswered(item, record))) return true
    return send(item)
  }

  return {
    getState: state.getState,
    subscribe: state.subscribe,
    async recall(items) {
      const requestedKeys = new Set<string>()
      for (const item of items) {
        const record = await find(item)
        // One question for one transaction.
        if (record?.stage === 'asking') {
          const transaction = `${record.publicationNonce}/${record.deadline}`
          if (requestedKeys.has(transaction)) continue
          requestedKeys.add(transaction)
        }
        const progress = progressOf(record)
        if (progress !== undefined) set(item, progress)
      }
    },
    run: (items) =>
      parts.exclusive(async () => {
        let apart = false
        for (const [index, item] of items.entries()) {
          try {
            // Ends when the page has been left.
            await parts.sleep(0)
            for (;;) {
              try {
                const fresh = apart ? [] : await unsent(items.slice(index))
                if (fresh.length > (parts.sponsored || parts.paymaster ? 0 : 1)) {
                  await sendTogether(fresh)
                  // What is still unsent could not be sent together.
                  apart = (await find(item)) === undefined
                }
                await publish(item)
                break
              } catch (error) {
                if (!(error instanceof Stopped) || error.progress.at !== 'unanswered') throw error
                // It may have been sent: the chain is polled until it shows, or the user knows.
                set(item, error.progress)
                await untilKnown(item)
              }
            }
          } catch (error) {
            set(item, await stopAt(item, error))
            return
          }
        }
      }),
    async enterHash(item, txHash) {
      const record = await find(item)
      if (record?.stage !== 'asking') return
      for (const each of await sameTransaction(record)) {
        const { stage: _, ...rest } = each
        await records.put({ ...rest, stage: 'sent', txHash })
      }
      wake()
    },
    async forget(item) {
      const record = await find(item)
      if (record?.stage === 'asking') await deleteAll(record)
      wake()
    },
  }

  /** Waits until the user reports what the wallet did, or the chain shows it. */
  async function untilKnown(item: PlanItem): Promise<void> {
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      await Promise.race([woken, parts.sleep(POLL_MS)])
      const record = await find(item)
      if (record?.stage !== 'asking') return
      const preparation = await retryWhileUnavailable(() => requests.prepare(item, false, 'again'))
      if (preparation.status === 'published' || preparation.publication_nonce !== record.publicationNonce)
        return
      if (isLate(record)) return
    }
  }
}

function progressOf(record: LocalRecord | undefined): Progress | undefined {
  switch (record?.stage) {
    case 'mined':
      return { at: 'done', address: record.address, txHash: record.txHash, block: record.block }
    case 'sent':
      return { at: 'sent', txHash: record.txHash }
    case 'asking':
      // A signed plan is submitted again.
      if (record.batch !== undefined) return { at: 'batched' }
      return record.signed === undefined ? { at: 'unanswered', trouble: undefined } : { at: 'waiting' }
    case undefined:
      return undefined
  }
}

function isLeft(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('name' in error)) return false
  return error.name === 'GaveUp' || error.name === 'AbortError'
}
