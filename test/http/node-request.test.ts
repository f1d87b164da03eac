import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineOf } from '../../lib/http/node-request.ts'

test('a request line is cut as the web does it', () => {
  const sign = fc.constantFrom(...'/..?&=%2eE\\#"<>`{}|^\'~!$()*+,;:@aZ09_- \téđ\u0000[]')
  fc.assert(
    fc.property(fc.string({ unit: sign, maxLength: 24 }), (rest) => {
      const { pathname, search } = new URL(`http://localhost/chain/${rest}`)
      expect(lineOf(`/chain/${rest}`)).toEqual({ pathname, search })
    }),
    { seed: 7, numRuns: 3000 },
  )
})
