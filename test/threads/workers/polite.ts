import { setTimeout } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'
import { announceStart, isUnwanted, type PoolTask } from '../../../lib/threads/task.ts'

export interface PoliteTask extends PoolTask {
  /** Work until nobody waits any more. */
  readonly endless: boolean
}

/** Answers with the number of its thread. */
export default async function work(task: PoliteTask): Promise<number> {
  announceStart(task)
  while (task.endless && !isUnwanted(task)) await setTimeout(5)
  return threadId
}
