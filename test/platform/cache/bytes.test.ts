import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import type { Measured } from './measure-bytes.ts'

const output = execFileSync(
  process.execPath,
  ['--expose-gc', '--no-warnings', 'test/platform/cache/measure-bytes.ts'],
  {
    encoding: 'utf8',
  },
)
const measured = Object.entries(JSON.parse(output) as Record<string, Measured>)

test.each(measured)(
  'what is said of %s is at least what they take, and not several times as much',
  (_what, found) => {
    const share = found.claimed / found.held
    expect(share).toBeGreaterThan(0.85)
    expect(share).toBeLessThan(3)
  },
)
