import type { Page } from 'playwright'
import { expect, inject, test } from 'vitest'
import { publishSample } from '#test/support/dev-forms.ts'
import { expectAccessible, openFilter, sitePages, untilFocused } from '#test/support/site-pages.ts'

const { site } = inject('endpoints')
const { open } = sitePages(site)

const OWNER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

/** Misspellings are looked for during a moment only, which a busy machine may use up. */
async function found(page: Page, name: string): Promise<void> {
  const link = page.getByRole('main').getByRole('link', { name, exact: true })
  await expect
    .poll(async () => {
      if ((await link.count()) === 0) await page.reload()
      return link.count()
    })
    .toBe(1)
}

test('without a script: one form finds names, misspelled ones, addresses and values', async () => {
  const page = await open('/search', { javaScriptEnabled: false })
  const main = page.getByRole('main')
  const ask = async (text: string) => {
    await main.getByRole('searchbox').fill(text)
    await main.getByRole('button', { name: 'Search' }).click()
    await page.waitForURL(/\?q=/)
  }
  await ask('weave')
  expect(await page.title()).toBe('weave, search · Weft')
  await expect.poll(() => main.getByRole('heading', { level: 2 }).first().textContent()).toBe('Exactly this')
  await main.getByRole('link', { name: 'Weave', exact: true }).click()
  await page.waitForURL(/\/connectors\/weave$/)

  await page.goto(`${site}/search?q=divisable`)
  await found(page, 'tutorial_divisible_v1')
  await page.goto(`${site}/search?q=${OWNER.slice(2).toUpperCase()}`)
  await expect
    .poll(() => main.getByRole('link', { name: /^Weft examples/ }).getAttribute('href'))
    .toBe(`/users/${OWNER}`)
  await page.goto(`${site}/search?q=velocity`)
  await main.getByRole('link', { name: 'Formats', exact: false }).first().click()
  await page.waitForURL(/kind=format/)
  await expect.poll(() => main.getByText('velocity:0').count()).toBeGreaterThan(0)

  await page.goto(`${site}/search?q=no_such_thing_at_all`)
  await main.getByText('Nothing here is called that').waitFor()
  for (const hostile of ['%25', '_', '%5C', '%00', "'", '%3Cscript%3E', 'x'.repeat(10_000), '%F0%9F']) {
    expect(`${(await fetch(`${site}/search?q=${hostile}`)).status} ${hostile.slice(0, 20)}`).toBe(
      `200 ${hostile.slice(0, 20)}`,
    )
  }
})

test('the box of every page offers what fits while one types, by keyboard alone', async () => {
  const page = await open('/discover')
  const box = page.getByRole('combobox', { name: 'Search the network' })
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('/')
  await untilFocused(box)
  await page.keyboard.type('weav')
  const options = page.getByRole('option')
  await page.getByRole('option', { name: /^Weave Piece/ }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await options.first().waitFor({ state: 'hidden' })
  await page.keyboard.press('ArrowDown')
  await options.first().waitFor()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => options.first().getAttribute('aria-selected')).toBe('true')
  const chosen = await options.first().getAttribute('id')
  await expect.poll(() => box.getAttribute('aria-activedescendant')).toBe(chosen)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/connectors\/weave$/)

  await page.keyboard.press('Control+k')
  await untilFocused(box)
  await page.keyboard.type('noctrune')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/search\?q=noctrune$/)
  await found(page, 'Nocturne')
})

test('what is new is on the page of its kind, in the Atom feed and in the sitemap', async () => {
  const name = await publishSample(site)
  const page = await open('/discover?kind=transformation')
  await expect
    .poll(async () => {
      await page.reload()
      return page.getByRole('main').getByRole('link', { name }).count()
    })
    .toBe(1)
  const read = async (path: string) => (await fetch(site + path)).text()
  const atom = await read('/feed.xml')
  expect(atom).toContain(`<title>${name}, transformation</title>`)
  expect(await read('/feed.xml?kind=condition')).not.toContain(name)
  expect(await read('/sitemap.xml')).toContain(`/transformations/${name}</loc>`)
  expect(await read('/robots.txt')).toMatch(/Sitemap: http.*\/sitemap\.xml/)
  // Browsers distinguish well-formed XML from text that resembles it.
  const flaws = await page.evaluate(
    async (paths) => {
      const texts = await Promise.all(paths.map(async (path) => (await fetch(path)).text()))
      return texts.map(
        (text) =>
          new DOMParser().parseFromString(text, 'application/xml').getElementsByTagName('parsererror').length,
      )
    },
    ['/feed.xml', '/sitemap.xml'],
  )
  expect(flaws).toEqual([0, 0])

  const main = page.getByRole('main')
  await main.getByRole('link', { name: 'Pieces by name' }).click()
  await page.waitForURL(/kind=connector/)
  await openFilter(page)
  await main.getByRole('link', { name: 'Most used' }).click()
  await page.waitForURL(/sort=used/)
  await expect
    .poll(() => main.getByRole('listitem').filter({ hasText: 'pitch' }).first().textContent())
    .toContain('used by')
})
