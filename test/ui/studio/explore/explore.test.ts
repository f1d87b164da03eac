import type { Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ConnectorEntry, StudioDocument } from '#lib/studio/document/types.ts'
import { startApi, type TestApi } from '#test/support/api.ts'
import { testBrowser } from '#test/support/browser.ts'
import { expectAccessible } from '#test/support/site-pages.ts'
import { TIMES } from '#test/support/slice.ts'
import { codeEntry, documentOf } from '../../../studio/document/entries.ts'
import { type ComponentSite, startComponentSite } from '../component-site.ts'
import { connector } from '../graph-site.ts'

/** The contact sheet in a real browser, with its real worker and the studio's API. */

let api: TestApi
let site: ComponentSite
const browser = testBrowser()
let page: Page
const complaints: string[] = []

const DOCUMENT = documentOf(
  connector(
    'melody',
    ['climb 5 24', 'climb 7 24', 'lift 2'],
    ['climb 3 16'],
    ['lift 3', 'wheel 1 12'],
    ['scatter 4'],
  ),
  codeEntry('id-lift', 'lift', 'return x + args[0];'),
  codeEntry('id-climb', 'climb', 'return (x + args[0]) % args[1];'),
  codeEntry('id-wheel', 'wheel', 'return (x * 5 + args[0]) % args[1];'),
  codeEntry(
    'id-scatter',
    'scatter',
    'unchecked { x ^= x << 13; x ^= x >> 17; x ^= x << 5; return (x + args[0]) % 97; }',
  ),
)

beforeAll(async () => {
  api = await startApi('studio')
  site = await startComponentSite({
    pages: { '/': 'explore/explore-page' },
    workers: { '/sheet-worker.ts': 'lib/studio/explore/sheet-worker.ts' },
    api,
  })
})
afterAll(async () => {
  await site?.close()
  await api?.close()
})

beforeEach(async () => {
  await page?.context().close()
  complaints.length = 0
})

async function open(
  document: StudioDocument = DOCUMENT,
  { width = 1280, height = 720, theme = 'light' as 'light' | 'dark' } = {},
): Promise<void> {
  const context = await browser().newContext({ viewport: { width, height }, colorScheme: theme })
  page = await context.newPage()
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.addInitScript((given) => Object.assign(globalThis, { studioDocument: given }), document)
  await page.goto(site.origin)
}

function tiles() {
  return page.getByRole('option', { name: /^(Your piece|Variation)/ })
}
function status() {
  return page.getByRole('status').textContent()
}
function entries() {
  return page.evaluate(() => globalThis.store.getState().document.entries)
}
async function melody(): Promise<ConnectorEntry> {
  return (await entries())[0] as ConnectorEntry
}
function labels() {
  return tiles().evaluateAll((found) => found.map((tile) => tile.getAttribute('aria-label') ?? ''))
}
function heard() {
  return page.evaluate(() =>
    globalThis.sounding
      .getState()
      .source?.streams.map(({ data }) => data.join())
      .join(' '),
  )
}
async function options(): Promise<void> {
  if ((await page.getByLabel('Seed').count()) === 0)
    await page.getByRole('button', { name: 'What varies' }).click()
  await page.getByLabel('Seed').waitFor()
}
async function useSeed(seed: number): Promise<void> {
  const before = await labels()
  await options()
  await page.getByLabel('Seed').fill(String(seed))
  await page.getByLabel('Seed').press('Enter')
  await expect.poll(labels).not.toEqual(before)
  await expect.poll(status).toMatch(/variations/)
}

