import { setTimeout as sleep } from 'node:timers/promises'
import { TIMES } from './slice.ts'

/**
 * How long a test waits for a condition, in milliseconds: a hang, not slowness, ends it. A machine busy with other work
 * takes many times as long as one at rest.
 */
export const PATIENCE_MS = 180_000

/** Limit of a whole test or hook, in milliseconds. */
export const TEST_TIMEOUT_MS = 600_000 * Math.max(1, TIMES)

/** Waits until a check holds. @throws Error naming what was waited for, after the time limit. */
export async function until(
  what: string,
  check: () => boolean | Promise<boolean>,
  timeoutMs = PATIENCE_MS,
): Promise<void> {
  const giveUp = Date.now() + timeoutMs
  while (!(await check())) {
    if (Date.now() > giveUp) throw new Error(`not within ${timeoutMs} ms: ${what}`)
    await sleep(40)
  }
}
