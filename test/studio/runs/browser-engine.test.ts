import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  type BrowserEngine,
  createBrowserEngine,
  type WorkerLike,
} from '#lib/studio/runs/engine/browser-engine.ts'
import { LOADED, type Task, type TaskAnswer } from '#lib/studio/runs/engine/messages.ts'

/** A worker that responds on command. */
interface FakeWorker extends WorkerLike<TaskAnswer> {
  readonly tasks: Task[]
  readonly given: string[]
  ended: boolean
  load(): void
  answer(): void
}

let workers: FakeWorker[]
let engine: BrowserEngine<Task, TaskAnswer>

function openFake(): FakeWorker {
  const worker: FakeWorker = {
    tasks: [],
    given: [],
    ended: false,
    onmessage: null,
    onerror: null,
    postMessage: (task) => worker.tasks.push(task as Task),
    terminate: () => {
      worker.ended = true
    },
    load: () => worker.onmessage?.({ data: LOADED }),
    answer: () => {
      const { id } = worker.tasks.at(-1)!
      worker.onmessage?.({ data: { id, outcome: 'particles', particles: [] } })
    },
  }
  workers.push(worker)
  return worker
}

function run(root: string): Promise<TaskAnswer | undefined> {
  return engine.run((memory) => {
    workers.at(-1)?.given.push(...memory)
    memory.add(root)
    return { artifacts: [], names: [], bodies: [], connectors: [], root, particlesCount: 1, dynamicRi: {} }
  })
}
function roots(worker: FakeWorker | undefined) {
  return worker?.tasks.map(({ root }) => root)
}

beforeEach(() => {
  vi.useFakeTimers()
  workers = []
  engine = createBrowserEngine({ open: openFake, timeoutMs: 1000 })
})
afterEach(() => vi.useRealTimers())

test('one run at a time; of those that wait only the newest gets its turn', async () => {
  const runs = ['a', 'b', 'c', 'd'].map(run)
  expect(roots(workers[0])).toEqual(['a'])
  workers[0]?.answer()
  expect(await runs[0]).toMatchObject({ outcome: 'particles' })
  expect(await Promise.all([runs[1], runs[2]])).toEqual([undefined, undefined])
  expect(roots(workers[0])).toEqual(['a', 'd'])
  workers[0]?.answer()
  expect(await runs[3]).toMatchObject({ id: 2, outcome: 'particles' })
  expect(workers).toHaveLength(1)
  expect(workers[0]?.given).toEqual(['a'])
})

/** Runs for the first time, which may take longer. */
async function runFirst(): Promise<void> {
  const first = run('first')
  workers[0]?.load()
  workers[0]?.answer()
  await first
}

test('a run that takes too long ends with its worker; queued runs start in another', async () => {
  await runFirst()
  const slow = run('slow')
  const next = run('next')
  await vi.advanceTimersByTimeAsync(1000)
  expect(await slow).toBeUndefined()
  expect(workers.map(({ ended }) => ended)).toEqual([true, false])
  expect(roots(workers[1])).toEqual(['next'])
  // The other worker has no state yet.
  expect(workers[1]?.given).toEqual([])
  workers[0]?.answer()
  workers[1]?.answer()
  expect(await next).toMatchObject({ outcome: 'particles' })
})

test('the first run of a page has five times as long, whether it ends or not', async () => {
  const first = run('first')
  workers[0]?.load()
  await vi.advanceTimersByTimeAsync(4900)
  expect(workers[0]?.ended).toBe(false)
  await vi.advanceTimersByTimeAsync(100)
  expect(await first).toBeUndefined()
  const second = run('second')
  workers[1]?.load()
  await vi.advanceTimersByTimeAsync(1000)
  expect(await second).toBeUndefined()
})

test('the time that the script of a worker takes is not counted, and costs no worker', async () => {
  const first = run('first')
  await vi.advanceTimersByTimeAsync(30_000)
  workers[0]?.load()
  await vi.advanceTimersByTimeAsync(900)
  workers[0]?.answer()
  expect(await first).toMatchObject({ outcome: 'particles' })
  expect(workers).toHaveLength(1)
})

test('runs that take too long do not use up the workers of a page', async () => {
  await runFirst()
  for (let each = 1; each <= 5; each++) {
    const slow = run('slow')
    workers.at(-1)?.load()
    await vi.advanceTimersByTimeAsync(1000)
    expect(await slow).toBeUndefined()
  }
  const next = run('next')
  workers.at(-1)?.answer()
  expect(await next).toMatchObject({ outcome: 'particles' })
})

test('a worker that breaks is replaced', async () => {
  const broken = run('broken')
  workers[0]?.onerror?.({})
  expect(await broken).toBeUndefined()
  const again = run('again')
  workers[1]?.answer()
  expect(await again).toMatchObject({ outcome: 'particles' })
})

test('after three that were lost in a row there are no more', async () => {
  for (const failures of [1, 2, 3]) {
    const broken = run('broken')
    workers.at(-1)?.onerror?.({})
    expect(await broken).toBeUndefined()
    expect(workers).toHaveLength(failures)
  }
  expect(await run('again')).toBeUndefined()
  expect(workers).toHaveLength(3)
})

test('a reset forgets what runs and waits', async () => {
  const runs = [run('a'), run('b')]
  engine.reset()
  expect(await Promise.all(runs)).toEqual([undefined, undefined])
  expect(workers[0]?.ended).toBe(true)
})

test('without workers there is no preview', async () => {
  engine = createBrowserEngine({ open: () => undefined, timeoutMs: 1000 })
  expect(await Promise.all([run('a'), run('b')])).toEqual([undefined, undefined])
})
