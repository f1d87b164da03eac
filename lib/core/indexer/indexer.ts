import { setTimeout as sleep } from 'node:timers/promises'
import { step } from './follow.ts'
import { type HeadStream, openHeadStream } from './head-stream.ts'
import { newInstance, type Pulse, startHeartbeat, type WorkerRole } from './heartbeat.ts'
import { type IndexerServices, openFollow } from './open-follow.ts'
import { pruneOutbox } from './outbox.ts'
import { type Pace, paceOf } from './pace.ts'
import {
  beyondFinality,
  HEADS_SILENT,
  NO_CHAIN,
  NODE_BEHIND,
  nodesDisagree,
  type Problem,
  problemOf,
} from './problems.ts'
import {
  type FeedState,
  type FollowContext,
  type Followed,
  loadState,
  type StepOutcome,
  WrongRegistry,
} from './state.ts'
import { openWriter, type Writer, WriterLockLost } from './writer.ts'

export interface IndexerStatus {
  /** Id of this process among the workers of the database. */
  readonly instance: string
  readonly role: 'starting' | WorkerRole | 'stopped'
  /** Newest state that this process wrote or read; undefined before it was the writer. */
  readonly state: FeedState | undefined
  /** Reorgs rolled back by this process. */
  readonly reorganisations: number
  /** Unix milliseconds when the node last answered. */
  readonly headSeenAtMs: number | undefined
  /** The subscription to new heads is live. */
  readonly headsAnnounced: boolean
  /** Why the indexer does not advance, as one sentence; undefined while it does. */
  readonly problem: string | undefined
  readonly problemCode: string | undefined
}

export interface RunningIndexer {
  /** Settles when the indexer has stopped: after the signal, or with an error that an operator has to fix. */
  readonly done: Promise<void>
  status(): IndexerStatus
}

const STANDBY_MS = 1_000
const MAX_BACKOFF_MS = 5_000
/** Factor on the polling interval while the node announces its blocks: polling is only the fallback then. */
const ANNOUNCED_POLL_FACTOR = 4
/** Interval of lock checks: without new blocks nothing is written, and a lost lock would go unnoticed. */
const CONFIRM_INTERVAL_MS = 1_000
const PRUNE_INTERVAL_MS = 600_000
/** A worker that waits longer for the database sends no heartbeat, so that a standby takes over. */
const DATABASE_TIMEOUT_MS = 5_000
/** A subscription that is lost for longer is reported as a problem; one that reconnects at once is not. */
const HEADS_TIMEOUT_MS = 5_000

/**
 * Indexes the registry until the signal: the first process to get the lock writes, others stand by. Failures of the
 * chain or the database are retried with backoff.
 */
export function startIndexer(
  services: IndexerServices,
  options: { readonly signal: AbortSignal },
): RunningIndexer {
  const indexer = new Indexer(services, options.signal)
  return { done: indexer.run(), status: () => indexer.status }
}

class Indexer {
  readonly #services: IndexerServices
  readonly #signal: AbortSignal
  /** WebSocket that announces heads. */
  readonly #headsUrl: string | undefined
  readonly #instance = newInstance()
  readonly #writer: Writer
  readonly #heads: HeadStream
  #status: Omit<IndexerStatus, 'headsAnnounced'>
  #roleSinceMs: number
  #follow: FollowContext | undefined
  #pruneAtMs = 0
  #confirmedAtMs = 0
  #announcedAtMs: number

