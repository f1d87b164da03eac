import type { Browser } from 'playwright'
import { afterAll, beforeAll } from 'vitest'
import { launchBrowser, WITHOUT_GPU } from '#scripts/browser/launch.ts'

const browsers = new Map<boolean, Promise<Browser>>()

/**
 * For one test file: the browser that all files of a process share, since starting one costs more than most tests. After
 * the file its pages are closed. The browser ends with the process.
 *
 * @param options.solid Pages draw in three dimensions.
 */
export function testBrowser({ solid = false }: { readonly solid?: boolean } = {}): () => Browser {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await running(solid)
  })
  afterAll(() => Promise.all((browser?.contexts() ?? []).map((context) => context.close())))
  return () => {
    if (browser === undefined) throw new Error('The browser is started before the first test')
    return browser
  }
}

async function running(solid: boolean): Promise<Browser> {
  const known = await browsers.get(solid)?.catch(() => undefined)
  if (known?.isConnected()) return known
  const started = launchBrowser(solid ? [] : WITHOUT_GPU)
  browsers.set(solid, started)
  return started
}
