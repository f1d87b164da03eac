import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { checkBundle } from '#lib/compute/bundle/check-bundle.ts'
import type { CheckedBundle } from '#lib/compute/bundle/checked-bundle.ts'
import { createBundlePool } from '#lib/compute/bundle/pool.ts'
import { readDirectory } from '#lib/compute/zip/read-directory.ts'
import { PATIENCE_MS } from '#test/support/until.ts'
import { bundleParts, type Manifest, makeBundle, manifest, PNG } from './support/bundle.ts'
import { makeZip, type Zip, type ZipOptions, type ZipPart } from './support/zip.ts'

const MIB = 1024 * 1024

async function accepted(zip: Zip): Promise<CheckedBundle> {
  const outcome = await checkBundle(zip)
  if (outcome.status !== 'accepted') throw new Error(outcome.problems.join('\n'))
  return outcome.bundle
}

async function problems(zip: Zip): Promise<readonly string[]> {
  const outcome = await checkBundle(zip)
  return outcome.status === 'refused' ? outcome.problems : []
}

function plus(more: readonly ZipPart[], changes: Manifest = {}, options: ZipOptions = {}) {
  return makeBundle(changes, more, options)
}

function sha256(data: string | Uint8Array) {
  return createHash('sha256').update(data).digest('hex')
}

/** Counts how often the data of an entry is taken out of a ZIP. */
class CountedZip extends Uint8Array<ArrayBuffer> {
  readonly reads = new Map<number, number>()
  override subarray(start = 0, end?: number): Uint8Array<ArrayBuffer> {
    this.reads.set(start, (this.reads.get(start) ?? 0) + 1)
    return new Uint8Array(this.buffer).subarray(start, end)
  }
}

test('each file of an upload is inflated once, manifest and preview as well', async () => {
  const zip = new CountedZip(plus([{ name: 'large.bin', content: noise(100_000) }]).slice().buffer)
  const offsets = readDirectory(zip, 4000).map(({ offset }) => offset)
  expect(offsets.length).toBeGreaterThan(3)
  zip.reads.clear()
  await accepted(zip)
  expect(offsets.map((offset) => zip.reads.get(offset))).toEqual(offsets.map(() => 1))
})

/** The files of a bundle, without what its pages get beside them. */
function uploaded({ files }: CheckedBundle): string[] {
  return files.map(({ path }) => path).filter((path) => !path.startsWith('inline-'))
}

/** Bytes that do not compress and are the same every time. */
function noise(bytes: number): Uint8Array {
  const made = new Uint8Array(bytes)
  for (let at = 0; at < bytes; at += 32) {
    made.set(
      createHash('sha256')
        .update(`${at}`)
        .digest()
        .subarray(0, bytes - at),
      at,
    )
  }
  return made
}

