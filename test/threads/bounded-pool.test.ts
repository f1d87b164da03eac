import { afterEach, expect, test } from 'vitest'
import { BoundedPool } from '../../lib/threads/bounded-pool.ts'
import type { EchoTask } from './workers/echo.ts'
import type { PoliteTask } from './workers/polite.ts'

let pool: BoundedPool<EchoTask, string>

afterEach(() => pool.close())

const limits = (worker: string) => ({
  worker: `test/threads/workers/${worker}.ts`,
  timeoutMs: 300,
  maxQueue: 2,
  threads: 1,
  heapLimitMb: 64,
})

function makePool(worker: string): void {
  pool = new BoundedPool<EchoTask, string>(limits(worker))
}

const echo = (text: string, busyMs = 0, signal?: AbortSignal) =>
  pool.run((started) => ({ text, busyMs, started }), signal)

test('a task over the time limit ends, the ones behind it do not pay for it', async () => {
  makePool('echo')
  const late = echo('late', 5_000)
  const next = echo('next')
  await expect(late).rejects.toMatchObject({ name: 'PoolLimit', limit: 'time' })
  await expect(next).resolves.toBe('next')
})

test('one task more than the queue holds is refused at once', async () => {
  makePool('echo')
  const admitted = [echo('a', 100), echo('b'), echo('c')]
  await expect(echo('d')).rejects.toMatchObject({ limit: 'queue' })
  await expect(Promise.all(admitted)).resolves.toEqual(['a', 'b', 'c'])
})

test('a waiting task that its caller gives up never runs', async () => {
  makePool('echo')
  const first = echo('first', 150)
  const stop = new AbortController()
  const second = echo('second', 0, stop.signal)
  stop.abort(new Error('gone'))
  await expect(second).rejects.toThrow('gone')
  await expect(first).resolves.toBe('first')
})

test('a task that stops when nobody waits for it keeps its thread', async () => {
  const polite = new BoundedPool<PoliteTask, number>({
    ...limits('polite'),
    timeoutMs: 20_000,
    graceMs: 10_000,
  })
  const run = (endless: boolean, signal?: AbortSignal) =>
    polite.run((started) => ({ endless, started }), signal)
  const thread = await run(false)
  const stop = new AbortController()
  const endless = run(true, stop.signal)
  await expect.poll(() => polite.load().running).toBe(1)
  stop.abort(new Error('gone'))
  await expect(endless).rejects.toThrow('gone')
  expect(await run(false)).toBe(thread)
  await polite.close()
})

test('a thread that cannot start fails the tasks that wait for it', async () => {
  makePool('broken')
  await expect(echo('never')).rejects.toThrow('this thread cannot start')
})
