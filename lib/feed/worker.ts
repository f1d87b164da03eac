import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../context.ts'
import { isDevChainId } from '../domain/dev-chain.ts'
import { chainSource } from './chain-source.ts'
import { step } from './follow.ts'
import type { FollowContext, StepOutcome } from './follow-context.ts'
import { type HeadStream, openHeadStream } from './head-stream.ts'
import { newInstance, type Pulse, startHeartbeat, type WorkerRole } from './heartbeat.ts'
import { logPublished } from './log-published.ts'
import { createPause } from './pause.ts'
import { beyondFinality, HEADS_SILENT, NO_CHAIN, NODE_BEHIND, type Problem, problemOf } from './problem.ts'
import { pruneOutbox } from './prune-outbox.ts'
import { openLogRange } from './request-size.ts'
import { type FeedState, type Followed, loadState, WrongRegistry } from './state.ts'
import { openWriter, type Writer, WriterLockLost } from './writer.ts'

/** What the worker needs of the services. */
export type WorkerServices = Pick<Services, 'config' | 'chain' | 'clock' | 'log'>

export interface WorkerStatus {
  /** Names this process among the workers of the database. */
  readonly instance: string
  readonly role: 'starting' | WorkerRole | 'stopped'
  /** Newest state this process wrote or read; undefined before it was writer. */
  readonly state: FeedState | undefined
  /** Reorganisations taken back by this process. */
  readonly reorganisations: number
  /** Unix milliseconds when the node last answered. */
  readonly headSeenAtMs: number | undefined
  /** The node announces new blocks by itself. */
  readonly headsAnnounced: boolean
  /** Why it does not advance, as one sentence; undefined while it does. */
  readonly problem: string | undefined
  readonly problemCode: string | undefined
}

export interface RunningWorker {
  /** Settles when the worker has stopped: after the signal, or with an error that only an operator can mend. */
  readonly done: Promise<void>
  status(): WorkerStatus
}

const STANDBY_MS = 1_000
const MAX_BACKOFF_MS = 5_000
/** While the node announces its blocks, looking for them oneself is only the fallback. */
const ANNOUNCED_PATIENCE = 4
/** Without new blocks nothing is written, and a lost lock would go unnoticed. */
const CONFIRM_EVERY_MS = 1_000
const PRUNE_EVERY_MS = 600_000
/** A worker whose database keeps it waiting for longer sends no pulse, so that a standby takes its place. */
const SPEECHLESS_MS = 5_000
/** A subscription that is lost for longer is worth telling; one that is taken up again at once is not. */
const SILENT_MS = 5_000

/**
 * Follows the registry until the signal: the first process to get the lock writes, others wait to take over. Troubles
 * of the chain or the database are waited out.
 */
export const startWorker = (
  services: WorkerServices,
  options: { readonly signal: AbortSignal },
): RunningWorker => {
  const worker = new Worker(services, options.signal)
  return { done: worker.run(), status: () => worker.status }
}

class Worker {
  readonly #services: WorkerServices
  readonly #signal: AbortSignal
  readonly #instance = newInstance()
  readonly #writer: Writer
  readonly #range = openLogRange()
  readonly #heads: HeadStream
  #status: Omit<WorkerStatus, 'headsAnnounced'>
  #roleSinceMs: number
  #follow: FollowContext | undefined
  #pruneAtMs = 0
  #confirmedAtMs = 0
  #announcedAtMs: number

