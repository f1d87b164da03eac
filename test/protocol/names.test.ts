import { describe, expect, test } from 'vitest'
import { bareAddress, checksumAddress, parseAddress } from '#lib/protocol/address.ts'
import { bareHash, parseHash } from '#lib/protocol/hash.ts'
import { isEntityName, newNameProblem } from '#lib/protocol/names.ts'

describe('entity names', () => {
  test.each([
    'a',
    '_',
    '_a',
    'Pitch',
    'pitch',
    'add',
    'PITCH_2',
    'uint7',
    'uint0',
    'uint264',
    'uint08',
    'bytes0',
    'bytes33',
    'bytes01',
    'fixed8x81',
    'Uint256',
    'Contract',
    'toString',
    '__proto__',
    'hasOwnProperty',
    'prototype',
    'global',
    'transient',
    'layout',
    'at',
    'x',
    'args',
    'a'.repeat(128),
  ])('%s is legal', (name) => {
    expect(newNameProblem(name)).toBeUndefined()
    expect(isEntityName(name)).toBe(true)
  })

  test.each(['', ' ', 'bad-name', '1a', 'a b', ' a', 'a\n', 'a$', 'é', 'а', 'a'.repeat(129)])(
    '%j breaks the pattern',
    (name) => {
      expect(isEntityName(name)).toBe(false)
      expect(newNameProblem(name)).toBeDefined()
    },
  )

  test.each(
    [
      'contract function view pure assembly unchecked error revert require assert constructor fallback receive from',
      'after of byte let match static sealed typedef null default case switch final hex unicode is in try catch',
      'uint int bool address bytes string fixed ufixed mapping struct enum event modifier using virtual override',
      'uint8 uint256 int8 int256 int16 bytes1 bytes32 fixed128x18 ufixed8x0 fixed256x80',
      'msg tx block this super now abi true false wei gwei ether seconds years new delete return returns',
    ].flatMap((words) => words.split(' ')),
  )('%s is reserved for new entities, and a name of the registry', (name) => {
    expect(isEntityName(name)).toBe(true)
    expect(newNameProblem(name)).toBe(`Name "${name}" is a reserved word of Solidity`)
  })
})

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
