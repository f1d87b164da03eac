import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright'
import { afterEach, expect } from 'vitest'
import { violationsOf } from './axe.ts'
import { testBrowser } from './browser.ts'

export interface Opening extends BrowserContextOptions {
  /** Failures that the test provokes, as parts of their console text. */
  readonly provoked?: string | readonly string[]
  /** Another origin that the page may request: the chain's node. */
  readonly asks?: string
  /** Draws in three dimensions, by a graphics processor made of software: that starves pages that draw flat. */
  readonly solid?: boolean
  /** Preparation of the context before the first page is there: a wallet, for instance. */
  readonly before?: (context: BrowserContext) => Promise<unknown>
}

/** Pages of the site in a real browser, closed after each test. */
export interface SitePages {
  /** Opens a page in a new session; the path is relative to the site. */
  open(path: string, options?: Opening): Promise<Page>
}

/**
 * For one test file. In every test its pages must not log errors, throw, or send requests to other origins than
 * the site's.
 *
 * @param options.moving Pages are animated, as by default in browsers. Without, Worlds wait to be started and nothing fades:
 *   animations take the processor that other pages wait for.
 * @param options.warnings They must not log warnings either.
 */
export function sitePages(
  site: string,
  { moving = false, warnings = false }: { readonly moving?: boolean; readonly warnings?: boolean } = {},
): SitePages {
  const flatBrowser = testBrowser()
  const solidBrowser = testBrowser({ solid: true })
  const opened: Page[] = []
  const complaints: string[] = []
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((page) => page.context().close()))
    expect(complaints.splice(0)).toEqual([])
  })

  return {
    async open(path, { provoked = [], asks = site, solid = false, before, ...options } = {}) {
      const expected = [provoked].flat()
      const context = await (solid ? solidBrowser : flatBrowser)().newContext({
        viewport: { width: 1440, height: 900 },
        locale: 'en-US',
        reducedMotion: moving ? 'no-preference' : 'reduce',
        ...options,
      })
      if (options.javaScriptEnabled !== false) context.on('page', listenAfter)
      await before?.(context)
      const page = await context.newPage()
      await page.addInitScript(recordShifts)
      opened.push(page)
      page.on('console', (message) => {
        if (message.type() !== 'error' && !(warnings && message.type() === 'warning')) return
        if (expected.some((part) => message.text().includes(part))) return
        // The text of a failed resource does not name it.
        complaints.push(`${message.text()} (${message.location().url}, on ${page.url()})`)
      })
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('request', (request) => {
        const url = new URL(request.url())
        const allowed = [site, asks].map((address) => new URL(address).origin)
        if (url.protocol.startsWith('http') && !allowed.includes(url.origin)) complaints.push(request.url())
      })
      await page.goto(site + path, { waitUntil: 'load' })
      return page
    },
  }
}

/**
 * Has whatever leads to a page wait until its program listens: before that, keys and links mean something else. For pages
 * that are not opened by `sitePages`.
 */
export function listenAfter(page: Page): void {
  const after =
    <Arguments extends unknown[], Answer>(lead: (...given: Arguments) => Promise<Answer>) =>
    async (...given: Arguments): Promise<Answer> => {
      const answer = await lead.apply(page, given)
      const early = given.some((each) => (each as { waitUntil?: string } | null)?.waitUntil === 'commit')
      if (!early) await page.waitForFunction(isListening)
      return answer
    }
  page.goto = after(page.goto)
  page.reload = after(page.reload)
  page.goBack = after(page.goBack)
  page.waitForURL = after(page.waitForURL)
}

/**
 * Runs in the page, again and again: React marks what it serves while it still renders, and listens to the keys of the
 * window only in effects after that, which come before the page is idle. What is none of ours has nothing to wait for.
 */
function isListening(): boolean {
  if (!('__next_f' in window)) return true
  const buttons = [...document.querySelectorAll('header button[type=button], main button[type=button]')]
  if (!buttons.every((each) => Object.keys(each).some((key) => key.startsWith('__reactProps')))) return false
  const page: { idle?: boolean } & Window = window
  if (page.idle !== undefined) return page.idle
  page.idle = false
  const done = () => {
    page.idle = true
  }
  // WebKit does not know when it is idle.
  if ('requestIdleCallback' in window) requestIdleCallback(done, { timeout: 5000 })
  else setTimeout(done, 300)
  return false
}

/** Runs in the page. */
function recordShifts(): void {
  const shifts: number[] = []
  Object.assign(window, { shifts })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number
      hadRecentInput: boolean
    })[]) {
      if (!entry.hadRecentInput) shifts.push(entry.value)
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Waits until something has the focus: what is typed before goes elsewhere. */
export async function untilFocused(what: Locator): Promise<void> {
  await expect.poll(() => what.evaluate((element) => element === document.activeElement)).toBe(true)
}

/** Cumulative layout shift since the page was opened, as browsers measure it. */
export function shiftOf(page: Page): Promise<number> {
  return page.evaluate(() =>
    (window as unknown as { shifts: number[] }).shifts.reduce((sum, each) => sum + each, 0),
  )
}

/** Waits until colours that change have changed: three frames without a transition, since one may set off the next. */
export function settled(page: Page): Promise<void> {
  return page.evaluate(async () => {
    for (let still = 0; still < 3; ) {
      await new Promise(requestAnimationFrame)
      const changing = document
        .getAnimations()
        .some((each) => each instanceof CSSTransition && each.playState === 'running')
      still = changing ? 0 : still + 1
    }
  })
}

/** No violations of WCAG 2.2 AA or of good practice, and nothing wider than the window. */
export async function expectAccessible(page: Page): Promise<void> {
  // What is being worked on is drawn fainter.
  await page.locator('[aria-busy=true]:visible').first().waitFor({ state: 'hidden' })
  await settled(page)
  const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  expect(await violationsOf(page, { runOnly: rules })).toEqual([])
  const excess = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(excess).toBeLessThanOrEqual(0)
}

/**
 * Every link of the page answers 200.
 *
 * @param known Links of other pages that did, to which those of this page are added.
 */
export async function expectNoLooseLinks(page: Page, known: Set<string> = new Set()): Promise<void> {
  const hrefs = await page.locator('a[href]').evaluateAll((links) => [
    // The `href` property of links in drawings is not text.
    ...new Set(
      links.map((link) => new URL(link.getAttribute('href') ?? '', document.baseURI).href.replace(/#.*/, '')),
    ),
  ])
  expect(hrefs.length).toBeGreaterThan(5)
  const fresh = hrefs.filter((href) => !known.has(href))
  const answers: string[] = []
  // A few at a time: the site does not let a page wait for long.
  for (let at = 0; at < fresh.length; at += 4) {
    const some = fresh.slice(at, at + 4)
    answers.push(...(await Promise.all(some.map(async (href) => `${(await fetch(href)).status} ${href}`))))
  }
  expect(answers).toEqual(fresh.map((href) => `200 ${href}`))
  for (const href of fresh) known.add(href)
}

/** Expects that Play is within the first window of a page, on a desktop and on a phone, and returns the button. */
export async function expectPlayInFirstWindow(page: Page, place: Page | Locator = page): Promise<Locator> {
  const play = place.getByRole('button', { name: 'Play', exact: true })
  await expect.poll(() => play.isEnabled()).toBe(true)
  for (const [width, height] of [
    [1280, 720],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    const box = await play.boundingBox()
    expect(box!.y + box!.height).toBeLessThanOrEqual(height)
  }
  return play
}

/** Opens the menu of filters of a list. */
export function openFilter(page: Page): Promise<void> {
  return page.locator('[data-filter] > summary').click()
}
