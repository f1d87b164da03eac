import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSupervisor, type Part } from '#scripts/stack/supervisor.ts'

/** A part that ends when it is told to. */
function part(): Part & { end(): void } {
  const { promise: exited, resolve } = Promise.withResolvers<{ code: number; signal: null }>()
  const end = () => resolve({ code: 1, signal: null })
  const stop = async () => end()
  return { child: { pid: 0, exited, tail: () => '', stop }, stop, end }
}

test('a part is started again only once what it needs is up, however long that takes', async () => {
  const reasons: string[] = []
  const supervisor = createSupervisor({ say: () => {}, onGiveUp: (reason) => reasons.push(reason) })
  const databases = [part(), part()]
  const workers = [part(), part()]
  const all = [...databases, ...workers]
  let up = false
  /** The database was up when the worker was started. */
  const starts: boolean[] = []
  await supervisor.run('database', async () => {
    // Longer than a failing part waits at first.
    if (databases.length === 1) await sleep(700)
    up = true
    return databases.shift() as Part
  })
  const startWorker = async () => {
    starts.push(up)
    return workers.shift() as Part
  }
  await supervisor.run('worker', startWorker, ['database', 'elsewhere'])
  up = false
  all[0]?.end()
  all[2]?.end()
  await expect.poll(() => starts).toEqual([true, true])
  expect(reasons).toEqual([])
  await supervisor.stop('worker', 'database')
})
