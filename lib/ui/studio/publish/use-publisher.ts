'use client'

import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { type BrowserLock, browserLock } from '#lib/browser/browser-lock.ts'
import { fetchFromSite, siteClock } from '#lib/browser/site-clock.ts'
import { createChainClient } from '#lib/client/chain.ts'
import { authorWordsWire } from '#lib/protocol/author-metadata.ts'
import type { Address } from '#lib/protocol/entity.ts'
import type { StudioDocument } from '#lib/studio/document/types.ts'
import { withSignIn } from '#lib/ui/wallet/with-sign-in.ts'
import type { ServerAttempt } from './attempts.ts'
import { publishErrorMessage, readyWallet } from './own-wallet.ts'
import { type AccountPlan, itemKey, type PlanItem } from './plan.ts'
import { createPublisher, type Publisher } from './publisher.ts'
import type { Progress } from './publisher-parts.ts'
import { openRecords, type RecordStore } from './records.ts'
import { askBatch, askPreparation, askPublications, askSponsored, createPublishRequests } from './requests.ts'
import { type WordChoices, wordsOf } from './words.ts'

const NOTHING: ReadonlyMap<string, Progress> = new Map()
function never() {
  return () => undefined
}

export interface Publishing {
  readonly progress: ReadonlyMap<string, Progress>
  /** `elsewhere`: another tab publishes for this account. */
  readonly is: 'opening' | 'idle' | 'running' | 'elsewhere' | 'no_storage'
  readonly run: () => void
  readonly publisher: Publisher | undefined
}

/**
 * Publishes a plan from this page. Attempts in progress are restored from the browser's and the server's
 * records.
 *
 * @param document The document that the plan was made of.
 * @param choices The words to publish.
 * @param paymaster Whether the site names a paymaster to wallets.
 * @param onEnd Called when a run has ended.
 */
export function usePublisher(
  plan: AccountPlan | undefined,
  document: StudioDocument,
  account: Address | undefined,
  choices: WordChoices,
  paymaster: boolean,
  onEnd: () => void,
): Publishing {
  const [opened, setOpened] = useState<
    { records: RecordStore; serverAttempts: ReadonlyMap<string, ServerAttempt> } | 'no_storage'
  >()
  const [running, setRunning] = useState<'no' | 'here' | 'elsewhere'>('no')
  const alive = useRef<AbortController>(undefined)
  const ended = useRef(onEnd)
  ended.current = onEnd
  const chosen = useRef(choices)
  chosen.current = choices

  useEffect(() => {
    if (account === undefined) return
    const controller = new AbortController()
    alive.current = controller
    Promise.all([openRecords(), fetchServerAttempts()]).then(
      ([records, serverAttempts]) => !controller.signal.aborted && setOpened({ records, serverAttempts }),
      () => !controller.signal.aborted && setOpened('no_storage'),
    )
    return () => {
      controller.abort()
      setOpened(undefined)
      setRunning('no')
    }
  }, [account])

  const chainId = plan?.chainId
  const sponsored = plan?.sponsored ?? false
  const publisher = useMemo(() => {
    if (chainId === undefined || account === undefined || opened === undefined || opened === 'no_storage')
      return
    const words = (item: PlanItem) => authorWordsWire(wordsOf(item, document, chosen.current).words)
    return createPublisher({
      account,
      chainId,
      requests: createPublishRequests(
        createChainClient('/chain', { fetch: fetchFromSite }),
        document,
        withSignIn,
        {
          one: (item, relay, again) =>
            askPreparation({
              kind: item.kind,
              name: item.name,
              relay,
              ...(!again && { words: words(item) }),
            }),
          together: (items) =>
            askBatch(items.map((item) => ({ kind: item.kind, name: item.name, words: words(item) }))),
          sponsored: askSponsored,
        },
      ),
      records: opened.records,
      serverAttempts: opened.serverAttempts,
      openWallet: () => readyWallet(account),
      exclusive: (work) => lockOf(account).tryHold(work),
      sponsored,
      paymaster,
      errorMessage: publishErrorMessage,
      now: siteClock.now,
      sleep: (milliseconds) => sleep(milliseconds, alive.current?.signal),
    })
  }, [chainId, sponsored, paymaster, document, account, opened])

  useEffect(() => {
    if (publisher !== undefined && plan !== undefined) void publisher.recall(plan.items)
  }, [publisher, plan])
  const progress = useSyncExternalStore(
    publisher?.subscribe ?? never,
    publisher?.getState ?? (() => NOTHING),
    () => NOTHING,
  )

  const run = () => {
    if (publisher === undefined || plan === undefined || account === undefined) return
    const signal = alive.current?.signal
    const items = plan.items.filter(
      (item) => item.standing.state === 'open' || isInProgress(progress.get(itemKey(item))),
    )
    setRunning('here')
    publisher
      .run(items)
      .then(async (ran) => {
        if (ran || signal === undefined) return
        setRunning('elsewhere')
        await lockOf(account).untilFree(signal)
      })
      .catch(() => undefined)
      .finally(() => {
        if (signal?.aborted) return
        setRunning('no')
        ended.current()
      })
  }

  const is =
    opened === 'no_storage'
      ? 'no_storage'
      : publisher === undefined
        ? 'opening'
        : running === 'here'
          ? 'running'
          : running === 'elsewhere'
            ? 'elsewhere'
            : 'idle'
  return { progress, is, run, publisher }
}

export function isInProgress(progress: Progress | undefined): boolean {
  return progress !== undefined && progress.at !== 'done' && progress.at !== 'waiting'
}

async function fetchServerAttempts(): Promise<ReadonlyMap<string, ServerAttempt>> {
  try {
    return new Map(
      (await askPublications()).flatMap((each): [string, ServerAttempt][] => {
        if (each.stage !== 'pending' || each.tx_hash === null) return []
        const key = itemKey({
          kind: each.kind,
          name: each.name,
          contentHash: each.content_hash as `0x${string}`,
        })
        const { publication_nonce: publicationNonce, deadline } = each
        return [[key, { txHash: each.tx_hash as `0x${string}`, publicationNonce, deadline }]]
      }),
    )
  } catch {
    // This browser's own records are enough for what was begun here.
    return new Map()
  }
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const left = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', left)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', left, { once: true })
  })
}

/** One tab of this browser publishes for an account at a time. */
function lockOf(account: string): BrowserLock {
  return browserLock(`weft-publish-${account}`)
}
