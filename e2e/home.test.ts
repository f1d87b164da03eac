import type { Page } from 'playwright'
import { describe, expect, inject, test } from 'vitest'
import {
  expectAccessible,
  expectNoLooseLinks,
  expectPlayInFirstWindow,
  settled,
  shiftOf,
  sitePages,
} from '#test/support/site-pages.ts'

const { site } = inject('endpoints')

const { open } = sitePages(site)

test('all that the player on top needs comes with the page', async () => {
  const requests: string[] = []
  const page = await open('/', {
    before: async (context) =>
      context.on('request', (request) => {
        const isData = ['fetch', 'xhr'].includes(request.resourceType())
        if (isData && request.frame().parentFrame() === null) requests.push(new URL(request.url()).pathname)
      }),
  })
  const player = page.locator('[data-live]').first()
  await expect.poll(() => player.getByRole('button', { name: 'Play', exact: true }).isEnabled()).toBe(true)
  await player.getByRole('slider').first().waitFor()
  // The account in the head of the page is no part of the player.
  expect(requests.filter((path) => path !== '/session')).toEqual([])
})

test('the studio is one click from a page, and the status in its footer', async () => {
  const page = await open('/worlds/harp')
  const linksOf = (part: 'header' | 'footer') =>
    page.locator(`${part} a`).evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  const header = await linksOf('header')
  expect(header).toEqual(expect.arrayContaining(['/worlds', '/studio', '/discover', '/docs', '/search']))
  // Visitors have no notices.
  for (const elsewhere of ['/status', '/feed', '/notices']) expect(header).not.toContain(elsewhere)
  expect(await linksOf('footer')).toEqual(expect.arrayContaining(['/status', '/studio', '/feed']))
  const current = page.getByRole('navigation').getByRole('link', { name: 'Worlds', exact: true })
  await expect.poll(() => current.getAttribute('aria-current')).toBe('page')
})

test('without a script the page shows pieces and Worlds, how it works, and no figures', async () => {
  const page = await open('/', { javaScriptEnabled: false })
  await expect.poll(() => page.locator('h1').count()).toBe(1)
  await expect.poll(() => page.locator('main').count()).toBe(1)
  // The picture of its World is there before any script.
  const picture = page.locator('main [data-live]').first().locator('img')
  expect(await picture.getAttribute('src')).toMatch(/\/world-assets\/\w+\/preview/)
  // Nothing takes the focus before the player is there to be turned.
  expect(
    await page.locator('main [data-live]').first().locator('input, [tabindex="0"], button:enabled').count(),
  ).toBe(0)
  expect(await page.locator('main h2').allTextContents()).toEqual([
    'Pieces',
    'Worlds',
    'How it works',
    'For programs',
  ])
  const pieces = page.getByRole('list', { name: 'Pieces' }).getByRole('listitem')
  await expect.poll(() => pieces.count()).toBe(6)
  expect(await page.locator('main').textContent()).not.toMatch(/\d+ (pieces|accounts)/)
})

test('links to runs of earlier releases lead to their pages', async () => {
  const page = await open('/?connector=duet&count=16')
  await page.waitForURL(/\/run\/duet\?count=16$/)
})

