import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { checkBundle } from '#lib/compute/bundle/check-bundle.ts'
import { buildCreateWorldPackage } from '#scripts/create-world/pack.ts'
import { pack } from '#scripts/npm-package/pack.ts'
import { newWorld } from '#scripts/world-kit/new-world.ts'
import { type PreviewServer, startPreview } from '#scripts/world-kit/preview-server.ts'
import { folderFiles, packWorld } from '#scripts/world-kit/world-folder.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-world-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** As an editor would. */
function checkTypes(world: string): void {
  const tsc = 'node_modules/@typescript/native/bin/tsc'
  const { stdout } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', join(world, 'jsconfig.json')])
  expect(String(stdout)).toBe('')
}

describe('a new World', () => {
  test('is named as its folder, checked by an editor, and fit to be published', async () => {
    const world = join(folder, 'night-loom')
    newWorld(world)
    expect([...folderFiles(world).keys()]).toEqual([
      'README.md',
      'index.html',
      'preview.png',
      'world-manifest.json',
      'world.js',
    ])
    const outcome = await checkBundle(await packWorld(world))
    expect(outcome).toMatchObject({
      status: 'accepted',
      bundle: {
        manifest: { slug: 'night-loom', name: 'Night loom' },
        warnings: [],
      },
    })
    expect(readFileSync(join(world, 'world.js'), 'utf8')).toContain("worldId: 'night-loom'")
    checkTypes(world)
  })

  test('needs a name that can be a slug, and a place that is free', () => {
    for (const name of ['Night', 'a b', '-a', 'a--b', 'ä', 'a'.repeat(81)]) {
      expect(() => newWorld(join(folder, name))).toThrow('cannot be a slug')
    }
    newWorld(join(folder, 'twice'))
    expect(() => newWorld(join(folder, 'twice'))).toThrow('there already')
  })
})

test('on the development chain publishing asks for no PRIVATE_KEY', () => {
  const world = join(folder, 'no-key')
  newWorld(world)
  // Nothing is there: it fails at the site, not before.
  writeFileSync(join(folder, 'endpoints.json'), JSON.stringify({ site: 'http://127.0.0.1:9' }))
  const { PRIVATE_KEY: _, SITE: __, ...env } = process.env
  const { stderr } = spawnSync(process.execPath, ['scripts/world-publish.ts', world], {
    env: { ...env, WEFT_DATA_DIR: folder },
  })
  expect(String(stderr)).not.toBe('')
  expect(String(stderr)).not.toContain('PRIVATE_KEY')
})

describe('the preview', () => {
  let server: PreviewServer | undefined
  afterEach(() => server?.close())

  test('serves the folder under the policy of the site, and reports the validation of an upload', async () => {
    const world = join(folder, 'seen')
    newWorld(world)
    writeFileSync(join(world, 'inline.html'), '<!doctype html><title>T</title><script>go()</script>')
    server = await startPreview(world)
    const get = (path: string) => fetch(server?.url + path)
    const assets = '/services/world-assets/preview/'
    const script = await get(`${assets}world.js`)
    expect(script.headers.get('content-security-policy')).toContain(`sandbox`)
    expect(script.headers.get('access-control-allow-origin')).toBe('*')
    expect(await script.text()).toMatch(/^\{const g=globalThis;.*import \{ createWorldSdk \}/)
    expect(await (await get(`${assets}inline.html`)).text()).not.toContain('go()')
    expect((await get('/')).headers.get('content-security-policy')).toContain(
      `frame-src ${server.url}/services/world-assets/`,
    )
    expect((await get('/services/js/sdk/world-runtime.js')).status).toBe(200)
    for (const path of [
      '../../package.json',
      '%2e%2e%2fpackage.json',
      'types/world-runtime.d.ts',
      'none.js',
      '%zz',
    ]) {
      expect([path, (await get(assets + path)).status]).toEqual([path, 404])
    }
    expect(await (await get('/check.json')).json()).toMatchObject({
      problems: [],
      manifest: { slug: 'seen' },
      entryUrl: `${assets}index.html`,
    })

    const manifest = join(world, 'world-manifest.json')
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('preview.png', 'p.png'))
    expect(await (await get('/check.json')).json()).toMatchObject({
      problems: ['world-manifest.json preview: there is no file "p.png" in the ZIP'],
      manifest: { slug: 'seen' },
    })
    writeFileSync(manifest, '{')
    const broken = (await (await get('/check.json')).json()) as { problems: string[]; manifest: unknown }
    expect(broken.problems[0]).toContain('is not valid JSON')
    expect(broken.manifest).toBeUndefined()
  })
})

test('create-weft-world begins and previews a World in an empty folder, without this project', async () => {
  const tarball = await pack(buildCreateWorldPackage, join(folder, 'packed'))
  const empty = mkdtempSync(join(folder, 'empty-'))
  // As from a site, with the package from a file.
  const run = ['exec', '--yes', '--package', tarball, '--', 'create-weft-world', 'first-light']
  expect(String(execFileSync('npm', run, { cwd: empty }))).toContain('npm run preview')
  const world = join(empty, 'first-light')
  checkTypes(world)
  expect([...folderFiles(world).keys()]).toEqual([
    'README.md',
    'index.html',
    'preview.png',
    'world-manifest.json',
    'world.js',
  ])
  // Nothing of it is taken from a registry by its name.
  const manifest = JSON.parse(readFileSync(join(world, 'package.json'), 'utf8'))
  expect(manifest.devDependencies).toEqual({ '@weft/create-world': `file:${tarball}` })
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund'], { cwd: world })
  const bin = join(world, 'node_modules/.bin/create-weft-world')
  const preview = spawn(process.execPath, [bin, 'preview', '.'], {
    cwd: world,
    env: { ...process.env, PORT: '0' },
  })
  try {
    const line = String(await new Promise((resolve) => preview.stdout.once('data', resolve)))
    const [url] = /http:\S+/.exec(line) ?? []
    expect(await (await fetch(`${url}/check.json`)).json()).toMatchObject({
      problems: [],
      warnings: [],
      manifest: { slug: 'first-light' },
    })
    const script = await fetch(`${url}/services/world-assets/preview/world.js`)
    expect(await script.text()).toContain("worldId: 'first-light'")
    expect((await fetch(`${url}/services/js/sdk/world-runtime.js`)).status).toBe(200)
  } finally {
    preview.kill()
  }
})
