import { setTimeout as sleep } from 'node:timers/promises'

/** Announcements of new blocks over a node's WebSocket. Only a hint: the worker looks for itself, and also without. */
export interface HeadStream {
  /** True while the subscription stands and the node answers on it. */
  readonly live: boolean
  /** Resolves at the next announcement, at the latest after `ms` or when the stream is lost. */
  next(ms: number): Promise<void>
  /** Settles when the signal has ended it. */
  readonly done: Promise<void>
}

export interface HeadStreamOptions {
  readonly signal: AbortSignal
  /** Told once for every loss, with the reason. */
  readonly onLost: (reason: string) => void
  /** Silence in milliseconds after which the node is asked whether it lives, and once more after which it is given up. */
  readonly silenceMs?: number
}

const CONNECT_MS = 10_000
const SILENCE_MS = 10_000
const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 30_000

/** Keeps a subscription to `newHeads` open until the signal; without it `next` is a plain timer. */
export const openHeadStream = (url: string | undefined, options: HeadStreamOptions): HeadStream => {
  const { signal, onLost, silenceMs = SILENCE_MS } = options
  let wake = (): void => {}
  let announced = false
  let live = false
  const announce = (): void => {
    announced = true
    wake()
  }
  const setLive = (now: boolean): void => {
    live = now
    // Whatever was announced meanwhile is to be looked for: after a gap as well as at a loss.
    announce()
  }

  const keep = async (): Promise<void> => {
    let retry = FIRST_RETRY_MS
    while (url !== undefined && !signal.aborted) {
      const reason = await subscribe(url, signal, silenceMs, {
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
      retry = Math.min(LONGEST_RETRY_MS, retry * 2)
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
    done: keep(),
  }
}

/** @returns why it ended. */
const subscribe = (
  url: string,
  signal: AbortSignal,
  silenceMs: number,
  { onHead, onReady }: { onHead: () => void; onReady: () => void },
): Promise<string> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url)
    let timer: NodeJS.Timeout
    let asked = false
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
        if (socket.readyState !== WebSocket.OPEN || asked) return finish('it does not answer')
        asked = true
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
      asked = false
      expect(silenceMs)
      const message = parse(data)
      if (message.method === 'eth_subscription') return onHead()
      if (message.id !== 1) return
      if (typeof message.result !== 'string') return finish('it offers no subscription to new blocks')
      onReady()
    }
    if (signal.aborted) ended()
  })

const parse = (data: unknown): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(String(data))
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
