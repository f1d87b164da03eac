import type { Failure } from '#lib/protocol/failure.ts'
import { currentRequest } from '../telemetry/request-scope.ts'
import { type Principal, sharesKey } from './principal.ts'
import type { Rate, UsageLedger } from './usage-ledger.ts'

export interface SchedulerOptions {
  readonly ledger: UsageLedger
  /** Usage that turns are charged as, in seconds, and by which those that wait are ordered; by default none. */
  readonly rate?: Extract<Rate, `${string}Seconds`>
  /** Whether turns share one thread, so that each is charged its part of the time. */
  readonly isOneThread?: boolean
  /** Usage of a client beyond which its work waits until it has faded; by default none. */
  readonly maxUsed?: number
  /** Turns at a time. */
  readonly places: number
  /** Places of one client; by default all but one. */
  readonly maxPerClient?: number
  /** Work that may wait for a place; by default nothing, so that what finds no place is refused at once. */
  readonly maxQueue?: number
  /**
   * Milliseconds after which a turn has to yield while other clients, which used less, wait and no place is about to become
   * free; for work that had to yield itself, twice as long as it lasted. By default never.
   */
  readonly sliceMs?: number
  /** Places that can be taken, where each is loaded first; `refill` has to be called when there are more. By default all can. */
  readonly loaded?: () => LoadedPlaces
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number
  /** Returns what is thrown beyond the limit of all clients or of one. */
  readonly refuse: (limit: 'all' | 'client') => Failure
}

export interface LoadedPlaces {
  readonly places: number
  /** Whether more are being loaded. */
  readonly isLoading: boolean
}

/** Milliseconds after which usage has faded enough to look again. */
const FADE_MS = 250
/** Turns that have lasted for this part of a slice count as long. */
const SHORT_PART = 4

/** Releases the place; later calls have no effect. */
export type Release = () => void

/** Reason of the signal that ends a turn so that others get its place. */
class Yield extends Error {
  override readonly name = 'Yield'
}

/** A place held by work. */
export interface Turn {
  /** Aborts with a `Yield` when others get the place. */
  readonly yielding: AbortSignal
  /** Milliseconds of earlier turns of the same work, which yielded. */
  readonly spentMs: number
}

class HeldTurn implements Turn {
  readonly principal: Principal | undefined
  readonly spentMs: number
  /** Undefined until it is needed: most turns never yield. */
  #end: AbortController | undefined
  readonly #now: () => number
  readonly #begunAt: number

  constructor(principal: Principal | undefined, spentMs: number, now: () => number) {
    this.principal = principal
    this.spentMs = spentMs
    this.#now = now
    this.#begunAt = now()
  }

  get yielding(): AbortSignal {
    this.#end ??= new AbortController()
    return this.#end.signal
  }

  get isYielding(): boolean {
    return this.#end?.signal.aborted === true
  }

  get lastedMs(): number {
    return this.#now() - this.#begunAt
  }

  yield(): void {
    this.#end ??= new AbortController()
    this.#end.abort(new Yield())
  }
}

/** Client and terms of work; a context is one. */
export interface Claim {
  readonly principal?: Principal | undefined
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined
  /** Use that is expected of the work: among clients that used as little, short work comes first. */
  readonly expectedSeconds?: number
}

interface Waiting {
  readonly principal: Principal | undefined
  readonly spentMs: number
  readonly expectedSeconds: number
  readonly start: (turn: HeldTurn) => void
  readonly refuse: (error: Error) => void
}

/**
 * Shares the places of one thing between clients: those that used least in the last minute come first, none has all places,
 * and the queue is bounded. When it is full, the client with most in it gives way, so that one that asks for little is
 * not refused because of one that asks for much.
 */
export class FairScheduler {
  readonly #options: SchedulerOptions
  readonly #maxPerClient: number
  readonly #turns = new Set<HeldTurn>()
  readonly #perKey = new Map<string, number>()
  /** In the order of arrival. */
  readonly #queue = new Set<Waiting>()
  #timer: NodeJS.Timeout | undefined
  /** When the timer ends. */
  #looksAt = 0

  constructor(options: SchedulerOptions) {
    this.#options = options
    this.#maxPerClient = options.maxPerClient ?? Math.max(1, options.places - 1)
  }

  get active(): number {
    return this.#turns.size
  }

  get waiting(): number {
    return this.#queue.size
  }

  /**
   * Runs `work` in a place, again from its beginning after it had to yield.
   *
   * @param work Rejects with the reason of `yielding` when that aborts.
   * @throws {Failure} as `acquire` does.
   */
  async run<T>(work: (turn: Turn) => Promise<T>, claim: Claim = {}): Promise<T> {
    for (let spentMs = 0; ; ) {
      const turn = await this.#enter(claim, spentMs)
      try {
        // Work that has not begun cannot listen yet.
        if (!turn.isYielding) return await work(turn)
      } catch (error) {
        if (!turn.isYielding || error !== turn.yielding.reason) throw error
      } finally {
        this.#leave(turn)
      }
      spentMs += turn.lastedMs
    }
  }

