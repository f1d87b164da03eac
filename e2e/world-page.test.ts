import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Zip from 'jszip'
import type { Page } from 'playwright'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, expect, inject, test } from 'vitest'
import { demoWorld } from '#test/core/worlds/support/demo-worlds.ts'
import { addBrowserWallet } from '#test/support/browser-wallet.ts'
import { signIn } from '#test/support/publication.ts'
import { signInToServices, uploadWorld } from '#test/support/services-account.ts'
import { expectAccessible, sitePages } from '#test/support/site-pages.ts'

const { site } = inject('endpoints')
const { open } = sitePages(site, { moving: true })

const owner = privateKeyToAccount(generatePrivateKey())
const PITCH = { acceptedConnectorSets: [{ connectors: ['pitch'], optionalConnectors: [] }] }

beforeAll(async () => {
  const { token } = await signInToServices(site, owner)
  await uploadWorld(
    site,
    token,
    demoWorld({
      slug: 'page-dots',
      name: 'Page Dots',
      shortDescription: 'Rows of dots.',
      permissions: ['dcn.execute', 'browser.audio'],
      valueLimits: {
        particlesCount: { min: 4, max: 32 },
        connectorValues: { '/pitch:0': { min: 60, max: 999 } },
      },
      ...PITCH,
    }),
  )
  const acceptedConnectorSets = [{ connectors: ['pitch', 'time'], optionalConnectors: ['velocity'] }]
  await uploadWorld(site, token, demoWorld({ slug: 'page-slots', name: 'Slots', acceptedConnectorSets }))
  await uploadWorld(site, token, demoWorld({ slug: 'page-owned', name: 'Owned' }))
})

function world(page: Page) {
  return page.frameLocator('iframe')
}
function draws(page: Page, text: string) {
  return world(page).locator('p', { hasText: text }).waitFor()
}
function button(page: Page, name: string) {
  return page.getByRole('button', { name, exact: true })
}

test('a World starts drawing, redraws at every choice, and has a shareable URL', async () => {
  const page = await open('/worlds/page-dots')
  await draws(page, 'pitch 32 [0,1,2]')
  const main = page.locator('main')
  for (const text of [
    'This World is made for pitch.',
    'Cannot reach the network',
    'Have this page run pieces',
    'Play sound',
  ]) {
    await expect.poll(() => main.textContent()).toContain(text)
  }
  await expect.poll(() => page.locator('iframe').getAttribute('sandbox')).toBe('allow-scripts')
  await expectAccessible(page)

  await button(page, 'Dice').click()
  await page.waitForURL(/connector=pitch&count=32&ri=1:\d+$/)
  const start = Number(/ri=1:(\d+)/.exec(page.url())?.[1])
  expect(start).toBeGreaterThanOrEqual(60)
  await draws(page, `pitch 32 [${start},${start + 1},${start + 2}]`)

  await page.getByLabel('Steps', { exact: false }).first().fill('999')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByLabel('Steps', { exact: false }).first().inputValue()).toBe('32')
  await page.getByText('Choose a piece').click()
  await page.getByRole('link', { name: /^Weave\b/ }).click()
  await draws(page, 'weave 32')
  await page.getByText('weave carries what this World is made for: pitch.').waitFor()
  await expect.poll(() => main.textContent()).toContain('values lie outside of what this World says it takes')
  // Another author's entity is treated like any other.
  await page.getByLabel('Another piece').fill('velocity')
  await button(page, 'Feed it').click()
  await draws(page, 'velocity 32')
  await page.getByText('velocity carries none of it').waitFor()

  // A piece of the address has its title, whether it is offered or not.
  const titled = await open('/worlds/page-dots?connector=two_clocks')
  await titled.getByRole('link', { name: 'Two clocks', exact: true }).first().waitFor()

  const shared = await open('/worlds/page-dots?connector=pitch&count=8&ri=1:77')
  await draws(shared, 'pitch 8 [77,78,79]')
  await button(shared, 'Stop').click()
  expect(await shared.locator('iframe').count()).toBe(0)
  await button(shared, 'Start again').click()
  await draws(shared, 'pitch 8 [77,78,79]')
})

