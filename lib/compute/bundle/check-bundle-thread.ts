import type { PoolTask } from '../threads/task.ts'
import { onThread } from '../threads/thread-log.ts'
import { checkBundle } from './check-bundle.ts'
import type { BundleOutcome } from './checked-bundle.ts'

export interface BundleTask extends PoolTask {
  readonly zip: Uint8Array
}

/** Entry of a pool thread. */
export default function check(task: BundleTask): Promise<BundleOutcome> {
  return onThread('bundle', task, () => checkBundle(task.zip))
}
