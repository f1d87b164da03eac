import JSZip from 'jszip'
import { describe, expect, test } from 'vitest'
import { checkBundle } from '#lib/compute/bundle/check-bundle.ts'
import { newPathProblem, remixFile, remixFiles, remixManifest } from '#lib/ui/world-source/remix.ts'
import { chooseFiles, chooseZip, rooted } from '#lib/ui/world-upload/bundle/choose.ts'
import { firstManifest, readFields } from '#lib/ui/world-upload/manifest-text.ts'
import { fieldsAsText, summaryOf } from '#lib/ui/world-upload/messages.ts'
import { sampleRun } from '#lib/ui/world-upload/preview-board.tsx'
import { byFile, readProblem, refusalLines } from '#lib/ui/world-upload/problems.ts'
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
    const folder = await chooseFiles(
      'loom',
      names.map((name) => file(`loom/${name}`)),
    )
    const zip = new JSZip()
    for (const name of names) zip.file(name, 'x')
    const packed = await zip.generateAsync({ type: 'arraybuffer' })
    for (const chosen of [folder, await chooseZip(new File([packed], 'loom.zip'))]) {
      expect(chosen.files.map(({ path }) => path)).toEqual(['index.html', '\u00f6.png'])
      expect(chosen.leftOut).toHaveLength(5)
    }
  })

  test('is packed into a valid bundle, with another manifest where there is one', async () => {
    const chosen = await chooseFiles('loom', [
      file('loom/index.html', '<!doctype html><title>Loom</title>'),
      file('loom/world-manifest.json', '{}'),
    ])
    expect(chosen.manifest).toBe('{}')
    const text = JSON.stringify({ ...manifest, preview: undefined })
    const zip = await chosen.pack(text, () => undefined)
    const outcome = await checkBundle(new Uint8Array(await zip.arrayBuffer()))
    expect(outcome).toMatchObject({ status: 'accepted', bundle: { manifest: { slug: 'night-loom' } } })
  })
})

test('files without a manifest get one from their names', () => {
  expect(readFields('[]')).toBeUndefined()
  const first = readFields(
    firstManifest('My Größe.zip', [
      { path: 'page.html', size: 1 },
      { path: 'a.png', size: 1 },
    ]),
  )
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

test('a remix takes new files that are text or not, at paths that a World can have', async () => {
  expect(await remixFile(new Blob(['\ufeffgrün']))).toBe('\ufeffgrün')
  const picture = await remixFile(new Blob([Uint8Array.of(0x89, 0x50, 0xff)]))
  expect(picture).toBeInstanceOf(Blob)
  expect(await remixFile(new Blob(['a\0b']))).toBeInstanceOf(Blob)
  const remix = { files: new Map([...Object.entries({ 'world.js': '' }), ['a.png', picture] as const]) }
  expect(remixFiles(remix)).toEqual([
    { path: 'a.png', size: 3, text: false },
    { path: 'world.js', size: 0, text: true },
  ])
  expect(newPathProblem(remix, 'sounds/kick.wav')).toBeUndefined()
  expect(newPathProblem(remix, '')).toContain('Type a name')
  expect(newPathProblem(remix, 'world.js')).toContain('already')
  expect(newPathProblem(remix, 'a/.env')).toContain('.env are left out')
})
