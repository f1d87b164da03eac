import { crc32, deflateRawSync } from 'node:zlib'
import { bundleParts, makeBundle, manifest, PNG } from './bundle.ts'
import { extraField, makeZip, type Zip, type ZipPart } from './zip.ts'

export interface HostileZip {
  readonly what: string
  /** Made when it is needed: some are large. */
  readonly make: () => Zip
  /** What its author is told. */
  readonly says: RegExp
}

const MIB = 1024 * 1024
const PAGE = '<!doctype html><title>x</title>'

const encode = (text: string) => new TextEncoder().encode(text)
const uint16 = (value: number) => Uint8Array.of(value & 0xff, value >>> 8)

/** A good bundle with entries added. */
const plus = (...parts: ZipPart[]) => makeBundle({}, parts)

/** A good bundle with one file under a hostile name. */
const named =
  (name: string | Uint8Array): (() => Zip) =>
  () =>
    plus({ name, content: PAGE })

/** A good bundle but for its manifest's bytes. */
const withManifest = (content: string | Uint8Array) => plus({ name: 'world-manifest.json', content })

const traversals: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
  ['../ in front', '../evil.js', /lead anywhere else/],
  ['../ in the middle', 'a/../../evil.js', /lead anywhere else/],
  ['.. as the whole name', '..', /lead anywhere else/],
  ['./ in front', './evil.js', /lead anywhere else/],
  ['an absolute path', '/etc/evil.js', /relative/],
  ['a UNC path', '\\\\host\\share\\evil.js', /relative/],
  ['backslashes', '..\\..\\evil.js', /\\ is not accepted/],
  ['a backslash between', 'a\\evil.js', /\\ is not accepted/],
  ['a drive letter', 'C:/evil.js', /: is not accepted/],
  ['a drive-relative path', 'C:evil.js', /: is not accepted/],
  ['an alternate stream', 'index.html:evil.js', /: is not accepted/],
  ['percent-encoded dots', '%2e%2e/evil.js', /% is not accepted/],
  ['a percent-encoded slash', '..%2fevil.js', /% is not accepted/],
  ['double encoding', '%252e%252e%252fevil.js', /% is not accepted/],
  ['fullwidth dots', '．．/evil.js', /lead anywhere else/],
  ['a two-dot leader', '‥/evil.js', /lead anywhere else/],
  ['a fullwidth slash', '..／evil.js', /lead anywhere else/],
  ['overlong UTF-8 dots', Uint8Array.of(0xc0, 0xae, 0xc0, 0xae, 0x2f, 0x61, 0x2e, 0x6a, 0x73), /not UTF-8/],
  ['an empty segment', 'a//evil.js', /empty parts/],
  ['a NUL that cuts the name', 'evil.js\0.png', /control/],
  ['a line break', 'evil\n.js', /control/],
  ['right-to-left override', 'evil\u202ejs.png', /invisible/],
  ['a trailing dot', 'evil.js.', /dot or a space/],
  ['a trailing space', 'evil.js ', /dot or a space/],
  ['a device name', 'con.js', /reserved/],
  ['no name', '', /has no name/],
  ['a name of 256 bytes', `${'n'.repeat(253)}.js`, /at most 255/],
  ['a path of 513 bytes', `${'abcdefg/'.repeat(31)}${'m'.repeat(240)}/${'n'.repeat(21)}.js`, /at most 512/],
  ['a path of 60 parts', `${'a/'.repeat(60)}x.js`, /at most 32 parts/],
  ['names that are not UTF-8', Uint8Array.of(0xff, 0xfe, 0x2e, 0x6a, 0x73), /not UTF-8/],
]

const types: readonly (readonly [string, number])[] = [
  ['a symbolic link', 0o120777],
  ['a block device', 0o060644],
  ['a character device', 0o020644],
  ['a FIFO', 0o010644],
  ['a socket', 0o140644],
]

