import { ByteLru } from '../cache/byte-lru.ts'
import type { PointStore } from './point-store.ts'

/** Bounds the leases of one class, in one process. */
const MAX_BYTES = 8 * 1024 * 1024
const LEASE_BYTES = 200

/** Points of one key that this process holds. */
interface Lease {
  /** Below zero: points granted before the first response of the store. */
  pointsLeft: number
  confirmed: boolean
  /** End of the window, at which points expire. */
  ends: number
  /** The store has no more points in this window. */
  exhausted: boolean
  refill: Promise<void> | undefined
}

/**
 * Points leased from a shared store in batches, ahead of need, so that requests do not wait for the database. Counts
 * requests per window over all processes; what runs at one moment in one process is the `FairScheduler`'s.
 *
 * A process grants up to `size` points before the store has responded: over all processes, a key gets at most that many
 * more than the store has, for each process but the first.
 */
export interface PointLeases {
  /**
   * Takes one point.
   *
   * @returns Milliseconds until there are points again, or undefined when there was one; a promise when the store has to
   *   answer first.
   */
  take(key: string): number | undefined | Promise<number | undefined>
}

/** @param now Milliseconds of a monotonic clock. */
export function createPointLeases(
  store: PointStore,
  perWindow: number,
  windowMs: number,
  now: () => number,
): PointLeases {
  const size = Math.min(20, Math.max(1, Math.floor(perWindow / 20)))
  const leases = new ByteLru<string, Lease>(MAX_BYTES)

  const find = (key: string): Lease => {
    const lease = leases.get(key)
    if (lease !== undefined && now() < lease.ends) return lease
    const fresh: Lease = {
      pointsLeft: 0,
      confirmed: false,
      ends: now() + windowMs,
      exhausted: false,
      refill: undefined,
    }
    leases.set(key, fresh, LEASE_BYTES + 2 * key.length)
    return fresh
  }

  const refill = async (key: string, lease: Lease): Promise<void> => {
    const amount = size + Math.max(0, -lease.pointsLeft)
    const grant = await store.take(key, amount)
    lease.pointsLeft += grant.points
    lease.confirmed = true
    lease.ends = now() + grant.windowEndsIn
    lease.exhausted = grant.points < amount
    lease.refill = undefined
  }

  const take = (key: string): number | undefined | Promise<number | undefined> => {
    const lease = find(key)
    if (lease.exhausted && lease.pointsLeft <= 0) return Math.max(1, lease.ends - now())
    if (lease.pointsLeft > (lease.confirmed ? 0 : -size)) {
      lease.pointsLeft -= 1
      if (!lease.exhausted && lease.pointsLeft < size / 2) lease.refill ??= refill(key, lease)
      return undefined
    }
    lease.refill ??= refill(key, lease)
    return lease.refill.then(() => take(key))
  }
  return { take }
}
