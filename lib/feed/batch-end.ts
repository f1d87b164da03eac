import type { RegistryLog } from './chain-source.ts'

/** Events at most in one transaction, so that none holds its locks for long; a single block may hold more. */
const MAX_EVENTS = 500

/**
 * The block up to which a batch goes: `to`, or less when its events are too many for one transaction.
 *
 * @param logs In chain order.
 */
export const batchEnd = (logs: readonly RegistryLog[], to: number): number => {
  const first = logs[0]
  const tooMuch = logs[MAX_EVENTS]
  if (first === undefined || tooMuch === undefined) return to
  return Math.max(first.blockNumber, tooMuch.blockNumber - 1)
}
