import type { Page } from 'playwright'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { testBrowser } from '#test/support/browser.ts'
import { type ComponentSite, startComponentSite } from '../component-site.ts'
import type { TransportPage } from './transport-page.ts'

/* The transport in a real browser, and what it plays. */

/** Two paths: a melody and a rhythm. */
export const SONG = [
  { path: '/song:0', data: Array.from({ length: 16 }, (_, step) => (step * 5) % 24) },
  { path: '/song:1', data: Array.from({ length: 16 }, (_, step) => (step % 4 === 0 ? 1 : 0)) },
]
/** Steps of 50 ms. */
export const FAST = { bpm: 300, stepsPerBeat: 4 } as const

let site: ComponentSite
/** A new one in each test. */
export let page: Page

/** Opens the transport for each test of a file. */
export function openTransport(): void {
  const browser = testBrowser()
  beforeAll(async () => {
    site = await startComponentSite({ pages: { '/': 'transport/transport-page' } })
  })
  afterAll(() => site?.close())
  beforeEach(async () => {
    await page?.context().close()
    page = await (await browser().newContext({ viewport: { width: 1280, height: 720 } })).newPage()
    await page.goto(site.origin)
    await page.waitForSelector('body[data-ready]')
  })
}

type Streams = Parameters<TransportPage['load']>[1]
type Sound = Parameters<TransportPage['load']>[2]

export function load(name: string, streams: Streams, sound?: Sound): Promise<void> {
  return page.evaluate(([of, data, how]) => (window as unknown as TransportPage).load(of, data, how), [
    name,
    streams,
    sound,
  ] as const)
}

export function playhead() {
  return page.evaluate(() => (window as unknown as TransportPage).transport.playhead.getState())
}

export function steps() {
  return page.evaluate(() => (window as unknown as TransportPage).steps.map(({ step }) => step))
}

export function play() {
  return page.getByRole('button', { name: 'Play', exact: true })
}

export function stop() {
  return page.getByRole('button', { name: 'Stop', exact: true })
}
