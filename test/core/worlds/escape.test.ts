import { writeFileSync } from 'node:fs'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Services } from '#lib/core/context/context.ts'
import { launchBrowser, WITHOUT_GPU } from '#scripts/browser/launch.ts'
import { startServices, type TestServices } from '#test/support/services.ts'
import { CONTROL_FLOOR, escapes, type Outcome, reached, runBoard } from './escape/board.ts'
import type { Channel } from './escape/channel.ts'
import { CHANNELS } from './escape/channels.ts'
import { openInTabs, type TabOutcome } from './escape/own-tab.ts'
import { boardTable } from './escape/report.ts'

/** Every such channel is also tried without protection, and by hash; all of them for the table. */
const CONTROL_EVERY = 4

let unprotected: readonly Channel[]
let started: TestServices
let services: Services
let browser: Browser
let control: readonly Outcome[]
let world: readonly Outcome[]
let version: readonly Outcome[]

beforeAll(async () => {
  started = await startServices()
  services = started.services
  // As Chrome on desktops runs.
  browser = await launchBrowser(['--site-per-process', ...WITHOUT_GPU])
  const file = process.env.ESCAPE_BOARD_FILE
  unprotected = file ? CHANNELS : CHANNELS.filter((_, index) => index % CONTROL_EVERY === 0)
  control = await runBoard(browser, services, false, unprotected)
  world = await runBoard(browser, services, 'id')
  version = await runBoard(
    browser,
    services,
    'hash',
    file ? CHANNELS : CHANNELS.filter((_, index) => index % CONTROL_EVERY === 1),
  )
  const name = `Chromium ${browser.version()}`
  if (file) writeFileSync(file, boardTable([{ browser: name, control, world, version }]))
})

afterAll(async () => {
  await browser.close()
  await started.close()
})

describe('escape board', () => {
  test('without protection most channels reach their trap, so that the traps are known to see', () => {
    // Of a few, chance may have drawn more that no browser has.
    const share = unprotected.length / CHANNELS.length
    const least = CONTROL_FLOOR.chromium * share * (share === 1 ? 1 : 0.8)
    expect(reached(control).length).toBeGreaterThanOrEqual(least)
  })

  test('every page of the World ran, by its id and by the hash of its bundle', () => {
    expect([...world, ...version].filter(({ ran }) => !ran).map(({ channel }) => channel.name)).toEqual([])
  })

  test('of the World, no packet reaches a trap', () => {
    expect([escapes(world), escapes(version)]).toEqual([[], []])
  })
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
