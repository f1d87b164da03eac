import type { Page } from 'playwright'
import { expect, inject, test } from 'vitest'
import { examplePieces } from '#scripts/example-network/network.ts'
import { expectAccessible, openFilter, sitePages } from '#test/support/site-pages.ts'

const { site } = inject('endpoints')
const { open } = sitePages(site, { moving: true })

/** Titles of the pieces of a World, the oldest first. */
function piecesIn(world: string) {
  return examplePieces.filter(({ present }) => present.world === world).map(({ title }) => title)
}

function tile(page: Page, name: string) {
  return page.locator(`[data-piece="${name}"]`)
}
function titles(page: Page) {
  return page.getByRole('list', { name: 'Pieces' }).getByRole('heading', { level: 2 })
}
/** Worlds that run on the wall. */
function alive(page: Page) {
  return page.getByRole('list', { name: 'Pieces' }).locator('iframe')
}

test('without a script the wall shows the pieces of the example network, and its filters are links', async () => {
  const page = await open('/discover', { javaScriptEnabled: false })
  const hung: string[] = []
  for (let next: string | null = '/discover'; next !== null; ) {
    await page.goto(site + next)
    await titles(page).first().waitFor()
    hung.push(...(await titles(page).allTextContents()))
    const more = page.getByRole('link', { name: 'More pieces' })
    next = (await more.count()) === 0 ? null : await more.getAttribute('href')
  }
  expect(hung).toEqual(expect.arrayContaining(examplePieces.map(({ title }) => title)))
  // What has neither a title nor a presentation is a part.
  expect(hung).not.toContain('pitch')

  await page.goto(`${site}/discover`)
  await openFilter(page)
  await page.getByRole('link', { name: 'Harp', exact: true }).click()
  await page.waitForURL(/world=harp/)
  await expect.poll(() => titles(page).allTextContents()).toEqual(piecesIn('harp').toReversed())
  await openFilter(page)
  await page.getByRole('link', { name: 'Remixed', exact: true }).click()
  await page.waitForURL(/of=remixed&world=harp/)
  await page.getByText('No piece is like this yet.').waitFor()
  await openFilter(page)
  await page.getByRole('link', { name: 'Any', exact: true }).click()
  await expect.poll(() => titles(page).allTextContents()).toContain('Study in steps')
  await expect
    .poll(() => tile(page, 'study_in_steps').textContent())
    .toContain('remixed from Song over a tresillo')
  // What draws a tile and whether it sounds is said before a press.
  expect(await tile(page, 'study_in_steps').locator('[data-world]').textContent()).toBe('Engraved score')
  await tile(page, 'study_in_steps').getByText('With sound').waitFor()
  expect(await titles(page).allTextContents()).not.toContain('Sunflower')
  await page.goto(`${site}/discover?time=new`)
  await expect.poll(() => titles(page).allTextContents()).toContain('Sunflower')
  await page.goto(`${site}/discover?of=followed`)
  await page.getByText('Sign in to see the pieces of people you follow.').waitFor()
  await page.goto(`${site}/discover?after=10.0.0.0`)
  await page.getByText('The wall ends before this page.').waitFor()
  for (const hostile of [
    'time=__proto__',
    'of=constructor',
    'world=%00',
    'after=99999.1',
    'world=no-such-world',
  ]) {
    expect(`${(await fetch(`${site}/discover?${hostile}`)).status} ${hostile}`).toBe(`200 ${hostile}`)
  }
})

test('a tile comes to life where it is pointed at or focused, and sounds only when pressed', async () => {
  const page = await open('/discover')
  const sunflower = tile(page, 'sunflower')
  await sunflower.scrollIntoViewIfNeeded()
  expect(await alive(page).count()).toBe(0)
  await sunflower.getByRole('link', { name: 'Sunflower' }).hover()
  await sunflower.locator('iframe[title="Starfield"]').waitFor({ state: 'attached' })
  await page.getByRole('heading', { level: 1 }).hover()
  await expect.poll(() => alive(page).count()).toBe(0)

  const twill = tile(page, 'broken_twill')
  await page.keyboard.press('Tab')
  await twill.getByRole('link', { name: 'Broken twill' }).focus()
  await twill.locator('iframe[title="Cloth"]').waitFor({ state: 'attached' })

  await sunflower.getByRole('button', { name: 'Play Sunflower' }).click()
  await sunflower.getByRole('button', { name: 'Stop Sunflower' }).waitFor()
  await sunflower.locator('iframe').waitFor({ state: 'attached' })
  // One piece sounds at a time.
  await twill.getByRole('button', { name: 'Play Broken twill' }).click()
  await sunflower.getByRole('button', { name: 'Play Sunflower' }).waitFor()
  await twill.getByRole('button', { name: 'Stop Broken twill' }).click()
  await page.getByRole('heading', { level: 1 }).hover()
  await expect.poll(() => alive(page).count()).toBeLessThanOrEqual(1)
  await expectAccessible(page)
})

test('where less motion is preferred, tiles stay still and sound all the same', async () => {
  const page = await open('/discover', { reducedMotion: 'reduce', viewport: { width: 390, height: 844 } })
  const sunflower = tile(page, 'sunflower')
  await sunflower.getByRole('link', { name: 'Sunflower' }).hover()
  await sunflower.getByRole('button', { name: 'Play Sunflower' }).click()
  await sunflower.getByRole('button', { name: 'Stop Sunflower' }).click()
  await sunflower.getByRole('button', { name: 'Play Sunflower' }).waitFor()
  expect(await alive(page).count()).toBe(0)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(390)
})
