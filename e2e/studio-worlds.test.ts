import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright'
import { beforeAll, expect, inject, test } from 'vitest'
import { openSlice } from '#test/core/worlds/escape/slice.ts'
import { makeBundle } from '#test/core/worlds/support/bundle.ts'
import { demoWorld } from '#test/core/worlds/support/demo-worlds.ts'
import { listen } from '#test/core/worlds/support/listen.ts'
import { html } from '#test/core/worlds/support/world-site.ts'
import { testBrowser } from '#test/support/browser.ts'
import { signInToServices, uploadWorld } from '#test/support/services-account.ts'
import { expectAccessible, listenAfter, sitePages } from '#test/support/site-pages.ts'
import { openDetails, runExample } from '#test/support/studio.ts'

const { site } = inject('endpoints')
const { open } = sitePages(site, { moving: true })

/** Unpublished names, and directives in the policies of Worlds that this browser does not support. */
const provoked = ['404']
/** As long as the whole board waits for a packet. */
const PATIENCE_MS = 1500

const isolated = testBrowser({ isolated: true })
let token: string
beforeAll(async () => {
  ;({ token } = await signInToServices(site))
  const wants = (connectors: readonly string[]) => ({
    acceptedConnectorSets: [{ connectors, optionalConnectors: [] }],
  })
  await uploadWorld(site, token, demoWorld({ slug: 'plug-any', name: 'Plug Any' }))
  await uploadWorld(
    site,
    token,
    demoWorld({ slug: 'plug-partly', name: 'Plug Partly', ...wants(['first_melody', 'velocity']) }),
  )
  await uploadWorld(
    site,
    token,
    demoWorld({ slug: 'plug-other', name: 'Plug Other', ...wants(['velocity']) }),
  )
})

function button(page: Page, name: string) {
  return page.getByRole('button', { name, exact: true })
}
function frame(page: Page, name: string) {
  return page.frameLocator(`iframe[title="${name}"]`)
}
function draws(page: Page, name: string, text: string) {
  return frame(page, name).locator('p', { hasText: text }).waitFor()
}

async function addWorld(page: Page, name: string): Promise<void> {
  await button(page, 'Add a World…').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Look for a World').fill(name)
  await dialog.getByRole('button', { name: new RegExp(`^${name}`) }).click()
  await dialog.waitFor({ state: 'detached' })
}

test('Worlds redraw an unsaved connector at every edit, in the outline, in the graph and after a reload', async () => {
  const page = await open('/studio', { provoked })
  await runExample(page)
  await button(page, 'Add a World…').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Look for a World').fill('plug')
  // The best first, each with why.
  await dialog.getByText('This World also wants velocity, which first_melody does not carry.').waitFor()
  await dialog.getByText('This World is made for velocity; first_melody carries none of it.').waitFor()
  const last = (place: number) =>
    expect.poll(async () =>
      (await dialog.getByRole('list', { name: 'Worlds' }).getByRole('button').allTextContents()).at(place),
    )
  await last(-1).toMatch(/^Plug Other.*Does not fit/)
  await last(-2).toMatch(/^Plug Partly.*Fits in part/)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: /^Plug Any.*Fits/ }).click()
  await draws(page, 'Plug Any', 'first_melody 64 [12,17,0]')

  await page.getByLabel('Number 1 of climb').first().fill('9')
  await draws(page, 'Plug Any', 'first_melody 64 [12,21,4]')
  // The second one by the library; both draw one output, side by side.
  const library = page.getByRole('region', { name: 'Published' }).first()
  await library.getByRole('button', { name: 'Worlds', exact: true }).click()
  await library.getByLabel('Look for a World').fill('plug partly')
  await library.getByRole('button', { name: /^Plug Partly/ }).click()
  await draws(page, 'Plug Partly', 'first_melody 64 [12,21,4]')
  const slots = page.getByText('2 parts, each with a piece')
  await slots.click()
  await page.getByText('Fed by velocity, 1 voice.').waitFor()
  await page.getByLabel('velocity', { exact: true }).fill('time')
  await page.keyboard.press('Enter')
  await page.getByText('Fed by time, 1 voice.').waitFor()
  const isLevel = async () => {
    const [left, right] = await Promise.all(
      ['Plug Any', 'Plug Partly'].map((name) => page.locator(`iframe[title="${name}"]`).boundingBox()),
    )
    return left !== null && left?.y === right?.y
  }
  await expect.poll(isLevel).toBe(true)
  await page.locator('[data-save=saved]').first().waitFor()

  await button(page, 'Graph').click()
  const inGraph = page.locator('.react-flow [data-world]')
  await expect.poll(() => inGraph.count()).toBe(2)
  await draws(page, 'Plug Any', 'first_melody 64 [12,21,4]')
  await inGraph.first().getByLabel('Move this World with the arrow keys').press('ArrowUp')
  await expectAccessible(page)
  await page.locator('[data-save=saved]').first().waitFor()

  await page.reload()
  await expect.poll(() => inGraph.count()).toBe(2)
  await draws(page, 'Plug Partly', 'first_melody 64 [12,21,4]')
  await page.getByText('Fed by time, 1 voice.').waitFor()
  await openDetails(page)
  await page
    .getByRole('region', { name: 'Worlds' })
    .getByRole('button', { name: 'Take Plug Any away' })
    .click()
  await expect.poll(() => inGraph.count()).toBe(1)
})

