import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { launchBrowser, WITHOUT_GPU } from '#scripts/browser/launch.ts'
import { stoppedOn, watchViolations } from '#test/support/policy-violations.ts'
import { sitePages } from '#test/support/site-pages.ts'

/*
 * The pages under their own policy, and what a stranger manages to put into a page does not run. That every kind of page
 * works without one violation is held where each is opened anyway, in `accessibility.test.ts`.
 */

const { site } = inject('endpoints')
const { open } = sitePages(site)

/** One of each kind. */
const PAGES = [
  '/',
  '/discover',
  '/feed',
  '/search?q=we',
  '/connectors/weave',
  '/run/weave?count=8',
  '/users/0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '/account',
  '/status',
  '/worlds',
  '/worlds/upload',
  '/docs',
]
/** Sources in a policy: scripts of this site that the page itself names, and nothing that a stranger could write. */
function expectStrictScripts(policy = ''): void {
  const [scripts] = /script-src [^;]*/.exec(policy) ?? []
  expect(scripts).toMatch(/^script-src 'self' 'nonce-[\w-]{24}' 'sha256-/)
  expect(scripts).not.toMatch(/unsafe|\*|https?:/)
}

const ABSENT = ['/nothing/here', '/connectors/nobody_made_this', '/docs/nothing']

/** A page that leads to others; what it shows itself is none of ours. */
async function watchingPage() {
  const page = await open('/healthz', { provoked: '404' })
  await watchViolations(page.context())
  return page
}

test('the policy of every kind of page lists the allowed scripts', async () => {
  for (const path of [...PAGES, ...ABSENT]) {
    const answer = await fetch(site + path)
    expect(`${answer.status} ${path}`).toBe(`${ABSENT.includes(path) ? 404 : 200} ${path}`)
    expectStrictScripts(answer.headers.get('content-security-policy') ?? '')
  }
})

test('the studio with its worker and code editor does, too', async () => {
  // It queries whether the name of the new transformation is taken.
  const page = await watchingPage()
  const answer = await page.goto(`${site}/studio?open=connector/weave`)
  expectStrictScripts(answer?.headers()['content-security-policy'])
  await page.getByText('3 voices, 64 steps each').first().waitFor()
  await page
    .getByRole('region', { name: 'Your functions' })
    .getByRole('button', { name: 'New function' })
    .first()
    .click()
  await page.locator('.cm-content').first().waitFor()
  // Its style sheet is written by a script, with the page's nonce.
  expect(
    await page
      .locator('.cm-scroller')
      .first()
      .evaluate((box) => getComputedStyle(box).display),
  ).toBe('flex')
  expect(await stoppedOn(page)).toEqual([])
})

describe('what a stranger put into a page', () => {
  let worldScript: string
  beforeAll(async () => {
    const answer = await fetch(`${site}/services/worlds`)
    const [world] = (await answer.json()) as { id: string }[]
    const html = await (await fetch(`${site}/services/world-assets/${world?.id}/index.html`)).text()
    const [, src = ''] = /<script[^>]* src="\.?\/?([^"]+)"/.exec(html) ?? []
    worldScript = `/services/world-assets/${world?.id}/${src}`
    expect((await fetch(site + worldScript)).headers.get('content-type')).toContain('javascript')
  })

  test('does not run, be it inline, a handler, a link, a file of a World or of another site', async () => {
    const browser = await launchBrowser(WITHOUT_GPU)
    try {
      const page = await browser.newPage()
      await watchViolations(page.context())
      const injected = [
        '<script>window.ran = "inline"</script>',
        '<script nonce="">window.ran = "an empty nonce"</script>',
        '<img src="/none.png" alt="" onerror="window.ran = \'a handler\'">',
        '<svg onload="window.ran = \'a handler\'"></svg>',
        `<script src="${worldScript}"></script>`,
        '<script src="data:text/javascript,window.ran = 1"></script>',
        '<base href="https://evil.example/">',
        '<iframe srcdoc="<script>parent.ran = 1</script>"></iframe>',
        '<object data="data:text/html,x"></object>',
        '<style>h1 { outline-style: dotted !important }</style>',
      ]
      await page.route(`${site}/docs/concepts`, async (route) => {
        const response = await route.fetch()
        const body = (await response.text()).replace('</main>', `${injected.join('')}</main>`)
        await route.fulfill({ response, body })
      })
      await page.goto(`${site}/docs/concepts`)
      // The page itself goes on.
      await page.waitForFunction(() =>
        [...document.querySelectorAll('header button[type=button]')].every((each) =>
          Object.keys(each).some((key) => key.startsWith('__reactProps')),
        ),
      )
      // The page's program has thrown out what it did not draw; this comes later, as by a mistake in it.
      await page.evaluate(() => {
        document.body.insertAdjacentHTML(
          'beforeend',
          `<script>window.ran = 'late'</script><img src="/none.png" alt="" onerror="window.ran = 'a late handler'">
          <a href="javascript:window.ran = 'a link'">link</a>
          <form method="post" action="https://evil.example/"><input name="secret"></form>`,
        )
        document.querySelector<HTMLFormElement>('body > form')?.submit()
      })
      const stopped = async () => (await stoppedOn(page)).map((each) => each.split(' ').slice(0, 2).join(' '))
      // One after the other: of two ways to lead a page elsewhere, the second would end the first.
      await expect.poll(stopped).toContain('form-action https://evil.example/')
      await page.evaluate(() => {
        document.querySelector<HTMLAnchorElement>('body > a[href^="javascript:"]')?.click()
        // Deferred: evaluation by the test itself is allowed.
        setTimeout(() => {
          try {
            Object.assign(window, { ran: new Function('return "evaluated"')() })
          } catch {}
        })
      })
      await expect
        .poll(stopped)
        .toEqual(
          expect.arrayContaining([
            'script-src-elem inline',
            'script-src-attr inline',
            `script-src-elem ${site}${worldScript}`,
            'script-src-elem data',
            'script-src eval',
            'style-src-elem inline',
            'form-action https://evil.example/',
            'base-uri https://evil.example/',
          ]),
        )
      const found = await page.evaluate(() => ({
        ran: (window as unknown as { ran?: unknown }).ran,
        base: document.baseURI,
        outline: getComputedStyle(document.querySelector('h1')!).outlineStyle,
      }))
      expect(found).toEqual({
        ran: undefined,
        base: `${site}/docs/concepts`,
        outline: 'none',
      })
      expect(page.url()).toBe(`${site}/docs/concepts`)
    } finally {
      await browser.close()
    }
  })
})

