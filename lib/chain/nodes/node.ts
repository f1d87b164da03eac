import { setTimeout as sleep } from 'node:timers/promises'
import { HttpRequestError } from 'viem'
import { getHttpRpcClient } from 'viem/utils'
import { tracing } from '#lib/platform/telemetry/tracing.ts'
import { viemError } from '../provider.ts'
import { isRateError, NodeHealth, troubleOf } from './failover.ts'
import type { NodeLog } from './node-log.ts'
import { urlScrubber, wordsOfBody } from './words.ts'

export interface RpcCall {
  readonly method: string
  readonly params?: unknown
}

export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** Answer to one call. */
export interface RpcAnswer {
  readonly result?: unknown
  readonly error?: RpcError
  /** Why the node refused the request for this call alone: an error of viem's HTTP client. */
  readonly refusal?: unknown
}

export interface SendOptions {
  readonly timeoutMs: number
  /** Bytes of one response. */
  readonly maxBytes: number
  readonly signal?: AbortSignal | undefined
}

/** Sizes of batches that nodes accept, the largest first. */
export const BATCH_SIZES: readonly number[] = [64, 10, 3, 1]

/** Batches of one request that are in flight at a time. */
const PARALLEL_BATCHES = 4
const MAX_ERROR_BODY = 4096

/** One node: sends calls in batches as large as it accepts. */
export class ChainNode {
  readonly url: string
  readonly log: NodeLog
  readonly health: NodeHealth
  /** Largest batch that the node accepts, as far as known. */
  batchSize: number
  /** Id of its chain, once it was asked; asked again after it was down. */
  chainId: number | undefined
  /** Milliseconds of the node's clock ahead of ours, by the header `Date`. */
  skewMs: number | undefined
  readonly #client: ReturnType<typeof getHttpRpcClient>
  readonly #waitTurn: (calls: number) => Promise<void>
  readonly #scrub: (text: string) => string

  /** @param perSecond Calls a second; undefined for no limit. */
  constructor(url: string, batchSize: number, perSecond: number | undefined, log: NodeLog) {
    this.url = url
    this.log = log
    this.health = new NodeHealth(log)
    this.batchSize = batchSize
    this.#client = getHttpRpcClient(url)
    this.#waitTurn = callPacer(perSecond)
    this.#scrub = urlScrubber(url)
  }

