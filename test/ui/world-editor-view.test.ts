import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import JSZip from 'jszip'
import type { Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkBundle } from '#lib/compute/bundle/check-bundle.ts'
import type { CheckedBundle } from '#lib/compute/bundle/checked-bundle.ts'
import { violationsOf } from '#test/support/axe.ts'
import { testBrowser } from '#test/support/browser.ts'
import { type ComponentSite, startComponentSite } from './studio/component-site.ts'

/* The editor as visitors use it, before a site that checks bundles as an upload does. */

const MANIFEST = {
  schemaVersion: 1,
  slug: 'lines',
  name: 'Lines',
  version: '0.1.0',
  description: 'Draws lines.',
  entry: 'index.html',
  runtime: 'iframe',
  surfaces: ['world-page'],
}
const FILES = {
  'index.html': '<!doctype html><html lang="en"><title>Lines</title><p>drawn first</p></html>',
  'world-manifest.json': JSON.stringify(MANIFEST, null, 2),
}

let site: ComponentSite
let isTaken = false
const previews = new Map<string, CheckedBundle>()
const ended: string[] = []
const sent: string[] = []

const browser = testBrowser()
beforeAll(async () => {
  site = await startComponentSite({ pages: { '/editor': '../world-editor-page' }, answer })
})
afterAll(() => site.close())
beforeEach(() => {
  isTaken = false
  ended.length = 0
  sent.length = 0
})

async function answer(path: string, request: IncomingMessage, response: ServerResponse) {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const json = (value: unknown, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  if (path === '/session') {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const address = '0x00000000000000000000000000000000000000aa'
    return json({ session: { address, name: null, roles: [], notices: 0, expires_at } })
  }
  if (path === '/downloads/world-template.zip') return response.end(await zipOf(FILES))
  if (path === '/worlds/lines/source/file') {
    return response.end(FILES[searchParams.get('path') as keyof typeof FILES])
  }
  if (path === '/worlds/upload/preview') {
    const id = searchParams.get('id') ?? ''
    const { name } = previews.get(id)!.manifest
    const framed = { id, name, entryUrl: `/previews/${id}/index.html`, permissions: [], autonomous: true }
    return json({ framed, needs: { acceptedFormatHashes: [], acceptedConnectorSets: [] }, candidates: [] })
  }
  const [, id = '', file = ''] = /^\/previews\/(\w+)\/(.+)$/.exec(path) ?? []
  if (id !== '') {
    response.setHeader('content-type', file.endsWith('.js') ? 'text/javascript' : 'text/html')
    return response.end(previews.get(id)!.files.find((each) => each.path === file)!.bytes)
  }
  if (request.method === 'DELETE') {
    ended.push(path)
    return response.writeHead(204).end()
  }
  const bundle = await checkedBundle(request)
  if (Array.isArray(bundle)) {
    return json({ message: [`The bundle has ${bundle.length} problems:`, ...bundle].join('\n- ') }, 400)
  }
  sent.push(`${request.method} ${path}`)
  if (path === '/studio/api/world-previews') {
    const fresh = `p${previews.size}`
    previews.set(fresh, bundle)
    const expires_at = new Date(Date.now() + 1_800_000).toISOString()
    return json({ id: fresh, version: bundle.manifest.version, expires_at, warnings: bundle.warnings })
  }
  if (path.endsWith('/comparison')) {
    const version = { before: '0.1.0', after: bundle.manifest.version }
    const changes = [{ path: 'index.html', before: 70, after: 90 }]
    const permissions = { gained: ['browser.audio'], lost: [] }
    const rest = { same: false, unchanged: 1, size: { before: 1, after: 2 }, fields: [], warnings: [] }
    return json({ version, changes, permissions, ...rest })
  }
  if (isTaken) return json({ message: 'An active World has the slug' }, 409)
  return json({ slug: bundle.manifest.slug }, 201)
}

/** The bundle of a form, or what is wrong with it. */
async function checkedBundle(request: IncomingMessage): Promise<CheckedBundle | string[]> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  const form = await new Response(new Uint8Array(await buffer(request)), { headers }).formData()
  const outcome = await checkBundle(new Uint8Array(await (form.get('bundle') as File).arrayBuffer()))
  return outcome.status === 'accepted' ? outcome.bundle : [...outcome.problems]
}

async function zipOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new JSZip()
  for (const [path, text] of Object.entries(files)) zip.file(path, text)
  return zip.generateAsync({ type: 'nodebuffer' })
}

async function open(search = ''): Promise<Page> {
  const page = await browser().newPage()
  page.on('pageerror', (error) => {
    throw error
  })
  page.on('dialog', (dialog) => void dialog.accept())
  await page.goto(`${site.origin}/editor${search}`)
  return page
}

