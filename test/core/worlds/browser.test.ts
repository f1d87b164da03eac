import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Services } from '#lib/core/context/context.ts'
import { testBrowser } from '#test/support/browser.ts'
import { startServices, type TestServices } from '#test/support/services.ts'
import { installWorld } from './support/install-world.ts'
import { html, startWorldSite, type WorldSite } from './support/world-site.ts'

/** `(module (func (export "f") (result i32) i32.const 42))` */
const ANSWER_WASM = Uint8Array.from([
  ...[
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 6, 1, 4, 0,
    65, 42, 11,
  ],
])

const WORLD = {
  'index.html': `<!doctype html><html lang="en"><head><title>World</title><link rel="stylesheet" href="style.css"></head>
    <body><p id="log"></p><script>window.order = ['inline']</script><script src="strict.js"></script>
    <script type="module" src="js/world.js"></script></body></html>`,
  'style.css': ':root { color-scheme: light dark } p { color: light-dark(rgb(9, 9, 9), rgb(1, 2, 3)) }',
  'strict.js': `'use strict'\norder.push((function () { return this })() === undefined ? 'strict' : 'sloppy')`,
  'data.json': '{"from": "the bundle"}',
  'answer.wasm': ANSWER_WASM,
  'js/part.js': `export const line = new Error().stack.match(/part\\.js[^:]*:(\\d+)/)[1]`,
  'js/world.js': `import { createWorldSdk } from '../../../js/sdk/world-runtime.js'
import { line } from './part.js'
const sdk = createWorldSdk({ worldId: 'simple-counter' })
const result = async (promise) => { try { return await promise } catch (error) { return error.code ?? String(error) } }
sdk.onState(async ({ payload, requestId }) => {
  if (payload === undefined) return
  const { instance } = await WebAssembly.instantiateStreaming(fetch('answer.wasm'))
  document.querySelector('#log').textContent = JSON.stringify({
    payload, order, line, wasm: instance.exports.f(),
    data: (await (await fetch('data.json')).json()).from,
    color: getComputedStyle(document.querySelector('#log')).color,
    origin, rtc: typeof RTCPeerConnection,
    connector: (await result(sdk.connectorGet('pitch'))).format_hash,
    seeded: (await result(sdk.connectorGet('seeded'))).format_hash,
    missing: await result(sdk.connectorExists('missing')),
    execute: await result(sdk.execute('pitch', 4)),
    storage: await result((async () => localStorage.length)()),
  })
  sdk.reportRendered(requestId)
})
const canvas = Object.assign(document.createElement('canvas'), { style: 'width: 40px; max-width: 50%' })
document.body.append(canvas)
sdk.offerCapture(canvas, () => Object.assign(canvas, { width: canvas.clientWidth * 2, height: canvas.clientHeight * 2 }))
sdk.ready()
`,
}

function hostPage(assets: string) {
  return `<!doctype html><title>Host</title><iframe id="world" sandbox="allow-scripts"
  referrerpolicy="no-referrer"></iframe><script type="module">
  import { createWorldHost, DcnClient } from '/services/js/sdk/world-host.js'
  window.events = []
  const iframe = document.querySelector('iframe')
  const host = createWorldHost({
    client: new DcnClient(), iframe, permissions: ['decentralised.art.connectors.read'], expectedOrigin: 'null',
    logger: { warn() {}, error() {} },
    onReady: ({ worldId }) => {
      events.push('ready ' + worldId)
      host.pushConnectors({ seeded: { format_hash: 'seed' } })
      host.pushState({ requestId: 'r1', payload: { label: 'hello' } })
    },
    onRendered: ({ requestId }) => events.push('rendered ' + requestId),
    onError: ({ message }) => events.push(message),
  })
  window.pictureOf = async (width, height) => {
    const { width: wide, height: high } = await createImageBitmap(await host.capture('picture', 5, { width, height }))
    return [wide, high]
  }
  iframe.src = host.worldUrl('${assets}/services/world-assets/counter/index.html?theme=dark')
</script>`
}

let started: TestServices
let services: Services
const browser = testBrowser({ isolated: true })

beforeAll(async () => {
  started = await startServices()
  services = started.services
  await installWorld(services, 'counter', WORLD, ['decentralised.art.connectors.read'])
})

afterAll(async () => {
  await started.close()
})

describe.each([
  ['the same origin', false],
  ['an origin of its own', true],
])('a World served from %s', (_title, separate) => {
  let site: WorldSite
  let page: Page

  beforeAll(async () => {
    site = await startWorldSite(services, answer, { separate })
    page = await browser().newPage()
  })

  afterAll(async () => {
    await page.context().close()
    await site.close()
  })

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === '/host') return html(hostPage(site.assetOrigin))
    if (pathname === '/chain/connector/pitch') return Response.json({ name: 'pitch', format_hash: 'abc' })
    return new Response(null, { status: 404 })
  }

  test('runs in a sandboxed frame, talks to its host and loads its own files', async () => {
    const console: string[] = []
    page.on('console', (message) => console.push(message.text()))
    page.on('pageerror', (error) => console.push(String(error)))
    await page.goto(`${site.origin}/host`)
    await expect
      .poll(() => page.evaluate('events'), { message: console.join('\n') })
      .toEqual(['ready simple-counter', 'rendered r1'])
    const log = await page.frameLocator('iframe').locator('#log').textContent()
    expect(JSON.parse(log ?? '')).toEqual({
      payload: { label: 'hello' },
      order: ['inline', 'strict'],
      line: '1',
      wasm: 42,
      data: 'the bundle',
      color: 'rgb(1, 2, 3)',
      origin: 'null',
      rtc: 'undefined',
      connector: 'abc',
      seeded: 'seed',
      missing: false,
      execute: 'permission_denied',
      // SECURITY_ERR
      storage: 18,
    })
    // In any size, and the canvas is afterwards what it was.
    expect(await page.evaluate('pictureOf(4096, 2304)')).toEqual([4096, 2304])
    expect(await page.evaluate('pictureOf(300, 200)')).toEqual([300, 200])
    const canvas = page.frameLocator('iframe').locator('canvas')
    expect(await canvas.getAttribute('style')).toBe('width: 40px; max-width: 50%;')
  })
})
