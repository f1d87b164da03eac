import { describe, expect, test } from 'vitest'
import type { OverviewConnector } from '#lib/core/entities/first-connectors.ts'
import { heroConnector } from '#lib/views/home.ts'
import { particlesCount } from '#lib/views/run.ts'

function connector(
  name: string,
  paths: number | undefined,
  { condition = '', because = 'new' }: { condition?: string; because?: OverviewConnector['because'] } = {},
): OverviewConnector {
  const shape = paths === undefined ? undefined : { paths, conditionName: condition }
  return { name, owner: '0x00', contentHash: '0x00', because, shape }
}

describe('heroConnector', () => {
  const earliest = [
    connector('one', 1),
    connector('three', 3),
    connector('other', 3),
    connector('vast', 4096),
  ]

  test('takes the first that was chosen or that several accounts use', () => {
    const first = [
      connector('vast', 9, { because: 'featured' }),
      connector('held', 2, { because: 'featured', condition: 'never' }),
      connector('used', 1, { because: 'trending' }),
      connector('new', 3),
    ]
    expect(heroConnector(first, earliest)?.name).toBe('used')
  })

  test('takes none that is only new: of the earliest, the one with the most paths that make one picture', () => {
    expect(heroConnector([connector('new', 5)], earliest)?.name).toBe('three')
  })

  test('passes over what a condition may hold back, and what is not verified', () => {
    const list = [connector('held', 5, { condition: 'never' }), connector('unverified', undefined)]
    expect(heroConnector([], [...list, connector('free', 1)])?.name).toBe('free')
  })

  test('falls back to the earliest, and to nothing in an empty network', () => {
    expect(heroConnector([], [connector('held', 2, { condition: 'never' })])?.name).toBe('held')
    expect(heroConnector([], [])).toBeUndefined()
  })
})

test.each([
  [undefined, 64],
  ['', 64],
  ['many', 64],
  ['0', 1],
  ['-5', 1],
  ['8', 8],
  ['65536', 65_536],
  ['9999999999', 65_536],
])('a typed count of %j means %i particles', (typed, count) => {
  expect(particlesCount(typed)).toBe(count)
})