test('a World is embedded as the player of what feeds it, and announces oEmbed', async () => {
  const page = await open('/worlds/page-dots?connector=pitch&count=8')
  await draws(page, 'pitch 8')
  const code = page.getByText('<iframe')
  expect(await code.isVisible()).toBe(false)
  await page.getByText('Embed its player').click()
  await expect.poll(() => code.textContent()).toContain(`src="${site}/embed/connector/pitch"`)
  await button(page, 'Dice').click()
  await expect.poll(() => code.textContent()).toMatch(/\/embed\/run\/pitch\?count=8&amp;ri=1:\d+"/)
  const announced = await page.locator('link[type="application/json+oembed"]').getAttribute('href')
  const document = (await (await fetch(announced ?? '')).json()) as { type: string; title: string }
  expect(document).toMatchObject({ type: 'photo', title: 'Page Dots' })
})

test('a short address leads to the World fed by the connector that it names', async () => {
  const short = await fetch(`${site}/worlds/page-dots/pitch`, { redirect: 'manual' })
  expect([short.status, short.headers.get('location')]).toEqual([307, '/worlds/page-dots?connector=pitch'])
  const strange = await fetch(`${site}/worlds/page-dots/${encodeURIComponent('a&b=//c')}`, {
    redirect: 'manual',
  })
  expect(strange.headers.get('location')).toBe('/worlds/page-dots?connector=a%26b%3D%2F%2Fc')
  const page = await open('/worlds/page-slots/time', { provoked: ['404'] })
  await page.waitForURL(/\/worlds\/page-slots\?connector=time/)
})

test('slots of a World are bound one by one, and the URL contains the bindings', async () => {
  const page = await open('/worlds/page-slots?connector=pitch&count=8', { provoked: ['404'] })
  const dots = (count: number) => expect.poll(() => world(page).locator('circle').count()).toBe(count)
  await dots(16)
  await page.getByText('3 parts, each with a piece').click()
  await page.getByText('Fed by pitch itself.').waitFor()
  await page.getByText('Fed by time, 1 voice.').waitFor()
  await page.getByLabel('velocity').fill('weave')
  await page.keyboard.press('Enter')
  await page.waitForURL(/count=8&slots=velocity:weave$/)
  await page.getByText('Fed by weave, 3 voices.').waitFor()
  await dots(40)
  await page.goto(`${site}/run/pitch?count=8&world=page-slots&slots=velocity:weave`)
  await dots(40)
  await expectAccessible(page)
  await page.getByLabel('velocity').fill('nobody_has_this')
  await page.keyboard.press('Enter')
  await page.getByText('There is no piece nobody_has_this: nothing feeds it.').waitFor()
  await dots(16)
  expect(page.url()).toMatch(/&slots=velocity:nobody_has_this$/)
})

test('the link of a run carries the World that shows it', async () => {
  const page = await open('/run/pitch?count=8&ri=1:77&world=page-dots')
  await draws(page, 'pitch 8 [77,78,79]')
  expect(await page.title()).toBe('pitch, 8 steps in Page Dots · Weft')
  await button(page, 'Run').click()
  await page.waitForURL(/count=8&ri=1:77&world=page-dots$/)
  await page.getByRole('link', { name: 'Without this World' }).click()
  await page.waitForURL(/count=8&ri=1:77$/)
  await page.getByText('In a World', { exact: true }).click()
  // The newest are offered: other files publish many.
  await page.getByRole('searchbox', { name: 'Look for a World' }).fill('page DOT')
  const offered = page.getByRole('list', { name: 'Worlds to show it in' }).getByRole('link')
  await expect.poll(() => offered.allTextContents()).toEqual(['Page Dots'])
  await expect.poll(() => offered.getAttribute('href')).toMatch(/count=8&ri=1:77&world=page-dots$/)
  await page.goto(`${site}/run/pitch?world=no-such-world`)
  await page.getByText('The World of this link is gone').waitFor()
})

test('without scripts the page describes the World and lists the numbers it would draw', async () => {
  const page = await open('/worlds/page-dots?connector=weave', { javaScriptEnabled: false })
  expect(await page.title()).toBe('Page Dots, World · Weft')
  const head = await page.locator('head').innerHTML()
  expect(head).toContain('og:image')
  expect(head).toContain(`${site}/worlds/page-dots"`)
  const text = await page.locator('main').textContent()
  for (const part of ['Rows of dots.', 'scripts are switched off', '64', 'Content hash']) {
    expect(text).toContain(part)
  }
  await expect.poll(() => page.getByRole('list', { name: 'Streams' }).locator('svg').count()).toBe(3)
})

test('invalid URLs show an error message', async () => {
  expect((await fetch(`${site}/worlds/no-such-world`)).status).toBe(404)
  expect((await fetch(`${site}/worlds/__proto__`)).status).toBe(404)
  const page = await open('/worlds/page-dots?connector=nobody_has_this')
  await page.getByText('There is no piece nobody_has_this.').waitFor()
  await draws(page, 'pitch 32')
  await page.goto(`${site}/worlds/page-dots?connector=pitch&count=-1&ri=x`)
  await page.getByText('it must be a whole number from 1 to 65,536').waitFor()
})

test('a report reaches the administrators', async () => {
  const page = await open('/worlds/page-owned')
  await page.getByText('Report this World').click()
  await page.getByLabel('It does not work').check()
  await page.getByLabel('In your words, if you like').fill('It floods the page.')
  await button(page, 'Send the report').click()
  await page.getByText('The administrators of this site see your report.').waitFor()
})

test('its owner replaces it after seeing what changes, and deletes it by its slug', async () => {
  const page = await open('/worlds/page-owned', { provoked: ['400'] })
  expect(await page.getByText('Your World').count()).toBe(0)
  const wallet = await addBrowserWallet(page.context())
  wallet.accounts.unshift(owner)
  await page.reload({ waitUntil: 'load' })
  await signIn(page)
  await page.getByText('Your World').waitFor()

  await page.getByRole('link', { name: 'Change or replace it' }).click()
  await page.getByText('These are the files that are published already').waitFor()
  await expect.poll(() => button(page, 'Replace it').isDisabled()).toBe(true)
  const choose = (name: string, buffer: Uint8Array) =>
    page
      .getByLabel('ZIP', { exact: true })
      .setInputFiles({ name, mimeType: 'application/zip', buffer: Buffer.from(buffer) })
  await choose('bad.zip', demoWorld({ slug: 'page-owned', permissions: ['dcn.everything'], version: '' }))
  const refusal = page.getByRole('status').filter({ hasText: '2 things are wrong' })
  await refusal.getByText('there is no such permission').waitFor()
  await refusal.getByText('version', { exact: true }).waitFor()
  const next = {
    slug: 'page-owned',
    name: 'Tamed',
    version: '0.2.0',
    permissions: ['browser.audio'],
    pictured: true,
  }
  const folder = mkdtempSync(join(tmpdir(), 'weft-replace-'))
  const { files } = await Zip.loadAsync(demoWorld(next))
  for (const [path, file] of Object.entries(files)) {
    writeFileSync(join(folder, path), await file.async('uint8array'))
  }
  await page.getByLabel('Folder', { exact: true }).setInputFiles(folder)
  await page.getByText('It gains').waitFor()
  await page.getByText('Version 0.1.0 becomes 0.2.0').waitFor()
  await page.getByRole('row', { name: /world\.js changed/ }).waitFor()
  await button(page, 'Replace it').click()
  await page.getByRole('link', { name: 'Go to its page' }).click()
  await page.getByRole('heading', { name: 'Tamed', level: 1 }).waitFor()
  rmSync(folder, { recursive: true })

  const tile = `${site}/pictures/world/page-owned.png?size=tile`
  const named = await (await fetch(tile)).arrayBuffer()
  await button(page, 'Use as preview').click()
  await page.getByText('This is its preview now').waitFor()
  const captured = Buffer.from(await (await fetch(tile)).arrayBuffer())
  expect([captured.readUInt32BE(16), captured.readUInt32BE(20)]).toEqual([1200, 600])
  await page.reload({ waitUntil: 'load' })
  const shared = await page.locator('meta[property="og:image"]').getAttribute('content')
  expect(Buffer.from(await (await fetch(shared!)).arrayBuffer()).equals(captured)).toBe(true)
  await button(page, 'Remove the picture').click()
  await expect.poll(() => button(page, 'Remove the picture').count()).toBe(0)
  expect(Buffer.from(await (await fetch(tile)).arrayBuffer()).equals(Buffer.from(named))).toBe(true)

  await page.getByText('Delete it', { exact: true }).click()
  await expect.poll(() => button(page, 'Delete this World').isDisabled()).toBe(true)
  await page.getByLabel('Type page-owned to delete it').fill('page-owned')
  await button(page, 'Delete this World').click()
  await page.waitForURL(/\/users\/0x/)
  expect((await fetch(`${site}/worlds/page-owned`)).status).toBe(404)
})
