/**
 * Runs something for an account in one tab of this browser at a time.
 *
 * @returns false, having run nothing, while another tab is at it.
 */
export async function aloneInBrowser(account: string, work: () => Promise<void>): Promise<boolean> {
  return navigator.locks.request(lockName(account), { ifAvailable: true }, async (lock) => {
    if (lock === null) return false
    await work()
    return true
  })
}

/** Resolves when no tab publishes for the account. */
export async function untilFree(account: string, signal: AbortSignal): Promise<void> {
  await navigator.locks.request(lockName(account), { signal, mode: 'shared' }, () => undefined)
}

function lockName(account: string): string {
  return `weft-publish-${account}`
}
