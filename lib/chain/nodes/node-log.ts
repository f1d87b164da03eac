import type { Logger } from 'pino'
import type { HealthLog, NodeTrouble } from './failover.ts'
import { nodeWords } from './words.ts'

/** Log lines about one node. They name its host alone: the rest of its address may be a key. */
export class NodeLog implements HealthLog {
  readonly host: string
  readonly #log: Logger | undefined
  readonly #chain: () => number | undefined

  /** @param chain Id of the chain, once it is known. */
  constructor(url: string, log: Logger | undefined, chain: () => number | undefined) {
    this.host = URL.parse(url)?.host ?? 'a node'
    this.#log = log
    this.#chain = chain
  }

  failed({ kind, words, retryMs, wrongChain }: NodeTrouble, durationMs: number | undefined): void {
    const facts = {
      ...this.#facts(durationMs),
      reason: nodeWords(words),
      ...(retryMs !== undefined && { pauseMs: retryMs }),
    }
    if (wrongChain) this.#log?.error(facts, 'A node serves another chain and is not used')
    else if (kind === 'paused') this.#log?.warn(facts, 'A node takes no more requests for a while')
    else this.#log?.warn(facts, 'A node does not answer')
  }

  answered(troubledMs: number): void {
    this.#log?.info(this.#facts(troubledMs), 'A node answers again')
  }

  disagreed(about: string): void {
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
