import type { Address, Hash } from '#lib/protocol/entity.ts'
import type { createAttempts } from './attempts.ts'
import type { PlanItem } from './plan.ts'
import { type PublisherParts, Stopped } from './publisher-parts.ts'
import type { LocalRecord } from './records.ts'
import { isRefusal } from './requests.ts'
import type { Steps } from './send-together.ts'

const CONFIRM_POLL_MS = 1500
/** Tolerance for clock skew after which a transaction can no longer be mined. */
const DEADLINE_GRACE_S = 300

const NEVER_MINED =
  'The chain did not take the transaction within its hour, and cannot any more. It can be published again.'

const BATCH_FAILED = {
  not_sent: 'The wallet did not send it, and nothing was published. Try again.',
  reverted:
    'The wallet sent it and the chain refused it: nothing was published. Look at the details again, then try once more.',
} as const
const NOT_ON_CHAIN = 'The wallet says that it is done, and the chain has nothing of it.'
/** Answers of a wallet about its batch that say nothing, before the user is asked. */
const PATIENCE = 3

/** Follows what was sent, or may have been, until the chain has it or can have it no more. */
export function createFollowing(
  parts: PublisherParts,
  { named, sameTransaction, deleteAll, drop }: ReturnType<typeof createAttempts>,
  { set, retryWhileUnavailable }: Pick<Steps, 'set' | 'retryWhileUnavailable'>,
) {
  const { account, requests, records } = parts
  const isLate = ({ deadline }: { deadline: number }) => parts.now() / 1000 > deadline + DEADLINE_GRACE_S
  const mined = async (item: PlanItem, address: Address, txHash?: Hash, block?: number) => {
    await records.put({ ...named(item), stage: 'mined', txHash, block, address })
    set(item, { at: 'done', address, txHash, block })
  }

  const confirmed = async (item: PlanItem, record: LocalRecord & { stage: 'sent' }): Promise<boolean> => {
    set(item, { at: 'sent', txHash: record.txHash })
    for (;;) {
      const confirmation = await retryWhileUnavailable(() => requests.confirm(item, record.txHash))
      if (confirmation.status === 'mined') {
        await mined(item, confirmation.address, confirmation.txHash, confirmation.block)
        return true
      }
      if (confirmation.status === 'reverted') {
        await drop(item, record)
        throw new Stopped({ at: 'failed', trouble: confirmation.trouble })
      }
      if (isLate(record)) {
        await drop(item, record)
        throw new Stopped({ at: 'failed', trouble: NEVER_MINED })
      }
      await parts.sleep(CONFIRM_POLL_MS)
    }
  }

  /**
   * Follows a batch of calls. The wallet says in which transaction it is; what the chain has decides.
   *
   * @returns false when it can no longer be mined: it is safe to prompt again.
   * @throws Stopped when the wallet gave it up, or says nothing about it.
   */
  const followBatch = async (
    item: PlanItem,
    record: LocalRecord & { stage: 'asking' },
    batch: string,
  ): Promise<boolean> => {
    const batches = await parts
      .openWallet()
      .then((wallet) => wallet.batches(account))
      .catch(() => undefined)
    for (let silent = 0; ; ) {
      const status = (await batches?.status(batch)) ?? ({ is: 'unknown' } as const)
      if (status.is === 'mined') {
        const confirmation = await retryWhileUnavailable(() => requests.confirm(item, status.txHash)).catch(
          (error: unknown) => {
            if (isRefusal(error)) return undefined
            throw error
          },
        )
        if (confirmation?.status === 'mined') {
          // Now that the chain has it, it is the transaction of the others, too.
          for (const { publicationNonce, deadline, ...each } of await sameTransaction(record)) {
            const { account, chainId, kind, name, contentHash } = each
            const key = { account, chainId, kind, name, contentHash }
            await records.put({
              ...key,
              publicationNonce,
              deadline,
              stage: 'sent',
              txHash: confirmation.txHash,
            })
          }
          await mined(item, confirmation.address, confirmation.txHash, confirmation.block)
          return true
        }
      }
      const preparation = await retryWhileUnavailable(() => requests.prepare(item, false, 'again'))
      if (preparation.status === 'published') {
        await mined(item, preparation.address)
        return true
      }
      if (preparation.publication_nonce !== record.publicationNonce || isLate(record)) {
        await deleteAll(record)
        return false
      }
      if (status.is === 'failed') {
        await deleteAll(record)
        throw new Stopped({ at: 'failed', trouble: BATCH_FAILED[status.why] })
      }
      if (status.is === 'pending') {
        silent = 0
        set(item, { at: 'batched' })
      } else if (++silent > PATIENCE) {
        const trouble = status.is === 'mined' ? NOT_ON_CHAIN : undefined
        throw new Stopped({ at: 'unanswered', trouble })
      }
      await parts.sleep(CONFIRM_POLL_MS)
    }
  }

  return { isLate, mined, confirmed, followBatch }
}
