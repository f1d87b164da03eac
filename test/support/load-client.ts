import { setTimeout as sleep } from 'node:timers/promises'
import type { LocalAccount } from 'viem'
import type { Random } from '#test/suites/simulation/random.ts'
import { EventStreamReader } from './event-stream.ts'

/** Longer than any fault, and than any timeout of the site. */
const REQUEST_TIMEOUT_MS = 25_000

export interface Reply {
  /** 0 when the connection ended first. */
  readonly status: number
  readonly json: unknown
  readonly bytes: Buffer
}
export const NO_REPLY: Reply = { status: 0, json: undefined, bytes: Buffer.alloc(0) }

/** The reply leaves open whether the request was executed. */
export function isUnsure({ status }: Reply): boolean {
  return status === 0 || status >= 500 || status === 429
}

export interface LoadOptions {
  readonly sites: readonly string[]
  readonly random: Random
  readonly count: (what: string) => void
  readonly violation: (what: string) => void
}

export type Call = (method: string, path: string, token?: string, body?: unknown) => Promise<Reply>

/** Sends requests to random sites. A fault may cost the reply, but neither hang the request nor cause a 500. */
export function createCall({ sites, random, count, violation }: LoadOptions): Call {
  return async (method, path, token, body) => {
    const headers = new Headers({ Origin: sites[0] ?? '' })
    if (token !== undefined) headers.set('Authorization', `Bearer ${token}`)
    const isForm = body instanceof FormData
    if (body !== undefined && !isForm) headers.set('Content-Type', 'application/json')
    const content = isForm ? body : body === undefined ? null : JSON.stringify(body)
    try {
      const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
      const response = await fetch(random.pick(sites) + path, { method, headers, body: content, signal })
      const { status } = response
      const bytes = Buffer.from(await response.arrayBuffer())
      count(`replies ${status}`)
      if (status === 500) violation(`${method} ${path}: 500 ${bytes}`)
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      return { status, json: isJson && bytes.length > 0 ? JSON.parse(String(bytes)) : undefined, bytes }
    } catch (error) {
      if (error instanceof DOMException && error.name === 'TimeoutError') violation(`${method} ${path} hangs`)
      return NO_REPLY
    }
  }
}

/** Returns a token of the chain API, and a new one every four minutes: they last five. */
export function chainTokens(call: Call, account: LocalAccount) {
  let token: string | undefined
  let until = 0
  return async (): Promise<string | undefined> => {
    if (token !== undefined && Date.now() < until) return token
    const nonce = (await call('GET', `/chain/nonce/${account.address}`)).json as { nonce: string } | undefined
    if (nonce?.nonce === undefined) return undefined
    const message = `Login nonce: ${nonce.nonce}`
    const body = { address: account.address, message, signature: await account.signMessage({ message }) }
    const { status, json } = await call('POST', '/chain/auth', undefined, body)
    token = status === 200 ? (json as { access_token: string }).access_token : undefined
    until = Date.now() + 240_000
    return token
  }
}

/** Values that the network stores: the last acknowledged one, and those whose reply was lost. */
export class Ledger {
  readonly #possible = new Map<string, Set<string>>()
  readonly #options: Pick<LoadOptions, 'count' | 'violation'>

  constructor(options: Pick<LoadOptions, 'count' | 'violation'>) {
    this.#options = options
  }

  record(key: string, value: string, reply: Reply, accepted: number, what: string): void {
    const possible = this.#possible.get(key) ?? new Set(['absent'])
    if (reply.status === accepted) {
      possible.clear()
      this.#options.count(`${what} accepted`)
    } else if (!isUnsure(reply)) this.#options.violation(`${what} refused: ${reply.status} ${reply.bytes}`)
    this.#possible.set(key, possible.add(value))
  }

  keys = (): string[] => [...this.#possible.keys()]

  /** Checks a value that was read. */
  check(key: string, found: string): void {
    const possible = this.#possible.get(key)
    if (!possible?.has(found))
      this.#options.violation(`${key} is ${found}, not ${[...(possible ?? [])].join(' or ')}`)
  }
}

export interface ReadDelta {
  readonly status: unknown
  readonly feedId: unknown
}

/** Reads the stream of the feed from any site, and resumes where it was. */
export function startReader({ sites, random, violation }: LoadOptions) {
  const taken: ReadDelta[] = []
  let stopped = false
  const visit = async (): Promise<void> => {
    const stream = await EventStreamReader.open(
      `${random.pick(sites)}/chain/feed/stream?limit=${random.between(1, 200)}`,
      {
        headers: { 'Last-Event-ID': String(taken.length) },
      },
    )
    for (let left = stream.status === 200 ? random.between(1, 60) : 0; left > 0 && !stopped; left--) {
      const frame = await stream.next(20_000).catch(() => undefined)
      if (frame === undefined) break
      if (frame.id === undefined) continue
      if (frame.id !== taken.length + 1) violation(`a reader got delta ${frame.id}, not ${taken.length + 1}`)
      taken.push({ status: frame.data?.status, feedId: frame.data?.feed_id })
    }
    stream.close()
  }
  const reading = (async () => {
    for (; !stopped; await sleep(50)) await visit().catch(() => {})
  })()
  const stop = async (): Promise<void> => {
    stopped = true
    await reading
  }
  return { taken, stop }
}
