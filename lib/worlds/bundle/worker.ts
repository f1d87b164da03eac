import { announceStart, type PoolTask } from '../../threads/task.ts'
import { checkBundle } from './check-bundle.ts'
import type { BundleOutcome } from './checked-bundle.ts'

export interface BundleTask extends PoolTask {
  readonly zip: Uint8Array
}

/** Entry of a pool thread. */
export default function check(task: BundleTask): Promise<BundleOutcome> {
  announceStart(task)
  return checkBundle(task.zip)
}