const clashes: readonly (readonly [string, readonly string[]])[] = [
  ['the same name twice', ['a.js', 'a.js']],
  ['names that differ in letter case', ['a.js', 'A.js']],
  ['names that differ in composition', ['\u00e9.js', 'e\u0301.js']],
  ['names that differ in width', ['a.js', '\uff41.js']],
  ['names that fold together', ['stra\u00dfe.js', 'STRASSE.js']],
  ['a file where a folder is', ['a.js', 'a.js/b.js']],
  ['a second manifest in other case', ['World-Manifest.json']],
]

const zeros = (bytes: number) => deflateRawSync(new Uint8Array(bytes), { level: 9 })

/** Deflated once; the bombs share them. */
let bombs: { readonly small: Uint8Array; readonly tenth: Uint8Array } | undefined
const bomb = () => {
  bombs ??= { small: zeros(32 * MIB), tenth: zeros(10 * MIB) }
  return bombs
}

/** Looks like text that compresses well, but not beyond suspicion: some fifteen times. One object for each size. */
const texts = new Map<number, Uint8Array>()
function compressible(bytes: number): Uint8Array {
  const known = texts.get(bytes)
  if (known !== undefined) return known
  const lines: string[] = []
  for (let i = 0; i < 40_000; i++) lines.push(`{"kind":"note","index":${i * 7919},"velocity":64}\n`)
  const block = encode(lines.join(''))
  const text = new Uint8Array(bytes)
  for (let at = 0; at < bytes; at += block.byteLength) text.set(block.subarray(0, bytes - at), at)
  texts.set(bytes, text)
  return text
}

