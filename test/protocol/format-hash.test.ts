import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Leaf } from '#lib/protocol/artifact.ts'
import { formatHash, scalarLabels } from '#lib/protocol/format-hash.ts'

/** `A:0 B:1` -> leaves. */
function leaves(text: string): Leaf[] {
  return text.split(' ').map((label) => {
    const [connector, dimension] = label.split(':')
    return { connector: connector!, dimension: Number(dimension) }
  })
}

const leaf = fc.record({
  connector: fc.stringMatching(/^[A-Za-z_]\w{0,6}$/),
  dimension: fc.nat({ max: 2 ** 32 - 1 }),
})

describe('format hash', () => {
  test.each([
    ['pitch:0', '4e5aa46feeb2db48b7df17d424f29bfdee2ccbfdf2433a99da6be58d3c9e3101'],
    ['PITCH:0', '17536f9a81dd5839ca6f3173a51c6e1ec3a8f3a8d78e9f78ae2403ce68ffff57'],
    ['TIME:0', 'cdb94e65e7f3d74163ba2fd228d5d21a94e6c58ed981f86f1593e957719b9d3b'],
    ['TIME:0 PITCH:0', 'e50cbe0069d12f7a2e296145cdf24038588fb937b11097e7c3b7ed25da9b9c92'],
    ['PITCH:0 PITCH:1', 'c6777bd3774f19b3a3f463d0b2a81d2b01111e1366ff33e0cc42b753fb3d3d36'],
    ['PITCH:0 BASE2:1', '4b47c447d6e3424a880db3be8e4edbfc1adfa46287288a366febb6153593c7a1'],
    ['BASE2:0 BASE2:1', '563406c1d56267499bd8a71e8925184e9ed8407ec9ffa0b88f78dac26a94827d'],
    ['BASE2:0 PITCH:0', '399321af0239d571a8a95647450f188e0b4a836df1f455727bd52c4a0700b98a'],
  ])('of %s', (labels, expected) => {
    expect(formatHash(leaves(labels))).toBe(`0x${expected}`)
  })

  test('ignores order and repetition', () => {
    fc.assert(
      fc.property(
        fc.array(leaf, { minLength: 1, maxLength: 12 }).chain((set) =>
          fc.record({
            set: fc.constant(set),
            extra: fc.array(fc.constantFrom(...set), { maxLength: 6 }),
            seed: fc.array(fc.nat(), { minLength: 20, maxLength: 20 }),
          }),
        ),
        ({ set, extra, seed }) => {
          const shuffled = [...set, ...extra]
            .map((value, index) => ({ value, key: seed[index % seed.length]! }))
            .sort((a, b) => a.key - b.key)
            .map(({ value }) => value)
          expect(formatHash(shuffled)).toBe(formatHash(set))
          expect(scalarLabels(shuffled)).toEqual(scalarLabels(set))
        },
      ),
    )
  })

  test('differs when the set differs', () => {
    fc.assert(
      fc.property(fc.array(leaf, { minLength: 1, maxLength: 8 }), leaf, (set, other) => {
        fc.pre(!scalarLabels(set).includes(`${other.connector}:${other.dimension}`))
        expect(formatHash([...set, other])).not.toBe(formatHash(set))
      }),
    )
  })
})

describe('scalar labels', () => {
  test('are distinct and ascend by code unit', () => {
    expect(scalarLabels(leaves('a:0 A:2 A:10 _b:0 A:1 A1:0 A:0 A:2'))).toEqual([
      'A1:0',
      'A:0',
      'A:1',
      'A:10',
      'A:2',
      '_b:0',
      'a:0',
    ])
  })
})
