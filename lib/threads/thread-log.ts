import { threadId } from 'node:worker_threads'
import type { Logger } from 'pino'
import { createLog } from '../log/create-log.ts'
import { announceStart, type PoolTask } from './task.ts'

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** A thread knows the environment of its process, but not its configuration, which has checked it. */
const level = LEVELS.find((name) => name === process.env.LOG_LEVEL?.trim()) ?? 'info'

const threadLog = createLog({ level, base: { pid: process.pid, thread: threadId } })

/**
 * Does a task on a pool's thread: says that it has begun, so that waiting does not count as running, and logs how long it
 * took, in the name of the request it is done for.
 *
 * @param part What the thread does, for instance `compile`.
 * @param work Is handed the log of the task. What people sent is not for it.
 */
export async function onThread<T>(
  part: string,
  task: PoolTask,
  work: (log: Logger) => T | Promise<T>,
): Promise<T> {
  announceStart(task)
  const log = threadLog.child({ part, ...task.origin })
  const began = performance.now()
  try {
    return await work(log)
  } catch (error) {
    // Where it is answered nobody sees which thread it was.
    log.warn({ err: error }, 'task failed')
    throw error
  } finally {
    log.debug({ ms: Math.round(performance.now() - began) }, 'task done')
  }
}