const bombZips: readonly HostileZip[] = [
  {
    what: 'a bomb that tells its size',
    make: () => plus({ name: 'bomb.bin', data: zeros(101 * MIB), bytes: 101 * MIB }),
    says: /200 times/,
  },
  {
    what: 'a bomb that lies about its size',
    make: () => plus({ name: 'bomb.bin', data: bomb().small, bytes: 1000 }),
    says: /larger than it says/,
  },
  {
    what: 'a bomb that lies about its size in the local header only',
    make: () => plus({ name: 'bomb.bin', data: bomb().small, bytes: 1000, local: { bytes: 32 * MIB } }),
    says: /disagree/,
  },
  {
    what: 'a bomb that says it is empty',
    make: () => plus({ name: 'bomb.bin', data: bomb().small, bytes: 0, crc: 0 }),
    says: /larger than it says/,
  },
  {
    what: 'many bombs below the ratio of one',
    make: () =>
      plus(
        ...Array.from({ length: 5 }, (_, i) => ({
          name: `part-${i}.csv`,
          content: compressible(26 * MIB),
          crc: 0,
        })),
      ),
    says: /more than 100 MiB together/,
  },
  {
    what: 'one hundred small bombs',
    make: () =>
      plus(
        ...Array.from({ length: 100 }, (_, i) => ({
          name: `bomb-${i}.bin`,
          data: bomb().tenth,
          bytes: 10 * MIB,
        })),
      ),
    says: /200 times/,
  },
  {
    what: 'a bomb as the manifest',
    make: () => plus({ name: 'world-manifest.json', data: bomb().small, bytes: 32 * MIB }),
    says: /world-manifest.json is larger than 256 KiB/,
  },
  {
    what: 'a bomb as the manifest that lies about its size',
    make: () => plus({ name: 'world-manifest.json', data: bomb().small, bytes: 100 }),
    says: /larger than it says/,
  },
  {
    what: 'a bomb as a page',
    make: () => plus({ name: 'index.html', content: compressible(20 * MIB) }),
    says: /a page has at most 2 MiB/,
  },
  {
    what: 'a ZIP in the ZIP',
    make: () => plus({ name: 'inner.zip', content: makeBundle() }),
    says: /type ".zip"/,
  },
  {
    what: 'bombs inside a ZIP inside the ZIP',
    make: () => {
      const inner = makeZip([{ name: 'bomb.bin', data: bomb().small, bytes: 32 * MIB }])
      return plus({ name: 'inner.zip', content: makeZip([{ name: 'middle.zip', content: inner }]) })
    },
    says: /type ".zip"/,
  },
  {
    what: 'entries that overlap, each inflating the same bomb',
    make: () => {
      const data = bomb().tenth
      const parts: ZipPart[] = Array.from({ length: 200 }, (_, i) => ({
        name: 'x.bin',
        data,
        bytes: 10 * MIB,
        ...(i > 0 && { absent: true }),
      }))
      // The bomb is the first entry, so that the others can point at it.
      return makeZip([...parts.map((part) => ({ ...part, localOffset: 0 })), ...bundleParts()])
    },
    says: /overlaps/,
  },
  {
    what: 'entries that overlap by a few bytes',
    make: () => {
      const first = { name: 'a.bin', content: 'a'.repeat(64), stored: true }
      const inside = { name: 'b.bin', content: 'b'.repeat(8), stored: true }
      const hidden = makeZip([inside])
      const good = makeBundle({}, [{ ...first, content: hidden }])
      return good.byteLength > 0
        ? makeZip([
            { ...first, content: hidden },
            { ...inside, absent: true, localOffset: 35 },
            ...bundleParts(),
          ])
        : good
    },
    says: /overlaps/,
  },
  {
    what: 'seventy-five MiB that turn out wrong at the very end',
    make: () =>
      plus(
        ...Array.from({ length: 3 }, (_, i) => ({
          name: `part-${i}.csv`,
          content: compressible(25 * MIB),
          ...(i === 2 && { crc: 1 }),
        })),
      ),
    says: /checksum/,
  },
  {
    what: 'a thousand files of which the last is damaged',
    make: () =>
      makeBundle(
        {},
        Array.from({ length: 996 }, (_, i) => ({
          name: `${i}.txt`,
          content: `${i}`.repeat(2000),
          ...(i === 995 && { crc: 1 }),
        })),
      ),
    says: /checksum/,
  },
  {
    what: 'more markup than parsers should be given',
    make: () =>
      plus(
        ...Array.from({ length: 8 }, (_, i) => ({
          name: `page-${i}.html`,
          content: '<p>'.repeat(49_000) + `<i id=${i}></i>`.repeat(25_000),
        })),
      ),
    says: /more than 60000 tags/,
  },
  {
    what: 'as much markup as there may be, and one script too many',
    make: () =>
      plus(
        { name: 'a.html', content: '<p>'.repeat(29_000) },
        { name: 'b.html', content: `<p>${'<i id=x></i>'.repeat(14_500)}` },
        {
          name: 'index.html',
          content: Array.from({ length: 201 }, (_, i) => `<script>${i}</script>`).join(''),
        },
      ),
    says: /more than 200 inline scripts/,
  },
  {
    what: 'scripts that are read for advice, and a wrong checksum behind them',
    make: () =>
      plus(...Array.from({ length: 90 }, (_, i) => ({ name: `${i}.js`, content: compressible(MIB) })), {
        name: 'last.js',
        content: '1',
        crc: 1,
      }),
    says: /checksum/,
  },
  {
    what: 'markup that parsers multiply',
    make: () =>
      plus({
        name: 'index.html',
        content: Array.from({ length: 5000 }, (_, i) => `<b id=${i}><p>`).join(''),
      }),
    says: /index.html/,
  },
  {
    what: 'markup that nests without end',
    make: () => plus({ name: 'index.html', content: '<div>'.repeat(300_000) }),
    says: /index.html/,
  },
]

