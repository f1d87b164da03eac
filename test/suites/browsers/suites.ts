import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Services } from '#lib/core/context/context.ts'
import { examplePieces } from '#scripts/example-network/network.ts'
import { CONTROL_FLOOR, escapes, reached, runBoard } from '#test/core/worlds/escape/board.ts'
import { CHANNELS } from '#test/core/worlds/escape/channels.ts'
import { openInTabs } from '#test/core/worlds/escape/own-tab.ts'
import { type Board, boardTable } from '#test/core/worlds/escape/report.ts'
import {
  EARLY_CONNECTIONS,
  earlyConnections,
  fileEscapes,
  runFileBoard,
} from '#test/features/piece-file/file-board.ts'
import { takeFirstLesson } from '#test/support/first-lesson.ts'
import { publishAsVisitor } from '#test/support/publication.ts'
import { startServices, type TestServices } from '#test/support/services.ts'
import { listenAfter } from '#test/support/site-pages.ts'
import { findBrowsers } from './find-browsers.ts'

/** `BROWSERS=firefox,webkit` for some families only. */
const wanted = process.env.BROWSERS?.split(',')
const browsers = (await findBrowsers()).filter(
  (each) => !('family' in each) || (wanted?.includes(each.family) ?? true),
)
const { site, chainApi } = inject('endpoints')
const boards: Board[] = []
const piecesByWorld = new Map(examplePieces.map((piece) => [piece.present.world, piece]))

afterAll(() => {
  const file = process.env.ESCAPE_BOARD_FILE
  if (file) writeFileSync(file, boardTable(boards))
})

/** Values of a run on chain, as files show them. */
async function chainValues(name: string, count: number): Promise<string> {
  const response = await fetch(`${chainApi}/execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ connector_name: name, particles_count: count }),
  })
  const { particles } = (await response.json()) as { particles: { path: string; data: number[] }[] }
  return particles.map(({ path, data }) => `${path} ${data.join(' ')}`).join('\n')
}

for (const found of browsers) {
  if (!('launch' in found)) {
    describe(found.name, () => {
      test.skip(`not found: ${found.reason}`, () => {})
    })
    continue
  }
  describe(found.name, () => {
    let browser: Browser
    // Each board installs the same Worlds.
    let started: TestServices
    let services: Services
    beforeAll(async () => {
      started = await startServices()
      services = started.services
      browser = await found.launch()
    })
    afterAll(async () => {
      await browser?.close()
      await started.close()
    })

    /** Opens a page of the site in a new session. */
    async function on<T>(path: string, action: (page: Page) => Promise<T>): Promise<T> {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })
      try {
        const page = await context.newPage()
        listenAfter(page)
        await page.goto(site + path)
        return await action(page)
      } finally {
        await context.close()
      }
    }

    test('escape board', async ({ task }) => {
      const control = await runBoard(browser, services, false)
      const world = await runBoard(browser, services, 'id')
      const version = await runBoard(browser, services, 'hash')
      boards.push({ browser: `${found.name} ${browser.version()}`, control, world, version })
      Object.assign(task.meta, {
        version: browser.version(),
        figure: `${reached(control).length} of ${control.length} unprotected, ${reached(world).length} as a World, ${reached(version).length} as a version of one`,
      })
      expect([escapes(world), escapes(version)]).toEqual([[], []])
      expect([...world, ...version].filter(({ ran }) => !ran).map(({ channel }) => channel.name)).toEqual([])
      expect(reached(control).length).toBeGreaterThanOrEqual(CONTROL_FLOOR[found.family])
    })

    test('escape board of files on a disk', async ({ task }) => {
      const folder = mkdtempSync(join(tmpdir(), 'weft-board-'))
      try {
        const file = await runFileBoard(browser, folder, CHANNELS)
        Object.assign(task.meta, { figure: `${reached(file).length} of ${file.length}` })
        expect(fileEscapes(file)).toEqual([])
        // Those of WebKit are the same as on a site.
        if (found.family !== 'webkit') expect([EARLY_CONNECTIONS, []]).toContainEqual(earlyConnections(file))
        expect(file.filter(({ ran }) => !ran).map(({ channel }) => channel.name)).toEqual([])
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    })

    test('files of pieces on a disk, one for each World', async ({ task }) => {
      const folder = mkdtempSync(join(tmpdir(), 'weft-pieces-'))
      const context = await browser.newContext()
      try {
        const page = await context.newPage()
        for (const { name, present } of piecesByWorld.values()) {
          const path = join(folder, `${name}.html`)
          const response = await fetch(`${site}/connectors/${name}/piece.html`)
          writeFileSync(path, await response.text())
          await page.goto(pathToFileURL(path).href)
          await expect
            .poll(() => page.locator('.values').textContent(), { message: name })
            .toBe(await chainValues(name, present.particles))
          await page.locator('iframe[data-ready]').waitFor()
          await page.getByRole('button', { name: 'Check' }).click()
          await expect
            .poll(() => page.locator('.verdict').textContent(), { message: name })
            .toMatch(/^Consistent/)
          await page.locator('.bar button').first().click()
          await expect
            .poll(() => page.locator('.position').textContent(), { message: name })
            .toMatch(/^step ([2-9]|\d\d)/)
        }
        Object.assign(task.meta, { figure: `${piecesByWorld.size} play` })
      } finally {
        await context.close()
        rmSync(folder, { recursive: true, force: true })
      }
    })

    test('own tab', async () => {
      const outcomes = await openInTabs(browser, services)
      expect(outcomes.filter(({ caught }) => caught.length > 0)).toEqual([])
      expect(outcomes.filter(({ shown }) => shown)).toHaveLength(outcomes.length - 1)
    })

    test('first lesson', () => on('/docs/lessons', (page) => takeFirstLesson(page)))

    test('publication', () => on('/studio', (page) => publishAsVisitor(page, chainApi)))
  })
}
