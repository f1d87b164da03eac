import type { BrowserContextOptions, Locator, Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { ConnectorEntry } from '#lib/studio/document/types.ts'
import { type TestBrowser, testBrowser } from '#test/support/browser.ts'
import { connectorEntry, dimension, documentOf } from '../../../studio/document/entries.ts'
import type { ComponentSite } from '../component-site.ts'
import { startNumbersSite } from './numbers-site.ts'

/* A connector with one transformation in a real browser, with the engine that the browser runs. */

let site: ComponentSite
/** A new one in each test. */
export let page: Page
let browser: () => TestBrowser

const tune = connectorEntry('tune', 'tune', [
  dimension('d', { calls: [{ id: 'c', name: 'cycle', args: ['3', '16'] }] }),
])

/** Opens the site for each test of a file. */
export function openNumbers(): void {
  browser = testBrowser()
  beforeAll(async () => {
    site = await startNumbersSite()
  })
  afterAll(() => site?.close())
  beforeEach(() => reopen({ viewport: { width: 1280, height: 720 } }))
}

export function origin(): string {
  return site.origin
}

/** A page without anything on it yet, in the place of the one before. */
export async function blankPage(options: BrowserContextOptions): Promise<void> {
  await page?.context().close()
  page = await (await browser().newContext(options)).newPage()
}

export async function reopen(options: BrowserContextOptions, document = documentOf(tune)): Promise<void> {
  await blankPage({ reducedMotion: 'reduce', ...options })
  await page.addInitScript((given) => Object.assign(globalThis, { studioDocument: given }), document)
  await page.goto(site.origin)
  if (document.entries[0] === tune) await expect.poll(heard).toEqual([0, 3, 6, 9])
}

/** The first values of what sounds. */
export async function heard(): Promise<readonly number[]> {
  return (await page.evaluate(() => globalThis.heard()))[0]?.slice(0, 4) ?? []
}

export function number(name: string): Locator {
  return page.getByRole('spinbutton', { name, exact: true })
}

export async function entry(): Promise<ConnectorEntry> {
  return (await page.evaluate(() => globalThis.store.getState().document.entries[0])) as ConnectorEntry
}

export async function callAt(index: number) {
  return (await entry()).dimensions[0]?.calls[index]
}

/** Presses on a number and moves, without letting go. */
export async function hold(on: Locator, pixels: number): Promise<void> {
  // Nothing that grows or shrinks below moves it.
  await page.evaluate(() => scrollTo(0, 0))
  const box = (await on.boundingBox())!
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + pixels / 2, y)
  await page.mouse.move(x + pixels, y)
}