const structures: readonly HostileZip[] = [
  { what: 'nothing at all', make: () => new Uint8Array(), says: /not a ZIP/ },
  { what: 'text', make: () => encode('hello '.repeat(100)), says: /not a ZIP/ },
  { what: 'twenty-five MiB of noise', make: noise, says: /not a ZIP/ },
  { what: 'an empty ZIP', make: () => makeZip([]), says: /missing/ },
  { what: 'a ZIP that broke off', make: () => makeBundle().slice(0, -30), says: /not a ZIP/ },
  {
    what: 'a ZIP without its beginning',
    make: () => makeBundle().slice(40),
    says: /not where the ZIP says/,
  },
  {
    what: 'data before the ZIP',
    make: () => makeBundle({}, [], { prefix: encode('#!/bin/sh\n'), offsetsFrom: 'file' }),
    says: /before the first file/,
  },
  {
    what: 'data before the ZIP, offsets unaware of it',
    make: () => makeBundle({}, [], { prefix: encode('#!/bin/sh\n'), offsetsFrom: 'first entry' }),
    says: /before it/,
  },
  {
    what: 'an executable page in front (a polyglot)',
    make: () => makeBundle({}, [], { prefix: encode('<script>alert(1)</script>') }),
    says: /before the first file/,
  },
  {
    what: 'data behind the ZIP',
    make: () => makeBundle({}, [], { suffix: encode('more') }),
    says: /does not end where/,
  },
  {
    what: 'a second ZIP behind the first',
    make: () => makeBundle({}, [], { suffix: makeZip([{ name: 'other.js', content: '1' }]) }),
    says: /before it/,
  },
  {
    what: 'an end record inside the comment',
    make: () => makeBundle({}, [], { comment: makeZip([]) }),
    says: /before it/,
  },
  {
    what: 'data between files and directory',
    make: () => makeBundle({}, [], { beforeDirectory: encode('hidden') }),
    says: /belong to no file/,
  },
  {
    what: 'data between directory and end',
    make: () => makeBundle({}, [], { beforeEnd: encode('hidden') }),
    says: /not where the ZIP says/,
  },
  {
    what: 'data between two files',
    make: () =>
      plus({ name: 'a.js', content: '1', trailer: encode('hidden') }, { name: 'b.js', content: '2' }),
    says: /belong to no file/,
  },
  {
    what: 'a data descriptor that lies',
    make: () => plus({ name: 'a.js', content: '1', flags: 8, trailer: new Uint8Array(16) }),
    says: /belong to no file/,
  },
  {
    what: 'a data descriptor that is not announced',
    make: () => plus({ name: 'a.js', content: '1', trailer: new Uint8Array(16) }),
    says: /belong to no file/,
  },
  {
    what: 'a second name in the local header',
    make: () => plus({ name: 'a.js', content: '1', local: { name: 'b.js' } }),
    says: /disagree/,
  },
  {
    what: 'another method in the local header',
    make: () => plus({ name: 'a.js', content: '1', stored: true, local: { method: 8 } }),
    says: /disagree/,
  },
  {
    what: 'a second name in a Unicode path field',
    make: () => {
      const field = Buffer.alloc(5)
      field[0] = 1
      field.writeUInt32LE(crc32('a.js'), 1)
      return plus({
        name: 'a.js',
        content: '1',
        extra: extraField(0x7075, Buffer.concat([field, encode('../b.js')])),
      })
    },
    says: /second, different name/,
  },
  {
    what: 'an extra field longer than its record',
    make: () => plus({ name: 'a.js', content: '1', extra: Uint8Array.of(1, 2, 0xff, 0xff) }),
    says: /extra field/,
  },
  {
    what: 'an entry that begins beyond the file',
    make: () => plus({ name: 'a.js', content: '1', localOffset: 0x7fffffff }),
    says: /disagree/,
  },
  {
    what: 'an entry that begins in the directory',
    make: () => {
      const zip = makeBundle()
      const view = new DataView(zip.buffer)
      const directory = view.getUint32(zip.byteLength - 6, true)
      view.setUint32(directory + 42, directory, true)
      return zip
    },
    says: /disagree/,
  },
  {
    what: 'data that reaches into the directory',
    make: () =>
      makeZip([
        ...bundleParts(),
        { name: 'z.js', content: 'x', stored: true, bytes: 60, compressedBytes: 60 },
      ]),
    says: /beyond the data/,
  },
  {
    what: 'fewer entries in the directory than it says',
    make: () => makeBundle({}, [], { end: { entries: 9 } }),
    says: /directory of the ZIP is damaged/,
  },
  {
    what: 'more entries in the directory than it says',
    make: () => makeBundle({}, [], { end: { entries: 2 } }),
    says: /another size/,
  },
  {
    what: 'a directory of another size',
    make: () => makeBundle({}, [], { end: { bytes: 10 } }),
    says: /not where the ZIP says/,
  },
  {
    what: 'a directory elsewhere',
    make: () => makeBundle({}, [], { end: { offset: 4 } }),
    says: /not where the ZIP says/,
  },
  {
    what: 'one disk of several',
    make: () => makeBundle({}, [], { end: { disk: 1, directoryDisk: 1 } }),
    says: /one part of several/,
  },
  {
    what: 'an entry on another disk',
    make: () => plus({ name: 'a.js', content: '1', disk: 3 }),
    says: /one part of several/,
  },
  {
    what: 'ZIP64 by its count of entries',
    make: () => makeBundle({}, [], { end: { entries: 0xffff } }),
    says: /ZIP64/,
  },
  {
    what: 'ZIP64 sizes that lie',
    make: () =>
      plus({
        name: 'a.js',
        content: '1',
        bytes: 0xffffffff,
        extra: extraField(1, new Uint8Array(8).fill(0x7f)),
      }),
    says: /ZIP64/,
  },
  {
    what: 'a ZIP64 field beside ordinary sizes',
    make: () => plus({ name: 'a.js', content: '1', extra: extraField(1, new Uint8Array(16).fill(0x7f)) }),
    says: /ZIP64/,
  },
  {
    what: 'one hundred thousand empty entries',
    make: () => {
      const parts = Array.from({ length: 100_000 }, (_, i) => ({ name: `${i}.js`, stored: true }))
      return makeZip(parts, { end: { entries: 100_000 & 0xffff } })
    },
    says: /34464 entries, more than 4000/,
  },
  {
    what: 'one hundred thousand empty entries that say they are one',
    make: () =>
      makeZip(
        Array.from({ length: 100_000 }, (_, i) => ({ name: `${i}.js`, stored: true })),
        { end: { entries: 1 } },
      ),
    says: /another size/,
  },
  {
    what: '1001 files',
    make: () =>
      makeBundle(
        {},
        Array.from({ length: 997 }, (_, i) => ({ name: `${i}.js`, content: `${i}` })),
      ),
    says: /1001 files, more than 1000/,
  },
  {
    what: 'four thousand directories',
    make: () =>
      makeBundle(
        {},
        Array.from({ length: 4000 }, (_, i) => ({ name: `${i}/`, stored: true, mode: 0o040755 })),
      ),
    says: /4004 entries, more than 4000/,
  },
  {
    what: 'a directory with content',
    make: () => plus({ name: 'a/', content: 'hidden', mode: 0o040755 }),
    says: /directory "a\/" has content/,
  },
  {
    what: 'a directory that is called a file',
    make: () => plus({ name: 'a.js', content: '1', mode: 0o040755 }),
    says: /file and a directory at once/,
  },
  {
    what: 'a volume label',
    make: () => plus({ name: 'a.js', content: '1', attributes: 0x08 }),
    says: /volume label/,
  },
  {
    what: 'an encrypted file',
    make: () => plus({ name: 'a.js', content: '1', flags: 1 }),
    says: /encrypted/,
  },
  {
    what: 'strong encryption',
    make: () => plus({ name: 'a.js', content: '1', flags: 0x41 }),
    says: /encrypted/,
  },
  {
    what: 'a hidden directory (masked headers)',
    make: () => plus({ name: 'a.js', content: '1', flags: 0x2000 }),
    says: /encrypted/,
  },
  {
    what: 'AES by its method',
    make: () => plus({ name: 'a.js', content: '1', method: 99 }),
    says: /unusual way/,
  },
  {
    what: 'bzip2, LZMA or Zstandard',
    make: () => plus({ name: 'a.js', content: '1', method: 93 }),
    says: /unusual way/,
  },
  {
    what: 'a stored file of two sizes',
    make: () => plus({ name: 'a.js', content: '12345', stored: true, bytes: 4 }),
    says: /states two sizes/,
  },
  {
    what: 'a file smaller than it says',
    make: () => plus({ name: 'a.js', content: '12345', bytes: 6 }),
    says: /smaller than it says/,
  },
  {
    what: 'a wrong checksum',
    make: () => plus({ name: 'a.js', content: '12345', crc: 1 }),
    says: /checksum/,
  },
  {
    what: 'deflate that is no deflate',
    make: () => plus({ name: 'a.js', data: encode('no deflate at all'), bytes: 20 }),
    says: /cannot be inflated/,
  },
  {
    what: 'deflate that breaks off',
    make: () => {
      const content = encode(manifest.description.repeat(50))
      return plus({ name: 'a.js', content, data: deflateRawSync(content).subarray(0, 20) })
    },
    says: /cannot be inflated/,
  },
  {
    what: 'data behind the deflated data',
    make: () => {
      const content = encode('1')
      return plus({ name: 'a.js', content, data: Buffer.concat([deflateRawSync(content), encode('hidden')]) })
    },
    says: /stand more bytes/,
  },
  {
    what: 'a ZIP comment that is no UTF-8 and as long as can be, before a broken directory',
    make: () => makeBundle({}, [], { comment: new Uint8Array(0xffff).fill(0xff), end: { offset: 1 } }),
    says: /not where the ZIP says/,
  },
  {
    what: 'a name as long as a name can be',
    make: () => plus({ name: 'n'.repeat(0xffff), content: '1' }),
    says: /at most 512 bytes/,
  },
]