  /**
   * Takes a place at once.
   *
   * @throws {Failure} `refuse` of the options where the client has no place left.
   */
  take(principal: Principal | undefined): Release {
    leaveOther()
    const fits = this.#fits(principal)
    if (!fits || this.#free() < 1) throw this.#options.refuse(fits ? 'all' : 'client')
    const turn = this.#start({ principal, spentMs: 0 })
    return () => this.#leave(turn)
  }

  /**
   * Takes a place, waiting in the queue where there is one.
   *
   * @throws {Failure} `refuse` of the options when the queue is full, also while waiting.
   * @throws The reason of `signal` when it aborts the wait.
   */
  async acquire(principal?: Principal, signal?: AbortSignal): Promise<Release> {
    const turn = await this.#enter({ principal, signal }, 0)
    return () => this.#leave(turn)
  }

  /** Starts what waits, and lets long turns yield, after more places have been loaded. */
  refill(): void {
    this.#fill()
    this.#makeRoom()
  }

  /** Refuses all that waits, for a reason that concerns no client. */
  rejectWaiting(error: Error): void {
    for (const waiting of this.#queue) waiting.refuse(error)
    this.#queue.clear()
  }

  async #enter(claim: Claim, spentMs: number): Promise<HeldTurn> {
    const { principal } = claim
    claim.signal?.throwIfAborted()
    leaveOther()
    const fits = this.#fits(principal)
    // Those that wait while a place is free have as many as they may.
    if (fits && this.#suffices(this.#free(), spentMs)) return this.#start({ principal, spentMs })
    if (spentMs === 0) this.#admit(principal, fits)
    return this.#wait(claim, spentMs)
  }

  #start({ principal, spentMs }: Pick<Waiting, 'principal' | 'spentMs'>): HeldTurn {
    const turn = new HeldTurn(principal, spentMs, this.#options.now ?? (() => performance.now()))
    this.#turns.add(turn)
    for (const key of principal ?? []) this.#perKey.set(key, (this.#perKey.get(key) ?? 0) + 1)
    return turn
  }

  #leave(turn: HeldTurn): void {
    if (!this.#turns.delete(turn)) return
    const { ledger, rate, isOneThread } = this.#options
    for (const key of turn.principal ?? []) {
      const count = (this.#perKey.get(key) ?? 1) - 1
      if (count > 0) this.#perKey.set(key, count)
      else this.#perKey.delete(key)
    }
    const parts = isOneThread === true ? this.#turns.size + 1 : 1
    if (rate !== undefined) ledger.charge(turn.principal, rate, turn.lastedMs / 1000 / parts)
    this.#fill()
  }

  /** Gives free places to those that wait. */
  #fill(): void {
    const { maxUsed } = this.#options
    for (let free = this.#free(); free > 0; free = this.#free()) {
      const next = this.#next(({ spentMs }) => this.#suffices(free, spentMs))
      if (next === undefined) break
      this.#queue.delete(next)
      next.start(this.#start(next))
    }
    if (maxUsed !== undefined && this.#queue.size > 0) this.#lookAgain(FADE_MS)
  }

  /** Places that can be taken now. */
  #free(): number {
    const { places, loaded } = this.#options
    return Math.min(places, loaded?.().places ?? places) - this.#turns.size
  }

  /**
   * Whether work may take one of so many free places. Work that had to yield lasts long: while places are loaded, it leaves
   * the last one to others.
   */
  #suffices(free: number, spentMs: number): boolean {
    return free > (spentMs > 0 && this.#options.loaded?.().isLoading === true ? 1 : 0)
  }

  #fits(principal: Principal | undefined): boolean {
    const { ledger, rate, maxUsed } = this.#options
    if (maxUsed !== undefined && rate !== undefined && ledger.usage(principal, rate) > maxUsed) return false
    return (principal ?? []).every((key) => (this.#perKey.get(key) ?? 0) < this.#maxPerClient)
  }

  /** @throws {Failure} when the queue is full, unless another client has more in it than this one. */
  #admit(principal: Principal | undefined, fits: boolean): void {
    const { maxQueue = 0, places, loaded, refuse } = this.#options
    // Work for places that are still to be loaded waits beside the queue.
    const unloaded = Math.max(0, places - (loaded?.().places ?? places))
    if (this.#queue.size < maxQueue + unloaded) return
    if (maxQueue === 0) throw refuse(fits ? 'all' : 'client')
    const counts = new Map<string, number>()
    for (const { principal: other } of this.#queue)
      for (const key of other ?? []) counts.set(key, (counts.get(key) ?? 0) + 1)
    const countOf = (keys: Principal | undefined) =>
      Math.max(0, ...(keys ?? []).map((key) => counts.get(key) ?? 0))
    let last: Waiting | undefined
    for (const entry of this.#queue)
      if (last === undefined || countOf(entry.principal) >= countOf(last.principal)) last = entry
    if (last === undefined || countOf(last.principal) <= countOf(principal) + 1) throw refuse('all')
    this.#queue.delete(last)
    last.refuse(refuse('client'))
  }

  #wait({ principal, signal, expectedSeconds = 0 }: Claim, spentMs: number): Promise<HeldTurn> {
    return new Promise((resolve, reject) => {
      const end = () => signal?.removeEventListener('abort', abort)
      const waiting: Waiting = {
        principal,
        spentMs,
        expectedSeconds,
        start: (turn) => {
          end()
          resolve(turn)
        },
        refuse: (error) => {
          end()
          reject(error)
        },
      }
      const abort = () => {
        this.#queue.delete(waiting)
        reject(signal?.reason)
      }
      this.#queue.add(waiting)
      signal?.addEventListener('abort', abort, { once: true })
      this.#fill()
      this.#makeRoom()
    })
  }

  /** The next that waits and may begin: of those whose client has a place left, the one that used least, then the oldest. */
  #next(mayBegin: (waiting: Waiting) => boolean): Waiting | undefined {
    let next: Waiting | undefined
    let least = Number.POSITIVE_INFINITY
    // Read once a client: its usage fades between two of its works, and the later one would seem to have used less.
    const usageByClient = new Map<string, number>()
    const usedBy = ({ principal, spentMs }: Waiting) => {
      if (principal === undefined) return spentMs / 1000
      const client = principal.join(' ')
      const usage = usageByClient.get(client) ?? this.#usedBy(principal, 0)
      usageByClient.set(client, usage)
      return usage
    }
    for (const waiting of this.#queue) {
      if (!this.#fits(waiting.principal) || !mayBegin(waiting)) continue
      const usage = usedBy(waiting) + waiting.expectedSeconds
      // Usage fades while it is compared.
      if (usage > least - 0.001) continue
      next = waiting
      least = usage
    }
    return next
  }

  /** Makes the turn of the client that used most yield, when it has lasted for a slice and no other place is about to be free. */
  #makeRoom(): void {
    const { sliceMs } = this.#options
    if (sliceMs === undefined || this.#queue.size === 0 || this.#turns.size === 0) return
    if (this.#free() > 0) return
    const turns = [...this.#turns]
    const next = this.#next(({ spentMs }) => this.#suffices(1, spentMs))
    if (next === undefined) {
      this.#lookAgain(sliceMs)
      return
    }
    const usedBy = (turn: HeldTurn) => this.#usedBy(turn.principal, (turn.spentMs + turn.lastedMs) / 1000)
    const ofNext = this.#usedBy(next.principal, next.spentMs / 1000)
    const mayYield = turns.filter(
      (turn) => !sharesKey(turn.principal, next.principal) && usedBy(turn) > ofNext,
    )
    // Work that lasted long would else make other long work begin anew, and that again this one.
    const slice = Math.max(sliceMs, 2 * next.spentMs)
    const longest = Math.max(...mayYield.map(({ lastedMs }) => lastedMs))
    // What began a moment ago is mostly short.
    const shortest = Math.min(...turns.map(({ lastedMs }) => lastedMs))
    const remainingMs = Math.max(slice - longest, sliceMs / SHORT_PART - shortest)
    // The place of one that yields is about to be free.
    if (remainingMs <= 0 && !turns.some(({ isYielding }) => isYielding)) {
      const [most] = mayYield
        .filter(({ lastedMs }) => lastedMs >= slice)
        .toSorted((a, b) => usedBy(b) - usedBy(a))
      most?.yield()
    }
    this.#lookAgain(remainingMs > 0 ? Math.min(remainingMs, sliceMs) : sliceMs)
  }

  #lookAgain(ms: number): void {
    const at = performance.now() + ms
    if (this.#timer !== undefined && this.#looksAt <= at) return
    clearTimeout(this.#timer)
    this.#looksAt = at
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.refill()
    }, Math.ceil(ms)).unref()
  }

  /** @param own Seconds of the work itself, which count where there is no client. */
  #usedBy(principal: Principal | undefined, own: number): number {
    const { ledger, rate } = this.#options
    if (principal === undefined) return own
    if (rate === undefined) return 0
    let running = 0
    for (const turn of this.#turns) if (sharesKey(turn.principal, principal)) running += turn.lastedMs / 1000
    return ledger.usage(principal, rate) + running
  }
}

/** Leaves the place of the current request: it has one at a time, and none while it waits. */
function leaveOther(): void {
  currentRequest()?.leavePlace?.()
}
