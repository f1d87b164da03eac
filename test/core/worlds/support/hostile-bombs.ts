import { deflateRawSync } from 'node:zlib'
import { bundleParts, makeBundle } from './bundle.ts'
import { makeZip, type ZipPart } from './zip.ts'
import { adding, encode, type HostileZip, MIB, many, plus, refused } from './zip-makers.ts'

function zeros(bytes: number) {
  return deflateRawSync(new Uint8Array(bytes), { level: 9 })
}

/** Deflated once; the bombs share them. */
let bombs: { readonly small: Uint8Array; readonly tenth: Uint8Array } | undefined
function bomb() {
  bombs ??= { small: zeros(32 * MIB), tenth: zeros(10 * MIB) }
  return bombs
}

/** Text that compresses well, but not suspiciously so: some fifteen times. One object for each size. */
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

function bomblike(facts: Partial<ZipPart>) {
  return () => plus({ name: 'bomb.bin', data: bomb().small, ...facts })
}

export const bombZips: readonly HostileZip[] = [
  ...refused(/200 times/, {
    'a bomb that tells its size': () => plus({ name: 'bomb.bin', data: zeros(101 * MIB), bytes: 101 * MIB }),
    'one hundred small bombs': many(100, (i) => ({
      name: `bomb-${i}.bin`,
      data: bomb().tenth,
      bytes: 10 * MIB,
    })),
  }),
  ...refused(/larger than it says/, {
    'a bomb that lies about its size': bomblike({ bytes: 1000 }),
    'a bomb that says it is empty': bomblike({ bytes: 0, crc: 0 }),
    'a bomb as the manifest that lies about its size': () =>
      plus({ name: 'world-manifest.json', data: bomb().small, bytes: 100 }),
  }),
  ...refused(/disagree/, {
    'a bomb that lies about its size in the local header only': bomblike({
      bytes: 1000,
      local: { bytes: 32 * MIB },
    }),
  }),
  ...refused(/more than 100 MiB together/, {
    'many bombs below the ratio of one': many(5, (i) => ({
      name: `part-${i}.csv`,
      content: compressible(26 * MIB),
      crc: 0,
    })),
  }),
  ...refused(/world-manifest.json is larger than 256 KiB/, {
    'a bomb as the manifest': () =>
      plus({ name: 'world-manifest.json', data: bomb().small, bytes: 32 * MIB }),
  }),
  ...refused(/a page has at most 2 MiB/, {
    'a bomb as a page': () => plus({ name: 'index.html', content: compressible(20 * MIB) }),
  }),
  ...refused(/type ".zip"/, {
    'a ZIP in the ZIP': adding({ name: 'inner.zip', content: makeBundle() }),
    'bombs inside a ZIP inside the ZIP': () => {
      const inner = makeZip([{ name: 'bomb.bin', data: bomb().small, bytes: 32 * MIB }])
      return plus({ name: 'inner.zip', content: makeZip([{ name: 'middle.zip', content: inner }]) })
    },
  }),
  ...refused(/overlaps/, {
    'entries that overlap, each inflating the same bomb': () => {
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
    'entries that overlap by a few bytes': () => {
      const first = { name: 'a.bin', content: 'a'.repeat(64), stored: true }
      const inside = { name: 'b.bin', content: 'b'.repeat(8), stored: true }
      const hidden = makeZip([inside])
      return makeZip([
        { ...first, content: hidden },
        { ...inside, absent: true, localOffset: 35 },
        ...bundleParts(),
      ])
    },
  }),
  ...refused(/checksum/, {
    'seventy-five MiB that turn out wrong at the very end': many(3, (i) => ({
      name: `part-${i}.csv`,
      content: compressible(25 * MIB),
      ...(i === 2 && { crc: 1 }),
    })),
    'a thousand files of which the last is damaged': many(996, (i) => ({
      name: `${i}.txt`,
      content: `${i}`.repeat(2000),
      ...(i === 995 && { crc: 1 }),
    })),
    'scripts that are read for advice, and a wrong checksum behind them': () =>
      plus(...Array.from({ length: 90 }, (_, i) => ({ name: `${i}.js`, content: compressible(MIB) })), {
        name: 'last.js',
        content: '1',
        crc: 1,
      }),
  }),
  ...refused(/more than 60000 tags/, {
    'more markup than parsers should be given': many(8, (i) => ({
      name: `page-${i}.html`,
      content: '<p>'.repeat(49_000) + `<i id=${i}></i>`.repeat(25_000),
    })),
  }),
  ...refused(/more than 200 inline scripts/, {
    'as much markup as there may be, and one script too many': () =>
      plus(
        { name: 'a.html', content: '<p>'.repeat(29_000) },
        { name: 'b.html', content: `<p>${'<i id=x></i>'.repeat(14_500)}` },
        {
          name: 'index.html',
          content: Array.from({ length: 201 }, (_, i) => `<script>${i}</script>`).join(''),
        },
      ),
  }),
  ...refused(/index.html/, {
    'markup that parsers multiply': () =>
      plus({
        name: 'index.html',
        content: Array.from({ length: 5000 }, (_, i) => `<b id=${i}><p>`).join(''),
      }),
    'markup that nests without end': () => plus({ name: 'index.html', content: '<div>'.repeat(300_000) }),
  }),
]
