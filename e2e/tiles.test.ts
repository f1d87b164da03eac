import type { Page } from 'playwright'
import { expect, inject, test } from 'vitest'
import { sitePages } from '#test/support/site-pages.ts'

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

for (const path of ['/search?q=nocturne', '/discover?kind=connector']) {
  test(`tiles of ${path} play where they are pointed at or focused, and load nothing for it`, async () => {
    const page = await open(path)
    const link = page.getByRole('main').getByRole('link', { name: 'Nocturne', exact: true })
    await link.scrollIntoViewIfNeeded()
    expect(await playing(page, 'Nocturne')).toBe('none')
    const asked: string[] = []
    await page.waitForLoadState('networkidle')
    page.on('request', (request) => asked.push(request.url()))
    await link.hover()
    expect(await playing(page, 'Nocturne')).toBe('played')
    await page.getByRole('heading', { level: 1 }).hover()
    expect(await playing(page, 'Nocturne')).toBe('none')
    await page.keyboard.press('Tab')
    await link.focus()
    expect(await playing(page, 'Nocturne')).toBe('played')
    expect(asked.filter((url) => url.includes('/pictures/'))).toEqual([])
  })
}

test('tiles stand still where less motion is preferred', async () => {
  const page = await open('/search?q=nocturne', { reducedMotion: 'reduce' })
  await page.getByRole('main').getByRole('link', { name: 'Nocturne', exact: true }).hover()
  expect(await playing(page, 'Nocturne')).toBe('none')
})

test('filters of a search are folded on phones, and in sight elsewhere', async () => {
  const page = await open('/search?q=nocturne', { viewport: { width: 390, height: 844 } })
  const kinds = page.getByRole('navigation', { name: 'Kind' })
  await expect.poll(() => kinds.isVisible()).toBe(false)
  await page.getByText('Filters', { exact: true }).click()
  await kinds.waitFor()
  await page.getByText('Filters', { exact: true }).click()
  await page.setViewportSize({ width: 1280, height: 720 })
  await kinds.waitFor()
})

test('the tile of a World is the preview that its author stored', async () => {
  const tile = await fetch(`${site}/pictures/world/cloth.png?size=tile`)
  expect([tile.status, tile.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect(tile.url).toContain('/services/world-assets/')
  const card = await fetch(`${site}/pictures/world/cloth.png`)
  expect([card.status, card.headers.get('content-type')]).toEqual([200, 'image/png'])
})
