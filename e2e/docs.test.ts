import { describe, expect, inject, test } from 'vitest'
import { DOC_PAGES, docHref, markdownHref } from '#lib/server/docs/catalog.ts'
import { violationsOf } from '#test/support/axe.ts'
import { testBrowser } from '#test/support/browser.ts'
import { stoppedOn, watchViolations } from '#test/support/policy-violations.ts'
import { listenAfter } from '#test/support/site-pages.ts'
import { sliceOf } from '#test/support/slice.ts'

const { site } = inject('endpoints')

const browser = testBrowser()

const WINDOWS = [
  [1280, 'light'],
  [390, 'dark'],
] as const

describe.each(sliceOf(WINDOWS, 2))('/docs/api, %i pixels wide, %s', (width, colorScheme) => {
  test('sends the example of an operation, accessibly, from nowhere but the site', async () => {
    const context = await browser().newContext({ viewport: { width, height: 844 }, colorScheme })
    await watchViolations(context)
    context.on('page', listenAfter)
    const page = await context.newPage()
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.goto(`${site}/docs/api`)
    await expect
      .poll(() => page.getByRole('heading', { level: 1 }).allTextContents())
      .toEqual(['API reference'])
    expect(await page.title()).toBe('API reference · Weft')

    await page.getByRole('searchbox', { name: 'Filter operations' }).fill('list publications')
    await page.getByRole('navigation', { name: 'Operations' }).getByRole('link').click()
    expect(new URL(page.url()).hash).toBe('#chain-GET_feed')
    await page.getByRole('button', { name: 'Try it: GET /chain/feed', exact: true }).click()
    const form = page.getByRole('form', { name: 'Try it: GET /chain/feed', exact: true })
    await expect.poll(() => form.getByLabel('limit (query)').inputValue()).toBe('50')
    await form.getByRole('button', { name: 'Send request' }).click()
    await form.getByText(/^200/).waitFor()
    await form.getByText('"history_cursor"').waitFor()

    // The page has every operation, which takes the rules long: once.
    if (colorScheme === 'dark') expect(await violationsOf(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    expect(requests.filter((url) => !url.startsWith(site) && !/^(data|blob):/.test(url))).toEqual([])
    expect(await stoppedOn(page)).toEqual([])
    await context.close()
  })
})

test('/docs/api has every operation of both documents, with an example, without JavaScript', async () => {
  const context = await browser().newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${site}/docs/api`)
  for (const api of ['chain', 'services']) {
    const document = await (await fetch(`${site}/${api}/openapi.json`)).json()
    for (const [path, methods] of Object.entries<object>(document.paths)) {
      for (const [method, { operationId }] of Object.entries(methods)) {
        const section = page.locator(`section:has(> div > #${api}-${operationId})`)
        const text = await section.textContent()
        expect(text).toContain(`${method.toUpperCase()} /${api}${path}`)
        expect(text).toContain(`'${site}/${api}/`)
      }
    }
  }
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
