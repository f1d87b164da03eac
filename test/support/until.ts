import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until a check holds. @throws Error naming what was waited for, after the time limit. */
export async function until(
  what: string,
  check: () => boolean | Promise<boolean>,
  timeoutMs = 60_000,
): Promise<void> {
  const giveUp = Date.now() + timeoutMs
  while (!(await check())) {
    if (Date.now() > giveUp) throw new Error(`not within ${timeoutMs} ms: ${what}`)
    await sleep(40)
  }
}
