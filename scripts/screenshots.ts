import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, BrowserContext } from 'playwright'
import { launchBrowser } from './browser/launch.ts'
import { openSite } from './browser/site.ts'
import { PREVIEWED, type Screen, screens } from './screenshots/screens.ts'

/*
 * Takes the pictures of docs/screenshots, each in both themes, and in docs/screenshots/previews the link previews of ten
 * pages, as other sites show them.
 *
 *   npm run screenshots                          builds and starts a new network
 *   npm run screenshots -- http://localhost:3000 of a running one
 *   npm run screenshots -- --only studio         of one screen, or of `previews`
 */

const FOLDER = 'docs/screenshots'
const THEMES = ['light', 'dark'] as const

const { values, positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true })
mkdirSync(join(FOLDER, 'previews'), { recursive: true })
const site = await openSite(positionals[0])
const browser = await launchBrowser()
try {
  for (const screen of screens) {
    if (values.only !== undefined && values.only !== screen.name) continue
    for (const theme of THEMES) {
      save(`${screen.name}-${theme}`, await take(browser, screen, theme))
    }
  }
  if (values.only === undefined || values.only === 'previews') {
    const context = await browser.newContext()
    for (const [name, path] of Object.entries(PREVIEWED)) {
      const { bytes, type } = await previewOf(path)
      // What is WebP already would only lose by another coding.
      save(
        `previews/${name}`,
        type === 'image/webp' ? bytes : await asWebp(context, bytes, { type, quality: 0.75 }),
      )
    }
  }
} finally {
  await browser.close()
  await site.close()
}
process.exit(0)

function save(name: string, picture: Buffer): void {
  const file = join(FOLDER, `${name}.webp`)
  writeFileSync(file, picture)
  console.log(`${file}  ${Math.round(picture.byteLength / 1000)} kB`)
}

/** The picture that a page names for links to it. */
async function previewOf(path: string): Promise<{ bytes: Buffer; type: string }> {
  const html = await (await fetch(site.origin + path)).text()
  const address = /<meta property="og:image" content="([^"]+)"/.exec(html)?.[1]
  if (address === undefined) throw new Error(`${path} names no picture`)
  const response = await fetch(address.replaceAll('&amp;', '&'))
  if (!response.ok) throw new Error(`${address} answers ${response.status}`)
  const type = response.headers.get('content-type') ?? 'image/png'
  return { bytes: Buffer.from(await response.arrayBuffer()), type }
}

async function take(from: Browser, screen: Screen, colorScheme: (typeof THEMES)[number]): Promise<Buffer> {
  const { width = 1440 } = screen
  const context = await from.newContext({
    viewport: { width, height: width < 600 ? 844 : 900 },
    colorScheme,
    locale: 'en-US',
    // Nothing is caught halfway.
    reducedMotion: 'reduce',
  })
  try {
    const page = await context.newPage()
    await page.goto(site.origin + screen.path, { waitUntil: 'networkidle' })
    await screen.prepare?.(page)
    await page.evaluate(async () => {
      await document.fonts.ready
      window.scrollTo(0, 0)
    })
    await page.waitForTimeout(800)
    const png = await page.screenshot({ animations: 'disabled', caret: 'hide' })
    return await asWebp(context, png)
  } finally {
    await context.close()
  }
}

/** A fifth of the bytes; the browser itself can do it. */
async function asWebp(
  context: BrowserContext,
  picture: Buffer,
  { type = 'image/png', quality = 0.85 } = {},
): Promise<Buffer> {
  const drawing = await context.newPage()
  const encoded = await drawing.evaluate(
    async ({ source, coded }) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.width
      canvas.height = image.height
      canvas.getContext('2d')?.drawImage(image, 0, 0)
      return canvas.toDataURL('image/webp', coded).replace(/^[^,]*,/, '')
    },
    { source: `data:${type};base64,${picture.toString('base64')}`, coded: quality },
  )
  return Buffer.from(encoded, 'base64')
}
