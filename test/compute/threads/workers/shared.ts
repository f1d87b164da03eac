import { workerData } from 'node:worker_threads'
import { announceStart, type PoolTask } from '#lib/compute/threads/task.ts'

/** Number of threads that loaded before this one, by what the one before told. */
const { loadedBefore = 0 } = workerData as { readonly loadedBefore?: number }

export default function countLoaded(
  task: PoolTask & { readonly untilAll: Int32Array },
): number | { loadedBefore: number } {
  announceStart(task)
  if (task.loadsOnly) return { loadedBefore: loadedBefore + 1 }
  // Until both threads have a task.
  Atomics.add(task.untilAll, 0, 1)
  Atomics.notify(task.untilAll, 0)
  if (Atomics.load(task.untilAll, 0) < 2) Atomics.wait(task.untilAll, 0, 1)
  return loadedBefore
}
