import type { Principal } from './principal.ts'

/** Usage that fades: an even use of one a second stands at 60. */
const RATES = ['threadSeconds', 'runSeconds', 'renderSeconds', 'nodeCalls'] as const
/** Usage that lasts until it is released. */
const LEVELS = ['bytes', 'connections'] as const

export type Rate = (typeof RATES)[number]
type Level = (typeof LEVELS)[number]

interface Account {
  /** By the index in `RATES`, as of `at`. */
  readonly rates: number[]
  /** By the index in `LEVELS`. */
  readonly levels: number[]
  at: number
}

/** Milliseconds in which usage fades to a third: about the last minute. */
const MEMORY_MS = 60_000
/** Accounts in memory; those used last stay. */
const MAX_ACCOUNTS = 20_000

/**
 * The one account of what each client of this process uses: every shared thing charges it, and orders its work by it.
 * A client with several keys has used what the most used of them has.
 */
export class UsageLedger {
  readonly #accounts = new Map<string, Account>()
  readonly #now: () => number

  /** @param now Milliseconds of a monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Adds usage that fades, in the unit of its name. */
  charge(principal: Principal | undefined, rate: Rate, amount: number): void {
    const index = RATES.indexOf(rate)
    for (const key of principal ?? []) {
      const account = this.#open(key)
      account.rates[index] = (account.rates[index] ?? 0) + amount
    }
  }

  /** Usage of about the last minute. */
  usage(principal: Principal | undefined, rate: Rate): number {
    const index = RATES.indexOf(rate)
    let most = 0
    for (const key of principal ?? []) {
      const account = this.#accounts.get(key)
      if (account === undefined) continue
      this.#fade(account)
      most = Math.max(most, account.rates[index] ?? 0)
    }
    return most
  }

  /** Adds to what a client holds; a negative amount releases. */
  hold(principal: Principal | undefined, level: Level, amount: number): void {
    const index = LEVELS.indexOf(level)
    for (const key of principal ?? []) {
      const account = this.#open(key)
      account.levels[index] = Math.max(0, (account.levels[index] ?? 0) + amount)
    }
  }

  currentLevel(principal: Principal | undefined, level: Level): number {
    const index = LEVELS.indexOf(level)
    return Math.max(0, ...(principal ?? []).map((key) => this.#accounts.get(key)?.levels[index] ?? 0))
  }

  #open(key: string): Account {
    const entry = this.#accounts.get(key)
    const account = entry ?? { rates: RATES.map(() => 0), levels: LEVELS.map(() => 0), at: this.#now() }
    this.#fade(account)
    // Maps iterate in insertion order.
    this.#accounts.delete(key)
    this.#accounts.set(key, account)
    if (entry === undefined && this.#accounts.size > MAX_ACCOUNTS) this.#evict()
    return account
  }

  /** Deletes the oldest account that holds nothing. */
  #evict(): void {
    for (const [key, { levels }] of this.#accounts) {
      if (levels.some((level) => level > 0)) continue
      this.#accounts.delete(key)
      return
    }
  }

  #fade(account: Account): void {
    const now = this.#now()
    if (now === account.at) return
    const factor = Math.exp((account.at - now) / MEMORY_MS)
    for (let i = 0; i < account.rates.length; i++) account.rates[i] = (account.rates[i] ?? 0) * factor
    account.at = now
  }
}
