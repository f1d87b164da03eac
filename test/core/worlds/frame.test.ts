import { readFile } from 'node:fs/promises'
import type { BrowserContextOptions, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CLIP_SECONDS } from '#lib/core/worlds/sdk/protocol.ts'
import type { FramedWorld } from '#lib/views/framed-world.ts'
import { testBrowser } from '#test/support/browser.ts'
import { startServices, type TestServices } from '#test/support/services.ts'
import { bundleModules } from '#test/ui/studio/bundle.ts'
import type { FramePage } from './frame-page.ts'
import { installWorld } from './support/install-world.ts'
import { html, startWorldSite, type WorldSite } from './support/world-site.ts'

const PERMISSIONS = ['dcn.connectors.read', 'browser.downloads', 'made.up']
function run(values: readonly number[]) {
  return {
    connector: 'pitch',
    count: values.length,
    streams: [{ path: '/pitch:0', data: values }],
    dynamicRi: [{ position: 1, startPoint: 7, transformationShift: 0 }],
    formatHash: undefined,
    address: undefined,
  }
}

/** Renders its input as text; its buttons do what their labels say. */
const SCRIPT = `
import { createWorldSdk } from '../../js/sdk/world-runtime.js'
const sdk = createWorldSdk({ worldId: 'tester' })
const say = (text) => { document.querySelector('p').textContent = text }
let busy = false
sdk.onState(({ payload, requestId }) => {
  say(JSON.stringify([payload.connectorName, payload.executeOutput, payload.dynamicRiInput]))
  sdk.reportRendered(requestId)
})
const on = (id, act) => document.getElementById(id).addEventListener('click', act)
on('ask', async () => say((await sdk.connectorGet('pitch')).format_hash))
on('fail', () => sdk.reportError('<b>no staff lines</b>'))
on('flood', () => setInterval(() => {
  for (let sent = 0; sent < 3000; sent += 1) parent.postMessage({ type: 'x'.repeat(1000) }, '*')
}))
on('loop', () => { for (;;); })
sdk.ready()
`
const HTML = `<!doctype html><title>Tester</title><p>nothing yet</p>
${['ask', 'fail', 'flood', 'loop'].map((id) => `<button id="${id}">${id}</button>`).join('')}
<script type="module" src="world.js"></script>`

/** A canvas of WebGL, which is empty after each frame and drawn again only on demand. */
const PAINTER = `
import { createWorldSdk } from '../../js/sdk/world-runtime.js'
const canvas = document.querySelector('canvas')
const gl = canvas.getContext('webgl')
const draw = () => { gl.clearColor(1, 0, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT) }
const sdk = createWorldSdk({ worldId: 'painter' })
sdk.onState(({ requestId }) => { draw(); sdk.reportRendered(requestId) })
sdk.offerCapture(canvas, draw)
sdk.ready()
`
const PAINTER_HTML =
  '<!doctype html><title>Painter</title><canvas width="64" height="48"></canvas><script type="module" src="world.js"></script>'

/** A World with an SDK that makes clips by itself and has no frames, as of earlier releases: a green canvas. */
const EARLIER = `
const { searchParams } = new URL(location.href)
const canvas = document.querySelector('canvas')
const pen = canvas.getContext('2d')
const send = (type, fields) =>
  parent.postMessage({ type: 'dcn:world-' + type, worldId: 'earlier', channelToken: searchParams.get('dcnWorldChannel'), ...fields }, '*')
addEventListener('message', ({ data: { type, requestId, kind } }) => {
  if (type !== 'dcn:world-capture' || kind !== 'picture') return
  pen.fillStyle = 'rgb(0, 255, 0)'
  pen.fillRect(0, 0, 64, 48)
  canvas.toBlob((file) => send('captured', { requestId, ok: true, file }))
})
send('ready', { protocolVersion: 1, captures: ['picture', 'clip'] })
`

let started: TestServices
let site: WorldSite
const browser = testBrowser({ isolated: true })
let page: Page

beforeAll(async () => {
  started = await startServices()
  const { services } = started
  const modules = await bundleModules('test/core/worlds/frame-page.ts')
  site = await startWorldSite(services, async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/chain/connector/pitch') return Response.json({ format_hash: 'from the page' })
    const script = modules.get(pathname)
    if (script) return new Response(script, { headers: { 'Content-Type': 'text/javascript' } })
    return html(
      '<!doctype html><html lang="en"><title>Frame</title><main id="root"></main><script type="module" src="/frame-page.js"></script>',
    )
  })
  await installWorld(services, 'tester', { 'index.html': HTML, 'world.js': SCRIPT }, PERMISSIONS)
  await installWorld(services, 'earlier', { 'index.html': PAINTER_HTML, 'world.js': EARLIER }, [])
  await installWorld(services, 'painter', { 'index.html': PAINTER_HTML, 'world.js': PAINTER }, [])
})
afterAll(async () => {
  await site?.close()
  await started?.close()
})
afterEach(() => page.context().close())

