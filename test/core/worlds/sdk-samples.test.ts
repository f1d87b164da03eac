import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { builtModule, SDK_MODULES } from '#lib/core/worlds/sdk/built-module.ts'
import { samplesOf } from '#test/support/doc-samples.ts'
import { FakeWindow } from './support/fake-windows.ts'

const folders: string[] = []
afterEach(() => {
  vi.unstubAllGlobals()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** Runs a sample as a separate module, beside the built SDK. */
async function runModule(code: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-sdk-'))
  folders.push(folder)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const name of ['world-runtime.js', 'world-host.js']) {
    symlinkSync(resolve('lib/core/worlds/sdk/built', name), join(folder, name))
  }
  writeFileSync(join(folder, 'sample.js'), code.replace(/'[./\w]*\/js\/sdk\/(world-\w+\.js)'/g, "'./$1'"))
  await import(/* @vite-ignore */ pathToFileURL(join(folder, 'sample.js')).href)
}

test('the page and the World of docs/world-sdk.md show each other what they have', async () => {
  const [inWorld, inPage] = samplesOf('docs/world-sdk.md').filter(({ language }) => language === 'js')
  if (inWorld === undefined || inPage === undefined) throw new Error('docs/world-sdk.md has lost its samples')

  const page = new FakeWindow('http://site.test')
  const world = new FakeWindow('null')
  const iframe = { setAttribute: vi.fn(), contentWindow: world.as(page), src: '' }
  const executeOutput = [{ path: '/pitch:0', data: [60, 62, 64] }]
  const asked = vi.fn(async (url: string) =>
    Response.json({ name: url.split('/').at(-1), format_hash: 'ab' }),
  )
  vi.stubGlobal('fetch', asked)
  vi.stubGlobal('window', page)
  vi.stubGlobal('iframe', iframe)
  vi.stubGlobal('world', { permissions: ['dcn.connectors.read'], valueLimits: undefined })
  vi.stubGlobal('entryUrl', 'http://assets.test/world/index.html')
  vi.stubGlobal('executeOutput', executeOutput)
  vi.stubGlobal('connectorName', 'pitch')
  vi.stubGlobal('particlesCount', 3)
  await runModule(inPage.code)
  expect(iframe.setAttribute).toHaveBeenCalledWith('sandbox', 'allow-scripts')

  const draw = vi.fn()
  Object.assign(world, { parent: page.as(world) })
  world.location.href = iframe.src
  vi.stubGlobal('window', world)
  vi.stubGlobal('draw', draw)
  await runModule(inWorld.code)
  await expect.poll(() => draw.mock.calls).toContainEqual([executeOutput])
  await expect.poll(() => asked.mock.calls[0]?.[0]).toMatch(/\/chain\/connector\/pitch$/)
})

test.each(Object.keys(SDK_MODULES))('%s is served without imports', async (name) => {
  expect((await builtModule(name))?.text).not.toMatch(/^import\b/m)
})

test.each(['world-client.js', '__proto__', 'constructor', '../runtime.ts', ''])(
  'there is no module %j',
  async (name) => {
    expect(await builtModule(name)).toBeUndefined()
  },
)
