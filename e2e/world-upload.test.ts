import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { demoWorld } from '#test/core/worlds/support/demo-worlds.ts'
import { addBrowserWallet } from '#test/support/browser-wallet.ts'
import { expectAccessible, sitePages } from '#test/support/site-pages.ts'

const { site } = inject('endpoints')
const { open } = sitePages(site, { moving: true })

/** Names in the policies of Worlds that this browser does not know yet, and the refusals that are tried. */
const provoked = ['400', '404']

const PAGE = `<!doctype html><html lang="en"><title>Lines</title><p>waiting</p><script type="module" src="world.js"></script>`
const SCRIPT = `import { createWorldSdk } from '../../js/sdk/world-runtime.js'
const sdk = createWorldSdk({ worldId: 'lines' })
sdk.onState(({ payload, requestId }) => {
  document.querySelector('p').textContent = payload.connectorName + ' ' + payload.executeOutput[0].data.slice(0, 3)
  sdk.reportRendered(requestId)
})
sdk.ready()
`

const manifest = {
  schemaVersion: 1,
  slug: 'Upload Lines',
  name: 'Upload Lines',
  version: '',
  description: 'Says the first numbers.',
  entry: 'start.html',
  runtime: 'iframe',
  surfaces: ['world-page'],
  acceptedConnectorSets: [{ connectors: ['pitch'] }],
  valueLimits: { connectorValues: { '/pitch:0': { min: 60, max: 72 } } },
}
const MENDED = { slug: 'upload-lines', version: '0.1.0', entry: 'index.html' }

let folder: string
beforeAll(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'weft-upload-')), 'lines')
  const files = { 'world-manifest.json': JSON.stringify(manifest), 'index.html': PAGE, 'world.js': SCRIPT }
  for (const [path, text] of Object.entries({ ...files, '.git/HEAD': 'ref: refs/heads/main' })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
})
afterAll(() => rmSync(dirname(folder), { recursive: true }))

test('a refused folder is mended where it is refused, previewed, looked into and published', async () => {
  const page = await open('/worlds', { provoked })
  await addBrowserWallet(page.context())
  await page.reload({ waitUntil: 'load' })
  await page.getByRole('link', { name: 'Upload yours' }).click()
  await page.waitForURL(/\/worlds\/upload$/)
  await page.getByText('At most 25 MiB as a ZIP').waitFor()
  await page.getByLabel('Folder', { exact: true }).setInputFiles(folder)

  await page.getByRole('heading', { name: '3 things are wrong' }).waitFor()
  const said = await page.getByRole('status').filter({ hasText: 'things are wrong' }).first().textContent()
  for (const part of ['world-manifest.json', 'slug', 'version', 'there is no file "start.html"']) {
    expect(said).toContain(part)
  }
  await page.getByText('lines: 3 files').waitFor()
  expect(await page.locator('iframe').count()).toBe(0)
  await expectAccessible(page)

  await page.getByText('Left out: .git/').waitFor()
  await page.getByRole('button', { name: /^Line 1, column \d+: slug: expected/ }).waitFor()
  await page.getByRole('textbox', { name: 'Text of world-manifest.json' }).press('Control+A')
  await page.keyboard.insertText(JSON.stringify({ ...manifest, ...MENDED }, null, 2))
  await page.getByText('The manifest is valid.').waitFor()

  const drawn = page.frameLocator('iframe').locator('p')
  await drawn.filter({ hasText: 'pitch 0,1,2' }).waitFor()
  const entry = await page.locator('iframe').getAttribute('src')
  await expect.poll(() => page.locator('iframe').getAttribute('sandbox')).toBe('allow-scripts')
  await page.getByText('is ready').waitFor()
  await page.getByText('state: pitch').first().click()
  await page.locator('pre').getByText('"connectorName": "pitch"').waitFor()
  await page.getByLabel('Sample numbers').check()
  await drawn.filter({ hasText: 'pitch 60,61,62' }).waitFor()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Sign in and publish it' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Test wallet' }).click()
  await page.getByRole('link', { name: 'Go to its page' }).click()
  await page.waitForURL(/\/worlds\/upload-lines/)
  await page.frameLocator('iframe').locator('p', { hasText: 'pitch' }).waitFor()
  // Leaving the page deletes the preview.
  await expect.poll(async () => (await fetch(new URL(entry ?? '', site))).status).toBe(404)
})