test('no path is decided on that is not the one which is served, and no picture is made on demand', async () => {
  // Browsers, and `fetch`, resolve dots by themselves.
  const status = async (path: string) => {
    const [answer] = (await once(request(site, { path }).end(), 'response')) as [IncomingMessage]
    answer.resume()
    return answer.statusCode
  }
  expect(await status('/discover/../search?q=we')).toBe(400)
  expect(await status('/_next/static/%2E./.%2e/search?q=we')).toBe(400)
  expect(await status('/_next/image?url=%2Ficon.svg&w=640&q=75')).toBe(404)
})

describe('a request that names its host', () => {
  /** The answer to these lines, as text. */
  const send = (...lines: string[]) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(site)
      let text = ''
      const socket = connect(Number(port), hostname, () => socket.write(`${lines.join('\r\n')}\r\n\r\n`))
      socket.on('data', (chunk) => {
        text += String(chunk)
      })
      socket.on('error', reject)
      socket.on('close', () => resolve(text))
    })

  test.each(['/', '/chain/version', '/services/health', '/session', '/dev/chain/mine', '/mcp'])(
    'twice is refused: %s',
    async (path) => {
      const { host, origin } = new URL(site)
      const head = [`POST ${path} HTTP/1.1`, `Host: ${host}`, 'Host: evil.example', `Origin: ${origin}`]
      expect(await send(...head, 'Content-Length: 0', 'Connection: close')).toMatch(/^HTTP\/1\.1 400 /)
    },
  )

  test('by a header of proxies is not believed', async () => {
    for (const path of ['/', '/feed', '/feed/', '/connectors/weave', '/nothing/here', '/docs']) {
      const answer = await fetch(site + path, {
        redirect: 'manual',
        headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
      })
      expect(`${[...answer.headers].join('\n')}${await answer.text()}`).not.toContain('evil.example')
    }
  })

  test('does not open the panel of the development chain, nor does a proxy', async () => {
    const { origin } = new URL(site)
    const mine = (headers: Record<string, string>) =>
      fetch(`${site}/dev/chain/mine`, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'application/json',
          ...headers,
        },
        body: 'blocks=1',
      })
    expect((await mine({ origin })).status).toBe(200)
    for (const headers of [
      { origin, 'x-forwarded-for': '203.0.113.7' },
      { origin, forwarded: 'for=203.0.113.7' },
      { origin: 'http://evil.example', 'x-forwarded-host': 'evil.example' },
    ]) {
      expect((await mine(headers)).status).toBe(404)
    }
  })
})
