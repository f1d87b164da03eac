import type { Page } from 'playwright'
import { expect, inject, test } from 'vitest'
import { openFilter, sitePages } from '#test/support/site-pages.ts'

const { site } = inject('endpoints')
const { open } = sitePages(site, { moving: true })

/** The animation over the picture of the tile of a connector. */
function playing(page: Page, name: string): Promise<string> {
  const tile = page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) })
  return tile.locator('img').evaluate((image) => {
    const { animationName, content } = getComputedStyle(image.parentElement as Element, '::after')
    return content === 'none' ? 'none' : animationName
  })
}

// What is used most stays on the first page, whatever other files publish.
for (const [path, name] of [
  ['/search?q=nocturne', 'Nocturne'],
  ['/discover?kind=connector&sort=used', 'pitch'],
] as const) {
  test(`tiles of ${path} play where they are pointed at or focused, and load nothing for it`, async () => {
    const page = await open(path)
    const link = page.getByRole('main').getByRole('link', { name, exact: true })
    await link.scrollIntoViewIfNeeded()
    expect(await playing(page, name)).toBe('none')
    const asked: string[] = []
    await page.waitForLoadState('networkidle')
    page.on('request', (request) => asked.push(request.url()))
    await link.hover()
    expect(await playing(page, name)).toBe('played')
    await page.getByRole('heading', { level: 1 }).hover()
    expect(await playing(page, name)).toBe('none')
    await page.keyboard.press('Tab')
    await link.focus()
    expect(await playing(page, name)).toBe('played')
    expect(asked.filter((url) => url.includes('/pictures/'))).toEqual([])
  })
}

test('tiles stand still where less motion is preferred', async () => {
  const page = await open('/search?q=nocturne', { reducedMotion: 'reduce' })
  await page.getByRole('main').getByRole('link', { name: 'Nocturne', exact: true }).hover()
  expect(await playing(page, 'Nocturne')).toBe('none')
})

test.each([
  [390, 844],
  [1280, 720],
])(
  'a search at %i x %i has its kinds in sight, and its other filters in a menu inside the window',
  async (width, height) => {
    const page = await open('/search?q=nocturne', { viewport: { width, height } })
    await page.getByRole('navigation', { name: 'Kind' }).waitFor()
    const views = page.getByRole('navigation', { name: 'View' })
    expect(await views.isVisible()).toBe(false)
    await openFilter(page)
    await views.waitFor()
    const { x, width: wide } = (await views.boundingBox())!
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + wide).toBeLessThanOrEqual(width)
    const scrolled = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(scrolled).toBeLessThanOrEqual(width)
    await views.getByRole('link', { name: 'List', exact: true }).click()
    await page.waitForURL(/list/)
    await expect.poll(() => page.locator('[data-filter] > summary').textContent()).toBe('List')
  },
)

test('the tile of a World is the preview that its author stored', async () => {
  const tile = await fetch(`${site}/pictures/world/cloth.png?size=tile`)
  expect([tile.status, tile.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect(tile.url).toContain('/services/world-assets/')
  const card = await fetch(`${site}/pictures/world/cloth.png`)
  expect([card.status, card.headers.get('content-type')]).toEqual([200, 'image/png'])
})
