import { setTimeout } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'
import { announceStart, isAbandoned, type PoolTask } from '#lib/compute/threads/task.ts'

// A thread that never becomes ready.
if (process.env.TEST_THREADS_LOAD === 'never') await new Promise(() => undefined)

export interface PoliteTask extends PoolTask {
  /** Work until it is cancelled. */
  readonly endless: boolean
}

/** Answers with the number of its thread. */
export default async function work(task: PoliteTask): Promise<number> {
  announceStart(task)
  while (task.endless && !isAbandoned(task)) await setTimeout(5)
  return threadId
}
