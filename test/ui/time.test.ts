import { expect, test } from 'vitest'
import { duration, timeAgo } from '#lib/ui/components/time.ts'

const NOW = Date.UTC(2026, 10, 21, 14, 48, 3)
const SECOND = 1000
const HOUR = 3_600_000

test.each([
  [-60 * SECOND, 'just now'],
  [0, 'just now'],
  [44 * SECOND, 'just now'],
  [46 * SECOND, '1 min ago'],
  [59.4 * 60 * SECOND, '59 min ago'],
  [3 * HOUR, '3 h ago'],
  [24 * HOUR, 'yesterday'],
  [90 * 24 * HOUR, '90 days ago'],
])('%i ms ago reads %s', (past, words) => {
  expect(timeAgo(NOW - past, NOW)).toBe(words)
})

test.each([
  [-5, '0 s'],
  [42 * SECOND, '42 s'],
  [3 * 60 * SECOND, '3 min'],
  [5 * HOUR, '5 h'],
  [72 * HOUR, '3 days'],
])('%i ms last %s', (ms, words) => {
  expect(duration(ms)).toBe(words)
})
