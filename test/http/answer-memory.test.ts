import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { grouped } from '../../lib/cache/grouped.ts'
import { sharedLook } from '../../lib/cache/shared-look.ts'
import {
  type AnswerMemory,
  createAnswerMemory,
  type KeptAnswer,
  type ReadStamps,
} from '../../lib/http/answer-memory.ts'

const answer = (bytes: number): KeptAnswer => ({
  status: 200,
  headers: [],
  etag: undefined,
  body: 'x'.repeat(bytes),
  path: '/x',
  operationId: 'GET_x',
})

describe('answers are kept', () => {
  let now: ReadStamps
  let looks: number
  let broken: boolean
  let memory: AnswerMemory
  beforeEach(() => {
    now = { drafts: 'd1', entities: 'e1', feed: 'f1' }
    looks = 0
    broken = false
    memory = createAnswerMemory({
      stamps: sharedLook(async () => {
        looks += 1
        if (broken) throw new Error('no database')
        return now
      }, 0),
      maxBytes: 100_000,
    })
  })

  test('until something changes in their scopes, and not a moment longer', async () => {
    const kept = answer(10)
    ;(await memory.before(['drafts', 'entities']))('/a', kept)
    expect(await memory.find('/a')).toBe(kept)
    now = { ...now, feed: 'f2' }
    expect(await memory.find('/a')).toBe(kept)
    now = { ...now, drafts: 'd2' }
    expect(await memory.find('/a')).toBeUndefined()
    now = { ...now, drafts: 'd1' }
    expect(memory.find('/a')).toBeUndefined()
  })

  test('by looks that are young enough', async () => {
    let begun = 0
    const trusting = createAnswerMemory({
      stamps: sharedLook(async () => {
        begun = performance.now()
        return now
      }, 20),
    })
    const kept = answer(10)
    ;(await trusting.before(['drafts']))('/a', kept)
    const first = begun
    now = { ...now, drafts: 'd2' }
    while (performance.now() - first <= 25) {
      const asked = performance.now()
      const found = await trusting.find('/a')
      // A little later in here than it was asked.
      if (asked - first > 20) expect(found).toBeUndefined()
      // Somebody may have looked ahead of time, who knows better.
      else if (performance.now() - first <= 20) expect(found === kept || begun > first).toBe(true)
      await turn()
    }
    // A busy machine may never have come to a turn in between.
    expect(await trusting.find('/a')).toBeUndefined()
    expect(begun).toBeGreaterThan(first)
  })

  test('by looks made ahead of time, so that a stream of requests never waits', async () => {
    const steady = createAnswerMemory({ stamps: sharedLook(async () => now, 40) })
    ;(await steady.before(['drafts']))('/a', answer(10))
    expect(await steady.find('/a')).toBeDefined()
    const end = performance.now() + 120
    let waited = 0
    while (performance.now() < end) {
      if (steady.find('/a') instanceof Promise) waited += 1
      await turn()
    }
    // A turn of the loop may take longer than the trust.
    expect(waited).toBeLessThan(10)
  })

  test('not when something changed while they were made', async () => {
    const keep = await memory.before(['feed'])
    now = { ...now, feed: 'f2' }
    keep('/a', answer(10))
    expect(await memory.find('/a')).toBeUndefined()
  })

  test('not by who cannot look', async () => {
    const kept = answer(10)
    ;(await memory.before(['feed']))('/a', kept)
    broken = true
    expect(await memory.find('/a')).toBeUndefined()
    ;(await memory.before(['feed']))('/b', answer(10))
    broken = false
    expect(await memory.find('/b')).toBeUndefined()
    expect(await memory.find('/a')).toBe(kept)
  })

  test('without a look when they depend on nothing', async () => {
    const kept = answer(10)
    ;(await memory.before([]))('/a', kept)
    expect(await memory.find('/a')).toBe(kept)
    expect(looks).toBe(0)
  })

  test('by their bytes: the longest unused go first, and the largest are not kept at all', async () => {
    const keep = await memory.before(['feed'])
    for (let i = 0; i < 10; i++) keep(`/${i}`, answer(9_000))
    expect(memory.find('/0')).toBeUndefined()
    expect(await memory.find('/2')).toBeDefined()
    for (const line of ['/10', '/11']) keep(line, answer(9_000))
    expect(await memory.find('/2')).toBeDefined()
    expect(memory.find('/3')).toBeUndefined()
    keep('/large', answer(20_000))
    expect(memory.find('/large')).toBeUndefined()
    keep(`/${'a'.repeat(1000)}`, answer(1))
    expect(memory.find(`/${'a'.repeat(1000)}`)).toBeUndefined()
  })

  test('once a line', async () => {
    const keep = await memory.before(['feed'])
    for (let i = 0; i < 50; i++) keep('/same', answer(9_000))
    keep('/other', answer(9_000))
    expect(await memory.find('/same')).toBeDefined()
    expect(await memory.find('/other')).toBeDefined()
  })
})

test('looks are shared, but none that began before the question', async () => {
  const running: ((value: number) => void)[] = []
  const look = grouped(() => new Promise<number>((resolve) => running.push(resolve)))
  const begun = (count: number) => expect.poll(() => running.length).toBe(count)
  const first = [look(), look()]
  await begun(1)
  const later = [look(), look(), look()]
  running[0]?.(1)
  expect(await Promise.all(first)).toEqual([1, 1])
  await begun(2)
  const last = look()
  running[1]?.(2)
  expect(await Promise.all(later)).toEqual([2, 2, 2])
  await begun(3)
  running[2]?.(3)
  expect(await last).toBe(3)
})

test('a look that fails fails for who shares it, and the next is another', async () => {
  let runs = 0
  const look = grouped(async () => {
    runs += 1
    if (runs < 2) throw new Error(`run ${runs}`)
    return runs
  })
  const outcomes = await Promise.allSettled([look(), look(), look()])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(runs).toBe(1)
  expect(await look()).toBe(2)
})