describe('a sheet', () => {
  test('is drawn by the seed, in the sizes offered, with a picture in each tile', async () => {
    await open()
    await expect.poll(() => tiles().count()).toBe(16)
    await useSeed(4711)
    const first = await labels()
    expect(first[0]).toMatch(/^Your piece, (again every|never the same)/)
    await useSeed(4712)
    await useSeed(4711)
    await expect.poll(labels).toEqual(first)
    // The largest takes as long as all else here.
    for (const size of TIMES > 1 ? ['64', '256'] : ['64']) {
      await page.getByLabel('How many').selectOption(size)
      await expect.poll(() => tiles().count()).toBe(Number(size))
    }
    // The smaller sheet is the beginning of the larger one, what is strange beside the others apart.
    const alone = (label: string) => label.replace(', stranger', '')
    await expect.poll(async () => (await labels()).slice(0, 16).map(alone)).toEqual(first.map(alone))
    const blank = () =>
      page.locator('[role=option] canvas').evaluateAll(
        (found) =>
          found.filter((element) => {
            const canvas = element as HTMLCanvasElement
            const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
            return !data.some((byte) => byte > 0)
          }).length,
      )
    // Drawn with the next frame.
    await expect.poll(blank).toBe(0)
    expect(complaints).toEqual([])
  })

  test('is sorted by what one hears, in words', async () => {
    await open()
    await expect.poll(() => tiles().count()).toBe(16)
    await useSeed(4711)
    await page.keyboard.press('Escape')
    /** Whether each word stands before the next, and those without one between the first and the last. */
    const inOrder = async (first: string, last: string) => {
      const ranks = (await labels()).map((label) => {
        const words = label.split(', ')
        return words.includes(first) ? 0 : words.includes(last) ? 2 : 1
      })
      return new Set(ranks).size > 1 && ranks.join() === ranks.toSorted().join()
    }
    for (const [label, first, last] of [
      ['Calmer first', 'calmer', 'busier'],
      ['Busier first', 'busier', 'calmer'],
      ['Stranger first', 'stranger', 'none'],
    ] as const) {
      await page.getByLabel('Order', { exact: true }).selectOption(label)
      await expect.poll(() => inOrder(first, last), { message: label }).toBe(true)
    }
    await page.getByLabel('Order', { exact: true }).selectOption('Soonest again first')
    await expect
      .poll(async () => {
        const periods = (await labels()).map((label) =>
          Number(/again every (\d+)/.exec(label)?.[1] ?? Number.POSITIVE_INFINITY),
        )
        return periods.join() === periods.toSorted((a, b) => a - b).join()
      })
      .toBe(true)
    // No measure of the engine is on the surface.
    expect(await page.locator('body').textContent()).not.toMatch(/bits|entropy|novelty/)
  })

  test('leaves what is locked as it is', async () => {
    await open()
    await expect.poll(() => tiles().count()).toBe(16)
    const before = await melody()
    await options()
    await page.getByLabel('numbers').check()
    await page.getByLabel('order', { exact: true }).check()
    await page.keyboard.press('Escape')
    await expect.poll(status).toMatch(/variations/)
    await tiles().nth(3).dblclick()
    await expect.poll(async () => (await melody()).staticRi.length).toBeGreaterThan(0)
    expect((await melody()).dimensions).toEqual(before.dimensions)
    await page.getByRole('button', { name: 'Explore' }).click()
    await options()
    for (const lock of ['where it starts', 'numbers', 'order'])
      await page.getByLabel(lock, { exact: true }).check()
    await page.getByText('There is no number left to vary.').waitFor()
  })
})

