import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, WITHOUT_GPU } from '#scripts/browser/launch.ts'
import type { Outcome } from '#test/core/worlds/escape/board.ts'
import { CHANNELS } from '#test/core/worlds/escape/channels.ts'
import { EARLY_CONNECTIONS, earlyConnections, fileEscapes, runFileBoard } from './file-board.ts'

/* The escape board of Worlds, in files on a disk. `npm run test:browsers` tries all of its ways. */

/** One way of so many, and all that lead somewhere: a navigation has most ways to begin. */
const EVERY = 5
const channels = CHANNELS.filter(
  ({ name }, index) =>
    index % EVERY === 0 || /^(self navigation|navigation API|download|new window|top navigation)/.test(name),
)
const folder = mkdtempSync(join(tmpdir(), 'weft-board-'))
let browser: Browser
let outcomes: readonly Outcome[]

beforeAll(async () => {
  // As Chrome on desktops runs.
  browser = await launchBrowser(['--site-per-process', ...WITHOUT_GPU])
  outcomes = await runFileBoard(browser, folder, channels)
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

test('every World ran', () => {
  expect(outcomes.filter(({ ran }) => !ran).map(({ channel }) => channel.name)).toEqual([])
})

test('of a World in a file on a disk, no packet reaches a trap', () => {
  expect(fileEscapes(outcomes)).toEqual([])
})

test('connections without a byte are those that are known of a browser, or none', () => {
  const tried = new Set(channels.map(({ name }) => name))
  const known = EARLY_CONNECTIONS.filter((name) => tried.has(name))
  expect([known, []]).toContainEqual(earlyConnections(outcomes))
})
