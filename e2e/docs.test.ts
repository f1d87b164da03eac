import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { DOC_PAGES, docHref, markdownHref } from '../lib/site-data/docs/catalog.ts'
import { violationsOf } from '../test/support/axe.ts'
import { launchBrowser, WITHOUT_GPU } from '../test/support/browser.ts'
import { stoppedOn, watchViolations } from '../test/support/policy-violations.ts'
import { listenAfter } from '../test/support/site-pages.ts'

const { site } = inject('endpoints')

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser(WITHOUT_GPU)
})
afterAll(() => browser?.close())

/** Opens the reference and waits until the viewer has drawn the document. */
async function openReference(colorScheme: 'light' | 'dark'): Promise<{ page: Page; requests: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, colorScheme })
  await watchViolations(context)
  context.on('page', listenAfter)
  const page = await context.newPage()
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(`${site}/docs/api`)
  await page.getByRole('button', { name: 'Open the interactive reference' }).click()
  await page.getByRole('heading', { level: 1, name: 'Weft chain API' }).waitFor()
  return { page, requests }
}

describe.each(['light', 'dark'] as const)('/docs/api, %s', (scheme) => {
  test('draws the reference in the colours of the site, from nowhere but the site', async () => {
    const { page, requests } = await openReference(scheme)
    await page.getByText('/version').first().waitFor()
    await page.mouse.wheel(0, 20_000)
    await page.waitForLoadState('networkidle')
    expect(requests).toContain(`${site}/chain/openapi.json`)
    expect(requests.filter((url) => !url.startsWith(site) && !/^(data|blob):/.test(url))).toEqual([])

    const [ground, viewer] = await page.evaluate(() =>
      [document.body, document.querySelector('.scalar-app') ?? document.body].map(
        (element) => getComputedStyle(element).color,
      ),
    )
    expect(viewer).toBe(ground)
    // The viewer asks whether it may evaluate code, and takes no for an answer.
    expect((await stoppedOn(page)).filter((each) => !each.startsWith('script-src eval '))).toEqual([])
    await page.context().close()
  })
})

test('/docs/api has one h1, one main and a title, follows the theme switch, and draws the services API', async () => {
  const { page, requests } = await openReference('light')
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  expect(await page.getByRole('main').evaluateAll((mains) => mains.map(({ id }) => id))).toEqual(['content'])
  expect(await page.title()).toBe('API reference · Weft')
  await page.getByRole('button', { name: 'Dark theme' }).click()
  await page.locator('body.dark-mode').waitFor()
  await page.getByRole('button', { name: 'Chain API' }).click()
  await page.getByText('Services API', { exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Weft services API' }).waitFor()
  expect(requests).toContain(`${site}/services/openapi.json`)
  await page.context().close()
})

test('/docs/api lists every operation without JavaScript, accessibly', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${site}/docs/api`)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('API reference')
  expect(await page.getByRole('main').getByRole('listitem').count()).toBeGreaterThan(20)
  await context.close()

  const scripted = await browser.newContext()
  scripted.on('page', listenAfter)
  const bare = await scripted.newPage()
  await bare.route('**/scalar.js*', (route) => route.abort())
  await bare.goto(`${site}/docs/api`)
  expect(await violationsOf(bare)).toEqual([])
  await bare.getByRole('button', { name: 'Open the interactive reference' }).click()
  await bare.getByText('It could not be loaded. Try again.').waitFor()
  await scripted.close()
})

test('an address of a place in the viewer opens it', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${site}/docs/api#chain/tag/runner`)
  await page.getByRole('heading', { level: 1, name: 'Weft chain API' }).waitFor()
  await context.close()
})

describe('the documentation', () => {
  const read = async (path: string) => {
    const response = await fetch(new URL(path, site))
    return {
      status: response.status,
      type: response.headers.get('Content-Type'),
      text: await response.text(),
    }
  }

  test.each(DOC_PAGES)('$source is a page, and the same in markdown', async (page) => {
    const { status, text } = await read(docHref(page))
    expect(status).toBe(200)
    expect(text).toContain(`<title>${page.title.replaceAll('&', '&amp;')} · Weft</title>`)
    expect(text.match(/<h1/g)).toHaveLength(1)
    expect(text).toMatch(new RegExp(`type="text/markdown" href="[^"]*${markdownHref(page)}"`))
    const twin = await read(markdownHref(page))
    expect(twin).toMatchObject({ status: 200, type: 'text/markdown; charset=utf-8' })
    expect(twin.text).toMatch(/^# /)
  })

  test('llms.txt leads to nothing that is not there', async () => {
    const { status, type, text } = await read('/llms.txt')
    expect({ status, type }).toEqual({ status: 200, type: 'text/plain; charset=utf-8' })
    const hrefs = [...text.matchAll(/\]\((\S+)\)/g)].map(([, href = '']) => href)
    expect(hrefs.length).toBeGreaterThan(DOC_PAGES.length)
    const answers = await Promise.all(hrefs.map(async (href) => `${(await read(href)).status} ${href}`))
    expect(answers).toEqual(hrefs.map((href) => `200 ${href}`))
  })

  test('a page that is not there is a 404, in markdown too', async () => {
    expect((await read('/docs/nothing')).status).toBe(404)
    expect(await read('/docs/nothing.md')).toMatchObject({ status: 404, type: 'text/plain; charset=utf-8' })
  })
})
