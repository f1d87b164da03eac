import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import type { Page } from 'playwright'
import { PICTURE_SIZES } from '#lib/compute/pictures/scene.ts'
import { MESSAGE } from '#lib/core/worlds/sdk/protocol.ts'
import { launchBrowser, WITHOUT_GPU } from './browser/launch.ts'
import { examplePieces } from './example-network/network.ts'
import { STILLS } from './example-network/stills.ts'
import { runCommand } from './stack/command.ts'

/*
 * Takes a still of each piece of the example network from its World on a running site, by the request that pages make:
 *
 *   npm run pieces:stills -- --site http://localhost:3000 [--only NAME,NAME]
 */

/** The stage of the page has the shape of a card then. */
const VIEWPORT = { width: 1440, height: 740 }
/** A drawing that grows is nearly whole there. */
const FROM_PART = 0.8
/** Until a World that moves has taken that in. */
const PLAYS_MS = 2_500
const TRIES = 3
/** Tiles show the middle of it, 16 to 9. */
const [WIDTH, HEIGHT] = PICTURE_SIZES.card
const MOST_BYTES = 40_000
const QUALITIES = [86, 78, 70, 60, 50, 40, 30, 20]

await runCommand(async () => {
  const { values } = parseArgs({
    options: { site: { type: 'string', default: 'http://localhost:3000' }, only: { type: 'string' } },
  })
  const only = values.only?.split(',')
  mkdirSync(STILLS, { recursive: true })
  const browser = await launchBrowser(WITHOUT_GPU)
  try {
    const context = await browser.newContext({
      ...{ viewport: VIEWPORT, deviceScaleFactor: 1.4, colorScheme: 'dark' },
    })
    for (const { name, isWholeAtRest } of examplePieces) {
      if (only && !only.includes(name)) continue
      const page = await context.newPage()
      try {
        const bytes = await small(await captured(page, `${values.site}/connectors/${name}`, !isWholeAtRest))
        writeFileSync(join(STILLS, `${name}.webp`), bytes)
        console.log(`${name}: ${Math.round(bytes.byteLength / 1000)} kB`)
      } catch (error) {
        console.error(`${name}: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
      } finally {
        await page.close()
      }
    }
  } finally {
    await browser.close()
  }
})

/** Asks the World of a page for a picture, as the site's own pages do; one that draws on no canvas is photographed. */
async function captured(page: Page, address: string, plays: boolean): Promise<Uint8Array> {
  await page.addInitScript(listen)
  await page.goto(address)
  await page.waitForFunction(() => 'world' in window, undefined, { timeout: 30_000 })
  if (plays) {
    await page.getByRole('button', { name: 'Play', exact: true }).first().click()
    const position = page.getByRole('slider', { name: 'Position' })
    await position.fill(String(Math.round(Number(await position.getAttribute('max')) * FROM_PART)))
  }
  await page.waitForTimeout(PLAYS_MS)
  const world = page.frameLocator('iframe').first()
  if (!(await page.evaluate(offersPicture))) return world.getByRole('img').first().screenshot()
  for (let attempt = 1; ; attempt++) {
    const picture = await page.evaluate(ask, { ...MESSAGE, width: WIDTH, height: HEIGHT })
    if (typeof picture !== 'string') return Buffer.from(picture.base64, 'base64')
    if (attempt === TRIES) throw new Error(picture)
  }
}

interface Ready {
  readonly frame: Window
  readonly fields: {
    readonly worldId: string
    readonly channelToken: string
    readonly captures?: readonly string[]
  }
}

type Request = typeof MESSAGE & { readonly width: number; readonly height: number }

/** Runs in the page: keeps what the World said when it was ready. */
function listen(): void {
  window.addEventListener('message', ({ source, data }) => {
    if (data?.type === 'dcn:world-ready') Object.assign(window, { world: { frame: source, fields: data } })
  })
}

/** Runs in the page. */
function offersPicture(): boolean {
  return (window as unknown as { world: Ready }).world.fields.captures?.includes('picture') === true
}

/** Runs in the page. @returns why there is no picture, as a text. */
async function ask({ capture, captured, width, height }: Request): Promise<string | { base64: string }> {
  const { frame, fields } = (window as unknown as { world: Ready }).world
  const { worldId, channelToken } = fields
  const requestId = crypto.randomUUID()
  const answer = new Promise<{ ok: boolean; message?: string; file: Blob }>((resolve) => {
    const take = ({ data }: MessageEvent) => {
      if (data?.type !== captured || data.requestId !== requestId) return
      window.removeEventListener('message', take)
      resolve(data)
    }
    window.addEventListener('message', take)
    setTimeout(() => resolve({ ok: false, message: 'no answer', file: new Blob() }), 30_000)
  })
  const request = { type: capture, worldId, channelToken, requestId, kind: 'picture', width, height }
  frame.postMessage(request, '*')
  const { ok, message, file } = await answer
  if (!ok) return message ?? 'refused'
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return { base64: btoa(text) }
}

/** The middle of a picture as a WebP in the shape of a card. */
async function small(png: Uint8Array): Promise<Uint8Array> {
  const image = await loadImage(png)
  const canvas = createCanvas(WIDTH, HEIGHT)
  const scale = Math.max(WIDTH / image.width, HEIGHT / image.height)
  const [width, height] = [image.width * scale, image.height * scale]
  const pen = canvas.getContext('2d')
  pen.fillStyle = '#ffffff'
  pen.fillRect(0, 0, WIDTH, HEIGHT)
  pen.drawImage(image, (WIDTH - width) / 2, (HEIGHT - height) / 2, width, height)
  for (const quality of QUALITIES) {
    const bytes = await canvas.encode('webp', quality)
    if (bytes.byteLength <= MOST_BYTES || quality === QUALITIES.at(-1)) return bytes
  }
  throw new Error('There is no quality')
}