describe('archives as archivers write them', () => {
  test.each<[string, Zip]>([
    ['deflated', makeBundle()],
    ['stored', makeZip(bundleParts().map((part) => ({ ...part, stored: true })))],
    ['with data descriptors', makeZip(bundleParts().map((part) => ({ ...part, trailer: 'descriptor' })))],
    [
      'with data descriptors that have no signature',
      makeZip(bundleParts().map((part) => ({ ...part, trailer: 'unsigned descriptor' }))),
    ],
    ['with directories', plus([{ name: 'a/', stored: true, mode: 0o040755 }])],
    [
      'with what systems add',
      plus(
        [
          '__MACOSX/._index.html',
          '__MACOSX/._Icon\r',
          'Icon\r',
          'a/.DS_Store',
          '._index.html',
          '._world.js',
          '.fseventsd/0000',
          '.gitignore',
          'Thumbs.db',
          'art/desktop.ini',
          '$RECYCLE.BIN/x.png',
          'Thumbs.db:encryptable',
          'Network Trash Folder/x',
          'Temporary Items/x.png',
          'art/~$notes.docx',
        ].map((name) => ({ name, content: 'x' })),
      ),
    ],
    ['with a comment', plus([], {}, { comment: new TextEncoder().encode('commit 4f2c') })],
    ['without Unix modes', makeZip(bundleParts().map((part) => ({ ...part, attributes: 0x20 })))],
    ['in another order', makeZip(bundleParts().toReversed())],
  ])('%s: the same bundle', async (_what, zip) => {
    const bundle = await accepted(zip)
    expect(bundle.bundleHash).toBe((await accepted(makeBundle())).bundleHash)
    expect(uploaded(bundle).toSorted()).toEqual(
      bundleParts()
        .map(({ name }) => name)
        .toSorted(),
    )
  })

  test('hidden files that could be parts are left out with a warning', async () => {
    const bundle = await accepted(plus([{ name: '.data/notes.json', content: '1' }]))
    expect(uploaded(bundle)).not.toContain('.data/notes.json')
    expect(bundle.warnings).toEqual(['Hidden files are left out: ".data/notes.json".'])
  })

  test('names that differ in upper and lower case alone are told: Windows and macOS forgive them', async () => {
    const page = '<title>x</title><img src="art/bild.png"><img src="Other.png"><p>Schön.PNG</p>'
    const bundle = await accepted(
      plus([
        { name: 'more.html', content: page },
        { name: 'art/Bild.PNG', content: 'x' },
        { name: 'Other.png', content: 'x' },
        { name: 'scho\u0308n.png', content: 'x' },
      ]),
    )
    expect(bundle.warnings.filter((text) => text.includes('case'))).toEqual([
      'more.html: it names "bild.png", and the file is "Bild.PNG": here, upper and lower case count',
      'more.html: it names "Sch\u00f6n.PNG", and the file is "sch\u00f6n.png": here, upper and lower case count',
    ])
  })

  test('a Mac spells names decomposed, the manifest and pages composed: one bundle', async () => {
    const named = (form: string) => [
      { name: `brücke.html`.normalize(form), content: '<title>x</title>' },
      { name: `bild/größe.png`.normalize(form), content: PNG },
    ]
    const files = { entry: 'brücke.html', preview: 'bild/größe.png' }
    const composed = await accepted(plus(named('NFC'), files))
    const mac = await accepted(plus(named('NFD'), files))
    expect(mac.bundleHash).toBe(composed.bundleHash)
    expect(uploaded(mac)).toContain('bild/größe.png'.normalize('NFC'))
    const typed = await accepted(plus(named('NFC'), { entry: files.entry.normalize('NFD') }))
    expect(typed.manifest.entry).toBe(files.entry.normalize('NFC'))
    expect(await problems(plus([...named('NFC'), ...named('NFD')], files))).toHaveLength(2)
  })

  test('joiners inside words are letters of them, elsewhere they are invisible', async () => {
    const persian = 'م\u06cc\u200cخواهم.png'
    expect(uploaded(await accepted(plus([{ name: persian, content: PNG }])))).toContain(persian)
    expect(await problems(plus([{ name: 'a\u200d.png', content: PNG }]))).toHaveLength(1)
    const twins = [persian, persian.replace('\u200c', '')].map((name) => ({ name, content: PNG }))
    expect(await problems(plus(twins))).toHaveLength(1)
  })

  test('names like __proto__, constructor and accents are ordinary', async () => {
    const names = ['__proto__/toString.js', 'constructor.js', 'déjà vu.js', '音.js', 'a b (1).js', 'x.min.js']
    const bundle = await accepted(plus(names.map((name) => ({ name, content: '1' }))))
    expect(bundle.files.map(({ path }) => path)).toEqual(expect.arrayContaining(names))
  })
})

describe('hashes', () => {
  test('are those of the canonical listing and of the manifest’s bytes', async () => {
    const bundle = await accepted(makeBundle())
    const listing = bundleParts()
      .map(({ name, content }) => {
        const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : (content ?? PNG)
        return `${name}\0${bytes.byteLength}\0${sha256(bytes)}\n`
      })
      .toSorted()
    expect(bundle.bundleHash).toBe(sha256(listing.join('')))
    expect(bundle.manifestHash).toBe(sha256(JSON.stringify(manifest)))
  })

  test('change with any byte and any name', async () => {
    const zips = [
      makeBundle(),
      makeBundle({ version: '0.1.1' }),
      plus([{ name: 'a.js', content: '1' }]),
      plus([{ name: 'b.js', content: '1' }]),
      plus([{ name: 'b.js', content: '2' }]),
    ]
    const hashes = await Promise.all(zips.map(async (zip) => (await accepted(zip)).bundleHash))
    expect(new Set(hashes).size).toBe(zips.length)
  })
})

