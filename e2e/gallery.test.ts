import type { Page } from 'playwright'
import { beforeAll, expect, inject, test } from 'vitest'
import { demoWorld } from '#test/core/worlds/support/demo-worlds.ts'
import { signInToServices, uploadWorld } from '#test/support/services-account.ts'
import { expectAccessible, openFilter, sitePages } from '#test/support/site-pages.ts'

const { site } = inject('endpoints')
const { open } = sitePages(site, { moving: true })

const FORMAT = '9a'.repeat(32)
const PLATES = 24
const ids = new Map<string, string>()

beforeAll(async () => {
  const { token } = await signInToServices(site)
  const send = async (slug: string, more: Omit<Parameters<typeof demoWorld>[0], 'slug'>) => {
    const { id } = await uploadWorld(site, token, demoWorld({ slug, ...more }))
    ids.set(slug, id)
  }
  // One after the other: the server limits concurrent uploads.
  for (let i = 0; i < PLATES; i += 1) {
    await send(`gallery-plate-${i}`, { name: `Gallery plate ${String(i).padStart(2, '0')}` })
  }
  await send('gallery-sound', { name: 'Gallery sound', permissions: ['browser.audio'] })
  await send('gallery-format', {
    name: 'Gallery format',
    acceptedFormatHashes: [`0x${FORMAT.toUpperCase()}`],
  })
})

function tiles(page: Page) {
  return page.getByRole('list', { name: 'Worlds' }).getByRole('listitem')
}
function tile(page: Page, name: string) {
  return page.getByRole('link', { name, exact: true })
}
function dialog(page: Page) {
  return page.getByRole('dialog')
}

test('without a script the gallery is searched, narrowed and turned by its links', async () => {
  const id = ids.get('gallery-sound') ?? ''
  const page = await open(`/worlds?q=GALLERY+plate&world=${id}`, { javaScriptEnabled: false })
  expect(await page.title()).toBe('GALLERY plate, Worlds · Weft')
  await expect.poll(() => tiles(page).count()).toBe(24)
  await expect.poll(() => page.getByRole('main').textContent()).toContain('This address opens Gallery sound')
  await page.goto(`${site}/worlds?q=gallery&sort=name`)
  await expect.poll(() => tiles(page).count()).toBe(24)
  await expect
    .poll(() => page.getByRole('heading', { level: 2 }).first().textContent())
    .toBe('Gallery format')
  await page.getByRole('link', { name: 'More Worlds' }).click()
  await page.waitForURL(/after=/)
  const last = ['Gallery plate 23', 'Gallery sound']
  await expect.poll(() => page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(last)
  await page.getByRole('link', { name: 'Back to the beginning of the list' }).click()
  await page.waitForURL((url) => !url.searchParams.has('after'))
  await openFilter(page)
  await page.getByRole('link', { name: 'Sound', exact: true }).click()
  await page.waitForURL(/permission=browser\.audio/)
  await expect
    .poll(() => page.getByRole('heading', { level: 2 }).allTextContents())
    .toEqual(['Gallery sound'])
  await page.goto(`${site}/worlds?q=gallery&format=${FORMAT}`)
  await expect
    .poll(() => page.getByRole('heading', { level: 2 }).allTextContents())
    .toEqual(['Gallery format'])
  await page.goto(`${site}/worlds?q=${'%'.repeat(3)}&surface=__proto__&after=x`.replaceAll('%', '%25'))
  await page.getByText('No World is like that').waitFor()
})

test('a World comes alive where it is pointed at, opens in place, and closes by going back', async () => {
  const page = await open('/worlds?q=gallery&sort=name')
  const first = tile(page, 'Gallery format')
  // A page that is not live yet notices no pointer.
  await expect
    .poll(async () => {
      await page.getByRole('heading', { level: 1 }).hover()
      await first.hover()
      const frame = tiles(page).first().locator('iframe')
      return frame.waitFor({ timeout: 3_000 }).then(
        () => true,
        () => false,
      )
    })
    .toBe(true)
  await tiles(page).first().frameLocator('iframe').locator('p', { hasText: '64 [' }).waitFor()
  await expect.poll(() => tiles(page).first().locator('iframe').getAttribute('sandbox')).toBe('allow-scripts')
  await page.getByRole('heading', { level: 1 }).hover()
  await tiles(page).first().locator('iframe').waitFor({ state: 'detached' })
  await expectAccessible(page)

  await first.click()
  await page.waitForURL((url) => url.searchParams.get('world') === ids.get('gallery-format'))
  const world = dialog(page).frameLocator('iframe')
  await world.locator('p', { hasText: '64 [' }).waitFor()
  const steps = dialog(page).getByLabel('Steps').first()
  await steps.fill('5')
  await steps.press('Enter')
  await world.locator('p', { hasText: ' 5 [' }).waitFor()
  await expectAccessible(page)
  await expect
    .poll(() => dialog(page).getByRole('link', { name: 'Its own page' }).getAttribute('href'))
    .toContain('/worlds/gallery-format?connector=')
  await page.goBack()
  await dialog(page).waitFor({ state: 'hidden' })
  await expect.poll(() => first.evaluate((link) => link === document.activeElement)).toBe(true)

  // The URL is shareable, and closing leaves the gallery.
  await page.goto(`${site}/worlds?q=gallery&sort=name&world=${ids.get('gallery-sound')}`)
  await world.locator('p', { hasText: '64 [' }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(`${site}/worlds?q=gallery&sort=name`)
  await dialog(page).waitFor({ state: 'hidden' })

  // More comes below; what is there stays where it is.
  const places = () =>
    tiles(page).evaluateAll((all) =>
      all.slice(0, 24).map((each) => Math.round(each.getBoundingClientRect().top + scrollY)),
    )
  const before = await places()
  const more = page.getByRole('link', { name: 'More Worlds' })
  await more.click()
  await tile(page, 'Gallery sound').waitFor()
  await expect.poll(() => tiles(page).count()).toBe(PLATES + 2)
  expect(await places()).toEqual(before)
  await page.getByText('26 Worlds shown').waitFor()
})

test('with reduced motion there are pictures, and an unknown URL shows an error message', async () => {
  const page = await open('/worlds?q=gallery-sound&world=wld_none', {
    provoked: '404',
    reducedMotion: 'reduce',
    colorScheme: 'dark',
    viewport: { width: 390, height: 844 },
  })
  await dialog(page).getByText('No World has this address').waitFor()
  await dialog(page).getByRole('button', { name: 'See the others' }).click()
  await dialog(page).waitFor({ state: 'hidden' })
  await page.keyboard.press('Tab')
  await tile(page, 'Gallery sound').focus()
  await tile(page, 'Gallery sound').hover()
  await expectAccessible(page)
  expect(await tiles(page).locator('iframe').count()).toBe(0)
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('button', { name: 'Start' }).waitFor()
  await expectAccessible(page)
})
