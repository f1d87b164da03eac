import type { RegistryLog } from './chain-source.ts'

/** Events at most in one transaction, so that none holds its locks for long; a single block may hold more. */
const MAX_EVENTS = 500

/**
 * The block up to which a batch goes: `to`, or a block with events when they are too many for one transaction.
 *
 * @param logs In chain order.
 */
export const batchEnd = (logs: readonly RegistryLog[], to: number): number => {
  const tooMuch = logs[MAX_EVENTS]
  if (tooMuch === undefined) return to
  const last = logs.findLast(({ blockNumber }) => blockNumber < tooMuch.blockNumber)
  return (last ?? tooMuch).blockNumber
}
