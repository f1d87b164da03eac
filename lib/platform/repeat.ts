import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

/**
 * Repeats a step until the signal. Logs its failures and retries.
 *
 * @param step Returns the milliseconds until it is due again.
 */
export async function repeat(
  signal: AbortSignal,
  onFailure: { readonly log: Logger; readonly message: string; readonly retryMs: number },
  step: () => Promise<number>,
): Promise<void> {
  const { log, message, retryMs } = onFailure
  while (!signal.aborted) {
    const pauseMs = await step().catch((error: unknown) => {
      if (!signal.aborted) log.warn({ err: error, retryMs }, message)
      return retryMs
    })
    if (pauseMs > 0) await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}