/**
 * Runs in the page and in each World: what gives up on the other after seconds gives a busy machine minutes. A clip is as
 * long as it is: its frames are drawn and packed all the while.
 */
function waitLonger(clipMs: number): void {
  const { setTimeout } = window
  const lasting = (ms: number) => (ms < 5_000 || ms === clipMs ? ms : 15 * ms)
  Object.assign(window, { setTimeout: (act: () => void, ms = 0) => setTimeout(act, lasting(ms)) })
}

async function open(world: Partial<FramedWorld> = {}, options: BrowserContextOptions = {}): Promise<void> {
  page = await (await browser().newContext(options)).newPage()
  await page.addInitScript(waitLonger, CLIP_SECONDS * 1000)
  const framed = {
    name: 'Tester',
    entryUrl: '/services/world-assets/tester/index.html',
    permissions: PERMISSIONS,
    ...world,
  }
  await page.goto(`${site.origin}/?world=${encodeURIComponent(JSON.stringify(framed))}`)
  await page.waitForFunction(() => 'show' in window)
}

function show(values: readonly number[]) {
  return page.evaluate((given) => (window as unknown as FramePage).show(given), run(values))
}
function world() {
  return page.frameLocator('iframe')
}
function drawn(text: string) {
  return world().locator('p', { hasText: text }).waitFor()
}
function press(name: string) {
  return page.getByRole('button', { name, exact: true }).click()
}
function status(text: string) {
  return page.getByRole('status').filter({ hasText: text }).waitFor()
}

/** The page's clock goes on: at least so many turns from here. */
async function expectAwake(): Promise<void> {
  const ticks = () => page.evaluate(() => (window as unknown as FramePage).ticks)
  const before = await ticks()
  await expect.poll(ticks).toBeGreaterThan(before + 5)
}

async function downloadAfter(button: string): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), press(button)])
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

/** Runs in a page. @param frequency Of a note, in hertz. */
async function measureClip({ url, frequency }: { readonly url: string; readonly frequency: number }) {
  const decoded = await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(
    Uint8Array.from(atob(url.replace(/^.*,/, '')), (letter) => letter.charCodeAt(0)).buffer,
  )
  const samples = decoded.getChannelData(0)
  const powerAt = (hertz: number) => {
    const angle = (2 * Math.PI * hertz) / decoded.sampleRate
    const sum = (wave: (angle: number) => number) =>
      samples.reduce((total, sample, index) => total + sample * wave(angle * index), 0)
    return (sum(Math.cos) ** 2 + sum(Math.sin) ** 2) / samples.length ** 2
  }
  const video = document.body.appendChild(document.createElement('video'))
  const on = (event: string) =>
    new Promise((resolve, reject) => {
      video.addEventListener(event, resolve, { once: true })
      video.addEventListener('error', () => reject(new Error(video.error?.message)), { once: true })
    })
  const loaded = on('loadeddata')
  Object.assign(video, { muted: true, preload: 'auto', src: url })
  await loaded
  const sought = on('seeked')
  video.currentTime = video.duration / 2
  await sought
  const { videoWidth: width, videoHeight: height } = video
  const pen = new OffscreenCanvas(width, height).getContext('2d')!
  pen.drawImage(video, 0, 0)
  return {
    seconds: video.duration,
    soundSeconds: decoded.duration,
    /** Sides, and the colour of its middle. */
    picture: [width, height, ...pen.getImageData(width / 2, height / 2, 1, 1).data],
    rms: Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length),
    /** Powers of the note, and of those a semitone below and above. */
    powers: [0, -1, 1].map((semitones) => powerAt(frequency * 2 ** (semitones / 12))),
  }
}

