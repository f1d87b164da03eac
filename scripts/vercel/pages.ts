import { launchBrowser, WITHOUT_GPU } from '../browser/launch.ts'
import { publicPages } from '../browser/pages.ts'
import type { Step, Tried } from './journey.ts'

/** A policy that lets its client's own script in, if anybody believed it. */
const WISHED = "script-src 'nonce-wished' 'unsafe-inline'"

/**
 * Every kind of page, each asked for twice, the second time with a policy of the client's own; some of them in a real
 * browser; and whatever else is drawn or read from files. The example network has to be there.
 */
export async function pageSteps({
  origin,
  rpcUrl,
  workerScript,
  connector,
}: Tried): Promise<readonly Step[]> {
  const [world] = (await (await fetch(`${origin}/services/worlds`)).json()) as { slug: string }[]
  const worldPage = `/worlds/${world?.slug}`
  const paths = (await publicPages(origin)).map(({ path }) => path)
  return [
    ...[...paths, worldPage, '/studio', '/docs/self-hosting/vercel'].map(
      (path): Step => [`page ${path}`, () => look(path)],
    ),
    ['a page that does not exist', () => look('/nothing/of/the/kind', 404)],
    ['pages in a browser', () => browse(['/', '/studio', worldPage])],
    file(workerScript, 'text/javascript', { policy: "'unsafe-eval'" }),
    file(`/run/${connector}/image?count=16`, 'image/png'),
    file('/docs/concepts.md', 'text/markdown'),
    file('/status', 'application/json', { accept: 'application/json' }),
    file('/docs/api/scalar.js', 'text/javascript'),
    file('/services/js/sdk/world-runtime.js', 'text/javascript'),
    file('/chain/openapi.json', 'application/json'),
    file('/services/openapi.json', 'application/json'),
    file('/llms-full.txt', 'text/plain'),
    file('/feed.xml', 'application/atom+xml'),
    file('/sitemap.xml', 'application/xml'),
    file('/metrics', 'text/plain'),
  ]

  function file(path: string, type: string, { accept = '*/*', policy = '' } = {}): Step {
    return [
      `file ${path}`,
      async () => {
        const { ok, status, headers, body } = await ask(path, { accept })
        const given = headers.get('content-type') ?? 'nothing'
        if (!ok || !given.startsWith(type)) throw new Error(`${status}, ${given}`)
        const under = headers.get('content-security-policy') ?? ''
        if (!under.includes(policy)) throw new Error(`its policy is "${under}"`)
        return `${body.length} characters`
      },
    ]
  }

  async function look(path: string, expected = 200): Promise<string> {
    const scripts = await lookAs(path, expected, {})
    await lookAs(path, expected, { 'content-security-policy': WISHED })
    for (const script of scripts) {
      const { ok, status } = await ask(script)
      if (!ok) throw new Error(`${script}: ${status}`)
    }
    return `${scripts.length} scripts, all under our policy`
  }

  async function lookAs(
    path: string,
    expected: number,
    asked: Readonly<Record<string, string>>,
  ): Promise<readonly string[]> {
    const { status, headers, body } = await ask(path, { accept: 'text/html', ...asked })
    if (status !== expected) throw new Error(`answered ${status}`)
    const policy = headers.get('content-security-policy') ?? ''
    const nonce = /'nonce-([\w-]{24})'/.exec(policy)?.[1]
    if (nonce === undefined || policy.includes('wished')) throw new Error(`its policy is "${policy}"`)
    if (!policy.includes(new URL(rpcUrl).origin))
      throw new Error('its policy knows nothing of PUBLIC_RPC_URL')
    const tags = [...body.matchAll(/<script\b([^>]*)>/g)].map(([, attributes = '']) => attributes)
    const foreign = tags.filter((tag) => /nonce=/.test(tag) && !tag.includes(`nonce="${nonce}"`))
    if (foreign.length > 0) throw new Error('scripts carry another nonce')
    return tags.flatMap((tag) => /src="(\/[^"]+)"/.exec(tag)?.[1] ?? [])
  }

  async function ask(path: string, headers: Readonly<Record<string, string>> = {}) {
    const response = await fetch(origin + path, { headers })
    const { ok, status, headers: answered } = response
    return { ok, status, headers: answered, body: await response.text() }
  }

  async function browse(visited: readonly string[]): Promise<string> {
    const browser = await launchBrowser(WITHOUT_GPU)
    try {
      const page = await browser.newPage({ reducedMotion: 'reduce' })
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => {
        const text = message.text()
        // Names in the policies of Worlds that the browser does not know yet.
        const unknown = /Content-Security-Policy directive|Permissions-Policy header/.test(text)
        if (message.type() === 'error' && !unknown) complaints.push(text)
      })
      for (const path of visited) {
        await page.goto(origin + path, { waitUntil: 'networkidle' })
        await page.locator('h1').first().waitFor()
      }
      await page.goto(origin, { waitUntil: 'networkidle' })
      // Without loading a document: what it takes comes as data.
      await page.locator('header a[href="/worlds"]').first().click()
      await page.waitForURL('**/worlds')
      if (complaints.length > 0) throw new Error(complaints.join('; '))
      return `${visited.length} and a link, without a complaint`
    } finally {
      await browser.close()
    }
  }
}
