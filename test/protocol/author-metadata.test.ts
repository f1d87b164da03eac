import { spawnSync } from 'node:child_process'
import { bytesToHex, type Hex, stringToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type AuthorWords, encodeWords, parseWords } from '#lib/client/index.ts'
import { HIT_RULES, INSTRUMENTS, PITCH_MAPPINGS, SCALES } from '#lib/engine/sound/settings.ts'
import {
  encodeAuthorMetadata,
  MAX_METADATA_BYTES,
  parseAuthorMetadata,
} from '#lib/protocol/author-metadata.ts'
import { type NumberPlace, readNumberPlace, writeNumberPlace } from '#lib/protocol/presentation.ts'
import vectors from '#test/fixtures/author-words.json' with { type: 'json' }

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

describe('title and presentation', () => {
  test.each(vectors.valid)('are read and written as they are: $about', ({ text }) => {
    const words = parseAuthorMetadata(stringToHex(text))
    expect(words && encodeAuthorMetadata(words)).toBe(stringToHex(text))
    const packaged = parseWords(stringToHex(text))
    expect(packaged).toEqual(JSON.parse(text))
    expect(packaged && encodeWords(packaged)).toBe(stringToHex(text))
  })

  test.each(vectors.written)('have one form: $about', ({ words, text }) => {
    expect(encodeWords(words as AuthorWords)).toBe(stringToHex(text))
  })

  test.each(vectors.invalid)('in another form are no words: $about', ({ text }) => {
    expect(parseWords(stringToHex(text))).toBeUndefined()
  })

  test.skipIf(spawnSync('python3', ['--version']).status !== 0)('are the same to Python', () => {
    const program = `import json
from weft_words import encode, parse
vectors = json.load(open("test/fixtures/author-words.json"))
for case in vectors["valid"]:
    words = parse(case["text"].encode())
    if words is None or encode(words) != case["text"].encode():
        print("refused", case["about"])
for case in vectors["written"]:
    if encode(case["words"]) != case["text"].encode():
        print("written otherwise", case["about"])
for case in vectors["invalid"]:
    if parse(case["text"].encode()) is not None:
        print("accepted", case["about"])
`
    const env = { ...process.env, PYTHONPATH: 'examples/python', PYTHONDONTWRITEBYTECODE: '1' }
    const { stdout, stderr } = spawnSync('python3', ['-c', program], { env, encoding: 'utf8' })
    expect([stdout, stderr]).toEqual(['', ''])
  })

  test('refuse with the field that breaks a rule', () => {
    const present = { particles: 64, tempo: 368, loop: true }
    expect(() => encodeAuthorMetadata({ title: 'a\nb' })).toThrow('title')
    expect(() => encodeAuthorMetadata({ present: { ...present, tempo: 92.5 } })).toThrow('present.tempo')
    const paths = [
      { path: '0', octave: 3 },
      { path: '1', octave: 9 },
    ]
    expect(() => encodeAuthorMetadata({ present: { ...present, sound: { paths } } })).toThrow(
      'present.sound.paths[1].octave',
    )
  })

  test('take every name that the sound has', () => {
    for (const path of [
      ...INSTRUMENTS.map((instrument) => ({ path: '0', instrument })),
      ...PITCH_MAPPINGS.map((mapping) => ({ path: '0', mapping })),
      ...HIT_RULES.map((hits) => ({ path: '0', hits })),
      ...SCALES.map((scale) => ({ path: '0', scale })),
    ]) {
      const present = { particles: 64, tempo: 368, loop: true, sound: { paths: [path] } }
      expect(() => encodeAuthorMetadata({ present })).not.toThrow()
    }
  })

  test('name numbers by places', () => {
    for (const place of [
      { kind: 'call', dimension: 0, call: 1, index: 2 },
      { kind: 'condition', index: 65_535 },
      { kind: 'start', position: 0 },
      { connector: 'toString', kind: 'shift', position: 4_294_967_295 },
    ] satisfies NumberPlace[]) {
      expect(readNumberPlace(writeNumberPlace(place))).toEqual(place)
    }
  })
})
