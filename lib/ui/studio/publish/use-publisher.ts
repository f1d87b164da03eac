'use client'

import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { createChainClient } from '../../../client/chain.ts'
import type { Address } from '../../../domain/entity.ts'
import { withChainToken } from '../../wallet/with-chain-token.ts'
import type { StudioDocument } from '../document/types.ts'
import { aloneInBrowser, untilFree } from './alone.ts'
import { publishingInWords, readyWallet } from './own-wallet.ts'
import { itemKey, type Plan } from './plan.ts'
import { createPublishRequests } from './publish-requests.ts'
import { createPublisher, type Noted, type Progress, type Publisher } from './publisher.ts'
import { openRecords, type Records } from './records.ts'
import { askPublications } from './requests.ts'

const NOTHING: ReadonlyMap<string, Progress> = new Map()
const never = () => () => undefined

export interface Publishing {
  readonly progress: ReadonlyMap<string, Progress>
  /** `elsewhere`: another tab publishes for this account. */
  readonly is: 'opening' | 'idle' | 'running' | 'elsewhere' | 'no_storage'
  readonly run: () => void
  readonly publisher: Publisher | undefined
}

/**
 * Publishing a plan from this page. What is under way is recalled from the browser's and the server's own records; the
 * page going away leaves it as it is.
 *
 * @param document As it was when the plan was made.
 * @param onEnd When a run has ended, for better or worse.
 */
export function usePublisher(
  plan: Plan | undefined,
  document: StudioDocument,
  account: Address | undefined,
  onEnd: () => void,
): Publishing {
  const [opened, setOpened] = useState<
    { records: Records; noted: ReadonlyMap<string, Noted> } | 'no_storage'
  >()
  const [running, setRunning] = useState<'no' | 'here' | 'elsewhere'>('no')
  const alive = useRef<AbortController>(undefined)
  const ended = useRef(onEnd)
  ended.current = onEnd

  useEffect(() => {
    if (account === undefined) return
    const controller = new AbortController()
    alive.current = controller
    Promise.all([openRecords(), notedByServer()]).then(
      ([records, noted]) => !controller.signal.aborted && setOpened({ records, noted }),
      () => !controller.signal.aborted && setOpened('no_storage'),
    )
    return () => {
      controller.abort()
      setOpened(undefined)
      setRunning('no')
    }
  }, [account])

  const chainId = plan?.chainId
  const publisher = useMemo(() => {
    if (chainId === undefined || account === undefined || opened === undefined || opened === 'no_storage')
      return
    return createPublisher({
      account,
      chainId,
      requests: createPublishRequests(createChainClient('/chain'), document, withChainToken),
      records: opened.records,
      noted: opened.noted,
      openWallet: () => readyWallet(account),
      alone: (work) => aloneInBrowser(account, work),
      words: publishingInWords,
      now: Date.now,
      sleep: (milliseconds) => sleep(milliseconds, alive.current?.signal),
    })
  }, [chainId, document, account, opened])

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
      (item) => item.standing.state === 'open' || isUnderWay(progress.get(itemKey(item))),
    )
    setRunning('here')
    publisher
      .run(items)
      .then(async (ran) => {
        if (ran || signal === undefined) return
        setRunning('elsewhere')
        await untilFree(account, signal)
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

export function isUnderWay(progress: Progress | undefined): boolean {
  return progress !== undefined && progress.at !== 'done' && progress.at !== 'waiting'
}

async function notedByServer(): Promise<ReadonlyMap<string, Noted>> {
  try {
    return new Map(
      (await askPublications()).flatMap((each): [string, Noted][] => {
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
