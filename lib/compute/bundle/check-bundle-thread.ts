import { move, transferableSymbol, valueSymbol } from 'piscina'
import type { PoolTask } from '../threads/task.ts'
import { onThread } from '../threads/thread-log.ts'
import { checkBundle } from './check-bundle.ts'
import type { BundleOutcome } from './checked-bundle.ts'

export interface BundleTask extends PoolTask {
  readonly zip: Uint8Array
}

/** Entry of a pool thread. The content of the files is handed over, not copied. */
export default async function check(task: BundleTask): Promise<unknown> {
  const outcome = await onThread('bundle', task, () => checkBundle(task.zip))
  return move({ [valueSymbol]: outcome, [transferableSymbol]: buffersOf(outcome) })
}

/** @param outcome Undefined for a task that only loads the thread. */
function buffersOf(outcome: BundleOutcome | undefined): readonly ArrayBuffer[] {
  if (outcome?.status !== 'accepted') return []
  const { files, asUploaded } = outcome.bundle
  return [...new Set([...files, ...asUploaded].map(({ bytes }) => bytes.buffer))]
}