const contents: readonly HostileZip[] = [
  {
    what: 'no manifest',
    make: () => makeZip(bundleParts().slice(1)),
    says: /missing: it must be at the root/,
  },
  {
    what: 'a manifest in a folder',
    make: () => makeZip(bundleParts().map((part) => ({ ...part, name: `night-loom/${part.name}` }))),
    says: /zip the files, not their folder/,
  },
  { what: 'an empty manifest', make: () => withManifest(''), says: /not valid JSON/ },
  { what: 'a manifest that is no JSON', make: () => withManifest('{"slug": '), says: /not valid JSON/ },
  { what: 'a manifest that is a list', make: () => withManifest('[]'), says: /expected object/ },
  { what: 'a manifest that is null', make: () => withManifest('null'), says: /expected object/ },
  {
    what: 'a byte order mark',
    make: () => withManifest(`\uFEFF${JSON.stringify(manifest)}`),
    says: /byte order mark/,
  },
  {
    what: 'UTF-16',
    make: () => withManifest(Buffer.from(`\uFEFF${JSON.stringify(manifest)}`, 'utf16le')),
    says: /not UTF-8/,
  },
  {
    what: 'a manifest of ten MB',
    make: () => withManifest(JSON.stringify({ ...manifest, filler: 'x'.repeat(10_000_000) })),
    says: /larger than 256 KiB/,
  },
  {
    what: 'a manifest nested a hundred thousand deep',
    make: () => withManifest(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    says: /nested too deeply|expected object/,
  },
  {
    what: '__proto__ as a key',
    make: () => withManifest(JSON.stringify(manifest).replace('{', '{"__proto__":{"slug":"x"},')),
    says: /__proto__/,
  },
  {
    what: '__proto__ as an output path',
    make: () =>
      withManifest(
        JSON.stringify(manifest).replace('"/pitch:0":', '"__proto__":{"min":0,"max":1},"/pitch:0":'),
      ),
    says: /__proto__/,
  },
  { what: '__proto__ as the slug', make: () => makeBundle({ slug: '__proto__' }), says: /slug/ },
  { what: 'a NUL in the name', make: () => makeBundle({ name: 'a\0b' }), says: /name: control/ },
  {
    what: 'half a character in the name',
    make: () => withManifest(JSON.stringify(manifest).replace('Night Loom', '\\ud800')),
    says: /name: control/,
  },
  {
    what: 'an entry outside',
    make: () => makeBundle({ entry: '../index.html' }),
    says: /entry: there is no/,
  },
  {
    what: 'an entry that is a script',
    make: () => makeBundle({ entry: 'world.js' }),
    says: /entry: must be/,
  },
  {
    what: 'an entry that is a URL',
    make: () => makeBundle({ entry: 'https://x/y.html' }),
    says: /entry: there/,
  },
  {
    what: 'a preview that is a page',
    make: () => plus({ name: 'preview.png', content: '<script>alert(1)</script>' }),
    says: /preview: .* is not a PNG/,
  },
  {
    what: 'a preview of another kind than its name',
    make: () => makeBundle({ preview: 'preview.jpg' }, [{ name: 'preview.jpg', content: PNG }]),
    says: /preview: .* is not a PNG/,
  },
  {
    what: 'a preview as SVG',
    make: () => makeBundle({ preview: 'preview.svg' }, [{ name: 'preview.svg', content: '<svg/>' }]),
    says: /preview: .* is not a PNG/,
  },
  {
    what: 'a preview over 8 MiB',
    make: () => {
      const image = new Uint8Array(8 * MIB + 1)
      image.set(PNG)
      return plus({ name: 'preview.png', content: image, stored: true })
    },
    says: /larger than 8 MiB/,
  },
  { what: 'a file without an extension', make: named('Makefile'), says: /without an extension/ },
  { what: 'a server-side script', make: named('shell.php'), says: /type ".php"/ },
  { what: 'an executable', make: named('run.exe'), says: /type ".exe"/ },
  { what: 'a server’s configuration', make: named('.htaccess'), says: /type ".htaccess"/ },
  {
    what: 'a page that is not UTF-8',
    make: () => plus({ name: 'index.html', content: Uint8Array.of(0x3c, 0x62, 0x3e, 0xff, 0xfe) }),
    says: /must be UTF-8/,
  },
  {
    what: 'more inline scripts than can be lifted',
    make: () =>
      plus({
        name: 'index.html',
        content: Array.from({ length: 201 }, (_, i) => `<script>${i}</script>`).join(''),
      }),
    says: /more than 200 inline scripts/,
  },
]

/** ZIPs that must be refused, each for its own reason. */
export const hostileZips: readonly HostileZip[] = [
  ...traversals.map(([what, name, says]) => ({ what: `a path: ${what}`, make: named(name), says })),
  ...types.map(([what, mode]) => ({
    what: `${what} for a file`,
    make: () => plus({ name: 'a.js', content: '/etc/passwd', mode }),
    says: /a link or a device/,
  })),
  ...clashes.map(([what, names]) => ({
    what,
    make: () => plus(...names.map((name, i) => ({ name, content: `${i}` }))),
    says: /clash/,
  })),
  ...structures,
  ...bombZips,
  ...contents,
]

/** Never a ZIP, and as large as an upload may be; the noise is the same every time. */
function noise(): Zip {
  const bytes = new Uint8Array(25 * MIB)
  let state = 1
  for (let i = 0; i < bytes.length; i += 4) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    bytes.set(uint16(state >>> 16), i)
  }
  return bytes
}
