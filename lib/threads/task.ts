/** A task that a pool stops by ending its thread. */
export interface PoolTask {
  /** Set by `announceStart` when the task leaves the queue. */
  readonly started: Int32Array
}

/** To be called first by a worker, so that waiting does not count as running. */
export function announceStart({ started }: PoolTask): void {
  Atomics.store(started, 0, 1)
  Atomics.notify(started, 0)
}
