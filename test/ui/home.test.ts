import { describe, expect, test } from 'vitest'
import type { OverviewConnector } from '../../lib/entities/network-overview.ts'
import { featuredConnector } from '../../lib/views/home.ts'
import { particlesCount } from '../../lib/views/run.ts'

function connector(name: string, paths: number | undefined, conditionName = ''): OverviewConnector {
  const shape = paths === undefined ? undefined : { paths, dimensions: 1, conditionName, conditionArgs: [] }
  return { name, owner: '0x00', contentHash: '0x00', formatHash: undefined, shape }
}

describe('featuredConnector', () => {
  test('takes the newest of the most paths that make one picture', () => {
    const list = [connector('one', 1), connector('new', 3), connector('old', 3), connector('vast', 4096)]
    expect(featuredConnector(list)?.name).toBe('new')
  })

  test('passes over what a condition may hold back, and what is not verified', () => {
    const list = [connector('held', 5, 'never'), connector('unverified', undefined), connector('free', 1)]
    expect(featuredConnector(list)?.name).toBe('free')
  })

  test('falls back to the newest, and to nothing in an empty network', () => {
    expect(featuredConnector([connector('held', 2, 'never')])?.name).toBe('held')
    expect(featuredConnector([])).toBeUndefined()
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
