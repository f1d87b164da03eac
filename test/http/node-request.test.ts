import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitTarget } from '../../lib/server/http/node-request.ts'

test('splits a request target as URL does', () => {
  const sign = fc.constantFrom(...'/..?&=%2eE\\#"<>`{}|^\'~!$()*+,;:@aZ09_- \téđ\u0000[]')
  fc.assert(
    fc.property(fc.string({ unit: sign, maxLength: 24 }), (rest) => {
      const { pathname, search } = new URL(`http://localhost/chain/${rest}`)
      expect(splitTarget(`/chain/${rest}`)).toEqual({ pathname, search })
    }),
    { seed: 7, numRuns: 3000 },
  )
})
