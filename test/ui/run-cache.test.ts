import { expect, test } from 'vitest'
import type { Run } from '#lib/views/run.ts'
import { createRunCache } from '#lib/views/run-connector.ts'

const particles: Run = { state: 'particles', streams: [], paths: 0 }
const unavailable: Run = { state: 'unavailable', message: 'busy' }

function counting(run: () => Run | Promise<Run>) {
  let made = 0
  return {
    make: async () => {
      made++
      return run()
    },
    made: () => made,
  }
}

test('a run is made once, for callers at the same time too', async () => {
  const cache = createRunCache()
  const source = counting(() => particles)
  await Promise.all([cache.get('a', source.make), cache.get('a', source.make)])
  expect(await cache.get('a', source.make)).toBe(particles)
  expect(source.made()).toBe(1)
})

test('a failed lookup is retried', async () => {
  const cache = createRunCache()
  const busy = counting(() => unavailable)
  await cache.get('a', busy.make)
  await cache.get('a', busy.make)
  expect(busy.made()).toBe(2)

  const broken = counting(() => Promise.reject(new Error('broken')))
  await expect(cache.get('b', broken.make)).rejects.toThrow('broken')
  await expect(cache.get('b', broken.make)).rejects.toThrow('broken')
  expect(broken.made()).toBe(2)
})

test('a run of code that reads the block is not cached', async () => {
  const cache = createRunCache()
  const source = counting(() => particles)
  const get = () => cache.get('a', source.make, async () => false)
  await Promise.all([get(), get()])
  expect(source.made()).toBe(1)
  await get()
  expect(source.made()).toBe(2)
})

test('stores a bounded number, the most recently used', async () => {
  const cache = createRunCache()
  const source = counting(() => particles)
  await cache.get('first', source.make)
  for (let i = 0; i < 127; i++) await cache.get(`more ${i}`, source.make)
  await cache.get('first', source.make)
  await cache.get('one too many', source.make)
  expect(source.made()).toBe(129)
  await cache.get('first', source.make)
  expect(source.made()).toBe(129)
  await cache.get('more 0', source.make)
  expect(source.made()).toBe(130)
})
