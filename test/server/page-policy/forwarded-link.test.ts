import { expect, test } from 'vitest'
import { withoutMarks } from '#lib/server/page-policy/forwarded-link.ts'

test.each([
  ['/connectors/weave.', '/connectors/weave'],
  ['/run/weave?count=16)', '/run/weave?count=16'],
  ['/run/weave?count=16%22%3E', '/run/weave?count=16'],
  ['/worlds/harp%E2%80%8B', '/worlds/harp'],
  ['/worlds/harp%E2%80%9D.', '/worlds/harp'],
  ['/studio%23draft%3Dabc', '/studio#draft=abc'],
  ['/studio%23draft=abc', '/studio#draft=abc'],
])('%s was %s', (url, before) => {
  expect(withoutMarks(url)).toBe(before)
})

test.each(['/', '/connectors/weave', '/run/weave?count=16', '/.', '//weft.example.', '//weft.example%23a'])(
  'nothing was done to %s',
  (url) => {
    expect(withoutMarks(url)).toBeUndefined()
  },
)
