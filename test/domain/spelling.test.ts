import { describe, expect, test } from 'vitest'
import { bareAddress, checksumAddress, parseAddress } from '../../lib/protocol/address.ts'
import { bareHash, parseHash } from '../../lib/protocol/hash.ts'

const ADDRESS = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
const HASH = `0x${'ab'.repeat(32)}` as const

describe('addresses', () => {
  test.each([
    ADDRESS,
    ADDRESS.slice(2),
    ADDRESS.toUpperCase(),
    ADDRESS.slice(2).toUpperCase(),
    '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
    '0xD8da6bf26964af9d7eed9e03e53415d37aa96045',
  ])('%s is read', (text) => {
    expect(parseAddress(text)).toBe(ADDRESS)
  })

  test.each(['', '0x', `${ADDRESS}0`, ADDRESS.slice(0, -1), `${ADDRESS}\n`, ` ${ADDRESS}`, 'vitalik.eth'])(
    '%j is refused',
    (text) => {
      expect(parseAddress(text)).toBeUndefined()
    },
  )

  test('are spelled bare and with a checksum', () => {
    expect(bareAddress(ADDRESS)).toBe('d8da6bf26964af9d7eed9e03e53415d37aa96045')
    expect(checksumAddress(ADDRESS)).toBe('0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045')
  })
})

describe('hashes', () => {
  test.each([HASH, HASH.slice(2), HASH.toUpperCase(), `0x${'AB'.repeat(32)}`])('%s is read', (text) => {
    expect(parseHash(text)).toBe(HASH)
  })

  test.each(['', '0x', 'xyz', HASH.slice(0, -1), `${HASH}0`, `${HASH}\n`, 'g'.repeat(64)])(
    '%j is refused',
    (text) => {
      expect(parseHash(text)).toBeUndefined()
    },
  )

  test('are spelled bare', () => {
    expect(bareHash(HASH)).toBe('ab'.repeat(32))
  })
})
