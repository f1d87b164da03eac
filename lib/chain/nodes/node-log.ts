import type { Logger } from 'pino'
import type { HealthLog, NodeTrouble } from './failover.ts'
import { nodeWords } from './words.ts'

/** What the log says of one node: its host alone, because the rest of its address may be a key. */
export class NodeLog implements HealthLog {
  readonly host: string
  readonly #log: Logger | undefined
  readonly #chain: () => number | undefined
  #trouble: { readonly kind: string; readonly sinceMs: number } | undefined
  #disagreed: string | undefined

  /** @param chain Id of the chain, once it is known. */
  constructor(url: string, log: Logger | undefined, chain: () => number | undefined) {
    this.host = URL.parse(url)?.host ?? 'a node'
    this.#log = log
    this.#chain = chain
  }

  /** Logs that a node cannot be used, once for each kind of trouble. @param durationMs Of the failed request. */
  failed({ kind, words, retryMs, wrongChain }: NodeTrouble, durationMs: number | undefined): void {
    const { sinceMs = performance.now() } = this.#trouble ?? {}
    const what = wrongChain ? 'wrong chain' : kind
    if (this.#trouble?.kind !== what) {
      const facts = {
        ...this.#facts(durationMs),
        reason: nodeWords(words),
        ...(retryMs !== undefined && { pauseMs: retryMs }),
      }
      if (wrongChain) this.#log?.error(facts, 'A node serves another chain and is not used')
      else if (kind === 'paused') this.#log?.warn(facts, 'A node takes no more requests for a while')
      else this.#log?.warn(facts, 'A node does not answer')
    }
    this.#trouble = { kind: what, sinceMs }
  }

  /** Logs that a node is back, with how long it was not to be used. */
  answered(): void {
    if (this.#trouble === undefined) return
    const { sinceMs } = this.#trouble
    this.#trouble = undefined
    this.#log?.info(this.#facts(performance.now() - sinceMs), 'A node answers again')
  }

  /** Logs that other nodes say something else, once for each subject until it agrees again for a while. */
  disagreed(about: string, known: string | undefined): void {
    if (known === undefined) this.#disagreed = undefined
    if (this.#disagreed === about) return
    this.#disagreed = about
    this.#log?.warn({ ...this.#facts(undefined), about }, 'A node says something else than another one')
  }

  /** Logs that this node answers in another one's place. @param durationMs Of the request with all its attempts. */
  standsIn(instead: string, durationMs: number): void {
    this.#log?.warn({ ...this.#facts(durationMs), instead }, 'Another node answers from now on')
  }

  #facts(durationMs: number | undefined) {
    return {
      node: this.host,
      chain: this.#chain(),
      ...(durationMs !== undefined && { durationMs: Math.round(durationMs) }),
    }
  }
}
