import type { Browser, Page } from 'playwright'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { launchBrowser } from '../scripts/browser/launch.ts'
import { makeBundle } from '../test/worlds/support/bundle.ts'

const { site, servicesApi } = inject('endpoints')

describe('what Worlds need of the built site', () => {
  test('pages let a World lead its frame nowhere but to Worlds', async () => {
    for (const path of ['/', '/feed', '/nowhere']) {
      const { headers } = await fetch(site + path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain(`frame-src ${site}/services/world-assets/`)
      expect(policy).toContain("frame-ancestors 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  test('the APIs have policies of their own', async () => {
    for (const path of ['/chain/version', '/services/health', '/services/js/sdk/world-host.js']) {
      expect((await fetch(site + path)).headers.get('content-security-policy')).toBeNull()
    }
  })

  test.each(['world-runtime.js', 'world-host.js'])(
    '%s is served to frames without an origin',
    async (file) => {
      const response = await fetch(`${servicesApi}/js/sdk/${file}`)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
      expect(await response.text()).toContain('dcn:world-ready')
      const etag = response.headers.get('etag') ?? ''
      const again = await fetch(`${servicesApi}/js/sdk/${file}`, { headers: { 'If-None-Match': etag } })
      expect(again.status).toBe(304)
    },
  )

  test('unknown files and modules are 404, in words or empty', async () => {
    const asset = await fetch(`${servicesApi}/world-assets/wld_unknown/index.html`)
    expect([asset.status, await asset.text()]).toEqual([404, 'No such file'])
    expect((await fetch(`${servicesApi}/js/sdk/other.js`)).status).toBe(404)
  })
})

describe('a World uploaded to the built site', () => {
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    browser = await launchBrowser(['--site-per-process'])
    page = await browser.newPage()
  })
  afterAll(() => browser?.close())

  test('runs in a frame of a page, reads through it, and cannot lead the frame away', async () => {
    const world = await upload(
      makeBundle({ slug: 'built-site', preview: undefined }, [
        {
          name: 'index.html',
          content:
            '<!doctype html><title>W</title><p id="log"></p><script type="module" src="world.js"></script>',
        },
        { name: 'world.js', content: WORLD },
      ]),
    )
    // The first page contains frames.
    await page.goto(`${site}/status`)
    const events: string[] = []
    await page.exposeFunction('note', (text: string) => events.push(text))
    await page.evaluate(
      `(${MOUNT})(${JSON.stringify({ entry: `${servicesApi}${world.entryUrn}`, permissions: world.permissions })})`,
    )
    await expect.poll(() => events).toEqual(['rendered pitch'])
    await page.frameLocator('iframe').locator('p').click()
    await page.waitForTimeout(500)
    const [, frame] = page.frames()
    expect(frame?.url()).not.toContain('/chain/version')
  })
})

const WORLD = `
import { createWorldSdk } from '../../js/sdk/world-runtime.js'
const sdk = createWorldSdk({ worldId: 'built-site' })
sdk.onState(async ({ payload }) => {
  const connector = await sdk.connectorGet(payload.connectorName)
  document.querySelector('#log').textContent = connector.format_hash
  sdk.reportRendered(connector.name)
})
document.querySelector('#log').addEventListener('click', () => { location.href = new URL('/chain/version', document.baseURI) })
sdk.ready()
`

/** Runs in the page: what a page that shows Worlds does. */
const MOUNT = `async ({ entry, permissions }) => {
  const { createWorldHost, DcnClient } = await import('/services/js/sdk/world-host.js')
  const iframe = document.createElement('iframe')
  iframe.setAttribute('sandbox', 'allow-scripts')
  document.body.prepend(iframe)
  const host = createWorldHost({
    client: new DcnClient(), iframe, permissions, expectedOrigin: 'null',
    onReady: () => host.pushState({ payload: { connectorName: 'pitch' } }),
    onRendered: ({ requestId }) => note('rendered ' + requestId),
    onError: ({ message }) => note(message),
  })
  iframe.src = host.worldUrl(entry)
}`

async function upload(bundle: Uint8Array<ArrayBuffer>): Promise<{ entryUrn: string; permissions: string[] }> {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const headers = { 'Content-Type': 'application/json', Origin: site }
  const post = (path: string, body: unknown) =>
    fetch(`${servicesApi}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const challenge = await post('/auth/siwe/challenge', { address: wallet.address, chain_id: 31_337 })
  const { message } = (await challenge.json()) as { message: string }
  const verified = await post('/auth/siwe/verify', {
    message,
    signature: await wallet.signMessage({ message }),
  })
  const form = new FormData()
  form.set('bundle', new Blob([bundle], { type: 'application/zip' }), 'bundle.zip')
  const response = await fetch(`${servicesApi}/worlds/upload`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${await verified.json()}` },
    body: form,
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json()) as { entryUrn: string; permissions: string[] }
}
