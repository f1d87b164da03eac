import { expect, test } from 'vitest'
import { withoutTrailingSlash } from '../../lib/server/page-policy/trailing-slash.ts'

test.each([
  ['/docs/', '/docs'],
  ['/docs/concepts//', '/docs/concepts'],
  ['/d/', '/d'],
  ['/', undefined],
  ['//', undefined],
  ['/docs', undefined],
  // A browser would read these as another host.
  ['//evil.example/', undefined],
  ['/\\evil.example/', undefined],
  ['///evil.example/', undefined],
  ['/a//evil.example/', undefined],
])('%s leads to %s', (path, bare) => {
  expect(withoutTrailingSlash(path)).toBe(bare)
})
