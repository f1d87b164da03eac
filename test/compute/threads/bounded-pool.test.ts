import { afterEach, expect, onTestFinished, test } from 'vitest'
import { BoundedPool } from '#lib/compute/threads/bounded-pool.ts'
import type { PoolTask } from '#lib/compute/threads/task.ts'
import { forRequest } from '#lib/platform/telemetry/request-scope.ts'
import { PATIENCE_MS } from '#test/support/until.ts'
import type { EchoTask } from './workers/echo.ts'
import type { PoliteTask } from './workers/polite.ts'

let pool: BoundedPool<EchoTask, string>

afterEach(() => pool.close())

function limits(worker: string) {
  return {
    worker: `test/compute/threads/workers/${worker}.ts`,
    timeoutMs: 1_500,
    maxQueue: 2,
    threads: 1,
    heapLimitMb: 64,
    overload: 'compile' as const,
  }
}

function makePool(worker: string): void {
  pool = new BoundedPool<EchoTask, string>(limits(worker))
}

function echo(text: string, busyMs = 0, signal?: AbortSignal) {
  return pool.run((started) => ({ text, busyMs, started }), { signal })
}

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
  await expect(echo('d')).rejects.toMatchObject({ code: 'overloaded' })
  await expect(Promise.all(admitted)).resolves.toEqual(['a', 'b', 'c'])
})

function echoOf(client: string, text: string, busyMs = 10) {
  return forRequest({ requestId: text, operation: 'TEST', principal: [client] }, () => echo(text, busyMs))
}

test('the client that used least comes first, and the one with most in a full queue gives way', async () => {
  pool = new BoundedPool<EchoTask, string>({ ...limits('echo'), maxQueue: 4 })
  const order: string[] = []
  const record = (task: Promise<string>) => task.then((text) => order.push(text))
  const many = ['a1', 'a2', 'a3', 'a4', 'a5'].map((text) => record(echoOf('a', text, 50)))
  const displaced = expect(many.pop()).rejects.toMatchObject({ code: 'overloaded' })
  const other = record(echoOf('b', 'b1'))
  await displaced
  await Promise.all([...many, other])
  expect(order).toEqual(['a1', 'b1', 'a2', 'a3', 'a4'])
})

test('a long task yields to a short one of another client, and runs again', async () => {
  pool = new BoundedPool<EchoTask, string>({ ...limits('echo'), timeoutMs: 60_000 })
  const order: string[] = []
  const record = (task: Promise<string>) => task.then((text) => order.push(text))
  const long = record(echoOf('a', 'long', 3_000))
  await expect.poll(() => pool.load().running).toBe(1)
  await record(echoOf('b', 'short'))
  await long
  expect(order).toEqual(['short', 'long'])
})

test('a long task yields to a short one also while the only other thread loads for ever', async () => {
  const polite = new BoundedPool<PoliteTask, number>({
    ...limits('polite'),
    timeoutMs: 600_000,
    graceMs: 600_000,
    threads: 2,
  })
  const run = (client: string, endless: boolean) =>
    forRequest({ requestId: client, operation: 'TEST', principal: [client] }, () =>
      polite.run((started) => ({ endless, started })),
    )
  const thread = await run('first', false)
  process.env.TEST_THREADS_LOAD = 'never'
  onTestFinished(() => void delete process.env.TEST_THREADS_LOAD)
  const long = Promise.allSettled([run('a', true), run('b', true)])
  expect(await run('short', false)).toBe(thread)
  await polite.close()
  await long
})

test('a waiting task that its caller aborts never runs', async () => {
  makePool('echo')
  const first = echo('first', 150)
  const stop = new AbortController()
  const second = echo('second', 0, stop.signal)
  stop.abort(new Error('gone'))
  await expect(second).rejects.toThrow('gone')
  await expect(first).resolves.toBe('first')
})

test('the thread of an aborted task that stops is reused', async () => {
  const polite = new BoundedPool<PoliteTask, number>({
    ...limits('polite'),
    timeoutMs: 20_000,
    graceMs: 10_000,
  })
  const run = (endless: boolean, signal?: AbortSignal) =>
    polite.run((started) => ({ endless, started }), { signal })
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

test('the first thread loads alone, and what it returns is there for the others', async () => {
  const threadData = {}
  const untilAll = new Int32Array(new SharedArrayBuffer(4))
  const sharing = new BoundedPool<PoolTask & { untilAll: Int32Array }, number>({
    ...limits('shared'),
    timeoutMs: PATIENCE_MS,
    threads: 2,
    threadData,
  })
  onTestFinished(() => sharing.close())
  sharing.start()
  const task = () => sharing.run((started) => ({ started, untilAll }))
  const loadedBefore = await Promise.all([task(), task()])
  expect(loadedBefore.toSorted()).toEqual([0, 1])
})
