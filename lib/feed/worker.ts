import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../context.ts'
import { chainSource } from './chain-source.ts'
import { FIRST_RANGE, type FollowContext, type StepOutcome, step } from './follow.ts'
import { type FeedState, type Followed, loadState, WrongRegistry } from './state.ts'
import { openWriter, type Writer, WriterLockLost } from './writer.ts'

/** What the worker needs of the services. */
export type WorkerServices = Pick<Services, 'config' | 'chain' | 'clock' | 'log'>

interface WorkerStatus {
  readonly role: 'starting' | 'writer' | 'standby' | 'stopped'
  /** Newest state this process wrote or read; undefined before it was writer. */
  readonly state: FeedState | undefined
  /** Reorganisations taken back by this process. */
  readonly reorganisations: number
  /** Why it does not advance, as one sentence; undefined while it does. */
  readonly problem: string | undefined
}

export interface RunningWorker {
  /** Settles when the worker has stopped: after the signal, or with an error that only an operator can mend. */
  readonly done: Promise<void>
  status(): WorkerStatus
}

const STANDBY_MS = 1_000
const MAX_BACKOFF_MS = 10_000
const DEV_CHAINS: readonly number[] = [1337, 31_337]

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
  status: WorkerStatus = { role: 'starting', state: undefined, reorganisations: 0, problem: undefined }
  readonly #services: WorkerServices
  readonly #signal: AbortSignal
  readonly #writer: Writer
  readonly #range = { size: FIRST_RANGE }

  constructor(services: WorkerServices, signal: AbortSignal) {
    this.#services = services
    this.#signal = signal
    this.#writer = openWriter(services.config.databaseUrl)
  }

  async run(): Promise<void> {
    const stopped = new Promise<void>((resolve) => {
      if (this.#signal.aborted) resolve()
      this.#signal.addEventListener('abort', () => resolve(), { once: true })
    })
    const loop = this.#loop()
    // A request to a node that hangs must not hold up the end; a transaction that is cut off leaves nothing.
    loop.catch(() => {})
    try {
      await Promise.race([loop, stopped])
    } finally {
      this.status = { ...this.status, role: 'stopped' }
      await this.#writer.close()
    }
  }

  async #loop(): Promise<void> {
    const { log } = this.#services
    let failures = 0
    while (!this.#signal.aborted) {
      try {
        const pause = await this.#turn()
        failures = 0
        await this.#pause(pause)
      } catch (error) {
        if (this.#signal.aborted) return
        if (error instanceof WrongRegistry) throw error
        // Whatever failed may have changed the tables or lost the lock: start over from what is stored.
        this.#set({ state: undefined, problem: messageOf(error) })
        failures += 1
        const pause = Math.min(MAX_BACKOFF_MS, this.#pollMs() * 2 ** Math.min(failures, 10))
        if (!(error instanceof WriterLockLost)) log.warn({ err: error, pause }, 'worker cannot advance')
        await this.#pause(pause)
      }
    }
  }

  /** @returns milliseconds to wait before the next turn. */
  async #turn(): Promise<number> {
    const { chain, config } = this.#services
    if (chain === undefined) {
      this.#set({ problem: 'no chain is configured: there is nothing to follow' })
      return MAX_BACKOFF_MS
    }
    if (this.status.state === undefined) {
      if (!(await this.#writer.acquire())) {
        this.#become('standby')
        return STANDBY_MS
      }
      await chain.verify()
      this.#become('writer')
    }
    const followed = {
      chainId: chain.chainId,
      registry: chain.registry,
      deploymentBlock: config.deploymentBlock ?? 0,
    }
    const ctx: FollowContext = {
      source: chainSource(chain, config.worker),
      writer: this.#writer,
      followed,
      nowMs: this.#nowMs,
      range: this.#range,
      onUnverified: (names) =>
        this.#services.log.error({ names }, 'publications whose content the chain does not prove'),
    }
    const outcome = await step(ctx, this.status.state ?? (await this.#load(followed)))
    return this.#digest(outcome)
  }

  #load(followed: Followed): Promise<FeedState> {
    return this.#writer.transaction((sql) => loadState(sql, followed, this.#nowMs()))
  }

  #digest(outcome: StepOutcome): number {
    const { log } = this.#services
    this.#set({ state: outcome.state })
    switch (outcome.kind) {
      case 'more':
        this.#set({ problem: undefined })
        return 0
      case 'idle':
        this.#set({ problem: undefined })
        return this.#pollMs()
      case 'withdrawn':
        this.#set({ problem: undefined, reorganisations: this.status.reorganisations + 1 })
        log.info({ depth: outcome.depth, to: outcome.state.processedBlock }, 'chain reorganised')
        return 0
      case 'behind':
        this.#set({ problem: 'the chain endpoint is behind what was already read' })
        return this.#pollMs()
      case 'frozen':
        if (this.status.problem !== outcome.reason) log.error(outcome.reason)
        this.#set({ problem: outcome.reason })
        return Math.max(this.#pollMs(), STANDBY_MS)
    }
  }

  readonly #nowMs = (): number => this.#services.clock().getTime()

  #pollMs(): number {
    const { pollMs } = this.#services.config.worker
    return pollMs ?? (this.#onDevChain() ? 250 : 1000)
  }

  #onDevChain(): boolean {
    const { config } = this.#services
    return config.chainId !== undefined && DEV_CHAINS.includes(config.chainId)
  }

  #become(role: 'writer' | 'standby'): void {
    if (this.status.role !== role) this.#services.log.info({ role }, 'worker role')
    this.#set({ role, problem: undefined })
  }

  #set(change: Partial<WorkerStatus>): void {
    if (this.status.role === 'stopped') return
    this.status = { ...this.status, ...change }
  }

  async #pause(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms, undefined, { signal: this.#signal }).catch(() => {})
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
