import { expect, test } from 'vitest'
import { isNameOf } from '#lib/ui/components/title.tsx'

test.each([
  ['broken_twill', 'Broken twill', true],
  ['harmonograph', 'Harmonograph', true],
  ['rule_30', 'Rule 30!', true],
  ['rule_thirty', 'Rule 30 on the drums', false],
  ['etude', 'Étude', false],
  ['a', '', false],
])('a page shows the name %s beside the title %j unless it repeats it', (name, title, repeats) => {
  expect(isNameOf(name, title)).toBe(repeats)
})
