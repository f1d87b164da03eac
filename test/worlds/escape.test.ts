import { writeFileSync } from 'node:fs'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Services } from '../../lib/context/context.ts'
import { launchBrowser } from '../../scripts/browser/launch.ts'
import { startServices, type TestServices } from '../support/services.ts'
import { CONTROL_FLOOR, escapes, type Outcome, reached, runBoard } from './escape/board.ts'
import { boardTable } from './escape/report.ts'

let started: TestServices
let services: Services
let browser: Browser
let control: readonly Outcome[]
let world: readonly Outcome[]

beforeAll(async () => {
  started = await startServices()
  services = started.services
  // As Chrome on desktops runs.
  browser = await launchBrowser(['--site-per-process'])
  control = await runBoard(browser, services, false)
  world = await runBoard(browser, services, true)
  const file = process.env.ESCAPE_BOARD_FILE
  const name = `Chromium ${browser.version()}`
  if (file) writeFileSync(file, boardTable([{ browser: name, control, world }]))
}, 500_000)

afterAll(async () => {
  await browser.close()
  await started.close()
})

describe('escape board', () => {
  test('without protection most channels reach their trap, so that the traps are known to see', () => {
    expect(reached(control).length).toBeGreaterThanOrEqual(CONTROL_FLOOR.chromium)
  })

  test('every page of the World ran', () => {
    expect(world.filter(({ ran }) => !ran).map(({ channel }) => channel.name)).toEqual([])
  })

  test('of the World, no packet reaches a trap', () => {
    expect(escapes(world)).toEqual([])
  })
})
