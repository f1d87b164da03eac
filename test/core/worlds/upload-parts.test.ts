import JSZip from 'jszip'
import { describe, expect, test } from 'vitest'
import { checkBundle } from '#lib/compute/bundle/check-bundle.ts'
import {
  contentOf,
  filesOf,
  fromZip,
  listedFiles,
  newPathProblem,
  packFiles,
  rooted,
} from '#lib/ui/world-editor/files.ts'
import { firstManifest, readFields, remixManifest } from '#lib/ui/world-editor/manifest.ts'
import { manifestDiagnostics } from '#lib/ui/world-editor/manifest-check.ts'
import { fieldsAsText, summaryOf } from '#lib/ui/world-editor/messages.ts'
import { byFile, readProblem, refusalLines } from '#lib/ui/world-editor/problems.ts'
import { sampleRun } from '#lib/ui/world-editor/sample-run.ts'
import { manifest } from './support/bundle.ts'

function file(path: string, text = 'x') {
  return { path, file: new File([text], path.split('/').at(-1) ?? '') }
}

describe('what a refusal is about', () => {
  test.each<[string, string | undefined, string | undefined, string]>([
    ['world-manifest.json slug: must not be empty', 'world-manifest.json', 'slug', 'must not be empty'],
    [
      'world-manifest.json: is not valid JSON: bad',
      'world-manifest.json',
      undefined,
      'is not valid JSON: bad',
    ],
    [
      'world-manifest.json valueLimits.connectorValues["/a:0"]: min must not be greater than max',
      'world-manifest.json',
      'valueLimits.connectorValues["/a:0"]',
      'min must not be greater than max',
    ],
    ['world-manifest.json is missing', 'world-manifest.json', undefined, 'is missing'],
    [
      '"a b/c.exe": files of type ".exe" are not accepted',
      'a b/c.exe',
      undefined,
      'files of type ".exe" are not accepted',
    ],
    ['"a.js" and "A.js" clash', 'a.js', undefined, 'and "A.js" clash'],
    [
      'The files have more than 100 MiB together',
      undefined,
      undefined,
      'The files have more than 100 MiB together',
    ],
  ])('%s', (line, path, place, text) => {
    expect(readProblem(line)).toEqual({ file: path, place, text })
  })

  test('lines of many, and of one', () => {
    expect(refusalLines('The bundle has 2 problems:\n- "a": b\n- c')).toEqual(['"a": b', 'c'])
    expect(refusalLines('Only this')).toEqual(['Only this'])
  })

  test('by file, the whole first; by field of the manifest with all inside', () => {
    const problems = ['"a.js": b', 'whole', 'world-manifest.json slug: c', '"a.js": d'].map(readProblem)
    expect(byFile(problems).map((group) => [group.file, group.problems.length])).toEqual([
      [undefined, 1],
      ['a.js', 2],
      ['world-manifest.json', 1],
    ])
  })
})

describe('a folder', () => {
  test('has its root where the topmost manifest is; hidden and installed files stay out', () => {
    const { files, leftOut } = rooted([
      file('work/dist/world-manifest.json'),
      file('work/dist/js/a.js'),
      file('work/dist/old/world-manifest.json'),
      file('work/dist/node_modules/b/b.js'),
      file('work/dist/.git/HEAD'),
      file('work/src/a.ts'),
    ])
    expect(files.map(({ path }) => path)).toEqual([
      'world-manifest.json',
      'js/a.js',
      'old/world-manifest.json',
    ])
    expect(leftOut).toEqual(['.git/', 'node_modules/', 'work/src/a.ts'])
  })

  test('and a ZIP leave out what systems add, and spell names composed', async () => {
    const names = [
      'index.html',
      'Thumbs.db',
      'art/Desktop.ini',
      '._index.html',
      '.gitignore',
      'Icon\r',
      'o\u0308.png',
    ]
    const folder = await filesOf(
      'loom',
      names.map((name) => file(`loom/${name}`)),
    )
    const packed = await zipOf(names)
    const nested = await zipOf(names.map((name) => `loom/${name}`))
    for (const chosen of [folder, await fromZip(packed), await fromZip(nested)]) {
      expect([...chosen.files.keys()].sort()).toEqual(['index.html', 'world-manifest.json', '\u00f6.png'])
      expect(chosen.leftOut).toHaveLength(5)
    }
  })

  test('is packed into a valid bundle; a ZIP that cannot be read goes to the site as it is', async () => {
    const chosen = await filesOf('loom', [
      file('loom/index.html', '<!doctype html><title>Loom</title>'),
      file('loom/world-manifest.json', JSON.stringify({ ...manifest, preview: undefined })),
    ])
    const zip = await packFiles(chosen, () => undefined)
    const outcome = await checkBundle(new Uint8Array(await zip.arrayBuffer()))
    expect(outcome).toMatchObject({ status: 'accepted', bundle: { manifest: { slug: 'night-loom' } } })
    const broken = new File(['no ZIP'], 'broken.zip')
    expect(await packFiles(await fromZip(broken), () => undefined)).toBe(broken)
    const large = new File([new Uint8Array(25 * 1024 * 1024 + 1)], 'large.zip')
    await expect(packFiles(await fromZip(large), () => undefined)).rejects.toThrow('it may have 25 MiB')
  })
})

