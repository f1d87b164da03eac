const CONNECT_MS = 10_000
const PROBE_MS = 5_000

interface Callbacks {
  readonly onHead: () => void
  /** Called when the node accepted the subscription. */
  readonly onReady: () => void
}

/**
 * Subscribes to `newHeads` over a node's WebSocket until the connection ends.
 *
 * @param idleTimeoutMs Milliseconds without a message before a ping, and again before the connection is closed.
 * @returns the reason why it ended.
 */
export function subscribeToHeads(
  url: string,
  signal: AbortSignal,
  idleTimeoutMs: number,
  { onHead, onReady }: Callbacks,
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

/**
 * Returns whether a node offers a subscription to new heads: at the configured WebSocket address when that is on its
 * host, else at its own address. Undefined where this runtime has no WebSocket.
 */
export async function offersNewHeads(
  url: string,
  configured: string | undefined,
): Promise<boolean | undefined> {
  if (typeof WebSocket === 'undefined') return undefined
  const own = new URL(url)
  const shared = configured !== undefined && new URL(configured).hostname === own.hostname
  const ending = new AbortController()
  let ready = false
  const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(PROBE_MS)])
  await subscribeToHeads(shared ? configured : own.href.replace(/^http/, 'ws'), signal, PROBE_MS, {
    onHead: () => {},
    onReady: () => {
      ready = true
      ending.abort()
    },
  })
  return ready
}
