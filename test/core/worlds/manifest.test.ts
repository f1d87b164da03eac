import { describe, expect, test } from 'vitest'
import { checkBundle } from '#lib/compute/bundle/check-bundle.ts'
import type { CheckedBundle } from '#lib/compute/bundle/checked-bundle.ts'
import { type Manifest, makeBundle, manifest } from './support/bundle.ts'

async function accepted(changes: Manifest): Promise<CheckedBundle> {
  const outcome = await checkBundle(makeBundle(changes))
  if (outcome.status !== 'accepted') throw new Error(outcome.problems.join('\n'))
  return outcome.bundle
}

async function problems(changes: Manifest): Promise<readonly string[]> {
  const outcome = await checkBundle(makeBundle(changes))
  return outcome.status === 'refused' ? outcome.problems : []
}

const REQUIRED = 'schemaVersion slug name version description entry runtime surfaces'.split(' ')
const HASH = 'ab'.repeat(32)

describe('a manifest is refused', () => {
  test.each(REQUIRED)('without %s', async (key) => {
    expect(await problems({ [key]: undefined })).toEqual([
      expect.stringMatching(new RegExp(`^world-manifest.json ${key}: (required|must be)`)),
    ])
  })

  test.each(REQUIRED)('with null for %s', async (key) => {
    expect(await problems({ [key]: null })).toEqual([
      expect.stringMatching(new RegExp(`^world-manifest.json ${key}: `)),
    ])
  })

  test.each<[string, string, unknown, RegExp]>([
    ['schemaVersion 2', 'schemaVersion', 2, /must be 1/],
    ['schemaVersion as text', 'schemaVersion', '1', /must be 1/],
    ['an empty slug', 'slug', '', /lower-case/],
    ['capital letters in the slug', 'slug', 'Night', /lower-case/],
    ['a slug with a space', 'slug', 'night loom', /lower-case/],
    ['a slug with a line break', 'slug', 'night\n', /lower-case/],
    ['a slug with a slash', 'slug', 'night/loom', /lower-case/],
    ['a slug of 81 characters', 'slug', 'a'.repeat(81), /at most 80/],
    ['a slug that is a page of ours', 'slug', 'upload', /address of another page/],
    ['a blank name', 'name', '  \t', /must not be empty/],
    ['a name that turns other people’s words', 'name', 'Night\u202eLoom', /turn the direction/],
    ['a name of another type', 'name', 7, /expected string/],
    ['an empty version', 'version', '', /must not be empty/],
    ['a blank description', 'description', ' ', /must not be empty/],
    ['another runtime', 'runtime', 'worker', /must be "iframe"/],
    ['no surfaces', 'surfaces', [], /at least one of/],
    ['an unknown surface', 'surfaces', ['world-page', 'desktop'], /surfaces\[1\]: expected "world-page"/],
    ['surfaces as text', 'surfaces', 'world-page', /expected array/],
    [
      'an unknown permission',
      'permissions',
      ['browser.audio', 'browser.camera'],
      /permissions\[1\]: there is no/,
    ],
    ['a permission named toString', 'permissions', ['toString'], /permissions\[0\]: there is no/],
    ['null for permissions', 'permissions', null, /expected array/],
    [
      'an empty connector set',
      'acceptedConnectorSets',
      [{ connectors: [] }],
      /\[0\].connectors: expected at least/,
    ],
    ['a set without connectors', 'acceptedConnectorSets', [{}], /\[0\].connectors: required/],
    ['an empty connector name', 'acceptedConnectorSets', [{ connectors: [''] }], /connectors\[0\]: must not/],
    ['a short format hash', 'acceptedFormatHashes', ['0xabcd'], /acceptedFormatHashes\[0\]: expected 64/],
    [
      'a range from high to low',
      'valueLimits',
      { particlesCount: { min: 2, max: 1 } },
      /min must not be greater/,
    ],
    [
      'a range of texts',
      'valueLimits',
      { connectorValues: { '/pitch:0': { min: '0', max: 1 } } },
      /connectorValues\["\/pitch:0"\].min: expected a finite number/,
    ],
    ['a range without an end', 'valueLimits', { particlesCount: { min: 2 } }, /particlesCount.max: required/],
    [
      'an output path of spaces',
      'valueLimits',
      { connectorValues: { ' ': { min: 0, max: 1 } } },
      /must not be empty/,
    ],
    ['a preview that is no text', 'preview', 5, /expected string/],
    ['a preview that is not there', 'preview', 'other.png', /there is no file "other.png" in the ZIP$/],
    ['a preview in another folder', 'preview', 'a/preview.png', /did you mean "preview.png"\?/],
    ['an entry that is not there', 'entry', './index.html', /did you mean "index.html"\?/],
    ['an entry that is no page', 'entry', 'world.js', /must be an .html file/],
    ['a chain API version 3', 'chainApiVersion', 3, /must be 1 or 2/],
    ['a remix of an address', 'remixOf', 'https://weft.example', /expected the id of a World/],
  ])('for %s', async (_what, key, value, says) => {
    const found = await problems({ [key]: value })
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(new RegExp(`^world-manifest.json ${key}`))
    expect(found[0]).toMatch(says)
  })

  test('for numbers that JSON has no finite value for', async () => {
    const zip = makeBundle({}, [
      {
        name: 'world-manifest.json',
        content: JSON.stringify(manifest).replace('"max":64', '"max":1e999'),
      },
    ])
    expect(await checkBundle(zip)).toMatchObject({
      status: 'refused',
      problems: [expect.stringMatching(/valueLimits.particlesCount.max: expected a finite number/)],
    })
  })

  test('with every problem at once, each with its place', async () => {
    const found = await problems({
      slug: 'Night Loom',
      name: '',
      version: undefined,
      surfaces: ['moon'],
      permissions: ['dcn.execute', 'root'],
      valueLimits: { particlesCount: { min: 9, max: 1 } },
    })
    expect(found.map((problem) => problem.split(':')[0])).toEqual([
      'world-manifest.json slug',
      'world-manifest.json name',
      'world-manifest.json version',
      'world-manifest.json surfaces[0]',
      'world-manifest.json permissions[1]',
      'world-manifest.json valueLimits.particlesCount',
    ])
  })

  test('together with what is wrong with the files', async () => {
    const outcome = await checkBundle(
      makeBundle({ slug: 'A' }, [
        { name: 'run.exe', content: '1' },
        { name: '../up.js', content: '1' },
      ]),
    )
    expect(outcome).toMatchObject({
      problems: [
        '"../up.js": a path may not lead anywhere else',
        '"run.exe": files of type ".exe" are not accepted',
        'world-manifest.json slug: expected lower-case letters, digits and dashes',
      ],
    })
  })
})

