import { crc32, deflateRawSync } from 'node:zlib'
import { bundleParts, makeBundle, manifest, PNG } from './bundle.ts'
import { bombZips } from './hostile-bombs.ts'
import { extraField, makeZip, type Zip } from './zip.ts'
import {
  adding,
  encode,
  framed,
  type HostileZip,
  MIB,
  many,
  named,
  plus,
  refused,
  script,
  uint16,
  withManifest,
} from './zip-makers.ts'

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

const structures: readonly HostileZip[] = [
  ...refused(/not a ZIP/, {
    'nothing at all': () => new Uint8Array(),
    text: () => encode('hello '.repeat(100)),
    'twenty-five MiB of noise': noise,
    'a ZIP that broke off': () => makeBundle().slice(0, -30),
  }),
  ...refused(/missing/, { 'an empty ZIP': () => makeZip([]) }),
  ...refused(/not where the ZIP says/, {
    'a ZIP without its beginning': () => makeBundle().slice(40),
    'data between directory and end': framed({ beforeEnd: encode('hidden') }),
    'a directory of another size': framed({ end: { bytes: 10 } }),
    'a directory elsewhere': framed({ end: { offset: 4 } }),
    'a ZIP comment that is no UTF-8 and as long as can be, before a broken directory': framed({
      comment: new Uint8Array(0xffff).fill(0xff),
      end: { offset: 1 },
    }),
  }),
  ...refused(/before the first file/, {
    'data before the ZIP': framed({ prefix: encode('#!/bin/sh\n'), offsetsFrom: 'file' }),
    'an executable page in front (a polyglot)': framed({ prefix: encode('<script>alert(1)</script>') }),
  }),
  ...refused(/before it/, {
    'data before the ZIP, offsets unaware of it': framed({
      prefix: encode('#!/bin/sh\n'),
      offsetsFrom: 'first entry',
    }),
    'a second ZIP behind the first': framed({ suffix: makeZip([{ name: 'other.js', content: '1' }]) }),
    'an end record inside the comment': framed({ comment: makeZip([]) }),
  }),
  ...refused(/does not end where/, { 'data behind the ZIP': framed({ suffix: encode('more') }) }),
  ...refused(/belong to no file/, {
    'data between files and directory': framed({ beforeDirectory: encode('hidden') }),
    'data between two files': adding(
      { name: 'a.js', content: '1', trailer: encode('hidden') },
      { name: 'b.js', content: '2' },
    ),
    'a data descriptor that lies': script({ flags: 8, trailer: new Uint8Array(16) }),
    'a data descriptor that is not announced': script({ trailer: new Uint8Array(16) }),
  }),
  ...refused(/disagree/, {
    'a second name in the local header': script({ local: { name: 'b.js' } }),
    'another method in the local header': script({ stored: true, local: { method: 8 } }),
    'an entry that begins beyond the file': script({ localOffset: 0x7fffffff }),
    'an entry that begins in the directory': () => {
      const zip = makeBundle()
      const view = new DataView(zip.buffer)
      const directory = view.getUint32(zip.byteLength - 6, true)
      view.setUint32(directory + 42, directory, true)
      return zip
    },
  }),
  ...refused(/second, different name/, {
    'a second name in a Unicode path field': () => {
      const field = Buffer.alloc(5)
      field[0] = 1
      field.writeUInt32LE(crc32('a.js'), 1)
      return plus({
        name: 'a.js',
        content: '1',
        extra: extraField(0x7075, Buffer.concat([field, encode('../b.js')])),
      })
    },
  }),
  ...refused(/extra field/, {
    'an extra field longer than its record': script({ extra: Uint8Array.of(1, 2, 0xff, 0xff) }),
  }),
  ...refused(/beyond the data/, {
    'data that reaches into the directory': () =>
      makeZip([
        ...bundleParts(),
        { name: 'z.js', content: 'x', stored: true, bytes: 60, compressedBytes: 60 },
      ]),
  }),
  ...refused(/directory of the ZIP is damaged/, {
    'fewer entries in the directory than it says': framed({ end: { entries: 9 } }),
  }),
  ...refused(/another size/, {
    'more entries in the directory than it says': framed({ end: { entries: 2 } }),
    'one hundred thousand empty entries that say they are one': () =>
      makeZip(
        Array.from({ length: 100_000 }, (_, i) => ({ name: `${i}.js`, stored: true })),
        { end: { entries: 1 } },
      ),
  }),
  ...refused(/one part of several/, {
    'one disk of several': framed({ end: { disk: 1, directoryDisk: 1 } }),
    'an entry on another disk': script({ disk: 3 }),
  }),
  ...refused(/ZIP64/, {
    'ZIP64 by its count of entries': framed({ end: { entries: 0xffff } }),
    'ZIP64 sizes that lie': script({ bytes: 0xffffffff, extra: extraField(1, new Uint8Array(8).fill(0x7f)) }),
    'a ZIP64 field beside ordinary sizes': script({ extra: extraField(1, new Uint8Array(16).fill(0x7f)) }),
  }),
  ...refused(/34464 entries, more than 4000/, {
    'one hundred thousand empty entries': () => {
      const parts = Array.from({ length: 100_000 }, (_, i) => ({ name: `${i}.js`, stored: true }))
      return makeZip(parts, { end: { entries: 100_000 & 0xffff } })
    },
  }),
  ...refused(/4004 entries, more than 4000/, {
    'four thousand directories': many(4000, (i) => ({ name: `${i}/`, stored: true, mode: 0o040755 })),
  }),
  ...refused(/directory "a\/" has content/, {
    'a directory with content': adding({ name: 'a/', content: 'hidden', mode: 0o040755 }),
  }),
  ...refused(/file and a directory at once/, {
    'a directory that is called a file': script({ mode: 0o040755 }),
  }),
  ...refused(/volume label/, { 'a volume label': script({ attributes: 0x08 }) }),
  ...refused(/encrypted/, {
    'an encrypted file': script({ flags: 1 }),
    'strong encryption': script({ flags: 0x41 }),
    'a hidden directory (masked headers)': script({ flags: 0x2000 }),
  }),
  ...refused(/unusual way/, {
    'AES by its method': script({ method: 99 }),
    'bzip2, LZMA or Zstandard': script({ method: 93 }),
  }),
  ...refused(/states two sizes/, {
    'a stored file of two sizes': adding({ name: 'a.js', content: '12345', stored: true, bytes: 4 }),
  }),
  ...refused(/smaller than it says/, {
    'a file smaller than it says': adding({ name: 'a.js', content: '12345', bytes: 6 }),
  }),
  ...refused(/checksum/, { 'a wrong checksum': adding({ name: 'a.js', content: '12345', crc: 1 }) }),
  ...refused(/cannot be inflated/, {
    'deflate that is no deflate': adding({ name: 'a.js', data: encode('no deflate at all'), bytes: 20 }),
    'deflate that breaks off': () => {
      const content = encode(manifest.description.repeat(50))
      return plus({ name: 'a.js', content, data: deflateRawSync(content).subarray(0, 20) })
    },
  }),
  ...refused(/stand more bytes/, {
    'data behind the deflated data': () => {
      const content = encode('1')
      return plus({ name: 'a.js', content, data: Buffer.concat([deflateRawSync(content), encode('hidden')]) })
    },
  }),
  ...refused(/at most 512 bytes/, {
    'a name as long as a name can be': () => plus({ name: 'n'.repeat(0xffff), content: '1' }),
  }),
]

