import type { Address, Hash, Hex } from '../../../domain/entity.ts'
import { isDeclined } from '../../wallet/connect/in-words.ts'
import type { Wallet } from '../../wallet/connect/wallet.ts'
import { itemKey, type PlanItem } from './plan.ts'
import type { PublicationRecord, Records } from './records.ts'

/** Where one publication stands on the screen. */
export type Progress =
  /** Its turn has not come, or it was left before anything was sent. */
  | { readonly at: 'waiting' }
  | { readonly at: 'saving' }
  | { readonly at: 'preparing' }
  | { readonly at: 'asking' }
  /** The wallet was asked and nobody knows whether it sent. */
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

/** What the server prepared to be signed. */
export interface Prepared {
  readonly status: 'prepared'
  readonly contentHash: Hash
  readonly publicationNonce: number
  readonly deadline: number
  readonly transaction: {
    readonly from: Address
    readonly to: Address
    readonly data: Hex
    readonly gas: Hex
    readonly chainId: Hex
  }
  readonly signing:
    | { readonly nonce: Hex; readonly maxFeePerGas: Hex; readonly maxPriorityFeePerGas: Hex }
    | undefined
}

export interface Published {
  readonly status: 'published'
  readonly contentHash: Hash
  readonly address: Address
}

export type Confirmation =
  | { readonly status: 'pending' }
  | { readonly status: 'mined'; readonly address: Address; readonly block: number; readonly txHash: Hash }
  /** The transaction did nothing: it may be sent anew. */
  | { readonly status: 'reverted'; readonly trouble: string }

/** What publishing asks of the site. Everything may be asked again without harm. */
export interface PublishRequests {
  /** Keeps the document's definition as the account's draft. */
  save(item: PlanItem): Promise<void>
  prepare(item: PlanItem, relay: boolean): Promise<Prepared | Published>
  /** Hands on a signed transaction; the same one twice is one transaction. */
  relay(item: PlanItem, rawTransaction: Hex): Promise<Hash>
  confirm(item: PlanItem, txHash: Hash): Promise<Confirmation>
}

/** What the server noted of an attempt, perhaps from another browser. */
export interface Noted {
  readonly txHash: Hash
  readonly publicationNonce: number
  readonly deadline: number
}

export interface PublisherParts {
  readonly account: Address
  readonly chainId: number
  readonly requests: PublishRequests
  readonly records: Records
  /** The wallet that holds the account, on the right chain. @throws what it refuses. */
  readonly openWallet: () => Promise<Wallet>
  /** Runs nothing and gives false when another tab publishes for the account. */
  readonly alone: (work: () => Promise<void>) => Promise<boolean>
  /** Transactions that the server knows of from earlier attempts, by `itemKey`. */
  readonly noted: ReadonlyMap<string, Noted>
  readonly words: (error: unknown) => string
  /** Unix milliseconds. */
  readonly now: () => number
  /** Rejects when nobody waits any more. */
  readonly sleep: (milliseconds: number) => Promise<void>
}

const CONFIRM_EVERY_MS = 1500
const LOOK_AGAIN_MS = 4000
/** A transaction past its deadline by this much is refused by every block to come, whoever's clock is off. */
const DEADLINE_GRACE_S = 300

const NEVER_MINED =
  'The chain did not take the transaction within its hour, and cannot any more. It can be published again.'

/** Why publishing stopped short; told at the item. */
class Stopped extends Error {
  readonly progress: Progress
  constructor(progress: Progress) {
    super(progress.at)
    this.progress = progress
  }
}

export interface Publisher {
  getState(): ReadonlyMap<string, Progress>
  subscribe(listener: () => void): () => void
  /** Reads what earlier visits left; sends nothing. */
  recall(items: readonly PlanItem[]): Promise<void>
  /**
   * Publishes in order, one at a time, and goes on where an earlier visit stopped. Ends at the first item that cannot
   * go on by itself.
   *
   * @returns false when another tab is at it.
   */
  run(items: readonly PlanItem[]): Promise<boolean>
  /** The person found the transaction in the wallet. */
  enterHash(item: PlanItem, txHash: Hash): Promise<void>
  /** The person says that the wallet sent nothing: it may be asked again. */
  forget(item: PlanItem): Promise<void>
}

