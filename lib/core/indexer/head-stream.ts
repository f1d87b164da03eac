import { setTimeout as sleep } from 'node:timers/promises'
import { subscribeToHeads } from '#lib/chain/nodes/new-heads.ts'

/** Subscription to new heads over a node's WebSocket. Only a hint: the worker polls as well. */
export interface HeadStream {
  /** Whether the subscription is active and the node answers on it. */
  readonly live: boolean
  /** Resolves at the next head, at the latest after `ms` or when the connection is lost. */
  next(ms: number): Promise<void>
  /** Settles after the signal. */
  readonly done: Promise<void>
}

export interface HeadStreamOptions {
  readonly signal: AbortSignal
  /** Called with the reason for every lost connection. */
  readonly onLost: (reason: string) => void
  /** Milliseconds without a message before a ping, and again before the connection is closed. */
  readonly idleTimeoutMs?: number
}

const IDLE_TIMEOUT_MS = 10_000
const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 30_000

/** Keeps a subscription to `newHeads` open until the signal; without a URL `next` is a plain timer. */
export function openHeadStream(url: string | undefined, options: HeadStreamOptions): HeadStream {
  const { signal, onLost, idleTimeoutMs = IDLE_TIMEOUT_MS } = options
  let wake = (): void => {}
  let announced = false
  let live = false
  const announce = (): void => {
    announced = true
    wake()
  }
  const setLive = (now: boolean): void => {
    live = now
    // Heads may have been missed before a reconnect and at a loss.
    announce()
  }

  const maintain = async (): Promise<void> => {
    let retry = FIRST_RETRY_MS
    while (url !== undefined && !signal.aborted) {
      const reason = await subscribeToHeads(url, signal, idleTimeoutMs, {
        onHead: announce,
        onReady: () => {
          retry = FIRST_RETRY_MS
          setLive(true)
        },
      })
      if (live) setLive(false)
      if (signal.aborted) return
      onLost(reason)
      await sleep(retry, undefined, { signal }).catch(() => {})
      retry = Math.min(MAX_RETRY_MS, retry * 2)
    }
  }

  return {
    get live() {
      return live
    },
    async next(ms) {
      if (announced || ms <= 0 || signal.aborted) {
        announced = false
        return
      }
      await new Promise<void>((resolve) => {
        const finish = (): void => {
          clearTimeout(timer)
          signal.removeEventListener('abort', finish)
          wake = () => {}
          resolve()
        }
        const timer = setTimeout(finish, ms)
        signal.addEventListener('abort', finish, { once: true })
        wake = finish
      })
      announced = false
    },
    done: maintain(),
  }
}
