import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { launchBrowser } from './browser/launch.ts'
import { runCommand } from './stack/command.ts'
import { startPreview } from './world-kit/preview-server.ts'
import { folderManifest } from './world-kit/world-folder.ts'

/** Takes the preview picture of a World: `npm run world:picture -- my-world`. */

const SIZE = { width: 1200, height: 900 }
/** For animations that start by themselves. */
const SETTLE_MS = 1500

await runCommand(async () => {
  const [folder] = process.argv.slice(2)
  if (folder === undefined || !existsSync(folder)) throw new Error('Usage: npm run world:picture -- <folder>')
  console.log(`Wrote ${await takePicture(folder)}`)
})

/**
 * Takes the preview picture of the World in a folder, as it draws the first of the sample runs.
 *
 * @returns where it was written.
 * @throws Error when the manifest declares no PNG as its preview, or when the World does not draw.
 */
async function takePicture(folder: string): Promise<string> {
  const { preview } = folderManifest(folder)
  if (!preview?.endsWith('.png')) {
    throw new Error(`Say "preview": "preview.png" in the manifest of ${folder} first.`)
  }
  const server = await startPreview(folder)
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: 'dark' })
    await page.goto(server.url)
    await page.addStyleTag({
      content:
        'iframe { position: fixed; inset: 0; width: 100vw !important; height: 100vh !important; border-radius: 0 !important }',
    })
    await page.locator('#messages li', { hasText: 'rendered' }).first().waitFor({ timeout: 30_000 })
    await page.waitForTimeout(SETTLE_MS)
    const file = join(folder, preview)
    writeFileSync(file, await page.screenshot())
    return file
  } finally {
    await browser.close()
    await server.close()
  }
}
