import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium, firefox } from 'playwright'
import { packagedChromium } from '#scripts/browser/packaged-chromium.ts'
import type { CONTROL_FLOOR } from '#test/core/worlds/escape/board.ts'
import { webkitBrowser } from './webkit.ts'

export interface FoundBrowser {
  readonly name: string
  readonly family: keyof typeof CONTROL_FLOOR
  launch(): Promise<Browser>
}

/** A browser that the suites know and this machine lacks. */
export interface MissingBrowser {
  readonly name: string
  /** Name of the program, and how Debian installs it. */
  readonly reason: string
}

/** As in Chrome on desktops: each site, and each sandboxed frame, in a separate process. */
const CHROMIUM_ARGS = ['--no-sandbox', '--lang=en-US', '--site-per-process']

const MINI_BROWSERS = ['lib/x86_64-linux-gnu', 'lib/aarch64-linux-gnu', 'libexec', 'lib', 'lib64'].flatMap(
  (folder) => ['4.1', '6.0', '4.0'].map((version) => `/usr/${folder}/webkit2gtk-${version}/MiniBrowser`),
)

/** Searches `PATH` and `CHROMIUM_PATH`, `FIREFOX_PATH`, `WEBKIT_DRIVER_PATH` and `WEBKIT_BROWSER_PATH`. */
export async function findBrowsers(): Promise<readonly (FoundBrowser | MissingBrowser)[]> {
  return [await fromPackage(), systemChromium(), systemFirefox(), webkitGtk()]
}

async function fromPackage(): Promise<FoundBrowser | MissingBrowser> {
  const name = 'Chromium (package)'
  try {
    const executablePath = await packagedChromium()
    const args = [
      ...CHROMIUM_ARGS,
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
    ]
    return { name, family: 'chromium', launch: () => chromium.launch({ executablePath, args }) }
  } catch (error) {
    return { name, reason: String(error) }
  }
}

function systemChromium(): FoundBrowser | MissingBrowser {
  const name = 'Chromium (system)'
  const executablePath = process.env.CHROMIUM_PATH ?? onPath('chromium', 'chromium-browser', 'google-chrome')
  if (executablePath === undefined) return { name, reason: 'no chromium on PATH (apt-get install chromium)' }
  return { name, family: 'chromium', launch: () => chromium.launch({ executablePath, args: CHROMIUM_ARGS }) }
}

function systemFirefox(): FoundBrowser | MissingBrowser {
  const name = 'Firefox'
  const path = process.env.FIREFOX_PATH ?? onPath('firefox-esr', 'firefox')
  if (path === undefined) return { name, reason: 'no firefox on PATH (apt-get install firefox-esr)' }
  // The channel makes Playwright speak WebDriver BiDi, which released versions of Firefox understand.
  const launch = () =>
    firefox.launch({
      executablePath: join(import.meta.dirname, 'firefox-relay.ts'),
      channel: 'moz-firefox',
      env: { ...process.env, FIREFOX_PATH: path },
    })
  return { name, family: 'firefox', launch }
}

function webkitGtk(): FoundBrowser | MissingBrowser {
  const name = 'WebKitGTK'
  const driver = process.env.WEBKIT_DRIVER_PATH ?? onPath('WebKitWebDriver')
  const binary = process.env.WEBKIT_BROWSER_PATH ?? MINI_BROWSERS.find((path) => existsSync(path))
  if (driver === undefined || binary === undefined) {
    return { name, reason: 'no WebKitWebDriver or MiniBrowser (apt-get install webkit2gtk-driver)' }
  }
  const server = onPath('Xvfb')
  if (process.env.DISPLAY) {
    return { name, family: 'webkit', launch: async () => webkitBrowser(driver, binary, process.env) }
  }
  if (server === undefined)
    return { name, reason: 'no display: DISPLAY is not set, no Xvfb (apt-get install xvfb)' }
  return { name, family: 'webkit', launch: () => onVirtualDisplay(server, driver, binary) }
}

async function onVirtualDisplay(server: string, driver: string, binary: string): Promise<Browser> {
  const { child, display } = await startDisplay(server)
  const browser = webkitBrowser(driver, binary, { ...process.env, DISPLAY: display })
  browser.close = async () => void child.kill()
  return browser
}

/** The X server chooses a free number and writes it to its third descriptor. */
function startDisplay(server: string): Promise<{ child: ChildProcess; display: string }> {
  const child = spawn(server, ['-displayfd', '3', '-screen', '0', '1440x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${server} ended with ${code}`)))
    child.stdio[3]?.once('data', (number) => resolve({ child, display: `:${String(number).trim()}` }))
  })
}

function onPath(...names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path))
}
