import { readFile } from 'node:fs/promises'
import type { BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testBrowser } from '#test/support/browser.ts'
import type { BrowsersPage } from './browsers-page.ts'
import { type ComponentSite, startComponentSite } from './studio/component-site.ts'

let site: ComponentSite
const browser = testBrowser()
/** Answers for the script of the part that is loaded later. */
let chunk = { status: 200, text: '' }
beforeAll(async () => {
  site = await startComponentSite({
    pages: { '/': '../browsers-page' },
    answer(path, _request, response) {
      if (path !== '/_next/static/chunks/graph.js') return false
      response.writeHead(chunk.status, { 'content-type': 'text/javascript' }).end(chunk.text)
    },
  })
})
afterAll(() => site.close())

async function open(before: (context: BrowserContext) => Promise<unknown> = async () => {}): Promise<Page> {
  const context = await browser().newContext()
  await before(context)
  const page = await context.newPage()
  await page.goto(site.origin)
  await page.getByText('a picture').waitFor()
  return page
}

function set(page: Page, state: Partial<BrowsersPage>): Promise<unknown> {
  return page.evaluate((next) => Object.assign(window, next), state)
}

describe('what breaks stays small', () => {
  test('a part that throws leaves the rest, and comes back', async () => {
    const page = await open()
    await set(page, { broken: true })
    await page.getByRole('button', { name: 'Round 0' }).click()
    await page.getByText('The picture broke.').waitFor()
    await page.getByText('no number here').waitFor()
    await page.getByRole('button', { name: 'Round 1' }).click()
    await page.getByRole('button', { name: 'Copy the message' }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The picture broke.').waitFor()
    await set(page, { broken: false })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('a picture').waitFor()
    expect(await page.getByRole('button', { name: 'Round 2' }).count()).toBe(1)
  })

  test('code that did not come once is tried again', async () => {
    chunk = { status: 502, text: '' }
    const page = await open()
    await page.getByRole('button', { name: 'Open the graph' }).click()
    await page.getByText('The graph cannot be loaded now.').waitFor()
    // It registers itself, as chunks do.
    chunk = { status: 200, text: 'window.missing = false' }
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('a graph').waitFor()
  })

  test('code that a deployment took away is said to be in a new version', async () => {
    chunk = { status: 404, text: '' }
    const page = await open()
    await page.getByRole('button', { name: 'Open the graph' }).click()
    await page.getByText('A new version is here, and the graph comes with it.').waitFor()
    await page.getByRole('button', { name: 'Round 0' }).click()
    await page.getByRole('button', { name: 'Reload the page' }).waitFor()
  })
})

describe('a page without TLS', () => {
  const insecure = (context: BrowserContext) =>
    context.addInitScript(() => {
      for (const name of ['clipboard', 'locks']) {
        Object.defineProperty(Navigator.prototype, name, { get: () => undefined, configurable: true })
      }
    })

  test('copies all the same, and gives the focus back', async () => {
    const page = await open(insecure)
    const copied = page.evaluate(
      () =>
        new Promise((resolve) =>
          addEventListener('copy', () => resolve(String(getSelection())), { once: true }),
        ),
    )
    await page.getByRole('button', { name: 'Copy address' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    await copied
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Copied.').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Copy link')
    expect(await page.locator('textarea').count()).toBe(0)
  })

  test('says so where nothing may be copied', async () => {
    const page = await open(async (context) => {
      await insecure(context)
      await context.addInitScript(() => {
        document.execCommand = () => false
      })
    })
    await page.getByRole('button', { name: 'Copy address' }).click()
    await page.getByRole('button', { name: 'The browser does not let pages copy.' }).waitFor()
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByRole('link', { name: 'take the link from here' }).waitFor()
  })

  test.each([
    ['locks of the browser', false],
    ['a lease in the storage', true],
  ])('has one tab at a time: %s', async (_, without) => {
    const context = await browser().newContext()
    if (without) await insecure(context)
    const [one, two] = [await context.newPage(), await context.newPage()]
    for (const page of [one, two]) await page.goto(site.origin)
    const hold = (page: Page) =>
      page.evaluate(() => {
        const { browserLock } = window as unknown as BrowsersPage
        return new Promise<boolean>((resolve) => {
          const work = () =>
            new Promise<void>((done) => {
              Object.assign(window, { release: done })
              resolve(true)
            })
          browserLock('work')
            .tryHold(work)
            .then((is) => is || resolve(false))
        })
      })
    expect(await hold(one)).toBe(true)
    expect(await hold(one)).toBe(false)
    expect(await hold(two)).toBe(false)
    const free = two.evaluate(() =>
      (window as unknown as BrowsersPage).browserLock('work').untilFree(new AbortController().signal),
    )
    await one.evaluate(() => (window as unknown as { release: () => void }).release())
    await free
    expect(await hold(two)).toBe(true)
    // A tab that is closed holds nothing.
    await two.close({ runBeforeUnload: true })
    await one.evaluate(() =>
      (window as unknown as BrowsersPage).browserLock('work').untilFree(new AbortController().signal),
    )
    await context.close()
  })
})

test('a browser without channels between tabs has one that nobody hears', async () => {
  const page = await open((context) =>
    context.addInitScript(() => {
      Object.assign(window, {
        BroadcastChannel: class {
          constructor() {
            throw new DOMException('Access is denied', 'SecurityError')
          }
        },
      })
    }),
  )
  expect(
    await page.evaluate(() => {
      const channel = (window as unknown as BrowsersPage).openTabChannel('a')
      channel.postMessage('b')
      channel.close()
      return true
    }),
  ).toBe(true)
})

test('another name than the one the site is set up for is said once, with what to set', async () => {
  const page = await open()
  const notice = page.getByRole('complementary', { name: 'Name of the site' })
  await notice.getByText(`SITE_ORIGIN=${site.origin}`).waitFor()
  expect(await notice.getByRole('link').getAttribute('href')).toBe('https://weft.example/')
  await notice.getByRole('button', { name: 'Stay here' }).click()
  await page.reload()
  await page.getByText('a picture').waitFor()
  expect(await notice.count()).toBe(0)
})

test('what is pressed looks pressed where the system gives the colours, and a slider has a track', async () => {
  const css = await readFile('app/globals.css', 'utf8')
  expect(css).toContain('forced-colors')
  const page = await open()
  await page.emulateMedia({ forcedColors: 'active' })
  const look = (name: string) =>
    page.getByRole('button', { name, exact: true }).evaluate((element) => {
      const { backgroundColor, color } = getComputedStyle(element)
      return `${backgroundColor} ${color}`
    })
  await expect.poll(() => look('chosen')).not.toBe(await look('other'))
})
