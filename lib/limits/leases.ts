import { ByteLru } from '../cache/byte-lru.ts'
import type { PointStore } from './point-store.ts'

/** Of the keys of one class, in one process. */
const MAX_BYTES = 8 * 1024 * 1024
const LEASE_BYTES = 200

/** Points that this process holds of one key. */
interface Lease {
  /** Below zero is what was given before the store answered for the first time. */
  left: number
  heard: boolean
  /** When the window ends, and with it what is left. */
  ends: number
  /** The store has no more in this window. */
  spent: boolean
  asking: Promise<void> | undefined
}

/**
 * Points taken from a store several at a time and ahead of need, so that requests do not wait for it.
 *
 * A process gives up to `size` points of a window before it has heard from the store: over all processes, a key gets at
 * most that much more than the store has, for each process but the first.
 */
export interface Leases {
  /**
   * Takes one point.
   *
   * @returns Milliseconds until there are points again when there is none now, else undefined; a promise of it when the
   *   store has to be waited for.
   */
  take(key: string): number | undefined | Promise<number | undefined>
}

/** @param now Milliseconds of a clock that only goes forward. */
export function createLeases(
  store: PointStore,
  perWindow: number,
  windowMs: number,
  now: () => number,
): Leases {
  const size = Math.min(20, Math.max(1, Math.floor(perWindow / 20)))
  const leases = new ByteLru<string, Lease>(MAX_BYTES)

  const find = (key: string): Lease => {
    const known = leases.get(key)
    if (known !== undefined && now() < known.ends) return known
    const fresh: Lease = { left: 0, heard: false, ends: now() + windowMs, spent: false, asking: undefined }
    leases.set(key, fresh, LEASE_BYTES + 2 * key.length)
    return fresh
  }

  const ask = async (key: string, lease: Lease): Promise<void> => {
    const wanted = size + Math.max(0, -lease.left)
    const grant = await store.take(key, wanted)
    lease.left += grant.points
    lease.heard = true
    lease.ends = now() + grant.windowEndsIn
    lease.spent = grant.points < wanted
    lease.asking = undefined
  }

  const take = (key: string): number | undefined | Promise<number | undefined> => {
    const lease = find(key)
    if (lease.spent && lease.left <= 0) return Math.max(1, lease.ends - now())
    if (lease.left > (lease.heard ? 0 : -size)) {
      lease.left -= 1
      if (!lease.spent && lease.left < size / 2) lease.asking ??= ask(key, lease)
      return undefined
    }
    lease.asking ??= ask(key, lease)
    return lease.asking.then(() => take(key))
  }
  return { take }
}