test('a dropped ZIP reports that its slug is taken, and lists its permissions', async () => {
  const page = await open('/worlds/upload', { provoked })
  const bundle = demoWorld({ slug: 'upload-lines', name: 'Dropped', permissions: ['browser.audio'] })
  await page.getByText('Drop a ZIP or a folder here').waitFor()
  const dropped = await page.evaluateHandle(
    (bytes) => {
      const data = new DataTransfer()
      data.items.add(new File([Uint8Array.from(bytes)], 'dropped.zip', { type: 'application/zip' }))
      return data
    },
    [...bundle],
  )
  await page.getByLabel('Choose a bundle').dispatchEvent('drop', { dataTransfer: dropped })
  await page.frameLocator('iframe').locator('p', { hasText: '[' }).waitFor()
  await page.getByText('exists already: choose another slug').first().waitFor()
  await expect
    .poll(() => page.getByRole('button', { name: 'Sign in and publish it' }).isDisabled())
    .toBe(true)
  await expect.poll(() => page.locator('main').textContent()).toContain('Play sound')
})

test('a World begins with the template, and outlives a reload', async () => {
  const page = await open('/worlds/upload', { provoked })
  await page.getByRole('button', { name: 'Begin with the template' }).click()
  const preview = page.getByRole('region', { name: 'Live preview' })
  await preview.locator('[data-phase=ready]').waitFor()
  await page.getByText('Saved in this browser.').waitFor()
  await page.reload({ waitUntil: 'load' })
  await page.getByText('My World: 5 files').waitFor()
  await preview.locator('[data-phase=ready]').waitFor()
})

test('a World is read, remixed beside a preview that follows, and published with credit', async () => {
  const page = await open('/worlds/plain-chart', { provoked })
  await addBrowserWallet(page.context())
  await page.reload({ waitUntil: 'load' })
  await page.getByRole('link', { name: 'View source' }).click()
  await page
    .getByRole('textbox', { name: 'Text of world.js' })
    .filter({ hasText: 'createWorldSdk' })
    .waitFor()
  await expectAccessible(page)
  // To read, never to run.
  const file = await fetch(`${site}/worlds/plain-chart/source/file?path=world.js`)
  expect(await file.text()).toMatch(/^import /)
  expect(file.headers.get('content-type')).toBe('application/octet-stream')
  expect(file.headers.get('content-disposition')).toBe('attachment')
  expect(file.headers.get('x-content-type-options')).toBe('nosniff')
  expect(file.headers.get('cross-origin-resource-policy')).toBe('same-origin')
  expect((await fetch(`${site}/worlds/plain-chart/source/file?path=../x`)).status).toBe(404)
  await page.getByRole('button', { name: 'Remix', exact: true }).click()
  const preview = page.getByRole('region', { name: 'Live preview' })
  await preview.locator('[data-phase=ready]').waitFor()

  const type = async (file: string, text: string) => {
    await page.getByRole('group', { name: 'Files' }).getByRole('button', { name: file, exact: true }).click()
    await page.getByRole('textbox', { name: `Text of ${file}` }).press('Control+Home')
    await page.keyboard.insertText(text)
  }
  await type('world-manifest.json', '!')
  await preview.getByText('is not valid JSON').waitFor()
  await page.keyboard.press('Backspace')
  await type('world.js', "document.title = 'remixed'; document.body.append('made anew')\n")
  await preview.frameLocator('iframe').getByText('made anew').waitFor()
  const name = page.getByRole('textbox', { name: 'Name of a file' })
  await name.fill('wrds.js')
  await page.getByRole('button', { name: 'New file' }).click()
  await name.fill('words.js')
  await page.getByRole('button', { name: 'Rename wrds.js' }).click()
  await type('words.js', "export const words = 'from a new file'\n")
  await page.getByLabel('Files from disk').setInputFiles({
    name: 'dot.gif',
    mimeType: 'image/gif',
    buffer: Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64'),
  })
  await page.getByText('This file is not text').waitFor()
  await type(
    'world.js',
    "import { words } from './words.js'\nconst dot = new Image()\ndot.onload = () => document.body.append(words)\ndot.src = 'dot.gif'\n",
  )
  await preview.frameLocator('iframe').getByText('from a new file').waitFor()

  await page.goto(`${site}/worlds/plain-chart/source`)
  await page.getByRole('button', { name: 'Continue your remix' }).click()
  await preview.frameLocator('iframe').getByText('made anew').waitFor()
  await page.getByRole('button', { name: 'Sign in and publish it' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Test Wallet' }).click()
  await page.getByRole('link', { name: 'Go to its page' }).click()
  await page.waitForURL(/\/worlds\/plain-chart-remix-\w{4}$/)
  await page.getByRole('heading', { name: 'Plain chart remix' }).waitFor()
  await page.getByRole('link', { name: 'Plain chart', exact: true }).waitFor()
})