describe('a manifest is accepted', () => {
  test('with the least it may hold; what is absent has its default or stays absent', async () => {
    const bundle = await accepted({
      permissions: undefined,
      acceptedConnectorSets: undefined,
      acceptedFormatHashes: undefined,
      valueLimits: undefined,
      preview: undefined,
    })
    expect(bundle.manifest).toEqual({
      ...Object.fromEntries(REQUIRED.map((key) => [key, manifest[key as keyof typeof manifest]])),
      permissions: [],
      acceptedConnectorSets: [],
      acceptedFormatHashes: [],
    })
    expect(bundle.warnings).toEqual([
      'Preview asset is not declared.',
      'No compatibility is declared: the World names no connectors and no formats.',
    ])
  })

  test('trimmed, and without optional texts that are empty', async () => {
    const bundle = await accepted({
      name: '  Loom ',
      shortDescription: ' ',
      heroLabel: '',
      accentColor: '#1a2b3c ',
    })
    expect(bundle.manifest).toMatchObject({ name: 'Loom', accentColor: '#1a2b3c' })
    expect(Object.keys(bundle.manifest)).not.toContain('shortDescription')
    expect(Object.keys(bundle.manifest)).not.toContain('heroLabel')
  })

  test('with permissions of both families, as written, each once', async () => {
    const bundle = await accepted({
      permissions: [
        'decentralised.art.connectors.read',
        'dcn.transformations.read',
        'dcn.connectors.read',
        'decentralised.art.execute',
        'browser.audio',
      ],
    })
    expect(bundle.manifest.permissions).toEqual([
      'decentralised.art.connectors.read',
      'dcn.transformations.read',
      'decentralised.art.execute',
      'browser.audio',
    ])
    expect(bundle.warnings).toEqual(['A permission is listed more than once.'])
  })

  test('with optionalConnectors absent, which means none', async () => {
    const bundle = await accepted({ acceptedConnectorSets: [{ connectors: ['pitch'] }] })
    expect(bundle.manifest.acceptedConnectorSets).toEqual([{ connectors: ['pitch'], optionalConnectors: [] }])
  })

  test('with format hashes in any spelling, each once', async () => {
    const bundle = await accepted({ acceptedFormatHashes: [`0x${HASH.toUpperCase()}`, HASH] })
    expect(bundle.manifest.acceptedFormatHashes).toEqual([`0x${HASH.toUpperCase()}`])
  })

  test('with value limits that limit nothing, as without any', async () => {
    expect((await accepted({ valueLimits: {} })).manifest).not.toHaveProperty('valueLimits')
  })

  test.each<[string, Manifest, string]>([
    [
      'unknown keys',
      { flavour: 1, constructor: 2 },
      'Unknown manifest keys are ignored: "flavour", "constructor".',
    ],
    ['a version of its own kind', { version: 'spring' }, 'The version "spring" is not like 1.2.3.'],
    ['a named colour', { accentColor: 'tomato' }, 'accentColor is not a colour like #1a2b3c.'],
    [
      'an output path without a slash',
      { valueLimits: { connectorValues: { 'pitch:0': { min: 0, max: 1 } } } },
      'The output path "pitch:0" in valueLimits does not begin with a slash.',
    ],
    [
      'a name no connector can have',
      { acceptedConnectorSets: [{ connectors: ['a-b'] }] },
      'No connector can have the name "a-b".',
    ],
  ])('with a warning for %s', async (_what, changes, warning) => {
    expect((await accepted(changes)).warnings).toEqual([warning])
  })
})
