import type { Page } from 'playwright'
import { afterAll, describe, expect, test } from 'vitest'
import { publishSample, sendDevForm } from '#test/support/dev-forms.ts'
import { startOwnProgram } from '#test/support/program.ts'
import { openFilter, shiftOf, sitePages } from '#test/support/site-pages.ts'

/** A program of its own: these tests rewrite the chain. */
const {
  endpoints: { site },
  close,
} = await startOwnProgram()
afterAll(close)
const { open } = sitePages(site)

function list(page: Page) {
  return page.getByRole('list', { name: 'Publications, newest first' })
}
function rows(page: Page) {
  return list(page).getByRole('listitem')
}
/** Names of what the rows list: a piece shows its title. */
function names(page: Page): Promise<string[]> {
  return rows(page)
    .locator('a.font-medium')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.replace(/^.*\//, '') ?? ''))
}
function row(page: Page, name: string) {
  return rows(page).filter({ hasText: name })
}
function live(page: Page) {
  return page.getByText('Live', { exact: true }).waitFor()
}
function statuses(page: Page) {
  return rows(page)
    .locator('[data-status]')
    .evaluateAll((chips) => chips.map((chip) => chip.getAttribute('data-status')))
}

/** Blocks on top of what is there, so that reorganisations of a few reach only what a test puts there. */
function bury() {
  return sendDevForm(site, 'mine', { blocks: '8' })
}

interface Item {
  readonly block_number: number
  readonly payload: { readonly type: string; readonly name: string; readonly owner: string }
}

/** Items that the page has to show, by the API: everything that was not taken back, newest first. */
async function items(): Promise<Item[]> {
  return ((await (await fetch(`${site}/chain/feed?limit=256`)).json()) as { items: Item[] }).items
}

/** The feed shows 32 items a page. */
async function fillTwoPages() {
  while ((await items()).length <= 32) await publishSample(site)
}

/** Publishes, and waits for the worker: a page that is opened earlier keeps the item behind a button. */
async function publishListed(): Promise<string> {
  const name = await publishSample(site)
  await expect.poll(async () => (await items())[0]?.payload.name).toBe(name)
  return name
}

/** Resolves when a row has the status. */
function becomes(page: Page, name: string, status: string) {
  return row(page, name).locator(`[data-status=${status}]`).waitFor()
}

describe('without a script', () => {
  test('the newest publications are listed with owner, block, status and time', async () => {
    const page = await open('/feed', { javaScriptEnabled: false })
    expect(await page.title()).toBe('Activity · Weft')
    await expect.poll(() => page.locator('h1').allTextContents()).toEqual(['Activity'])
    await expect.poll(() => page.locator('main').count()).toBe(1)
    const { block_number: block, payload } = (await items())[0] as Item
    const newest = rows(page).first()
    // By its name, where the account has one.
    await expect.poll(() => newest.textContent()).toContain(`block ${block.toLocaleString('en')} by `)
    const owner = newest.locator(`a[href="/users/${payload.owner}" i]`)
    expect(await owner.first().textContent()).not.toBe('')
    await expect
      .poll(() => newest.getByRole('link', { name: payload.name }).getAttribute('href'))
      .toBe(`/${payload.type}s/${payload.name}`)
    await expect
      .poll(() => newest.locator('time').first().getAttribute('title'))
      .toMatch(/^\d{4}-\d\d-\d\d .* UTC$/)
    await expect.poll(() => page.getByText('Load again').isVisible()).toBe(true)
    await expect.poll(() => page.getByText('the chain never rewrites its history').isVisible()).toBe(true)
  })

  test('filters are links, and older pages neither repeat nor skip', async () => {
    await bury()
    const page = await open('/feed', { javaScriptEnabled: false })
    await page.getByRole('link', { name: 'Gates' }).click()
    await page.waitForURL(/kind=condition/)
    await page.waitForLoadState()
    const conditions = (await items()).filter(({ payload }) => payload.type === 'condition')
    expect(await names(page)).toEqual(conditions.slice(0, 32).map(({ payload }) => payload.name))
    await openFilter(page)
    await page.getByRole('link', { name: 'Finalized' }).click()
    await page.waitForURL(/status=finalized/)
    await page.waitForLoadState()
    expect(new URL(page.url()).search).toBe('?kind=condition&status=finalized')
    // What was published last is final once the worker has come to it.
    await expect
      .poll(async () => {
        await page.reload()
        return new Set(await statuses(page))
      })
      .toEqual(new Set(['finalized']))

    await fillTwoPages()
    await page.goto(`${site}/feed`)
    const seen: string[] = []
    for (;;) {
      seen.push(...(await names(page)))
      const older = page.getByRole('link', { name: 'Older' })
      if ((await older.count()) === 0) break
      await older.click()
      await page.waitForLoadState()
    }
    await expect.poll(() => page.getByText('This is where it began.').isVisible()).toBe(true)
    expect(seen).toEqual((await items()).map(({ payload }) => payload.name))
    await page.getByRole('link', { name: 'Newest' }).click()
    await page.waitForURL(`${site}/feed`)
  })

  test('a block has its own page, and an empty result is reported', async () => {
    const page = await open('/feed', { javaScriptEnabled: false })
    await rows(page)
      .first()
      .getByRole('link', { name: /^block/ })
      .click()
    await page.waitForURL(/\?block=\d+$/)
    await expect.poll(() => page.locator('h1').textContent()).toMatch(/^Block [\d,]+$/)
    // One transaction can publish several.
    const blocks = await rows(page)
      .getByRole('link', { name: /^block/ })
      .allTextContents()
    expect(new Set(blocks).size).toBe(1)
    await expect.poll(() => page.getByText(/^0x[0-9a-f]{64}$/).isVisible()).toBe(true)
    await page.goto(`${site}/feed?block=999999`)
    await expect.poll(() => page.getByText('Nothing here matches.').isVisible()).toBe(true)
    // Addresses that mean nothing narrow nothing.
    await page.goto(`${site}/feed?kind=toString&status=__proto__&block=-1&before=%27--`)
    await expect.poll(() => rows(page).count()).toBeGreaterThan(20)
  })

  test('the buttons of the development chain are forms', async () => {
    const page = await open('/feed', { javaScriptEnabled: false })
    await page.getByRole('button', { name: 'Mine', exact: true }).click()
    await page.waitForURL(`${site}/feed`)
    await expect.poll(() => rows(page).count()).toBeGreaterThan(20)
  })
})

describe('with a script', () => {
  test('new items wait behind a button, shift nothing, and receive the focus when shown', async () => {
    const page = await open('/feed')
    await live(page)
    const before = await rows(page).allTextContents()
    const name = await publishSample(site)
    const show = page.getByRole('button', { name: 'Show 1 new item' })
    await show.waitFor()
    await expect.poll(() => rows(page).count()).toBe(before.length)
    await expect
      .poll(() => page.locator('main p[role=status].sr-only').textContent())
      .toBe('1 new item to show.')
    expect(await shiftOf(page)).toBeLessThan(0.02)
    await show.focus()
    await page.keyboard.press('Enter')
    await row(page, name).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name)
    await expect.poll(() => rows(page).first().textContent()).toContain(name)
    await expect.poll(() => row(page, name).textContent()).toContain('0x709979…79c8')
  })

  test('a reorganised item is withdrawn before the reader’s eyes, stays until the page is loaded again', async () => {
    await bury()
    const name = await publishListed()
    const page = await open('/feed')
    await live(page)
    await expect.poll(() => rows(page).first().textContent()).toContain(name)
    await page.getByLabel('Blocks to replace').fill('1')
    await page.getByRole('button', { name: 'Reorganise' }).click()
    await becomes(page, name, 'removed')
    const first = rows(page).first()
    await expect.poll(() => first.locator('s').textContent()).toBe(name)
    await expect.poll(() => first.textContent()).toMatch(/Removed: a reorganisation dropped block \d+/)
    await expect
      .poll(() => page.locator('main p[role=status].sr-only').textContent())
      .toBe(`Removed by a reorganisation: ${name}.`)
    expect(await shiftOf(page)).toBeLessThan(0.02)

    await page.reload()
    expect(await row(page, name).count()).toBe(0)
    await openFilter(page)
    await page.getByRole('link', { name: 'Removed' }).click()
    await row(page, name).waitFor()
    // What is taken back is a draft again.
    await page.goto(`${site}/transformations/${name}`)
    await page.getByText('Not on chain yet').waitFor()
  })

  test('a connection that was lost catches up, with nothing missing', async () => {
    const page = await open('/feed?kind=transformation', { provoked: 'ERR_FAILED' })
    await live(page)
    await page.route('**/chain/feed/stream**', (route) => route.abort())
    // The page closes its stream and reconnects.
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await page.getByText('Reconnecting…').waitFor()
    const published = [await publishSample(site), await publishSample(site)]
    await page.unroute('**/chain/feed/stream**')
    await page.getByRole('button', { name: 'Show 2 new items' }).click()
    await expect.poll(async () => (await names(page)).slice(0, 2)).toEqual(published.toReversed())
  })

  test('a page older than the retained deltas offers to reload', async () => {
    const page = await open('/feed')
    await page.route('**/chain/feed/stream**', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: 'event: stream_meta\ndata: {"has_more":false,"last_seq":null,"requested_since_seq":1,"min_available_seq":9,"replay_floor_seq":9,"stale_since_seq":true}\n\n',
      }),
    )
    await page.reload()
    await page.getByText('This page is older than what the server keeps.').waitFor()
    await page.unroute('**/chain/feed/stream**')
    await page.getByRole('link', { name: 'Reload' }).click()
    await live(page)
  })

  test('an older page announces new items without inserting them', async () => {
    await fillTwoPages()
    const page = await open('/feed')
    await page.getByRole('link', { name: 'Older' }).click()
    await live(page)
    const before = await rows(page).count()
    const name = await publishSample(site)
    await page.getByRole('link', { name: '1 new item on the first page' }).click()
    await row(page, name).waitFor()
    expect(before).toBeGreaterThan(0)
  })
})