describe('files', () => {
  test('come out as they went in, each under its hash', async () => {
    const content = noise(300_000)
    const zip = plus([{ name: 'a/noise.bin', content }])
    for (const file of (await accepted(zip)).files) {
      const { bytes } = file
      expect(bytes.byteLength).toBe(file.size)
      expect(sha256(bytes)).toBe(file.hash)
      if (file.path === 'a/noise.bin') expect(Buffer.compare(bytes, content)).toBe(0)
    }
  })

  test('inline scripts become files beside their page; the hash is of what was uploaded', async () => {
    const page = '<!doctype html><script>"world-runtime.js"</script>'
    const zip = plus([{ name: 'index.html', content: page }])
    const bundle = await accepted(zip)
    const lifted = bundle.files.filter(({ path }) => path.startsWith('inline-'))
    const texts = lifted.map(({ bytes }) => new TextDecoder().decode(bytes))
    expect(texts).toContain('"world-runtime.js"')
    const served = bundle.files.find(({ path }) => path === 'index.html')
    const text = new TextDecoder().decode(served!.bytes)
    for (const { path } of lifted) expect(text).toContain(path)
    expect(text).not.toContain('world-runtime')
    const again = await accepted(plus([{ name: 'index.html', content: page }]))
    expect(again).toEqual(bundle)
    const other = await accepted(
      plus([
        { name: 'index.html', content: text },
        { name: 'a.js', content: '1' },
      ]),
    )
    expect(other.bundleHash).not.toBe(bundle.bundleHash)
  })

  test('a file that has the name of a lifted script is refused', async () => {
    const lifted = (await accepted(makeBundle())).files.find(({ path }) => path.startsWith('inline-'))
    expect(await problems(plus([{ name: lifted!.path, content: 'evil()' }]))).toEqual([
      `"${lifted!.path}" is the name of an inline script: rename the file`,
    ])
  })

  test('many pages are no reason to refuse', async () => {
    const pages = Array.from({ length: 300 }, (_, i) => ({ name: `${i}.html`, content: `<p>${i}` }))
    expect(uploaded(await accepted(plus(pages)))).toHaveLength(304)
  })
})

describe('limits are exact', () => {
  test('1000 files', async () => {
    const files = (count: number) =>
      plus(Array.from({ length: count - 4 }, (_, i) => ({ name: `${i}.txt`, content: `${i}` })))
    expect(uploaded(await accepted(files(1000)))).toHaveLength(1000)
    expect(await problems(files(1001))).toEqual(['The bundle has 1001 files, more than 1000'])
  })

  test('100 MiB extracted', async () => {
    const good = bundleParts()
    const used = good.reduce((sum, { content }) => sum + Buffer.byteLength(content ?? ''), 0)
    // Stored, which takes no time: what is counted is what comes out.
    const part = (name: string, bytes: number) => ({ name, content: new Uint8Array(bytes), stored: true })
    const parts = [...good, part('a.bin', 60 * MIB)]
    const last = 40 * MIB - used
    expect(uploaded(await accepted(makeZip([...parts, part('b.bin', last)])))).toHaveLength(6)
    const over = makeZip([...parts, part('b.bin', last + 1)])
    expect(await problems(over)).toEqual(['The files have more than 100 MiB together'])
  })

  test('8 MiB for the preview, with advice from 2 MiB on', async () => {
    const image = (bytes: number) => {
      const made = new Uint8Array(bytes)
      made.set(PNG)
      return plus([{ name: 'preview.png', content: made, stored: true }])
    }
    expect((await accepted(image(2 * MIB))).warnings).toEqual([])
    expect((await accepted(image(8 * MIB))).warnings).toEqual(['The preview is larger than 2 MiB.'])
    expect(await problems(image(8 * MIB + 1))).toEqual([
      'world-manifest.json preview: the image is larger than 8 MiB',
    ])
  })
})

