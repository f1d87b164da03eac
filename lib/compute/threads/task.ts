import type { RequestScope } from '#lib/platform/telemetry/request-scope.ts'

/** A task that a pool stops by terminating its thread. */
export interface PoolTask {
  /** Two flags shared with the thread, at `STARTED` and `ABANDONED`. */
  readonly started: Int32Array
  /** The request that caused it, for the thread's log; set by the pool. */
  readonly origin?: Omit<RequestScope, 'client' | 'principal' | 'leavePlace'> | undefined
  /** Only loads a thread; set by the pool. */
  readonly loadsOnly?: boolean
}

/** Indices into `PoolTask.started`: the task left the queue; its caller aborted it. */
export const STARTED = 0
export const ABANDONED = 1

/** To be called first by a worker, so that the time in the queue does not count as running. */
export function announceStart({ started }: PoolTask): void {
  Atomics.store(started, STARTED, 1)
  Atomics.notify(started, STARTED)
}

/** Whether the caller aborted the task. The thread of a task that then stops is reused. */
export function isAbandoned({ started }: PoolTask): boolean {
  return Atomics.load(started, ABANDONED) === 1
}
