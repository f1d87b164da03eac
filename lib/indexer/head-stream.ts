import { setTimeout as sleep } from 'node:timers/promises'

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

const CONNECT_MS = 10_000
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
      const reason = await subscribe(url, signal, idleTimeoutMs, {
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

/** Subscribes until the connection ends. @returns the reason. */
function subscribe(
  url: string,
  signal: AbortSignal,
  idleTimeoutMs: number,
  { onHead, onReady }: { onHead: () => void; onReady: () => void },
): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url)
    let timer: NodeJS.Timeout
    let pinged = false
    const finish = (reason: string): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', ended)
      socket.onclose = null
      socket.onmessage = null
      socket.close()
      resolve(reason)
    }
    const ended = (): void => finish('it is being stopped')
    const send = (id: number, method: string, params: readonly unknown[]): void =>
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    const expect = (ms: number): void => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        if (socket.readyState !== WebSocket.OPEN || pinged) return finish('it does not answer')
        pinged = true
        send(2, 'eth_chainId', [])
        expect(ms)
      }, ms)
    }
    signal.addEventListener('abort', ended, { once: true })
    expect(CONNECT_MS)
    socket.onopen = () => send(1, 'eth_subscribe', ['newHeads'])
    socket.onerror = () => {}
    socket.onclose = ({ code }) => finish(`it was closed with code ${code}`)
    socket.onmessage = ({ data }) => {
      pinged = false
      expect(idleTimeoutMs)
      const message = parse(data)
      if (message.method === 'eth_subscription') return onHead()
      if (message.id !== 1) return
      if (typeof message.result !== 'string') return finish('it offers no subscription to new blocks')
      onReady()
    }
    if (signal.aborted) ended()
  })
}

function parse(data: unknown): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(String(data))
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