describe('pages that cost much to parse', () => {
  const many = (count: number, of: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => of(i)).join('')
  const attributes = (count: number) => many(count, (i) => `a${i} `)
  test.each<[string, string, RegExp]>([
    ['one tag of 200,000 attributes', `<p ${attributes(200_000)}>`, /tag with more than 1000 attributes/],
    ['an end tag of as many', `</p ${attributes(200_000)}>`, /tag with more than 1000 attributes/],
    ['a tag that never ends', `<p ${attributes(200_000)}`, /tag with more than 1000 attributes/],
    [
      'formatting elements of many attributes, opened again thousands of times',
      `<div>${many(40, () => `<b ${attributes(500)}>`)}${many(2500, () => '<p></div><div>x')}`,
      /becomes more than 200000 attributes/,
    ],
    [
      'attributes that are added to one element thousands of times',
      `<html ${attributes(900)}>${many(59_000, () => '<html b>')}`,
      /becomes more than 200000 attributes/,
    ],
    ['a table of words outside its cells', `<table>${' x'.repeat(900_000)}`, /too much text in a table/],
    ['formatting elements that nest', many(50_000, () => '<b>'), /nests deeper than 512/],
    ['tables that nest', many(170, () => '<table><tr><td>'), /nests deeper than 512/],
  ])('%s: refused early', async (_what, page, problem) => {
    const started = process.cpuUsage()
    expect(await problems(plus([{ name: 'index.html', content: page, stored: true }]))).toEqual([
      expect.stringMatching(problem),
    ])
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(8)
  })
})

test('files that compress suspiciously well together are refused', async () => {
  // Below the ratio of one file each, by some noise in every one.
  const rows = Array.from({ length: 8 }, (_, i) => ({
    name: `${i}.bin`,
    content: Buffer.concat([new Uint8Array(3 * MIB), noise(64 * 1024)]),
  }))
  expect(await problems(plus(rows))).toContain(
    'The files inflate to more than 24 times their compressed size',
  )
})

describe('previews', () => {
  const webp = Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1')
  test.each<[string, Uint8Array]>([
    ['a.png', PNG],
    ['a.PNG', PNG],
    ['a.jpg', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0)],
    ['a.jpeg', Uint8Array.of(0xff, 0xd8, 0xff, 0xe1)],
    ['a.webp', webp],
  ])('%s is an image', async (preview, content) => {
    const zip = plus([{ name: preview, content }], { preview })
    expect((await accepted(zip)).manifest.preview).toBe(preview)
  })
})

describe('advice', () => {
  test.each<[string, ZipPart, string]>([
    ['eval', { name: 'a.js', content: 'eval ("1")' }, 'a.js: eval and new Function will not run'],
    [
      'style sheets of other hosts',
      { name: 'a.css', content: '@import "https://fonts.example/x.css";' },
      'a.css: what it loads from other hosts will not load; put the files into the bundle',
    ],
    [
      'a copy of the SDK',
      { name: 'lib/world-runtime.js', content: '1' },
      'lib/world-runtime.js: a copy of the SDK grows old; load it from ../../js/sdk/ instead',
    ],
    [
      'a World that nobody can reach',
      { name: 'world.js', content: '1' },
      'No page or script refers to world-runtime.js: the World will not hear from its page.',
    ],
  ])('about %s', async (_what, part, warning) => {
    expect((await accepted(plus([part]))).warnings).toEqual([warning])
  })

  test('costs no more for text made to be slow to search', async () => {
    const slow = [`@import${' '.repeat(900_000)}x`, `url(${' '.repeat(900_000)}x`, 'eval '.repeat(180_000)]
    const started = process.cpuUsage()
    await accepted(plus(slow.map((content, i) => ({ name: `${i}.${i < 2 ? 'css' : 'js'}`, content }))))
    // Quadratic, this would be minutes.
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(10)
  })

  test('ends somewhere', async () => {
    const scripts = Array.from({ length: 300 }, (_, i) => ({ name: `${i}.js`, content: 'eval("1")' }))
    expect((await accepted(plus(scripts))).warnings).toHaveLength(100)
  })
})

test('the list of problems is bounded', async () => {
  const pool = createBundlePool({ timeoutMs: PATIENCE_MS, maxQueue: 0, threads: 1 })
  try {
    const zip = plus(Array.from({ length: 80 }, (_, i) => ({ name: `${i}.exe`, content: '1' })))
    const text = await pool.check(zip).catch((error: Error) => error.message)
    expect(text).toMatch(/^The bundle has 80 problems:\n- "0.exe": files of type/)
    expect(String(text).split('\n')).toHaveLength(52)
    expect(text).toMatch(/- and 30 more$/)
  } finally {
    await pool.close()
  }
})