const contents: readonly HostileZip[] = [
  ...refused(/missing: it must be at the root/, { 'no manifest': () => makeZip(bundleParts().slice(1)) }),
  ...refused(/zip the files, not their folder/, {
    'a manifest in a folder': () =>
      makeZip(bundleParts().map((part) => ({ ...part, name: `night-loom/${part.name}` }))),
  }),
  ...refused(/not valid JSON/, {
    'an empty manifest': () => withManifest(''),
    'a manifest that is no JSON': () => withManifest('{"slug": '),
  }),
  ...refused(/expected object/, {
    'a manifest that is a list': () => withManifest('[]'),
    'a manifest that is null': () => withManifest('null'),
  }),
  ...refused(/byte order mark/, {
    'a byte order mark': () => withManifest(`\uFEFF${JSON.stringify(manifest)}`),
  }),
  ...refused(/not UTF-8/, {
    'UTF-16': () => withManifest(Buffer.from(`\uFEFF${JSON.stringify(manifest)}`, 'utf16le')),
  }),
  ...refused(/nested too deeply|expected object/, {
    'a manifest nested a hundred thousand deep': () =>
      withManifest(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  }),
  ...refused(/__proto__/, {
    '__proto__ as a key': () =>
      withManifest(JSON.stringify(manifest).replace('{', '{"__proto__":{"slug":"x"},')),
    '__proto__ as an output path': () =>
      withManifest(
        JSON.stringify(manifest).replace('"/pitch:0":', '"__proto__":{"min":0,"max":1},"/pitch:0":'),
      ),
  }),
  ...refused(/slug/, { '__proto__ as the slug': () => makeBundle({ slug: '__proto__' }) }),
  ...refused(/name: control/, {
    'a NUL in the name': () => makeBundle({ name: 'a\0b' }),
    'half a character in the name': () =>
      withManifest(JSON.stringify(manifest).replace('Night Loom', '\\ud800')),
  }),
  ...refused(/entry: there is no/, { 'an entry outside': () => makeBundle({ entry: '../index.html' }) }),
  ...refused(/entry: there/, { 'an entry that is a URL': () => makeBundle({ entry: 'https://x/y.html' }) }),
  ...refused(/preview: .* is not a PNG/, {
    'a preview that is a page': adding({ name: 'preview.png', content: '<script>alert(1)</script>' }),
    'a preview of another kind than its name': () =>
      makeBundle({ preview: 'preview.jpg' }, [{ name: 'preview.jpg', content: PNG }]),
    'a preview as SVG': () =>
      makeBundle({ preview: 'preview.svg' }, [{ name: 'preview.svg', content: '<svg/>' }]),
  }),
  ...refused(/without an extension/, { 'a file without an extension': named('Makefile') }),
  ...refused(/type ".php"/, { 'a server-side script': named('shell.php') }),
  ...refused(/type ".exe"/, { 'an executable': named('run.exe') }),
  ...refused(/type ".conf"/, { 'a server’s configuration': named('nginx.conf') }),
  ...refused(/must be UTF-8/, {
    'a page that is not UTF-8': adding({
      name: 'index.html',
      content: Uint8Array.of(0x3c, 0x62, 0x3e, 0xff, 0xfe),
    }),
  }),
]

/** ZIPs that must be refused, each for its own reason. */
export const hostileZips: readonly HostileZip[] = [
  ...traversals.map(([what, name, says]): HostileZip => [`a path: ${what}`, named(name), says]),
  ...types.map(
    ([what, mode]): HostileZip => [
      `${what} for a file`,
      adding({ name: 'a.js', content: '/etc/passwd', mode }),
      /a link or a device/,
    ],
  ),
  ...clashes.map(
    ([what, names]): HostileZip => [
      what,
      adding(...names.map((name, i) => ({ name, content: `${i}` }))),
      /clash/,
    ],
  ),
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
