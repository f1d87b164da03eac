import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright'
import { packagedChromium } from './packaged-chromium.ts'

const SYSTEM_BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Switches for pages that draw nothing in three dimensions: a graphics processor made of software is slow to begin. */
export const WITHOUT_GPU = ['--disable-gpu']

/** For what never comes: a busy machine takes its time over a page. */
const TIMEOUT_MS = 180_000

interface BrowserProgram {
  readonly executablePath: string
  readonly args: readonly string[]
}

/**
 * A real Chromium: the one `CHROMIUM_PATH` names, else Playwright's own, else the one inside the npm package
 * `@sparticuz/chromium` (Linux x64), else one of the system, whose version is another on each machine.
 *
 * Pages see the language `en-US`; a POSIX locale of the machine would reach them as `en-US@posix`, which is no
 * language tag.
 *
 * @param more Command-line switches on top.
 * @throws {Error} With the way out, when there is none.
 */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const { executablePath, args } = await findBrowser()
  const browser = await chromium.launch({
    executablePath,
    args: [...args, '--no-sandbox', '--lang=en-US', ...more],
    headless: true,
  })
  return browser.on('context', (context) => context.setDefaultTimeout(TIMEOUT_MS))
}

async function findBrowser(): Promise<BrowserProgram> {
  const configuredPath = process.env.CHROMIUM_PATH
  if (configuredPath) {
    if (existsSync(configuredPath)) return { executablePath: configuredPath, args: [] }
    throw new Error(`CHROMIUM_PATH names ${configuredPath}, which does not exist`)
  }
  const playwrightPath = chromium.executablePath()
  if (existsSync(playwrightPath)) return { executablePath: playwrightPath, args: [] }
  try {
    // Its own list of flags is meant for functions in a cloud; of these, only software rendering is needed here.
    return {
      executablePath: await packagedChromium(),
      args: ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
    }
  } catch (cause) {
    const systemPath = SYSTEM_BROWSERS.find((path) => existsSync(path))
    if (systemPath !== undefined) return { executablePath: systemPath, args: [] }
    throw new Error('No Chromium found: set CHROMIUM_PATH, or run `npx playwright install chromium`.', {
      cause,
    })
  }
}