  constructor(services: WorkerServices, signal: AbortSignal) {
    this.#services = services
    this.#signal = signal
    this.#writer = openWriter(services.config.databaseUrl, this.#instance)
    this.#heads = openHeadStream(services.config.chainWsUrl, {
      signal,
      onLost: (reason) => services.log.warn({ reason }, 'announcements of new blocks are lost'),
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

  get status(): WorkerStatus {
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
    // A request to a node that hangs must not hold up the end; a transaction that is cut off leaves nothing.
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
        const pause = await this.#turn()
        failures = 0
        await this.#heads.next(pause)
      } catch (error) {
        if (this.#signal.aborted) return
        if (error instanceof WrongRegistry) throw error
        // Whatever failed may have changed the tables or lost the lock: start over from what is stored.
        this.#set({ state: undefined })
        this.#report(problemOf(error))
        failures += 1
        const pause = Math.min(MAX_BACKOFF_MS, this.#pollMs() * 2 ** Math.min(failures, 10))
        if (!(error instanceof WriterLockLost)) log.warn({ err: error, pause }, 'worker cannot advance')
        await sleep(pause, undefined, { signal: this.#signal }).catch(() => {})
      }
    }
  }

  /** @returns milliseconds to wait before the next turn. */
  async #turn(): Promise<number> {
    const { chain, config } = this.#services
    if (chain === undefined) {
      this.#report(NO_CHAIN)
      return MAX_BACKOFF_MS
    }
    if (this.status.state === undefined) {
      if (!(await this.#writer.acquire())) {
        this.#become('standby')
        this.#report(undefined)
        return STANDBY_MS
      }
      this.#become('writer')
      await chain.verify()
      this.#confirmedAtMs = this.#nowMs()
    } else if (this.#nowMs() - this.#confirmedAtMs > CONFIRM_EVERY_MS) {
      await this.#writer.confirm()
      this.#confirmedAtMs = this.#nowMs()
    }
    // Made once: the source remembers what the node can do.
    this.#follow ??= {
      source: chainSource(chain, config.worker),
      writer: this.#writer,
      followed: {
        chainId: chain.chainId,
        registry: chain.registry,
        deploymentBlock: config.deploymentBlock ?? 0,
      },
      nowMs: this.#nowMs,
      pause: createPause(),
      range: this.#range,
      onPublished: (occurrences) => void logPublished(this.#writer, this.#services.log, occurrences),
      onUnverified: (names) =>
        this.#services.log.warn({ names }, 'publications that nothing on chain proves'),
    }
    const follow = this.#follow
    const outcome = await step(follow, this.status.state ?? (await this.#load(follow.followed)))
    const pause = this.#digest(outcome)
    return pause > 0 && (await this.#prune()) ? 0 : pause
  }

  #load(followed: Followed): Promise<FeedState> {
    return this.#writer.transaction((sql) => loadState(sql, followed, this.#nowMs()))
  }

  #digest(outcome: StepOutcome): number {
    const { log } = this.#services
    this.#set({ state: outcome.state, headSeenAtMs: this.#nowMs() })
    if (outcome.kind === 'frozen') {
      if (this.status.problem !== outcome.reason) log.error(outcome.reason)
      this.#report(beyondFinality(outcome.reason))
      return Math.max(this.#pollMs(), STANDBY_MS)
    }
    this.#report(outcome.kind === 'behind' ? NODE_BEHIND : undefined)
    if (outcome.kind === 'withdrawn') {
      this.#set({ reorganisations: this.status.reorganisations + 1 })
      log.info({ depth: outcome.depth, to: outcome.state.processedBlock }, 'chain reorganised')
    }
    if (outcome.kind === 'more' || outcome.kind === 'withdrawn') return 0
    return this.#heads.live ? this.#pollMs() * ANNOUNCED_PATIENCE : this.#pollMs()
  }

  /** @returns whether there may be more to drop. */
  async #prune(): Promise<boolean> {
    const nowMs = this.#nowMs()
    if (nowMs < this.#pruneAtMs) return false
    const retentionDays = this.#services.config.worker.outboxRetentionDays
    const dropped = await this.#writer.transaction((sql) => pruneOutbox(sql, { retentionDays, nowMs }))
    if (dropped > 0) return true
    this.#pruneAtMs = nowMs + PRUNE_EVERY_MS
    return false
  }

  #pulse(): Pulse | undefined {
    const { role, headSeenAtMs, problem, problemCode } = this.#status
    if (role === 'stopped' || this.#writer.waitingMs() > SPEECHLESS_MS) return undefined
    const told = problem && problemCode ? { code: problemCode, sentence: problem } : undefined
    return {
      role: role === 'writer' ? role : 'standby',
      roleSinceMs: this.#roleSinceMs,
      headSeenAtMs,
      problem: told ?? this.#silence(),
    }
  }

  /** A node that should announce its blocks and has not done so for a while. */
  #silence(): Problem | undefined {
    const nowMs = this.#nowMs()
    if (this.#heads.live || this.#services.config.chainWsUrl === undefined) this.#announcedAtMs = nowMs
    return nowMs - this.#announcedAtMs > SILENT_MS ? HEADS_SILENT : undefined
  }

  readonly #nowMs = (): number => this.#services.clock().getTime()

  #pollMs(): number {
    const { pollMs } = this.#services.config.worker
    return pollMs ?? (this.#onDevChain() ? 250 : 1000)
  }

  #onDevChain(): boolean {
    const { config } = this.#services
    return config.chainId !== undefined && isDevChainId(config.chainId)
  }

  #become(role: WorkerRole): void {
    if (this.status.role !== role) {
      this.#services.log.info({ role, instance: this.#instance }, 'worker role')
      this.#roleSinceMs = this.#nowMs()
    }
    this.#set({ role })
  }

  #report(problem: Problem | undefined): void {
    this.#set({ problem: problem?.sentence, problemCode: problem?.code })
  }

  #set(change: Partial<WorkerStatus>): void {
    if (this.#status.role === 'stopped') return
    this.#status = { ...this.#status, ...change }
  }
}
