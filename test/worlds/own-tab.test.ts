import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Services } from '../../lib/context/context.ts'
import { launchBrowser } from '../../scripts/browser/launch.ts'
import { startServices, type TestServices } from '../support/services.ts'
import { openInTabs, type TabOutcome } from './escape/own-tab.ts'

let started: TestServices
let services: Services
let browser: Browser
beforeAll(async () => {
  started = await startServices()
  services = started.services
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await started.close()
})

function leaving(outcomes: readonly TabOutcome[]) {
  return outcomes.filter(({ caught }) => caught.length > 0).map(({ name }) => name)
}

test('a World opened as a top-level document redirects only to its page', async () => {
  const outcomes = await openInTabs(browser, services)
  expect(outcomes).toHaveLength(6)
  expect(leaving(outcomes)).toEqual([])
  // An XML document is shown as it is: it has no scripts, and no policy allows it to refresh.
  const elsewhere = outcomes.filter(({ shown }) => !shown).map(({ name }) => name)
  expect(elsewhere).toEqual(['refresh of an XML document'])
})

test('in a browser without Sec-Fetch-Dest, no script of the World runs', async () => {
  // What markup alone can do in some browsers; see "What we do not claim" in docs/worlds-security.md.
  const byMarkup = ['self navigation by a link', 'meta refresh']
  const outcomes = await openInTabs(browser, services, { silent: true })
  expect(leaving(outcomes).filter((name) => !byMarkup.includes(name))).toEqual([])
})
