import type { RequestScope } from '../telemetry/request-scope.ts'

/** A task that a pool stops by ending its thread. */
export interface PoolTask {
  /** Two flags that both sides see: the task left the queue, and nobody waits for it any more. */
  readonly started: Int32Array
  /** The request it is done for, which the thread names in its log; put in by the pool. */
  readonly origin?: Omit<RequestScope, 'client'> | undefined
}

/** Words of `PoolTask.started`. */
export const STARTED = 0
export const UNWANTED = 1

/** To be called first by a worker, so that waiting does not count as running. */
export function announceStart({ started }: PoolTask): void {
  Atomics.store(started, STARTED, 1)
  Atomics.notify(started, STARTED)
}

/** Whether nobody waits for the task any more: a worker that stops by itself keeps its thread. */
export function isUnwanted({ started }: PoolTask): boolean {
  return Atomics.load(started, UNWANTED) === 1
}