  /** Sends calls and returns their answers in order. @throws the errors of viem's HTTP client. */
  async send(calls: readonly RpcCall[], options: SendOptions): Promise<RpcAnswer[]> {
    if (calls.length <= this.batchSize) return this.#sendBatch(calls, options)
    const batches = slices(calls, this.batchSize)
    const answers: RpcAnswer[] = []
    for (const group of slices(batches, PARALLEL_BATCHES)) {
      answers.push(...(await Promise.all(group.map((batch) => this.#sendBatch(batch, options)))).flat())
    }
    return answers
  }

  /** Sends one batch, in smaller ones when the node refuses its size. */
  async #sendBatch(calls: readonly RpcCall[], options: SendOptions): Promise<RpcAnswer[]> {
    const outcome = await this.post(calls, options)
    if (outcome.kind === 'answers') return outcome.answers
    const smaller = BATCH_SIZES.find((size) => size < calls.length)
    if (smaller === undefined) throw outcome.error
    // Learned before the rest is sent, if the node names the reason; else once smaller batches were answered.
    if (outcome.means === 'too many calls') this.batchSize = Math.min(this.batchSize, smaller)
    const answers: RpcAnswer[] = []
    for (const batch of slices(calls, smaller)) answers.push(...(await this.#sendPart(batch, options)))
    // Where one call was at fault, the number of calls was not.
    const refused = answers.some(({ refusal, error }) => refusal !== undefined || error !== undefined)
    if (!refused && outcome.means !== 'too many bytes') this.batchSize = Math.min(this.batchSize, smaller)
    return answers
  }

  /** Sends a part of a refused batch. A call that is refused by itself does not fail the others. */
  async #sendPart(calls: readonly RpcCall[], options: SendOptions): Promise<RpcAnswer[]> {
    try {
      return await this.#sendBatch(calls, options)
    } catch (error) {
      if (calls.length > 1 || troubleOf(error, true) !== undefined) throw error
      return [{ refusal: error }]
    }
  }

  /** Sends one HTTP request without learning from its answer. */
  async post(calls: readonly RpcCall[], options: SendOptions): Promise<PostOutcome> {
    const { timeoutMs, maxBytes, signal } = options
    await this.#waitTurn(calls.length)
    let refused: Refused | undefined
    const body = calls.map(({ method, params }, i) => ({ id: i + 1, method, params }))
    const headers = tracing()?.headers()
    const request = {
      body: (body.length === 1 ? body[0] : body) as { method: string }[],
      timeout: timeoutMs,
      maxResponseBodySize: maxBytes,
      fetchOptions: { ...(headers && { headers: { ...headers } }), ...(signal && { signal }) },
      onResponse: async (response: Response) => {
        this.#noteClock(response.headers.get('Date'))
        if (response.ok) return
        const text = this.#scrub(await beginning(response.clone()).catch(() => ''))
        refused = { status: response.status, headers: response.headers, words: wordsOfBody(text) }
      },
    }
    try {
      const data: unknown = await this.#client.request(request)
      // A JSON-RPC error about one call may come with an HTTP error.
      if (refused === undefined || (calls.length === 1 && !ABOUT_NODE.includes(refused.status))) {
        const outcome = readAnswers(data, calls.length, () => this.#invalid(request.body))
        return outcome.kind === 'answers'
          ? { ...outcome, answers: outcome.answers.map(this.#clean) }
          : outcome
      }
    } catch (error) {
      if (calls.length > 1 && viemError(error, 'ResponseBodyTooLargeError')) {
        return { kind: 'batch refused', means: 'too many bytes', error }
      }
      if (refused === undefined || viemError(error, 'TimeoutError')) throw error
    }
    const error = this.#httpError(refused, request.body)
    if (calls.length === 1 || !isBatchRefusal(refused)) throw error
    return { kind: 'batch refused', means: meaningOf(refused), error }
  }

  readonly #clean = (answer: RpcAnswer): RpcAnswer => {
    const { error } = answer
    return error === undefined ? answer : { error: { ...error, message: this.#scrub(error.message) } }
  }

  #httpError({ status, headers, words }: Refused, body: { method: string }[]): HttpRequestError {
    return new HttpRequestError({
      body,
      details: words ?? `HTTP status ${status}`,
      headers,
      status,
      url: this.url,
    })
  }

  #invalid(body: { method: string }[]): HttpRequestError {
    return new HttpRequestError({ body, details: 'an answer that is not JSON-RPC', url: this.url })
  }

  #noteClock(date: string | null): void {
    const ms = Date.parse(date ?? '')
    // The header has whole seconds.
    if (Number.isFinite(ms)) this.skewMs = ms + 500 - Date.now()
  }
}

/** Calls that would wait for longer are sent anyway: the node then answers 429 itself. */
const MAX_WAIT_MS = 10_000

/** Returns a function that resolves once so many calls may be sent. @param perSecond undefined for no limit. */
function callPacer(perSecond: number | undefined): (calls: number) => Promise<void> {
  if (perSecond === undefined) return () => Promise.resolve()
  let freeAtMs = 0
  return async (calls) => {
    const now = Date.now()
    // As many calls as fit into a second may come at once.
    const waitMs = Math.min(MAX_WAIT_MS, Math.max(0, freeAtMs - now))
    freeAtMs = Math.max(freeAtMs, now - 1000) + (1000 * calls) / perSecond
    if (waitMs > 0) await sleep(waitMs)
  }
}

/** A response with an HTTP error. */
interface Refused {
  readonly status: number
  readonly headers: Headers
  readonly words: string | undefined
}

/** Statuses that concern the node and its plan, whatever the body. */
const ABOUT_NODE: readonly number[] = [401, 402, 403, 429, 502, 503, 504]

export type PostOutcome =
  | { readonly kind: 'answers'; readonly answers: RpcAnswer[] }
  | { readonly kind: 'batch refused'; readonly means: Meaning; readonly error: unknown }

/** Why a node refused a batch, as far as it said. */
type Meaning = 'too many calls' | 'too many bytes' | 'unknown'

function meaningOf({ status, words }: Refused): Meaning {
  if (namesBatch(words)) return 'too many calls'
  return status === 413 ? 'too many bytes' : 'unknown'
}

/** Statuses with which nodes refuse batches without a word. */
const BATCH_STATUSES: readonly number[] = [400, 405, 413, 415, 422, 501]

function isBatchRefusal({ status, words }: Refused): boolean {
  return namesBatch(words) || BATCH_STATUSES.includes(status)
}

function namesBatch(words: string | undefined): boolean {
  return words !== undefined && /\bbatch/i.test(words)
}

function readAnswers(data: unknown, count: number, invalid: () => Error): PostOutcome {
  if (!Array.isArray(data)) {
    const answer = answerOf(data)
    if (answer === undefined) throw invalid()
    if (count === 1) return { kind: 'answers', answers: [answer] }
    // One error for a whole batch.
    if (answer.error === undefined) throw invalid()
    if (!isRateError(answer.error)) {
      const error = new Error(answer.error.message)
      const means = namesBatch(answer.error.message) ? 'too many calls' : 'unknown'
      return { kind: 'batch refused', means, error }
    }
    return { kind: 'answers', answers: Array.from({ length: count }, () => answer) }
  }
  const byId = new Map(data.map((each: { id?: unknown } | null) => [each?.id, each]))
  const answers = Array.from({ length: count }, (_, id) => answerOf(byId.get(id + 1) ?? data[id]))
  if (answers.some((each) => each === undefined)) throw invalid()
  return { kind: 'answers', answers: answers as RpcAnswer[] }
}

function answerOf(value: unknown): RpcAnswer | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { error, result } = value as { error?: unknown; result?: unknown }
  if (typeof error === 'object' && error !== null) {
    const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown }
    return { error: { code: Number(code ?? -32_603), message: String(message ?? ''), data } }
  }
  if (typeof error === 'string') return { error: { code: -32_603, message: error } }
  return 'result' in value ? { result } : undefined
}

async function beginning(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  if (reader === undefined) return ''
  const decoder = new TextDecoder()
  let text = ''
  while (text.length < MAX_ERROR_BODY) {
    const { done, value } = await reader.read()
    if (done) break
    text += decoder.decode(value, { stream: true })
  }
  void reader.cancel()
  return text.slice(0, MAX_ERROR_BODY)
}

function slices<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  )
}