/** Publishes the items of a plan so that nothing is ever sent twice, wherever it is interrupted. */
export function createPublisher(parts: PublisherParts): Publisher {
  const { account, chainId, requests, records } = parts
  let state: ReadonlyMap<string, Progress> = new Map()
  /** What the server noted of these is over. */
  const dropped = new Set<string>()
  let wake: () => void = () => undefined
  const listeners = new Set<() => void>()

  const set = (item: PlanItem, progress: Progress) => {
    state = new Map(state).set(itemKey(item), progress)
    for (const listener of [...listeners]) listener()
  }
  const named = (item: PlanItem) => ({
    account,
    chainId,
    kind: item.kind,
    name: item.name,
    contentHash: item.contentHash,
  })
  const find = async (item: PlanItem): Promise<PublicationRecord | undefined> => {
    const kept = (await records.list(account, chainId)).find((record) => itemKey(record) === itemKey(item))
    if (kept !== undefined) return kept
    const noted = dropped.has(itemKey(item)) ? undefined : parts.noted.get(itemKey(item))
    if (noted === undefined) return undefined
    const { txHash, publicationNonce, deadline } = noted
    return { ...named(item), stage: 'sent', txHash, publicationNonce, deadline }
  }
  /** It can do nothing any more: the item may be sent anew. */
  const drop = async (item: PlanItem, record: PublicationRecord) => {
    dropped.add(itemKey(item))
    await records.delete(record)
  }
  const isLate = ({ deadline }: { deadline: number }) => parts.now() / 1000 > deadline + DEADLINE_GRACE_S
  const mined = async (item: PlanItem, address: Address, txHash?: Hash, block?: number) => {
    await records.put({ ...named(item), stage: 'mined', txHash, block, address })
    set(item, { at: 'done', address, txHash, block })
  }

  const confirmed = async (
    item: PlanItem,
    record: PublicationRecord & { stage: 'sent' },
  ): Promise<boolean> => {
    set(item, { at: 'sent', txHash: record.txHash })
    for (;;) {
      const found = await patiently(() => requests.confirm(item, record.txHash))
      if (found.status === 'mined') {
        await mined(item, found.address, found.txHash, found.block)
        return true
      }
      if (found.status === 'reverted') {
        await drop(item, record)
        throw new Stopped({ at: 'failed', trouble: found.trouble })
      }
      if (isLate(record)) {
        await drop(item, record)
        throw new Stopped({ at: 'failed', trouble: NEVER_MINED })
      }
      await parts.sleep(CONFIRM_EVERY_MS)
    }
  }

  /** Asks again while the site is away: what was sent goes its way without us. */
  const patiently = async <T>(question: () => Promise<T>): Promise<T> => {
    for (let wait = 1000; ; wait = Math.min(wait * 2, 15_000)) {
      try {
        return await question()
      } catch (error) {
        if (!isAway(error)) throw error
        await parts.sleep(wait)
      }
    }
  }

  /** What became of a question that the wallet never answered; undefined when it is safe to ask again. */
  const settled = async (
    item: PlanItem,
    record: PublicationRecord & { stage: 'asking' },
  ): Promise<boolean> => {
    if (record.rawTransaction !== undefined) {
      try {
        return await relayed(item, record, record.rawTransaction)
      } catch (error) {
        if (isRefusal(error)) return false
        throw error
      }
    }
    const found = await requests.prepare(item, false)
    if (found.status === 'published') {
      await mined(item, found.address)
      return true
    }
    if (found.publicationNonce !== record.publicationNonce || isLate(record)) {
      await records.delete(record)
      return false
    }
    throw new Stopped({ at: 'unanswered', trouble: undefined })
  }

  const sent = async (
    item: PlanItem,
    { publicationNonce, deadline }: { publicationNonce: number; deadline: number },
    txHash: Hash,
  ): Promise<boolean> => {
    const record = { ...named(item), stage: 'sent', txHash, publicationNonce, deadline } as const
    await records.put(record)
    return confirmed(item, record)
  }

  /** Has the site send what is signed. A refusal is final: the item can then be prepared and signed anew. */
  const relayed = async (
    item: PlanItem,
    record: PublicationRecord & { stage: 'asking' },
    rawTransaction: Hex,
  ): Promise<boolean> => {
    let txHash: Hash
    try {
      txHash = await patiently(() => requests.relay(item, rawTransaction))
    } catch (error) {
      if (isRefusal(error)) await records.delete(record)
      throw error
    }
    return sent(item, record, txHash)
  }

  const send = async (item: PlanItem): Promise<boolean> => {
    if (item.inDocument) {
      set(item, { at: 'saving' })
      try {
        await requests.save(item)
      } catch (error) {
        // The name is taken by now, perhaps by this very thing: preparing tells which.
        if (!isConflict(error)) throw error
      }
    }
    set(item, { at: 'preparing' })
    const wallet = await parts.openWallet()
    const relay = wallet.signTransaction !== undefined
    const prepared = await requests.prepare(item, relay)
    if (prepared.contentHash !== item.contentHash) {
      throw new Stopped({
        at: 'failed',
        trouble: 'It has changed since the plan was made. Look at the plan again.',
      })
    }
    if (prepared.status === 'published') {
      await mined(item, prepared.address)
      return true
    }
    const { transaction, signing, publicationNonce, deadline } = prepared
    const fields = { ...transaction, from: account, value: '0x0' } as const
    if (Number(transaction.chainId) !== chainId || transaction.from.toLowerCase() !== account) {
      throw new Stopped({ at: 'failed', trouble: 'The site prepared it for another account or chain.' })
    }
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
      if (!isDeclined(error)) throw new Stopped({ at: 'unanswered', trouble: parts.words(error) })
      await records.delete(record)
      throw new Stopped({ at: 'declined' })
    }
    return sent(item, record, txHash)
  }

  const stopAt = async (item: PlanItem, error: unknown): Promise<Progress> => {
    if (error instanceof Stopped) return error.progress
    // Whoever closed the dialog for the second signature, or the page, changed nothing of what was sent.
    if (isLeft(error)) return progressOf(await find(item)) ?? { at: 'waiting' }
    return { at: 'failed', trouble: parts.words(error) }
  }

  const publish = async (item: PlanItem): Promise<boolean> => {
    const record = await find(item)
    if (record?.stage === 'mined') {
      // The chain may have taken it back since: only the plan says that it is open.
      await records.delete(record)
    }
    if (record?.stage === 'sent') return confirmed(item, record)
    if (record?.stage === 'asking' && (await settled(item, record))) return true
    return send(item)
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async recall(items) {
      for (const item of items) {
        const progress = progressOf(await find(item))
        if (progress !== undefined) set(item, progress)
      }
    },
    run: (items) =>
      parts.alone(async () => {
        for (const item of items) {
          try {
            // Nothing more is asked of anybody once the page has been left.
            await parts.sleep(0)
            for (;;) {
              try {
                await publish(item)
                break
              } catch (error) {
                if (!(error instanceof Stopped) || error.progress.at !== 'unanswered') throw error
                // It may have been sent all the same: the chain is asked until it shows, or somebody knows.
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
      const { publicationNonce, deadline } = record
      await records.put({ ...named(item), stage: 'sent', txHash, publicationNonce, deadline })
      wake()
    },
    async forget(item) {
      const record = await find(item)
      if (record?.stage === 'asking') await records.delete(record)
      wake()
    },
  }

  /** Waits until somebody says what the wallet did, or the chain shows it. */
  async function untilKnown(item: PlanItem): Promise<void> {
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      await Promise.race([woken, parts.sleep(LOOK_AGAIN_MS)])
      const record = await find(item)
      if (record?.stage !== 'asking') return
      const found = await patiently(() => requests.prepare(item, false))
      if (found.status === 'published' || found.publicationNonce !== record.publicationNonce) return
      if (isLate(record)) return
    }
  }
}

function progressOf(record: PublicationRecord | undefined): Progress | undefined {
  switch (record?.stage) {
    case 'mined':
      return { at: 'done', address: record.address, txHash: record.txHash, block: record.block }
    case 'sent':
      return { at: 'sent', txHash: record.txHash }
    case 'asking':
      return { at: 'unanswered', trouble: undefined }
    case undefined:
      return undefined
  }
}

function isLeft(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('name' in error)) return false
  return error.name === 'GaveUp' || error.name === 'AbortError'
}

/** The site looked at the transaction and will not send it. */
function isRefusal(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'status' in error &&
    (error.status === 400 || error.status === 409)
  )
}

function isConflict(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'status' in error && error.status === 409
}

/** The site or its chain cannot answer now, which says nothing about the question. */
function isAway(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  if ('name' in error && error.name === 'NoAnswer') return true
  return 'status' in error && typeof error.status === 'number' && error.status >= 500
}
