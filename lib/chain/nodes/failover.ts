import type { HttpRequestError } from 'viem'
import { isRateLimit, viemError } from '../provider.ts'
import { nodeWords } from './words.ts'

/** Why another node should answer instead. */
export interface NodeTrouble {
  /** `paused`: the node works, but must not be asked for a while. */
  readonly kind: 'down' | 'paused'
  readonly words: string | undefined
  /** Milliseconds that the node asks to wait for. */
  readonly retryMs: number | undefined
  /** It serves another chain than the configured one. */
  readonly wrongChain?: boolean
}

/** Thrown for a node of another chain than the others'. */
export class WrongChain extends Error {
  override readonly name = 'WrongChain'
}

/** A node of another chain is checked again after this time. */
const WRONG_CHAIN_MS = 60_000

/** HTTP statuses that concern the request, not the node. */
const ABOUT_REQUEST: readonly number[] = [400, 413, 422]

/**
 * Classifies an error of a request.
 *
 * @param slowIsDown Whether a timeout means that the node hangs; heavy calls take long on a working one.
 * @returns undefined when every node would answer likewise.
 */
export function troubleOf(error: unknown, slowIsDown: boolean): NodeTrouble | undefined {
  if (error instanceof WrongChain)
    return { kind: 'down', words: error.message, retryMs: WRONG_CHAIN_MS, wrongChain: true }
  if (viemError(error, 'ResponseBodyTooLargeError')) return undefined
  if (viemError(error, 'TimeoutError')) {
    return slowIsDown ? { kind: 'down', words: 'no answer in time', retryMs: undefined } : undefined
  }
  const http = viemError<HttpRequestError>(error, 'HttpRequestError')
  if (http === undefined) return undefined
  const { status, headers } = http
  if (status === undefined) return { kind: 'down', words: 'no connection', retryMs: undefined }
  if (ABOUT_REQUEST.includes(status)) return undefined
  const words = nodeWords(http.details)
  if (status === 402) return { kind: 'paused', words, retryMs: retryAfterMs(headers) ?? SPENT_MS }
  if (status === 429 || isRateLimit(http.details)) {
    return { kind: 'paused', words, retryMs: retryAfterMs(headers) }
  }
  return { kind: 'down', words: words ?? `HTTP status ${status}`, retryMs: undefined }
}

/** The trouble of a node that answers with an error about the rate of requests. */
export function pausedBy({ message }: { readonly message: string }): NodeTrouble {
  return { kind: 'paused', words: message, retryMs: undefined }
}

/** Pause of a node whose plan is spent. */
const SPENT_MS = 60_000
const MAX_RETRY_AFTER_MS = 600_000

/** Reads `Retry-After`: seconds or a date. */
export function retryAfterMs(headers: Headers | undefined, nowMs = Date.now()): number | undefined {
  const value = headers?.get('Retry-After')?.trim() ?? ''
  const date = / GMT$/.test(value) ? Date.parse(value) - nowMs : Number.NaN
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : date
  return Number.isFinite(ms) ? Math.min(MAX_RETRY_AFTER_MS, Math.max(0, ms)) : undefined
}

/** Error codes that providers use for rate limits alone. */
const RATE_CODES: readonly number[] = [429, -32_007, -32_029]

/** Whether a JSON-RPC error says that the node got too many requests. A contract may revert with the same words. */
export function isRateError({ code, message }: { readonly code: number; readonly message: string }): boolean {
  if (/revert/i.test(message)) return false
  return RATE_CODES.includes(code) || (code <= -32_000 && isRateLimit(message))
}

const STATE_GONE = /missing trie node|state (\S+ )?(is )?not available|pruned|header not found|unknown block/i

/** Whether a node lacks a block or its state, which another one may have. */
export function isStateGone({ message }: { readonly message: string }): boolean {
  return !/revert/i.test(message) && STATE_GONE.test(message)
}

/** A node whose head is farther behind another's is asked after it. */
const LAG_BLOCKS = 16
/** An older head says nothing about a newer one. */
const FRESH_MS = 2_000
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 30_000
/** For so long the status page shows a disagreement. */
const DISAGREEMENT_MS = 600_000

/** Takes each change of a node's health, once. */
export interface HealthLog {
  /** @param durationMs Duration of the failed request. */
  failed(trouble: NodeTrouble, durationMs: number | undefined): void
  /** @param troubledMs Duration of the trouble that is over. */
  answered(troubledMs: number): void
  disagreed(about: string): void
}

/** Health of one node, from its answers. Times are of a monotonic clock. */
export class NodeHealth {
  /** Why it does not answer; undefined while it does. */
  trouble: NodeTrouble | undefined
  /** Unix milliseconds since which it has trouble. */
  troubleSinceMs: number | undefined
  /** Newest block it showed. */
  head: number | undefined
  #headAtMs = Number.NEGATIVE_INFINITY
  /** Whether it ever answered. */
  known = false
  /** Its head is far below that of another node. */
  lagging = false
  #failures = 0
  #retryAtMs = 0
  #disagreed: { readonly about: string; readonly atMs: number } | undefined
  readonly #log: HealthLog

  constructor(log: HealthLog) {
    this.#log = log
  }

  /** @param about What it says otherwise than another node. */
  disagreed(about: string): void {
    if (this.disagreement() !== about) this.#log.disagreed(about)
    this.#disagreed = { about, atMs: performance.now() }
  }

  /** Disagreements in the last minutes. */
  disagreement(): string | undefined {
    const last = this.#disagreed
    return last !== undefined && performance.now() - last.atMs < DISAGREEMENT_MS ? last.about : undefined
  }

  /** Milliseconds for which it is not to be asked while others are there. */
  restMs(): number {
    return Math.max(0, this.#retryAtMs - performance.now())
  }

  showed(head: number): void {
    this.head = head
    this.#headAtMs = performance.now()
  }

  /** Compares its head with another's, seen at about the same time or before. */
  compare(other: NodeHealth): void {
    if (this.head === undefined || other.head === undefined) return
    if (this.#headAtMs < other.#headAtMs - FRESH_MS) return
    this.lagging = other.head - this.head > LAG_BLOCKS
  }

  answered(): void {
    if (this.troubleSinceMs !== undefined) this.#log.answered(Date.now() - this.troubleSinceMs)
    this.known = true
    this.trouble = undefined
    this.troubleSinceMs = undefined
    this.#failures = 0
    this.#retryAtMs = 0
  }

  /** @param durationMs Of the request that failed. */
  failed(trouble: NodeTrouble, durationMs?: number): void {
    const isKnown = this.trouble?.kind === trouble.kind && this.trouble.wrongChain === trouble.wrongChain
    if (!isKnown) this.#log.failed(trouble, durationMs)
    this.trouble = trouble
    this.troubleSinceMs ??= Date.now()
    const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(10, this.#failures))
    this.#failures += 1
    this.#retryAtMs = performance.now() + (trouble.retryMs ?? pause)
  }
}
