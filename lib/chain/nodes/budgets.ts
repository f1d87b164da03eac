import { setTimeout as sleep } from 'node:timers/promises'

export interface BudgetLimits {
  /** Calls a second; undefined for no limit. */
  readonly perSecond: number | undefined
  /** Calls from midnight to midnight, UTC; undefined for no limit. */
  readonly perDay: number | undefined
}

/** Thrown when the calls of a day are used up. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent'
  /** Milliseconds until the next day. */
  readonly retryMs: number

  constructor(perDay: number, retryMs: number) {
    super(`the ${perDay} calls that this node may get in a day are used up`)
    this.retryMs = retryMs
  }
}

/** Counts the calls to one node. */
export interface CallBudget {
  /** Waits until the calls may be sent. @throws BudgetSpent */
  take(calls: number): Promise<void>
}

const DAY_MS = 86_400_000
/** Calls that would wait for longer are sent anyway: the node then answers 429 itself. */
const MAX_WAIT_MS = 10_000

/** @param nowMs Unix milliseconds. */
export function createCallBudget(limits: BudgetLimits, nowMs: () => number = Date.now): CallBudget {
  const { perSecond, perDay } = limits
  let day = -1
  let spent = 0
  /** When the calls taken so far have used up their seconds. */
  let freeAtMs = 0
  return {
    async take(calls) {
      const now = nowMs()
      if (perDay !== undefined) {
        const today = Math.floor(now / DAY_MS)
        if (today !== day) {
          day = today
          spent = 0
        }
        if (spent + calls > perDay) throw new BudgetSpent(perDay, (today + 1) * DAY_MS - now)
        spent += calls
      }
      if (perSecond === undefined) return
      // As many calls as fit into a second may come at once.
      const waitMs = Math.min(MAX_WAIT_MS, Math.max(0, freeAtMs - now))
      freeAtMs = Math.max(freeAtMs, now - 1000) + (1000 * calls) / perSecond
      if (waitMs > 0) await sleep(waitMs)
    },
  }
}