describe('the frame of a World', () => {
  test('saves a picture and a clip of a World that offers them, and has no buttons for one that does not', async () => {
    await open({
      name: 'A  <b>Painter',
      entryUrl: '/services/world-assets/painter/index.html',
      permissions: [],
    })
    await show([1])
    const picture = await downloadAfter('Picture')
    expect(picture.name).toBe('a-b-painter.png')
    const pixel = await page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
      const pen = new OffscreenCanvas(image.width, image.height).getContext('2d')!
      pen.drawImage(image, 0, 0)
      return [image.width, image.height, ...pen.getImageData(32, 24, 1, 1).data]
    }, picture.bytes.toString('base64'))
    expect(pixel).toEqual([64, 48, 255, 0, 0, 255])
    await status('Saved a-b-painter.png')
    const clip = await downloadAfter('Clip')
    expect(clip.name).toMatch(/^a-b-painter\.(mp4|webm)$/)
    expect(clip.bytes.length).toBeGreaterThan(500)
    await status('Saved a-b-painter.')
    await page.context().close()
    await open()
    await status('Ready')
    expect(await page.getByRole('button', { name: /^(Picture|Clip)$/ }).count()).toBe(0)
  })

  test.each([
    ['webm', 'painter', [255, 0, 0]],
    ['mp4', 'painter', [255, 0, 0]],
    ['webm', 'earlier', [0, 255, 0]],
  ] as const)(
    'a clip (%s) of %s has what the World shows and what the page plays',
    async (type, name, colour) => {
      await open({ entryUrl: `/services/world-assets/${name}/index.html`, permissions: [] })
      await show([1])
      await page.locator('[data-phase="ready"]').waitFor()
      const { url, note } = await page.evaluate(
        (given) => (window as unknown as FramePage).clip(given, 2),
        type,
      )
      expect(url).toMatch(new RegExp(`^data:video/${type};base64,`))
      // The policy of the site lets no page play what it has made.
      const player = await page.context().newPage()
      const clip = await player.evaluate(measureClip, { url, frequency: 440 * 2 ** ((note - 69) / 12) })
      for (const seconds of [clip.seconds, clip.soundSeconds]) {
        expect(seconds).toBeGreaterThan(1.7)
        expect(seconds).toBeLessThan(2.3)
      }
      expect(clip.picture.slice(0, 2)).toEqual([64, 48])
      for (const [index, value] of colour.entries()) {
        expect(Math.abs(clip.picture[2 + index]! - value), String(clip.picture)).toBeLessThan(30)
      }
      expect(clip.rms).toBeGreaterThan(0.02)
      const [played, ...beside] = clip.powers
      expect(played, String(clip.powers)).toBeGreaterThan(20 * Math.max(...beside))
    },
  )

  test('is sandboxed, draws every new run, calls through the page, and starts again as it was', async () => {
    await open()
    await show([1, 2])
    await drawn(
      '["pitch",[{"path":"/pitch:0","data":[1,2]}],{"1":{"start_point":7,"transformation_shift":0}}]',
    )
    await status('Ready')
    const frame = page.locator('iframe')
    expect(await frame.getAttribute('sandbox')).toBe('allow-scripts allow-downloads')
    expect(await frame.getAttribute('allow')).toBe('')
    expect(await frame.getAttribute('referrerpolicy')).toBe('no-referrer')
    expect(await frame.getAttribute('title')).toBe('Tester')
    await show([3])
    await drawn('"data":[3]')
    await world().locator('#ask').click()
    await drawn('from the page')
    await press('Start again')
    await drawn('"data":[3]')
    const { messages } = await page.evaluate(() => ({ messages: (window as unknown as FramePage).messages }))
    expect(messages.slice(0, 3)).toEqual([
      'world dcn:world-ready',
      'page dcn:world-state',
      'world dcn:world-rendered',
    ])
    expect(messages).toContain('page dcn:world-rpc-response')
    const text = await page.locator('main').textContent()
    for (const part of ['Cannot reach the network', 'about published pieces', 'files to download']) {
      expect(text).toContain(part)
    }
    expect(text).not.toContain('made.up')
    expect(text).not.toContain('Play sound')
  })

  test('shows what the World complains about as text, until it draws again', async () => {
    await open()
    await show([1])
    await drawn('[1]')
    await world().locator('#fail').click()
    await status('It reports a problem: <b>no staff lines</b>')
    await show([2])
    await status('Ready')
  })

  test('a World that sends nothing, or is gone, is reported as not responding and can be stopped', async () => {
    await open({ entryUrl: '/services/world-assets/nobody/index.html' })
    await page.locator('[data-phase="running"]').waitFor()
    await press('Stop')
    await status('Stopped')
    expect(await page.locator('iframe').count()).toBe(0)
  })

  test('a flood is stopped automatically, and the page continues', async () => {
    await open()
    await show([1])
    await drawn('[1]')
    await world().locator('#flood').click()
    await status('more than a thousand messages')
    expect(await page.locator('iframe').count()).toBe(0)
    await expectAwake()
    await press('Start again')
    await drawn('[1]')
  })

  test('a busy loop leaves the page awake, and Stop ends it', async () => {
    await open()
    await show([1])
    await drawn('[1]')
    // The click never returns.
    await world()
      .locator('#loop')
      .click({ noWaitAfter: true, timeout: 1000 })
      .catch(() => {})
    await expectAwake()
    await press('Stop')
    await status('Stopped')
    await press('Start again')
    await drawn('[1]')
  })

  test('with reduced motion it starts on request', async () => {
    await open({ previewUrl: '/services/world-assets/tester/none.png' }, { reducedMotion: 'reduce' })
    await show([1])
    await status('Not started')
    expect(await page.locator('iframe').count()).toBe(0)
    await press('Start')
    await drawn('[1]')
  })
})
