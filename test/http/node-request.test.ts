import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compressed } from '../../lib/http/compress.ts'
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

const text = Buffer.from('weft '.repeat(1000))
const answer = (headers: Record<string, string>, status = 200) => ({
  status,
  headers: new Map(Object.entries({ 'content-type': 'text/css', 'cache-control': 'public', ...headers })),
  body: text,
})

test('what clients keep is compressed for those that take it', async () => {
  const { headers, body } = await compressed(answer({ vary: 'Origin' }), 'br, gzip;q=0.5')
  expect(gunzipSync(body as Uint8Array)).toEqual(text)
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-encoding': 'gzip',
    'content-length': String((body as Uint8Array).byteLength),
    vary: 'Origin, Accept-Encoding',
  })
  for (const accepted of [undefined, 'br', 'gzip;q=0', 'gzip; q=0.0, br', 'xgzip']) {
    const plain = await compressed(answer({}), accepted)
    expect(plain.body, accepted).toBe(text)
    expect(plain.headers.get('vary')).toBe('Accept-Encoding')
  }
})

test.each([
  ['answers of the moment', { 'cache-control': 'no-store' }, 200],
  ['parts', {}, 206],
  ['pictures', { 'content-type': 'image/webp' }, 200],
])('%s are not', async (_, headers, status) => {
  expect((await compressed(answer(headers, status), 'gzip')).body).toBe(text)
})