  constructor(services: IndexerServices, signal: AbortSignal) {
    this.#services = services
    this.#signal = signal
    this.#writer = openWriter(services.config.databaseUrl, this.#instance)
    const { chainWsUrl, node } = services.config
    this.#headsUrl = node.newHeads === false ? undefined : chainWsUrl
    this.#heads = openHeadStream(this.#headsUrl, {
      signal,
      onLost: (reason) => services.log.warn({ reason }, 'Lost the subscription to new heads'),
    })
    this.#roleSinceMs = this.#nowMs()
    this.#announcedAtMs = this.#nowMs()
    this.#status = {
      instance: this.#instance,
      role: 'starting',
      state: undefined,
      reorganisations: 0,
      headSeenAtMs: undefined,
      problem: undefined,
      problemCode: undefined,
    }
  }

  get status(): IndexerStatus {
    return { ...this.#status, headsAnnounced: this.#heads.live }
  }

  async run(): Promise<void> {
    const stopped = new Promise<void>((resolve) => {
      if (this.#signal.aborted) resolve()
      this.#signal.addEventListener('abort', () => resolve(), { once: true })
    })
    const { databaseUrl } = this.#services.config
    const heartbeat = startHeartbeat(databaseUrl, this.#instance, () => this.#pulse())
    const loop = this.#loop()
    // A request to a hanging node must not delay the exit; an aborted transaction leaves nothing behind.
    loop.catch(() => {})
    try {
      await Promise.race([loop, stopped])
    } finally {
      this.#status = { ...this.#status, role: 'stopped' }
      await Promise.all([this.#writer.close(), heartbeat.stop()])
    }
  }

  async #loop(): Promise<void> {
    const { log } = this.#services
    let failures = 0
    while (!this.#signal.aborted) {
      try {
        const pause = await this.#step()
        failures = 0
        const spacing = Math.min(pause, this.#pace.spacingMs)
        if (spacing > 0) await sleep(spacing, undefined, { signal: this.#signal })
        await this.#heads.next(pause - spacing)
      } catch (error) {
        if (this.#signal.aborted) return
        if (error instanceof WrongRegistry) throw error
        // The failure may have changed the tables or lost the lock: reload the stored state.
        this.#set({ state: undefined })
        this.#setProblem(problemOf(error))
        failures += 1
        const pause = Math.min(MAX_BACKOFF_MS, this.#pace.pollMs * 2 ** Math.min(failures, 10))
        if (!(error instanceof WriterLockLost))
          log.warn({ err: error, retryMs: pause }, 'Failed to index blocks, retrying')
        await sleep(pause, undefined, { signal: this.#signal }).catch(() => {})
      }
    }
  }

  /** Does one step. @returns milliseconds until the next one. */
  async #step(): Promise<number> {
    const { chain } = this.#services
    if (chain === undefined) {
      this.#setProblem(NO_CHAIN)
      return MAX_BACKOFF_MS
    }
    if (this.status.state === undefined) {
      if (!(await this.#writer.acquire())) {
        this.#setRole('standby')
        this.#setProblem(undefined)
        return STANDBY_MS
      }
      this.#setRole('writer')
      await chain.verify()
      this.#confirmedAtMs = this.#nowMs()
    } else if (this.#nowMs() - this.#confirmedAtMs > CONFIRM_INTERVAL_MS) {
      await this.#writer.confirm()
      this.#confirmedAtMs = this.#nowMs()
    }
    if (this.#follow === undefined) await chain.nodes.probe(chain.registry)
    else void chain.nodes.probe(chain.registry)
    // Created once: the source learns which requests the node accepts.
    this.#follow ??= openFollow(this.#services, chain, this.#writer)
    const follow = this.#follow
    const state = this.status.state ?? (await this.#load(follow.followed))
    const startedMs = performance.now()
    const outcome = await step(follow, state)
    this.#logOutcome(outcome, state, Math.round(performance.now() - startedMs))
    const pause = this.#handleOutcome(outcome)
    return pause > 0 && (await this.#prune()) ? 0 : pause
  }

  #load(followed: Followed): Promise<FeedState> {
    return this.#writer.transaction((sql) => loadState(sql, followed, this.#nowMs()))
  }

  #logOutcome(outcome: StepOutcome, before: FeedState, durationMs: number): void {
    const { log } = this.#services
    const block = outcome.state.processedBlock
    const chain = this.#follow?.followed.chainId
    if (outcome.kind === 'frozen') {
      if (this.status.problem !== outcome.reason) log.error({ chain, block }, outcome.reason)
    } else if (outcome.kind === 'rolled back') {
      log.info({ chain, depth: outcome.depth, block, durationMs }, 'Rolled back reorged blocks')
    } else if (block > before.processedBlock) {
      log.debug({ chain, from: before.processedBlock + 1, block, durationMs }, 'Indexed blocks')
    }
  }

  #handleOutcome(outcome: StepOutcome): number {
    this.#set({ state: outcome.state, headSeenAtMs: this.#nowMs() })
    if (outcome.kind === 'frozen') {
      this.#setProblem(beyondFinality(outcome.reason))
      return Math.max(this.#pace.pollMs, STANDBY_MS)
    }
    this.#setProblem(outcome.kind === 'behind' ? NODE_BEHIND : undefined)
    if (outcome.kind === 'rolled back') {
      this.#set({ reorganisations: this.status.reorganisations + 1 })
    }
    if (outcome.kind === 'more' || outcome.kind === 'rolled back') return 0
    return this.#heads.live ? this.#pace.pollMs * ANNOUNCED_POLL_FACTOR : this.#pace.pollMs
  }

  /** @returns whether there may be more to prune. */
  async #prune(): Promise<boolean> {
    const nowMs = this.#nowMs()
    if (nowMs < this.#pruneAtMs) return false
    const retentionDays = this.#services.config.worker.outboxRetentionDays
    const deleted = await this.#writer.transaction((sql) => pruneOutbox(sql, { retentionDays, nowMs }))
    if (deleted > 0) return true
    this.#pruneAtMs = nowMs + PRUNE_INTERVAL_MS
    return false
  }

  #pulse(): Pulse | undefined {
    const { role, headSeenAtMs, problem, problemCode } = this.#status
    if (role === 'stopped' || this.#writer.waitingMs() > DATABASE_TIMEOUT_MS) return undefined
    const reported = problem && problemCode ? { code: problemCode, sentence: problem } : undefined
    return {
      role: role === 'writer' ? role : 'standby',
      roleSinceMs: this.#roleSinceMs,
      headSeenAtMs,
      problem: reported ?? this.#headsProblem() ?? this.#nodesProblem(),
    }
  }

  /** Problem of a node whose subscription to new heads is down for a while. */
  #headsProblem(): Problem | undefined {
    const nowMs = this.#nowMs()
    if (this.#heads.live || this.#headsUrl === undefined) this.#announcedAtMs = nowMs
    return nowMs - this.#announcedAtMs > HEADS_TIMEOUT_MS ? HEADS_SILENT : undefined
  }

  #nodesProblem(): Problem | undefined {
    const { chain } = this.#services
    return chain && nodesDisagree(chain.nodes)
  }

  readonly #nowMs = (): number => this.#services.clock().getTime()

  get #pace(): Pace {
    const { config } = this.#services
    return paceOf(this.#follow?.followed.chainId ?? config.chainId, config.worker.pollMs)
  }

  #setRole(role: WorkerRole): void {
    if (this.status.role !== role) {
      this.#services.log.info({ role, instance: this.#instance }, 'Changed role')
      this.#roleSinceMs = this.#nowMs()
    }
    this.#set({ role })
  }

  #setProblem(problem: Problem | undefined): void {
    this.#set({ problem: problem?.sentence, problemCode: problem?.code })
  }

  #set(change: Partial<IndexerStatus>): void {
    if (this.#status.role === 'stopped') return
    this.#status = { ...this.#status, ...change }
  }
}