async function zipOf(names: readonly string[]): Promise<File> {
  const zip = new JSZip()
  for (const name of names) zip.file(name, 'x')
  return new File([await zip.generateAsync({ type: 'arraybuffer' })], 'loom.zip')
}

describe('a manifest is held against the rules of an upload while it is typed', () => {
  const good = { ...manifest, preview: undefined, permissions: ['browser.audio'] }
  const places = (text: string) =>
    manifestDiagnostics(text).map(({ line, column, message }) => [line, column, message.split(':')[0]])

  test('with the line of each problem', () => {
    expect(manifestDiagnostics(JSON.stringify(good, null, 2))).toEqual([])
    const wrong = { ...good, slug: 'No', permissions: ['browser.audio', 'x'], version: undefined }
    const lines = JSON.stringify(
      { ...wrong, valueLimits: { connectorValues: { '/a:0': { min: 2, max: 1 } } } },
      null,
      2,
    )
    const lineOf = (part: string) => lines.split('\n').findIndex((line) => line.includes(part)) + 1
    expect(places(lines)).toEqual([
      [lineOf('"slug"'), 3, 'slug'],
      [1, 1, 'version'],
      [lineOf('"x"'), 5, 'permissions[1]'],
      [lineOf('"/a:0"'), 7, 'valueLimits.connectorValues["/a'],
    ])
  })

  test.each([
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ['{\n  "a": [1, 2,\n  ]\n}', 3, 3],
    ['{ "\u{1f600}": tru }', 1, 8],
    ['{}\n!', 2, 1],
    ['', 1, 1],
  ])('and of where %j stops being JSON', (text, line, column) => {
    expect(manifestDiagnostics(text)).toMatchObject([
      { line, column, message: expect.stringContaining('is not valid JSON') },
    ])
  })
})

test('files without a manifest get one from their names', () => {
  expect(readFields('[]')).toBeUndefined()
  const first = readFields(firstManifest('My Größe.zip', ['page.html', 'a.png']))
  expect(first).toMatchObject({ slug: 'my-gr-e', entry: 'page.html', preview: 'a.png' })
})

test('sample numbers fill the ranges that a World declares', () => {
  const needs = {
    acceptedFormatHashes: [],
    acceptedConnectorSets: [{ connectors: ['pitch'], optionalConnectors: [] }],
  }
  const limits = {
    particlesCount: { min: 1, max: 64 },
    connectorValues: { '/pitch:0': { min: 60, max: 72 } },
  }
  const { executeOutput = [], particlesCount } = sampleRun(needs, limits)
  const [stream] = executeOutput
  expect([executeOutput.length, stream?.path, particlesCount, stream?.data.length]).toEqual([
    1,
    '/pitch:0',
    64,
    64,
  ])
  expect([Math.min(...(stream?.data ?? [])), Math.max(...(stream?.data ?? []))]).toEqual([60, 72])
})

test('messages in a line, whatever a stranger sends', () => {
  const from = 'world' as const
  expect(
    summaryOf({ from, type: 'dcn:world-rpc-request', fields: { method: 'execute', requestId: '7' } }),
  ).toBe('asks for execute (7)')
  expect(summaryOf({ from, type: 'x'.repeat(999), fields: {} })).toHaveLength(120)
  expect(summaryOf({ from: 'page', type: 'dcn:world-state', fields: { payload: null } })).toContain(
    'nothing, 0 steps',
  )
  const noText = { toString: 1, valueOf: 1 }
  expect(summaryOf({ from, type: 'dcn:world-rpc-request', fields: { method: noText } })).toBe(
    'asks for an object',
  )
  const round: Record<string, unknown> = { count: 7n }
  expect(fieldsAsText(round)).toContain('"7n"')
  round.self = round
  expect(fieldsAsText(round)).toContain('cannot be written')
})

test('the manifest of a remix is another World, and names the one it was made from', () => {
  const remixed = JSON.parse(
    remixManifest(JSON.stringify({ ...manifest, slug: 'a'.repeat(80) }), 'wld_a', 'x1y2'),
  )
  expect(remixed).toEqual({
    ...manifest,
    slug: `${'a'.repeat(69)}-remix-x1y2`,
    name: `${manifest.name} remix`,
    version: '0.1.0',
    remixOf: 'wld_a',
  })
  expect(remixManifest('no JSON', 'wld_a', 'x1y2')).toBe('no JSON')
})

test('a World takes new files that are text or not, at paths that it can have', async () => {
  expect(await contentOf(new Blob(['\ufeffgrün']))).toBe('\ufeffgrün')
  const picture = await contentOf(new Blob([Uint8Array.of(0x89, 0x50, 0xff)]))
  expect(picture).toBeInstanceOf(Blob)
  expect(await contentOf(new Blob(['a\0b']))).toBeInstanceOf(Blob)
  const files = new Map([...Object.entries({ 'world.js': '' }), ['a.png', picture] as const])
  expect(listedFiles({ name: 'a', files, leftOut: [] })).toEqual([
    { path: 'a.png', size: 3, text: false },
    { path: 'world.js', size: 0, text: true },
  ])
  expect(newPathProblem({ files }, 'sounds/kick.wav')).toBeUndefined()
  expect(newPathProblem({ files }, '')).toContain('Type a name')
  expect(newPathProblem({ files }, 'world.js')).toContain('already')
  expect(newPathProblem({ files }, 'a/.env')).toContain('.env are left out')
})
