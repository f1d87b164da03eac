import { announceStart, type PoolTask } from '#lib/compute/threads/task.ts'

export interface EchoTask extends PoolTask {
  readonly text: string
  readonly busyMs: number
}

export default function echo(task: EchoTask): string {
  announceStart(task)
  const until = Date.now() + task.busyMs
  while (Date.now() < until);
  return task.text
}