function drawn(page: Page) {
  return page.frameLocator('iframe').locator('p')
}

async function type(page: Page, path: string, text: string): Promise<void> {
  await page.getByRole('group', { name: 'Files' }).getByRole('button', { name: path, exact: true }).click()
  await page.getByRole('textbox', { name: `Text of ${path}` }).press('Control+A')
  await page.keyboard.insertText(text)
}

test('a ZIP is mended by line where it is refused, outlives a reload and a refused publication', async () => {
  const page = await open()
  const wrong = JSON.stringify({ ...MANIFEST, slug: 'No Slug' }, null, 2)
  const zip = await zipOf({ 'lines/world-manifest.json': wrong, 'lines/index.html': FILES['index.html'] })
  await page
    .getByLabel('ZIP', { exact: true })
    .setInputFiles({ name: 'lines.zip', mimeType: 'application/zip', buffer: zip })
  await page.getByRole('heading', { name: 'One thing is wrong' }).waitFor()
  await page.getByRole('button', { name: /^Line 3, column 3: slug: expected/ }).click()
  expect(await violationsOf(page)).toEqual([])
  await type(page, 'world-manifest.json', FILES['world-manifest.json'])
  await page.getByText('The manifest is valid.').waitFor()
  await drawn(page).getByText('drawn first').waitFor()
  await page.getByText('It is valid.').waitFor()

  await type(page, 'index.html', FILES['index.html'].replace('first', 'anew'))
  await drawn(page).getByText('drawn anew').waitFor()
  expect(ended).toHaveLength(1)
  await page.reload()
  await drawn(page).getByText('drawn anew').waitFor()
  isTaken = true
  await page.getByRole('button', { name: 'Publish it' }).click()
  await page.getByText('An active World has the slug').waitFor()
  isTaken = false
  await page.getByRole('button', { name: 'Publish it' }).click()
  await page.getByText('Lines is published').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Begin with the template' }).waitFor()
})

test('the template becomes a World of another slug; files are added, renamed, removed and taken back', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'Begin with the template' }).click()
  await drawn(page).getByText('drawn first').waitFor()
  expect([...previews.values()].at(-1)?.manifest.slug).toMatch(/^lines-\w{4}$/)
  const name = page.getByLabel('Name of a file')
  const files = page.getByRole('group', { name: 'Files' }).getByRole('button')
  await name.fill('nots.txt')
  await page.getByRole('button', { name: 'New file' }).click()
  await name.fill('notes.txt')
  await page.getByRole('button', { name: 'Rename nots.txt' }).click()
  await expect.poll(() => files.allTextContents()).toEqual(['index.html', 'notes.txt', 'world-manifest.json'])
  await page.getByRole('button', { name: 'Remove notes.txt' }).click()
  await expect.poll(() => files.count()).toBe(2)
  await page.getByLabel('Files from disk').setInputFiles({
    name: 'index.html',
    mimeType: 'text/html',
    buffer: Buffer.from(FILES['index.html'].replace('first', 'from disk')),
  })
  await drawn(page).getByText('drawn from disk').waitFor()
  await page
    .getByLabel('ZIP', { exact: true })
    .setInputFiles({ name: 'other.zip', mimeType: 'application/zip', buffer: await zipOf(FILES) })
  await drawn(page).getByText('drawn first').waitFor()
  await page.getByRole('button', { name: 'Back to My World' }).click()
  await drawn(page).getByText('drawn from disk').waitFor()
})

test('the owner of a World reads it, remixes it, and replaces it after seeing what changes', async () => {
  const page = await open('?lines')
  await page.getByRole('textbox', { name: 'Text of index.html' }).getByText('drawn first').waitFor()
  expect(sent).toEqual([])
  await page.getByRole('button', { name: 'Remix', exact: true }).click()
  await drawn(page).getByText('drawn first').waitFor()
  expect([...previews.values()].at(-1)?.manifest).toMatchObject({ remixOf: 'wld_lines', name: 'Lines remix' })
  await page.getByRole('button', { name: 'Discard it' }).click()
  await page.getByRole('button', { name: 'Change or replace it' }).click()
  await drawn(page).getByText('drawn first').waitFor()
  expect([...previews.values()].at(-1)?.manifest.name).toBe('Lines')
  await page.getByText('It gains').waitFor()
  await page.getByRole('button', { name: 'Replace it' }).click()
  await page.getByText('Lines is published').waitFor()
  expect(sent.at(-1)).toBe('PATCH /services/worlds/wld_lines')
})
