import { threadId, workerData } from 'node:worker_threads'
import { type Logger, pino } from 'pino'
import { createLog } from '#lib/platform/log/create-log.ts'
import { announceStart, type PoolTask } from './task.ts'

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** Start data of every thread. */
export interface ThreadData {
  /** Names of variables that hold secrets. */
  readonly secrets: readonly string[]
}

/** Threads have the environment of their process, but not its parsed configuration. */
const level = LEVELS.find((name) => name === process.env.LOG_LEVEL?.trim()) ?? 'info'

const threadLog = createLog(
  { level, secrets: (workerData as ThreadData).secrets, base: { pid: process.pid, thread: threadId } },
  // A thread may be ended at any time, with what it has not written yet.
  pino.destination({ dest: 1, sync: true }),
)

/**
 * Runs a task on a pool's thread: announces its start and logs its duration with the request that caused it.
 *
 * @param part What the thread does, for instance `compile`.
 * @param work Receives the log of the task; user input must not be logged.
 * @param threadData What a task that only loads the thread returns: data for threads that start later.
 */
export async function onThread<T>(
  part: string,
  task: PoolTask,
  work: (log: Logger) => T | Promise<T>,
  threadData?: object,
): Promise<T> {
  announceStart(task)
  // Only the pool reads its result.
  if (task.loadsOnly) return threadData as T
  const log = threadLog.child({ part, ...task.origin })
  const began = performance.now()
  try {
    return await work(log)
  } catch (error) {
    // The caller does not know the thread.
    log.warn({ err: error }, 'task failed')
    throw error
  } finally {
    log.debug({ ms: Math.round(performance.now() - began) }, 'task done')
  }
}
