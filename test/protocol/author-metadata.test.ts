import { bytesToHex, type Hex, stringToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  encodeAuthorMetadata,
  MAX_METADATA_BYTES,
  parseAuthorMetadata,
} from '#lib/protocol/author-metadata.ts'

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

  test('names what it was made from', () => {
    const origin = { contentHash: `0x${'ab'.repeat(32)}`, kind: 'connector', name: 'weave' } as const
    const encoded = encodeAuthorMetadata({ licence: 'MIT', madeFrom: [origin], source: 'return x;' })
    expect(encoded).toBe(
      stringToHex(
        `{"licence":"MIT","made_from":[{"content_hash":"0x${'ab'.repeat(32)}","kind":"connector","name":"weave"}],"source":"return x;"}`,
      ),
    )
    expect(parseAuthorMetadata(encoded)).toEqual({ licence: 'MIT', madeFrom: [origin], source: 'return x;' })
    expect(encodeAuthorMetadata({ madeFrom: [] })).toBe('0x')
    for (const madeFrom of [
      [origin, { ...origin, contentHash: `0x${'cd'.repeat(32)}` } as const],
      Array.from({ length: 9 }, (_, i) => ({ ...origin, name: `weave${i}` })),
      [{ ...origin, name: 'two words' }],
      [{ ...origin, contentHash: '0xAB' } as const],
    ]) {
      expect(() => encodeAuthorMetadata({ madeFrom })).toThrow()
    }
  })

  test.each([
    { description: 'a\u202eb' },
    { description: 'a\u0007b' },
    { description: 'a\u2028b' },
    { description: 'a'.repeat(2001) },
    { licence: 'Do what you like, <b>really</b>' },
    { licence: 'M'.repeat(65) },
    { licence: 'MIT\nMIT' },
    { source: 'return x; // \u2066' },
    { source: 'return x; // \u200b' },
  ])('that hides or reorders text is refused, and read as no words: %j', (words) => {
    expect(() => encodeAuthorMetadata(words)).toThrow()
    expect(parseAuthorMetadata(stringToHex(JSON.stringify(words)))).toBeUndefined()
  })

  test('keeps other scripts, emoji and line breaks', () => {
    const words = { description: 'می\u200cخواهم\n👩\u200d🎤', source: '// 漢字\r\n\treturn x;' }
    expect(parseAuthorMetadata(encodeAuthorMetadata(words))).toEqual(words)
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
    '{"made_from":[]}',
    '{"made_from":"weave"}',
    '{"made_from":[null]}',
    '{"made_from":[{"kind":"connector","name":"weave"}]}',
    `{"made_from":[{"kind":"connector","name":"weave","content_hash":"0x${'ab'.repeat(32)}"}]}`,
    `{"made_from":[{"content_hash":"0x${'ab'.repeat(32)}","kind":"world","name":"weave"}]}`,
    `{"made_from":[{"content_hash":"0x${'ab'.repeat(32)}","kind":"connector","name":"weave","x":1}]}`,
    `{"made_from":[${'['.repeat(8000)}`,
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
