import { writeFileSync } from 'node:fs'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Services } from '../../lib/context.ts'
import { closeServices, createServices } from '../../lib/services.ts'
import { launchBrowser } from '../support/browser.ts'
import { testConfig } from '../support/config.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { type Outcome, runBoard } from './escape/board.ts'
import { CHANNELS } from './escape/channels.ts'
import { boardTable } from './escape/report.ts'

let db: TestDatabase
let services: Services
let browser: Browser
let control: readonly Outcome[]
let world: readonly Outcome[]

beforeAll(async () => {
  db = await createTestDatabase()
  services = await createServices(testConfig({ databaseUrl: db.url }))
  // As Chrome on desktops runs.
  browser = await launchBrowser(['--site-per-process'])
  control = await runBoard(browser, services, false)
  world = await runBoard(browser, services, true)
  const file = process.env.ESCAPE_BOARD_FILE
  if (file) writeFileSync(file, boardTable(control, world))
}, 240_000)

afterAll(async () => {
  await browser.close()
  await closeServices(services)
  await db.close()
})

const named = (outcomes: readonly Outcome[]) => outcomes.map(({ channel }) => channel.name)
const able = CHANNELS.filter(({ unable }) => unable === undefined)

describe('escape board', () => {
  test('without protection every counted channel reaches its trap, so that the traps are known to see', () => {
    expect(able.length).toBeGreaterThanOrEqual(30)
    const silent = control.filter(
      ({ channel, caught }) => channel.unable === undefined && caught.length === 0,
    )
    expect(named(silent)).toEqual([])
  })

  test('channels that are not counted are indeed beyond this browser', () => {
    expect(named(control.filter(({ channel, caught }) => channel.unable && caught.length > 0))).toEqual([])
  })

  test('every page of the World ran', () => {
    expect(named(world.filter(({ ran }) => !ran))).toEqual([])
  })

  test('of the World, no packet reaches a trap', () => {
    expect(
      world.filter(({ caught }) => caught.length > 0).map(({ channel, caught }) => [channel.name, caught]),
    ).toEqual([])
  })
})
