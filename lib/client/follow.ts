import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { ChainClient } from './chain.ts'
import type { components } from './chain-schema.ts'
import { refusalOf, WeftError } from './errors.ts'
import { pause } from './publish.ts'

type FeedItem = components['schemas']['FeedItem']

/** A change of the feed. `status` is `removed` after a reorganisation of the chain. */
export interface FeedChange
  extends Pick<
    FeedItem,
    'event_type' | 'status' | 'feed_id' | 'history_cursor' | 'created_at_ms' | 'payload'
  > {
  /** Rises from change to change: the position to go on from. */
  readonly stream_seq: number
}

/** Where to begin, and which changes. */
export interface FollowOptions {
  /** The last number that was handled. Default: 0, the beginning of what is stored. */
  readonly sinceSeq?: number
  readonly kind?: 'connector' | 'transformation' | 'condition'
  /** An account. */
  readonly owner?: string
  /** The hash of a format. */
  readonly format?: string
  readonly name?: string
  /** Time to try again while no connection can be made, in milliseconds. Default: for ever. */
  readonly patienceMs?: number
  /** Ends the loop, which then throws the signal's reason. */
  readonly signal?: AbortSignal
}

const RETRY_MS = [200, 1000, 2000, 5000, 10_000]
/** The server sends something at least every 15 seconds. */
const SILENCE_MS = 45_000
/** Characters of one event. */
const MAX_EVENT = 1_000_000

/**
 * Yields the feed from a position on, for ever: each change once, in order, over any number of connections.
 *
 * @throws WeftError when the API refuses the filter; beyond `patienceMs` the error of the last connection.
 * @throws RangeError when changes after `sinceSeq` are not stored (any more, or since the server's database was
 *   restored): read `/feed` anew, then go on from its position.
 * @example
 * for await (const change of follow(chain, { kind: 'connector' })) console.log(change.payload.name)
 */
export async function* follow(
  chain: ChainClient,
  { sinceSeq = 0, patienceMs = Number.POSITIVE_INFINITY, signal, ...filter }: FollowOptions = {},
): AsyncGenerator<FeedChange, never, void> {
  let position = sinceSeq
  let lastContactMs = performance.now()
  for (let failures = 0; ; failures++) {
    signal?.throwIfAborted()
    try {
      for await (const { event, id, data } of eventsOf(chain, { ...filter, since_seq: position }, signal)) {
        failures = 0
        lastContactMs = performance.now()
        const parsed: unknown = JSON.parse(data)
        if (event === 'stream_meta' && (parsed as { stale_since_seq: boolean }).stale_since_seq) {
          const message = `Changes after ${position} are not stored, or of another history: read /feed anew`
          throw new RangeError(message)
        }
        const number = Number(id ?? 0)
        if (!(number > position)) continue
        position = number
        if (event !== 'position') yield parsed as FeedChange
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (!isPassing(error)) throw error
      if (performance.now() - lastContactMs > patienceMs) throw error
    }
    await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] as number, signal)
  }
}

const PASSING: readonly number[] = [429, 500, 502, 503, 504]

/** Whether another attempt may succeed: connections that fail are a TypeError, those that are given up a DOMException. */
function isPassing(error: unknown): boolean {
  if (error instanceof WeftError) return PASSING.includes(error.status)
  return error instanceof TypeError || error instanceof DOMException
}

/** The server-sent events of one connection. Throws when it stays silent for too long. */
async function* eventsOf(
  chain: ChainClient,
  query: { readonly since_seq: number } & Omit<FollowOptions, 'sinceSeq' | 'signal'>,
  signal: AbortSignal | undefined,
): AsyncGenerator<EventSourceMessage, void, void> {
  const silent = new AbortController()
  const stop = () => silent.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  // As `fetch` reports a server that it cannot reach.
  const cause = new Error(`nothing came for ${SILENCE_MS / 1000} s`)
  const giveUp = () => silent.abort(new TypeError('fetch failed', { cause }))
  let timer = setTimeout(giveUp, SILENCE_MS)
  // Node forgets the signal of a `Request` that it has collected: what waits is ended here as well.
  const aborted = new Promise<never>((_, reject) => {
    silent.signal.addEventListener('abort', () => reject(silent.signal.reason), { once: true })
  })
  try {
    const asked = chain.GET('/feed/stream', { params: { query }, parseAs: 'stream', signal: silent.signal })
    const { data, error, response } = await Promise.race([asked, aborted])
    if (!data) throw refusalOf(error, response)
    const arrived: EventSourceMessage[] = []
    const parser = createParser({
      maxBufferSize: MAX_EVENT,
      onEvent: (event) => arrived.push(event),
      onError: (problem) => {
        if (problem.type === 'max-buffer-size-exceeded') silent.abort()
      },
    })
    const decoder = new TextDecoder()
    const reader = data.getReader()
    silent.signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined), { once: true })
    for (;;) {
      const { done, value } = await reader.read()
      silent.signal.throwIfAborted()
      if (done) return
      clearTimeout(timer)
      timer = setTimeout(giveUp, SILENCE_MS)
      parser.feed(decoder.decode(value, { stream: true }))
      yield* arrived.splice(0)
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    silent.abort()
  }
}
