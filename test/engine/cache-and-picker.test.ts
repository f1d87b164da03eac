import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contiguous, indicesOf, Picker } from '#lib/engine/sequence/indices.ts'
import { chunkOf, chunks } from '#lib/engine/sequence/runner-calls.ts'
import { ByteLru } from '#lib/platform/cache/byte-lru.ts'

describe('a cache bounded by bytes', () => {
  test('drops what was used longest ago, and nothing that fits', () => {
    const cache = new ByteLru<string, number>(100)
    cache.set('a', 1, 40)
    cache.set('b', 2, 40)
    cache.get('a')
    cache.set('c', 3, 40)
    expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.bytes]).toEqual([1, undefined, 3, 80])
  })

  test('counts a replaced value once, and stores nothing larger than itself', () => {
    const cache = new ByteLru<string, number>(100)
    cache.set('a', 1, 90)
    cache.set('a', 2, 10)
    expect([cache.get('a'), cache.bytes]).toEqual([2, 10])
    cache.set('huge', 3, 101)
    expect([cache.get('huge'), cache.get('a'), cache.bytes]).toEqual([undefined, 2, 10])
    cache.delete('a')
    expect(cache.bytes).toBe(0)
  })
})

const wanted = fc.oneof(
  fc.array(fc.nat(300), { minLength: 1, maxLength: 40 }).map((list) => indicesOf(Uint32Array.from(list))),
  fc.tuple(fc.nat(200), fc.integer({ min: 1, max: 90 })).map(([first, count]) => contiguous(first, count)),
)

test('a picker finds what is wanted, however the sequence is cut', () => {
  fc.assert(
    fc.property(wanted, fc.integer({ min: 1, max: 70 }), (indices, chunk) => {
      const out = new Uint32Array(indices.count)
      const picker = new Picker(indices, out)
      const valueAt = (index: number) => (index * 2_654_435_761) >>> 0
      for (let at = 0; at <= indices.max; at += chunk) {
        picker.take(
          at,
          Uint32Array.from({ length: chunk }, (_, i) => valueAt(at + i)),
        )
      }
      picker.finish()
      const list = indices.list ?? Uint32Array.from(out, (_, i) => indices.first + i)
      expect([...out]).toEqual([...list].map(valueAt))
    }),
    { seed: 5 },
  )
})

test('chunks cover every step once, and each step is found in its own', () => {
  const shapes = [
    undefined,
    contiguous(0, 5000),
    contiguous(1, 3),
    contiguous(2500, 2600),
    indicesOf(Uint32Array.of(9, 7000)),
  ]
  for (const indices of shapes) {
    const steps = indices?.max ?? 4097
    const all = [...chunks(steps, indices)]
    expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(steps)
    for (const chunk of all) {
      expect(chunkOf(chunk.offset + 1, steps, indices)).toEqual(chunk)
      expect(chunkOf(chunk.offset + chunk.count, steps, indices)).toEqual(chunk)
    }
  }
  expect([...chunks(5099, contiguous(2500, 2600))].map(({ count }) => count)).toEqual([2048, 451, 2048, 552])
})