describe('with a script', () => {
  test('nothing moves while it arrives', async () => {
    const page = await open('/')
    await page.getByRole('region', { name: 'two_clocks, live' }).waitFor()
    await settled(page)
    expect(await shiftOf(page)).toBeLessThan(0.02)
  })

  test('the keyboard reaches the content', async () => {
    const page = await open('/')
    await settled(page)
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
  })

  test('a chosen theme is there at the first frame of the next visit', async () => {
    const page = await open('/', { colorScheme: 'light' })
    await page.context().addInitScript(() => {
      requestAnimationFrame(() => {
        Object.assign(window, { firstTheme: document.documentElement.dataset.theme })
      })
    })
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const light = await ground()
    await page.getByRole('button', { name: 'Dark theme' }).click()
    await expect.poll(ground).not.toBe(light)
    await settled(page)
    const dark = await ground()
    await page.reload()
    expect(await page.evaluate(() => (window as unknown as { firstTheme?: string }).firstTheme)).toBe('dark')
    expect(await ground()).toBe(dark)
    await expect
      .poll(() => page.getByRole('button', { name: 'Dark theme' }).getAttribute('aria-pressed'))
      .toBe('true')
  })

  test('a chosen connector plays on top, above the fold', async () => {
    const page = await open('/')
    const hero = page.getByRole('region', { name: 'two_clocks, live' })
    const play = await expectPlayInFirstWindow(page, hero)
    await expectAccessible(page)
    await expect.poll(() => hero.getByRole('slider').count()).toBeGreaterThan(0)
    await play.click()
    await hero.getByRole('button', { name: 'Stop' }).click()
  })

  test('Worlds to see it in begin with the one that draws it, which is no link, here and on every page', async () => {
    const page = await open('/')
    const seenAs = () =>
      page.locator('main p', { hasText: 'See it as:' }).first().locator(':scope > :is(a, [aria-current])')
    const current = page.locator('main p [aria-current]')
    const names = await seenAs().allTextContents()
    expect(names[0]).toBe('Piano')
    expect(names.length).toBeGreaterThan(2)
    expect(await current.textContent()).toBe('Piano')
    await page.goto(`${site}/connectors/two_clocks`)
    await expect.poll(() => seenAs().allTextContents()).toEqual(expect.arrayContaining(names))
    expect((await seenAs().allTextContents())[0]).toBe('Piano')
    expect(await current.textContent()).toBe('Piano')
    // In another World its own is the way back.
    await page.getByRole('link', { name: 'Cloth', exact: true }).click()
    await expect.poll(() => current.textContent()).toBe('Cloth')
    expect((await seenAs().allTextContents()).slice(0, 2)).toEqual(['Cloth', 'Piano'])
    await seenAs().nth(1).click()
    await page.waitForURL(`${site}/connectors/two_clocks`)
  })

  test('on a phone the player says its steps, and no two boxes of the header touch', async () => {
    const page = await open('/', { viewport: { width: 390, height: 844 }, hasTouch: true })
    await page
      .locator('[data-live]')
      .first()
      .getByText(/^0\/156/)
      .waitFor()
    const [studio, account] = await Promise.all(
      [
        page.locator('header').getByRole('link', { name: 'Studio' }),
        page.locator('header').getByRole('button', { name: 'Sign in' }),
      ].map(async (box) => (await box.boundingBox())!),
    )
    expect(studio!.y - (account!.y + account!.height)).toBeGreaterThanOrEqual(4)
  })

  test('three clicks lead from here to the link of a draft, and one on it to sound', async () => {
    const page = await open('/', { permissions: ['clipboard-read', 'clipboard-write'] })
    let clicks = 0
    const press = (on: Page, name: string) => {
      clicks += 1
      return on.getByRole('button', { name, exact: true }).click()
    }
    await press(page, 'Remix')
    // In the reader's own work under a free name, without being asked again.
    await expect.poll(() => page.getByLabel('Name of this piece').inputValue()).toMatch(/^two_clocks_/)
    expect(page.url()).toBe(`${site}/studio`)
    await press(page, 'Share')
    await press(page, 'Copy link')
    expect(clicks).toBe(3)
    await page.getByText('Link copied.').waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    const reader = await open(link.slice(site.length))
    await reader.getByText('was shared with you').waitFor()
    await press(reader, 'Play')
    const position = reader.getByRole('slider', { name: 'Position', exact: true })
    await expect.poll(async () => Number(await position.inputValue())).toBeGreaterThan(1)
    // The World came along, and waits where less motion is preferred.
    await reader.getByRole('button', { name: 'Start', exact: true }).click()
    await reader.locator('iframe').first().waitFor()
    expect(clicks).toBe(4)
    // Back leads here, not to the draft that was kept.
    await page.goBack()
    await page.getByRole('region', { name: 'two_clocks, live' }).waitFor()
  })

  test('every link of the page leads somewhere', async () => {
    const page = await open('/')
    await expectNoLooseLinks(page)
  })
})
