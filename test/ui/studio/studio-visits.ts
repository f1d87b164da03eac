import type { BrowserContext, Page } from 'playwright'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { testBrowser } from '#test/support/browser.ts'
import { type ShareSite, startShareSite } from './share-site.ts'

export interface Visit {
  readonly path?: string
  readonly width?: number
  readonly dark?: boolean
  /** Preparation of the context before the page is there. */
  readonly before?: (context: BrowserContext) => Promise<unknown>
}

export interface Visits {
  readonly site: ShareSite
  /** Opens the studio in a browser session of its own. */
  visit(visit?: Visit): Promise<Page>
}

/** For one test file: the whole studio with its APIs, and visits to it that end with each test. */
export function studioVisits(): Visits {
  const browser = testBrowser()
  const contexts: BrowserContext[] = []
  let site: ShareSite | undefined
  beforeAll(async () => {
    site = await startShareSite()
  })
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
  })
  afterAll(() => site?.close())
  const started = () => {
    if (site === undefined) throw new Error('The site is started before the first test')
    return site
  }
  return {
    get site() {
      return started()
    },
    async visit({ path = '/studio', width = 1280, dark = false, before } = {}) {
      const context = await browser().newContext({
        viewport: { width, height: width < 800 ? 844 : 720 },
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      contexts.push(context)
      await before?.(context)
      const page = await context.newPage()
      await page.goto(started().origin + path)
      await page.locator('[data-workspaces]').waitFor()
      return page
    },
  }
}

/** Opens the template of that name. */
export async function startMelody(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Melody', exact: true }).click()
  // Narrow windows show the result first.
  await page.getByLabel('Name of this piece').waitFor({ state: 'attached' })
  await page.locator('[data-save=saved]').waitFor()
}
