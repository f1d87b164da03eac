import { bytesToHex, type Hex, stringToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  encodeAuthorMetadata,
  MAX_METADATA_BYTES,
  parseAuthorMetadata,
} from '../../lib/protocol/author-metadata.ts'

describe('metadata of a publication', () => {
  test('is canonical JSON, and reads back', () => {
    const words = { source: 'return x;', description: 'Blanks, “quotes”\n and 漢字 😀', licence: 'CC0-1.0' }
    const encoded = encodeAuthorMetadata(words)
    expect(encoded).toBe(
      stringToHex(
        '{"description":"Blanks, “quotes”\\n and 漢字 😀","licence":"CC0-1.0","source":"return x;"}',
      ),
    )
    expect(parseAuthorMetadata(encoded)).toEqual(words)
    expect(parseAuthorMetadata(encoded.toUpperCase().replace('0X', '0x') as Hex)).toEqual(words)
  })

  test('omits undefined fields', () => {
    expect(encodeAuthorMetadata({})).toBe('0x')
    expect(encodeAuthorMetadata({ description: '', source: '' })).toBe('0x')
    expect(encodeAuthorMetadata({ licence: 'MIT', source: '' })).toBe(stringToHex('{"licence":"MIT"}'))
    expect(parseAuthorMetadata('0x')).toBeUndefined()
  })

  test('has at most 8192 bytes and is Unicode', () => {
    const frame = '{"source":""}'.length
    const most = { source: 'a'.repeat(MAX_METADATA_BYTES - frame) }
    expect(parseAuthorMetadata(encodeAuthorMetadata(most))).toEqual(most)
    expect(() => encodeAuthorMetadata({ source: `${most.source}a` })).toThrow('8193 bytes')
    expect(() => encodeAuthorMetadata({ source: 'é'.repeat(MAX_METADATA_BYTES / 2) })).toThrow()
    expect(() => encodeAuthorMetadata({ description: '\ud800' })).toThrow('Unicode')
  })

  test.each([
    'words',
    '"words"',
    'null',
    '[]',
    '{}',
    '{"description":"a"} ',
    '{ "description":"a"}',
    '{"description":""}',
    '{"description":7}',
    '{"description":null}',
    '{"licence":"MIT","description":"a"}',
    '{"description":"a","description":"a"}',
    '{"description":"a","author":"b"}',
    '{"description":"\\u0061"}',
    '{"description":"\\ud800"}',
    '{"__proto__":{"description":"a"}}',
    '{"toString":"a"}',
    '\ufeff{"description":"a"}',
    `{"source":"${'a'.repeat(MAX_METADATA_BYTES)}"}`,
    '['.repeat(8000),
  ])('that is not canonical is no words: %.40s', (text) => {
    expect(parseAuthorMetadata(stringToHex(text))).toBeUndefined()
  })

  test('that is not UTF-8 is no words', () => {
    const bytes = new TextEncoder().encode('{"description":"a"}')
    bytes[16] = 0xff
    expect(parseAuthorMetadata(bytesToHex(bytes))).toBeUndefined()
  })
})
