import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { launchBrowser, WITHOUT_GPU } from './browser/launch.ts'
import { runCommand } from './stack/command.ts'
import { startPreview } from './world-kit/preview-server.ts'
import { folderManifest } from './world-kit/world-folder.ts'

/** Takes the preview picture of a World: `npm run world:picture -- my-world [run.json]`. */

const SIZE = { width: 1200, height: 900 }
/** For animations that start by themselves. */
const SETTLE_MS = 1500
/** Most characters of a picture in base64: a bundle is taken along with each file of a piece. */
const MOST_CHARACTERS = 130_000

await runCommand(async () => {
  const [folder, run] = process.argv.slice(2)
  if (folder === undefined || !existsSync(folder))
    throw new Error('Usage: npm run world:picture -- <folder> [run.json]')
  console.log(`Wrote ${await takePicture(folder, run)}`)
})

/**
 * Takes the preview picture of the World in a folder, as it draws the first of the sample runs, or a run in a file:
 * `{ connector, streams }`. The World stands still, as under reduced motion.
 *
 * @returns where it was written.
 * @throws Error when the manifest declares neither PNG nor WebP as its preview, or when the World does not draw.
 */
async function takePicture(folder: string, run: string | undefined): Promise<string> {
  const { preview } = folderManifest(folder)
  if (!preview || !/\.(?:png|webp)$/.test(preview)) {
    throw new Error(`Say "preview": "preview.png" in the manifest of ${folder} first.`)
  }
  const server = await startPreview(folder)
  const browser = await launchBrowser(WITHOUT_GPU)
  try {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: 'dark', reducedMotion: 'reduce' })
    if (run !== undefined) {
      const body = `[${readFileSync(run, 'utf8')}]`
      await page.route('**/runs.json', (route) => route.fulfill({ contentType: 'application/json', body }))
    }
    await page.goto(server.url)
    await page.addStyleTag({
      content:
        'iframe { position: fixed; inset: 0; width: 100vw !important; height: 100vh !important; border-radius: 0 !important }',
    })
    await page.locator('#messages li', { hasText: 'rendered' }).first().waitFor({ timeout: 30_000 })
    await page.waitForTimeout(SETTLE_MS)
    const file = join(folder, preview)
    const png = await page.screenshot()
    writeFileSync(file, preview.endsWith('.webp') ? await toWebp(page, png) : png)
    return file
  } finally {
    await browser.close()
    await server.close()
  }
}

/** A picture as WebP, encoded by the browser, the finer, the less there is in it. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const base64 = await page.evaluate(
    async ([data, most]) => {
      const picture = Object.assign(new Image(), { src: `data:image/png;base64,${data}` })
      await picture.decode()
      const { naturalWidth: width, naturalHeight: height } = picture
      const canvas = Object.assign(document.createElement('canvas'), { width, height })
      canvas.getContext('2d')?.drawImage(picture, 0, 0)
      const urls = [0.85, 0.7, 0.5, 0.3].map((quality) => canvas.toDataURL('image/webp', quality))
      return (urls.find(({ length }) => length < most) ?? urls.at(-1))?.split(',')[1] ?? ''
    },
    [png.toString('base64'), MOST_CHARACTERS] as const,
  )
  return Buffer.from(base64, 'base64')
}
