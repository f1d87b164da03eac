/* The worker in which connectors run in the browser. Entry of a script of its own. */

import { LOADED, type Task } from './messages.ts'
import { createTaskRunner } from './run-task.ts'

interface WorkerScope {
  onmessage: ((event: { readonly data: Task }) => void) | null
  postMessage(message: unknown, transfer?: Transferable[]): void
}

const scope = globalThis as unknown as WorkerScope
const runTask = createTaskRunner()

scope.onmessage = ({ data: task }) => {
  const answer = runTask(task)
  const buffers =
    answer.outcome === 'particles' ? answer.particles.map(({ data }) => data.buffer as ArrayBuffer) : []
  scope.postMessage(answer, [...new Set(buffers)])
}
scope.postMessage(LOADED)
