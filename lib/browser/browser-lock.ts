/** A lock that one tab of this browser holds at a time. */
export interface BrowserLock {
  /** Waits for the lock and runs `work` under it. @throws what `work` throws; the reason of `signal` while it waits. */
  hold(work: () => Promise<void>, signal: AbortSignal): Promise<void>
  /** Runs `work` under the lock. @returns false, without running, while another holder has it. */
  tryHold(work: () => Promise<void>): Promise<boolean>
  /** Resolves when the lock is free. @throws the reason of `signal`. */
  untilFree(signal: AbortSignal): Promise<void>
}

export function browserLock(name: string): BrowserLock {
  // Only pages with TLS have locks of the browser's own.
  return navigator.locks === undefined ? leasedLock(name) : nativeLock(name, navigator.locks)
}

function nativeLock(name: string, locks: LockManager): BrowserLock {
  return {
    hold: (work, signal) => locks.request(name, { signal }, work),
    tryHold: (work) =>
      locks.request(name, { ifAvailable: true }, async (lock) => {
        if (lock === null) return false
        await work()
        return true
      }),
    untilFree: (signal) => locks.request(name, { signal, mode: 'shared' }, () => undefined),
  }
}

/** A tab that ends without a word loses its lease after this; the timers of hidden tabs fire once a minute. */
const LEASE_MS = 150_000
const RENEW_MS = 20_000
const RETRY_MS = 300
/** Another tab that took the lease at the same moment has written by then. */
const SETTLE_MS = 60

const heldNames = new Set<string>()

/** A lease in the storage that all tabs share; without storage, a lock of this page alone. */
function leasedLock(name: string): BrowserLock {
  const key = `weft-lock/${name}`
  const own = `${performance.timeOrigin}/${Math.random()}`
  const holder = (): string | undefined => {
    try {
      const [id = '', until] = localStorage.getItem(key)?.split(' ') ?? []
      return Number(until) > Date.now() && Number(until) < Date.now() + 2 * LEASE_MS ? id : undefined
    } catch {
      return undefined
    }
  }
  const write = () => {
    try {
      localStorage.setItem(key, `${own} ${Date.now() + LEASE_MS}`)
      return true
    } catch {
      return false
    }
  }
  const isFree = () => !heldNames.has(name) && holder() === undefined

  const tryHold = async (work: () => Promise<void>): Promise<boolean> => {
    if (!isFree()) return false
    heldNames.add(name)
    const stored = write()
    const release = () => {
      try {
        if (holder() === own) localStorage.removeItem(key)
      } catch {
        // Nothing was stored either.
      }
    }
    let renewing: ReturnType<typeof setInterval> | undefined
    try {
      if (stored) {
        await sleep(SETTLE_MS)
        if (holder() !== own) return false
        renewing = setInterval(write, RENEW_MS)
        addEventListener('pagehide', release)
      }
      await work()
      return true
    } finally {
      clearInterval(renewing)
      removeEventListener('pagehide', release)
      release()
      heldNames.delete(name)
    }
  }
  const untilFree = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      signal.throwIfAborted()
      if (isFree()) return
      await sleep(RETRY_MS)
    }
  }
  return {
    tryHold,
    untilFree,
    async hold(work, signal) {
      do await untilFree(signal)
      while (!(await tryHold(work)))
    },
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