test('two Worlds draw one run side by side on a public page, with a shareable URL', async () => {
  const page = await open('/worlds/plug-any?connector=pitch&count=8&ri=1:77&beside=plug-other', { provoked })
  await draws(page, 'Plug Any', 'pitch 8 [77,78,79]')
  await draws(page, 'Plug Other', 'pitch 8 [77,78,79]')
  await page.getByText('This World is made for velocity; pitch carries none of it.').waitFor()
  await page.getByLabel('Steps', { exact: false }).first().fill('6')
  await page.keyboard.press('Enter')
  await page.waitForURL(/connector=pitch&count=6&ri=1:77&beside=plug-other$/)
  await draws(page, 'Plug Any', 'pitch 6 [77,78,79]')
  await draws(page, 'Plug Other', 'pitch 6 [77,78,79]')
  // The newest are offered: other files publish many.
  const newest = `Newest ${Date.now().toString(36)}`
  await uploadWorld(site, token, demoWorld({ slug: newest.toLowerCase().replace(' ', '-'), name: newest }))
  await page.getByText('Another World beside it').click()
  await page.getByRole('link', { name: newest }).click()
  await draws(page, newest, 'pitch 6 [77,78,79]')
  await page.getByRole('link', { name: 'Take it away' }).click()
  await page.waitForURL((url) => !url.searchParams.has('beside'))
  await page.goto(`${site}/worlds/plug-any?beside=no-such-world`)
  await page.getByText('There is no such World to put beside it.').waitFor()
})

test('what a World tries from its page and from the studio reaches no trap, though it would from an open page', async () => {
  const [control, slice] = await Promise.all([
    openSlice(),
    openSlice('<script type="module" src="world.js"></script>'),
  ])
  const server = await listen(async (request) =>
    html(new URL(request.url).pathname === '/slice' ? control.html : '<iframe src="/slice"></iframe>'),
  )
  try {
    const parts = [{ name: 'index.html', content: slice.html }]
    const wanted = {
      slug: 'plug-slice',
      name: 'Plug Slice',
      acceptedConnectorSets: [],
      valueLimits: undefined,
    }
    await uploadWorld(site, token, makeBundle(wanted, parts))
    const page = await isolated().newPage()
    listenAfter(page)

    await page.goto(`http://localhost:${server.port}/`)
    await expect.poll(() => control.caught()).toEqual(control.names)

    await page.goto(`${site}/worlds/plug-slice`)
    await draws(page, 'Plug Slice', 'ran')
    await sleep(PATIENCE_MS)
    expect(slice.caught()).toEqual([])

    await page.goto(`${site}/studio`)
    await runExample(page)
    await addWorld(page, 'Plug Slice')
    await draws(page, 'Plug Slice', 'ran')
    await sleep(PATIENCE_MS)
    expect(slice.caught()).toEqual([])
  } finally {
    await Promise.all([server.close(), control.close(), slice.close()])
  }
})

test('the controls of a World cover nothing of it, and a sheet of variations is drawn in it to the last', async () => {
  const page = await open('/studio')
  await page
    .getByRole('button', { name: /^Cloth/ })
    .first()
    .click()
  const frame = page.locator('[data-phase=ready]')
  await frame.locator('iframe[title="Cloth"]').hover()
  // The pane may still be laid out.
  await expect
    .poll(async () => {
      const world = await frame.locator('iframe').boundingBox()
      const control = await frame.getByRole('button', { name: 'Start again' }).boundingBox()
      return world && control && control.y - world.y - world.height
    })
    .toBeGreaterThanOrEqual(0)

  await button(page, 'Explore').click()
  const tiles = page.locator('[data-variation]')
  await expect.poll(() => tiles.count()).toBe(16)
  // Plots that the World replaces say so.
  await page.locator('[data-waiting]').first().waitFor()
  expect(await page.locator('[data-variation]:not(:has(img, iframe, [data-waiting]))').count()).toBe(0)
  await expect.poll(() => page.locator('[data-variation] img').count()).toBe(16)
  await expect.poll(() => page.locator('[data-waiting]').count()).toBe(0)
})
