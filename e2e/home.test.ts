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

function listed(page: Page) {
  return page.getByRole('list', { name: 'Connectors, newest first' }).getByRole('link')
}
/** Chooses a connector in the list, or by its name once newer ones of other tests have displaced it. */
async function choose(page: Page, name: string): Promise<void> {
  const link = listed(page).filter({ has: page.getByText(name, { exact: true }) })
  if ((await link.count()) > 0) return link.click()
  const other = page.getByLabel('Any other, by name')
  await other.fill(name)
  await other.press('Enter')
}
function rows(page: Page) {
  return page.getByRole('list', { name: 'Streams' }).getByRole('listitem')
}

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

/** Waits until the script of the page has taken over its rows. */
async function waitForScript(page: Page): Promise<void> {
  await rows(page).first().waitFor()
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('#step') ?? {}).some((key) => key.startsWith('__reactProps')),
  )
}

/** Widths of the lines in the rows. */
function widthsOfPlots(page: Page): Promise<number[]> {
  return rows(page)
    .locator('svg path:first-child')
    .evaluateAll((lines) => lines.map((line) => line.getBoundingClientRect().width))
}

describe('without a script', () => {
  test('the page names what the network holds and draws particles', async () => {
    const page = await open('/?connector=tutorial_threshold_pass_v1&count=16', { javaScriptEnabled: false })
    expect(await page.title()).toContain('tutorial_threshold_pass_v1')
    await expect.poll(() => page.locator('h1').count()).toBe(1)
    await expect.poll(() => page.locator('main').count()).toBe(1)
    const text = await page.locator('main').textContent()
    for (const name of ['tutorial_divisible_v1(a0, a1)', 'pitch:0', 'Accounts']) {
      expect(text).toContain(name)
    }
    expect(text).toMatch(/\w\(x(, a\d)*\)/)
    await expect.poll(() => listed(page).first().isVisible()).toBe(true)
    // A page does not wait long for a simulator that is just starting: the next load has its numbers.
    await expect
      .poll(async () => {
        const shown = await rows(page).count()
        if (shown === 0) await page.reload()
        return shown
      })
      .toBe(1)
    const row = await rows(page).first().textContent()
    expect(row).toContain('/tutorial_threshold_pass_v1:0')
    expect(row).toContain('min 60')
    expect(row).toContain('max 90')
    expect(row).toContain('16 values')
    await expect
      .poll(() => rows(page).first().locator('svg path').first().getAttribute('d'))
      .toMatch(/^M0 \d+l1 /)
  })

  test('links and forms show another connector, a blocked one included', async () => {
    const page = await open('/', { javaScriptEnabled: false })
    await choose(page, 'tutorial_threshold_fail_v1')
    await page.waitForURL(/connector=tutorial_threshold_fail_v1/)
    await page.getByText('Condition not met').waitFor()
    // Of those that newer ones of other tests have displaced the page knows no condition.
    await expect
      .poll(() => page.locator('#particles').textContent())
      .toMatch(
        /tutorial_threshold_fail_v1 asks (tutorial_threshold_v1\(8, 10\)|its condition)\. The answer is no/,
      )
    expect(await page.getByRole('slider').count()).toBe(0)

    await page.getByLabel('Any other, by name').fill('no_such_thing')
    await page.getByLabel('Any other, by name').press('Enter')
    await page.getByText('No connector has this name').waitFor()
  })
})

describe('with a script', () => {
  test('every path has a plot, and nothing moves while it arrives', async () => {
    const page = await open('/')
    await waitForScript(page)
    await expect.poll(async () => Math.min(...(await widthsOfPlots(page)))).toBeGreaterThan(100)
    expect(await widthsOfPlots(page)).toHaveLength(await rows(page).count())
    expect(await shiftOf(page)).toBeLessThan(0.02)
  })

  test('choosing a connector changes the particles and the address, and slow answers shift nothing', async () => {
    const page = await open('/', { provoked: 'status of 400' })
    await waitForScript(page)
    const before = await rows(page).first().textContent()
    // Slower than the half second in which a browser forgives a shift after a click.
    await page.route('**/chain/simulate', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 900))
      await route.continue()
    })
    await choose(page, 'tutorial_threshold_pass_v1')
    await page.getByText('1 path, 64 particles each').waitFor()
    const row = await rows(page).first().textContent()
    expect(row).not.toBe(before)
    expect(row).toContain('min 60')
    expect(row).toContain('max 186')
    await expect.poll(() => page.url()).toContain('connector=tutorial_threshold_pass_v1')

    await choose(page, 'tutorial_threshold_fail_v1')
    await page.getByText('Condition not met').waitFor()
    await choose(page, 'duet')
    await page.getByText('2 paths, 64 particles each').waitFor()
    await expect.poll(() => widthsOfPlots(page)).toHaveLength(2)
    expect(await shiftOf(page)).toBeLessThan(0.02)

    await page.reload()
    await expect.poll(() => page.locator('#particles h3').textContent()).toBe('duet')
  })

  test('the keyboard reaches the content, sets the count and reads a step', async () => {
    const page = await open('/?connector=tutorial_threshold_pass_v1&count=16')
    await waitForScript(page)
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')

    await page.getByLabel('Particles, doubling').focus()
    await page.keyboard.press('ArrowRight')
    await page.getByText('1 path, 32 particles each').waitFor()

    await page.getByRole('slider', { name: 'Step', exact: true }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => rows(page).first().locator('dd').first().textContent()).toBe('64')
  })

  test('an API that is down is reported, and retried', async () => {
    const page = await open('/?connector=pitch', { provoked: 'ERR_FAILED' })
    await page.route('**/chain/simulate', (route) => route.abort())
    await choose(page, 'motif')
    await page.getByText('No answer from the simulator').waitFor()
    await page.unroute('**/chain/simulate')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('2 paths, 64 particles each').waitFor()
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
    const hero = page.getByRole('region', { name: 'weave, live' })
    const play = await expectPlayInFirstWindow(page, hero)
    await expectAccessible(page)
    await expect.poll(() => hero.getByRole('slider').count()).toBeGreaterThan(0)
    await play.click()
    await hero.getByRole('button', { name: 'Stop' }).click()
  })

  test('four clicks and a followed link lead from here to a shared draft that plays', async () => {
    const page = await open('/', { permissions: ['clipboard-read', 'clipboard-write'] })
    let clicks = 0
    const press = (on: Page, name: string) => {
      clicks += 1
      return on.getByRole('button', { name, exact: true }).click()
    }
    await press(page, 'Keep this')
    // In the reader's own work under a free name, without being asked again.
    await expect.poll(() => page.getByLabel('Name of this connector').inputValue()).toMatch(/^weave_/)
    expect(page.url()).toBe(`${site}/studio`)
    await press(page, 'Share')
    await press(page, 'Copy link')
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
    await page.getByRole('region', { name: 'weave, live' }).waitFor()
  })

  test('every link of the page leads somewhere', async () => {
    const page = await open('/')
    await expectNoLooseLinks(page)
  })
})