describe('by keyboard', () => {
  test('arrow keys walk and lend the transport what is in front; Enter opens it, undo takes it back', async () => {
    await open()
    await expect.poll(() => tiles().count()).toBe(16)
    const before = await melody()
    await tiles().first().focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    const columns = await page
      .getByRole('listbox')
      .evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length)
    const reached = tiles().nth(columns + 1)
    await expect.poll(() => reached.getAttribute('aria-selected')).toBe('true')
    await expect.poll(async () => (await heard())?.split(' ')[0]?.split(',').length).toBe(64)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Explore' }).waitFor()
    await expect.poll(melody).not.toEqual(before)
    await page.evaluate(() => globalThis.store.undo())
    await expect.poll(melody).toEqual(before)
    await page.getByRole('button', { name: 'Explore' }).click()
    await expect.poll(() => tiles().count()).toBe(16)
    await tiles().first().focus()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Explore' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('the space bar plays what is in front, and walking or pointing changes what plays without a stop', async () => {
    await open()
    await expect.poll(() => tiles().count()).toBe(16)
    // The focus is in the sheet from the beginning.
    await expect.poll(heard).toBeDefined()
    await page.keyboard.press('Space')
    await page.evaluate(() => {
      const states: boolean[] = []
      Object.assign(globalThis, { states })
      globalThis.sounding.subscribe(() => states.push(globalThis.sounding.getState().playing))
    })
    const first = await heard()
    await page.keyboard.press('ArrowRight')
    await expect.poll(heard).not.toBe(first)
    const second = await heard()
    await tiles().nth(7).hover()
    await expect.poll(heard).not.toBe(second)
    expect(await heard()).not.toBe(first)
    await expect
      .poll(() => page.evaluate(() => globalThis.sounding.playhead.getState().step))
      .toBeGreaterThan(1)
    expect(
      await page.evaluate(() => (globalThis as unknown as { states: boolean[] }).states.every(Boolean)),
    ).toBe(true)
    // Sound that began in the sheet ends with it, also where it is requested again.
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate(() => globalThis.sounding.getState().playing)).toBe(false)
    // A pointer over a tile would play it.
    await page.mouse.move(0, 0)
    await page.getByRole('button', { name: 'Explore' }).press('Enter')
    await expect.poll(() => tiles().count()).toBe(16)
    await expect.poll(heard).toBeDefined()
    // Sound of before the sheet plays on.
    await page.evaluate(() => globalThis.sounding.play())
    await page.keyboard.press('Escape')
    expect(await page.evaluate(() => globalThis.sounding.getState().playing)).toBe(true)
    expect(complaints).toEqual([])
  })

  test('a pointer plays what is under it, and its star keeps it; outside of the sheet it is silent again', async () => {
    await open()
    await expect.poll(() => tiles().count()).toBe(16)
    const playing = () => page.evaluate(() => globalThis.sounding.getState().playing)
    expect(await playing()).toBe(false)
    await tiles().nth(3).hover()
    await expect.poll(playing).toBe(true)
    await tiles().nth(3).locator('[data-star]').click()
    await expect.poll(() => tiles().nth(3).getAttribute('aria-label')).toMatch(/kept$/)
    await page.getByRole('button', { name: 'Again' }).hover()
    await expect.poll(playing).toBe(false)
    expect(complaints).toEqual([])
  })

  test('S keeps a copy under a free name, once', async () => {
    await open()
    await expect.poll(() => tiles().count()).toBe(16)
    await tiles().nth(2).focus()
    await page.keyboard.press('s')
    await page.keyboard.press('s')
    const names = async () =>
      (await entries()).map(({ name }) => name).filter((name) => name.startsWith('melody'))
    await expect.poll(names).toEqual(['melody', 'melody_2'])
    expect((await entries())[1]).not.toEqual((await entries())[0])
    await expect.poll(() => tiles().nth(2).getAttribute('aria-label')).toMatch(/kept$/)
    // The sheet stays, with what was kept.
    expect(await tiles().count()).toBe(16)
  })

  test('a button plays the one in front, and stops it', async () => {
    await open()
    await expect.poll(() => tiles().count()).toBe(16)
    await tiles().nth(3).focus()
    const playing = () => page.evaluate(() => globalThis.sounding.getState().playing)
    await page.getByRole('button', { name: 'Hear it' }).click()
    await expect.poll(playing).toBe(true)
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await expect.poll(playing).toBe(false)
  })

  test('M makes nearer ones, B marks two, Shift B mixes them', async () => {
    await open()
    await expect.poll(() => tiles().count()).toBe(16)
    await tiles().nth(5).focus()
    await page.keyboard.press('m')
    await page.getByText('parent', { exact: true }).waitFor()
    // What is marked on a sheet goes with it.
    await page.locator('[role=listbox][aria-busy=false]').waitFor()
    await expect.poll(() => tiles().count()).toBe(16)
    for (const [at, parent] of [
      [1, /, parent 1/],
      [2, /, parent 2/],
    ] as const) {
      await tiles().nth(at).focus()
      await page.keyboard.press('b')
      await expect.poll(() => tiles().nth(at).getAttribute('aria-label')).toMatch(parent)
    }
    await page.keyboard.press('Shift+B')
    await page.getByText('parent 2', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Back to what is open' }).click()
    await page.getByText('your piece', { exact: true }).waitFor()
  })
})

test.each([
  [1280, 720, 'light'],
  [390, 844, 'dark'],
] as const)('accessible, without scrolling of the page, at %s x %s in %s', async (width, height, theme) => {
  await open(DOCUMENT, { width, height, theme })
  await expect.poll(() => tiles().count()).toBe(16)
  await useSeed(4711)
  await expectAccessible(page)
  const { scroll, client } = await page.evaluate(() => ({
    scroll: document.documentElement.scrollWidth + document.documentElement.scrollHeight,
    client: document.documentElement.clientWidth + document.documentElement.clientHeight,
  }))
  expect(scroll).toBeLessThanOrEqual(client)
})

test('a connector that cannot be built says where to look', async () => {
  await open(documentOf(connector('broken', ['missing 1'])))
  await page.getByText('does not run in the browser').waitFor()
  expect(complaints).toEqual([])
})
