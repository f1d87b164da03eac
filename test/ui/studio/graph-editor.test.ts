import type { Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ConnectorDefinition } from '#lib/protocol/definition.ts'
import type { ConnectorEntry, StudioDocument } from '#lib/studio/document/types.ts'
import { testBrowser } from '#test/support/browser.ts'
import { expectAccessible, untilFocused } from '#test/support/site-pages.ts'
import { TIMES } from '#test/support/slice.ts'
import { documentOf } from '../../studio/document/entries.ts'
import type { ComponentSite } from './component-site.ts'
import { connector, largeDocument, openGraph, startGraphSite } from './graph-site.ts'

/** The graph in a real browser, on a separate page. */

/** Connectors of a large document: each is drawn, which takes many times as long as all else here. */
const MANY = TIMES > 1 ? 500 : 150

let site: ComponentSite
const browser = testBrowser()
let page: Page
const complaints: string[] = []

beforeAll(async () => {
  site = await startGraphSite()
})

afterAll(async () => {
  await site?.close()
})

beforeEach(async () => {
  await page?.context().close()
  const context = await browser().newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  page = await context.newPage()
  complaints.length = 0
  page.on('pageerror', (error) => complaints.push(String(error)))
})

function scalar(...names: string[]) {
  return {
    transformations: names.map((name) => ({ name, args: [1] })),
    composite: '',
    bindings: [],
  }
}
function definition(name: string, ...dimensions: ConnectorDefinition['dimensions']): ConnectorDefinition {
  return {
    name,
    dimensions,
    conditionName: '',
    conditionArgs: [],
    staticRi: [],
  }
}

const PUBLISHED = [
  definition('duet', scalar('lift'), { ...scalar(), composite: 'solo', bindings: [] }),
  definition('solo', scalar('lift')),
]

const LIFT = { kind: 'transformation', id: 'id-lift', name: 'lift', source: 'return x + args[0];' } as const

function song(): StudioDocument {
  return documentOf(connector('song', ['lift 3'], { to: 'duet' }), connector('pitch', ['lift 2']), LIFT)
}

function ownNode(name: string) {
  return page.locator(`[data-node="own/id-${name}"]`)
}
function nodes() {
  return page.locator('[data-node]').count()
}
function edges() {
  return page.locator('.react-flow__edge').count()
}
function focused() {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
}
async function press(...keys: string[]) {
  for (const key of keys) await page.keyboard.press(key)
}
function state() {
  return page.evaluate(() => globalThis.store.getState())
}
async function entry(name: string): Promise<ConnectorEntry> {
  const { document } = await state()
  return document.entries.find((each) => each.name === name) as ConnectorEntry
}
/** Where something is once it has stopped moving. */
async function still(locator: ReturnType<Page['locator']>) {
  let last = ''
  await expect
    .poll(async () => {
      const before = last
      last = JSON.stringify(await locator.boundingBox())
      return last === before
    })
    .toBe(true)
  return JSON.parse(last) as { x: number; y: number; width: number; height: number }
}
function undo() {
  return page.evaluate(() => globalThis.store.undo())
}

describe('the graph', () => {
  test('is edited by keyboard alone, by the commands of the outline', async () => {
    await openGraph(page, site, song(), PUBLISHED)
    await page.getByText('published', { exact: true }).waitFor()
    // From the canvas to the connector of the graph, into it, to its first argument.
    await page.locator('.react-flow').focus()
    await press('Enter')
    await expect.poll(focused).toBe('song, the piece of this graph, 2 voices')
    await press('Enter', 'ArrowDown', 'Enter', 'Tab')
    await expect.poll(focused).toBe('Number 1 of lift')
    await page.keyboard.type('x')
    await page.getByText('“x” is not a whole number.').first().waitFor()
    await press('Backspace', '3', 'Escape')
    await expect.poll(focused).toBe('Function lift 3')

    // A transformation after it, a dimension, and what that leads to.
    await press('a')
    await page.keyboard.type('lift')
    await press('Tab')
    await page.keyboard.type('7')
    await press('Escape', 'd')
    await expect.poll(focused).toBe('Voice 2')
    await press('l')
    await page.getByRole('dialog').getByRole('button', { name: 'pitch' }).click()
    await expect.poll(focused).toBe('Plays pitch')
    await expect
      .poll(() => entry('song'))
      .toMatchObject({
        dimensions: [
          { calls: [{ args: ['3'] }, { name: 'lift', args: ['7'] }] },
          { composite: 'pitch' },
          { composite: 'duet' },
        ],
      })
    await expect.poll(nodes).toBe(3)

    // A slot of it, by its field; each letter of a name would be another connector.
    await press('ArrowDown', 'Enter')
    await page.keyboard.type('pit')
    expect((await entry('song')).dimensions[1]!.bindings).toEqual([])
    await page.keyboard.type('ch')
    await press('Enter')
    await expect
      .poll(async () => (await entry('song')).dimensions[1]!.bindings)
      .toEqual([{ slot: 0, name: 'pitch' }])
    await page.locator('.react-flow__edge').nth(2).waitFor()

    // Where a dimension starts, and a condition.
    await press('Escape')
    await page.getByRole('group', { name: 'Voice 1', exact: true }).first().focus()
    await press('s')
    await page.keyboard.type('12')
    await press('Escape', 'c')
    await page.keyboard.type('gate')
    await press('Escape')
    await page.getByText('There is no gate called gate.').first().waitFor()
    await press('Delete')
    await expect
      .poll(() => entry('song'))
      .toMatchObject({
        condition: null,
        staticRi: [{ position: 1, startPoint: '12', transformationShift: '0' }],
      })

    // Along the links and back, and off the graph.
    await press('Escape', 'ArrowRight')
    await expect.poll(focused).toBe('pitch, 1 voice')
    await press('Delete')
    await expect.poll(focused).toMatch(/^song/)
    await expect.poll(nodes).toBe(2)
    await expect
      .poll(async () => (await entry('song')).dimensions[1])
      .toMatchObject({ composite: '', bindings: [] })
    expect((await entry('pitch')).name).toBe('pitch')
    await undo()
    await expect.poll(nodes).toBe(3)
    expect(complaints).toEqual([])
  })

  test('links by dragging, also onto nothing, moves links, and refuses circles', async () => {
    await openGraph(page, site, song(), PUBLISHED)
    const dot = (line: string) =>
      page.getByRole('group', { name: line, exact: true }).first().locator('.source')
    const drag = async (from: ReturnType<typeof dot>, to: { x: number; y: number }) => {
      const box = await still(from)
      await page.mouse.move(box.x + box.width - 6, box.y + box.height / 2)
      await page.mouse.down()
      await page.mouse.move(to.x - 30, to.y + 10, { steps: 4 })
      await page.mouse.move(to.x, to.y, { steps: 4 })
      await page.mouse.up()
    }
    const middle = async (locator: ReturnType<typeof dot>) => {
      const { x, y, width, height } = await still(locator)
      return { x: x + width / 2, y: y + height / 2 }
    }
    // Onto the empty canvas, in a corner that no connector is in: a new connector, where it was let go.
    const canvas = await still(page.locator('.react-flow'))
    await drag(dot('Voice 1'), { x: canvas.x + 60, y: canvas.y + 60 })
    await page.getByRole('button', { name: 'A new piece' }).click()
    await expect.poll(focused).toBe('my_piece, 1 voice')
    const made = (await state()).document
    expect(made.places).toMatchObject([{ entryId: 'id-song', node: `own/${made.entries.at(-1)!.id}` }])
    await expect.poll(async () => (await entry('song')).dimensions[0]!.composite).toBe('my_piece')

    // Back to what it came from: never.
    const fresh = page.locator(`[data-node="own/${made.entries.at(-1)!.id}"]`)
    await drag(fresh.locator('.source'), await middle(ownNode('song')))
    await page.getByText('neither could ever exist first').waitFor()

    // The other end of a link elsewhere: anywhere on a connector counts.
    const target = page.locator('[data-node="outside/duet"]')
    await drag(dot('Plays my_piece'), await middle(target))
    await expect
      .poll(async () => (await entry('song')).dimensions.map(({ composite }) => composite))
      .toEqual(['duet', 'duet'])
    // What nothing leads to any more stays on the canvas.
    await fresh.waitFor({ state: 'attached' })

    // Moving a node is a step that can be taken back.
    await press('Home', 'f')
    const before = await still(target)
    await page.mouse.move(before.x + 120, before.y + 20)
    await page.mouse.down()
    await page.mouse.move(before.x + 160, before.y + 120, { steps: 5 })
    await page.mouse.up()
    await expect.poll(async () => Math.round((await target.boundingBox())!.y)).not.toBe(Math.round(before.y))
    await expect.poll(async () => (await state()).undoLabel).toBe('Move in the graph')
    await undo()
    await expect.poll(async () => Math.round((await target.boundingBox())!.y)).toBe(Math.round(before.y))
    expect(complaints).toEqual([])
  })

  test('opens what is published to be read, and copies, pastes and duplicates what is not', async () => {
    await openGraph(page, site, song(), PUBLISHED)
    await page.getByRole('button', { name: 'Expand duet' }).click()
    await page.locator('[data-node="outside/solo"]').waitFor()
    await expect.poll(edges).toBe(2)
    expect(await page.locator('[data-node="outside/duet"] input').count()).toBe(0)
    await page.locator('[data-node="outside/duet"]').focus()
    await press('e')
    await page.locator('[data-node="outside/solo"]').waitFor({ state: 'detached' })
    await press('o')
    await page.getByRole('heading', { name: 'duet' }).waitFor()
    await page.locator('[data-node="outside/solo"]').waitFor()

    await page.getByRole('button', { name: /^song/ }).click()
    await ownNode('song').focus()
    await press('Control+d')
    await expect.poll(focused).toBe('song_2, 2 voices')
    await expect
      .poll(async () => (await entry('song_2')).dimensions[0]!.calls[0])
      .toMatchObject({ name: 'lift', args: ['3'] })
    const text = await page.evaluate(() => {
      const data = new DataTransfer()
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('cut', { clipboardData: data, bubbles: true, cancelable: true }),
      )
      return data.getData('text/plain')
    })
    expect(JSON.parse(text)).toMatchObject({ clip: { of: 'entries', entries: [{ name: 'song_2' }] } })
    await expect.poll(nodes).toBe(2)
    await page.evaluate((pasted) => {
      const data = new DataTransfer()
      data.setData('text/plain', pasted)
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    }, text)
    await expect.poll(focused).toBe('song_3, 2 voices')
    expect(complaints).toEqual([])
  })

  test('shares what is chosen with the outline, finds what is far away, and stays usable with hundreds of connectors', async () => {
    const [found, far, renamed] = ['leaf_90', `leaf_${MANY - 25}`, 'leaf_100'] as const
    await openGraph(page, site, largeDocument(MANY))
    expect(await nodes()).toBeLessThan(40)
    await page.getByRole('button', { name: 'Find' }).click()
    await untilFocused(page.getByRole('dialog').getByRole('combobox'))
    await page.keyboard.type(found)
    await page
      .getByRole('dialog')
      .getByRole('option', { name: /whole|part/ })
      .first()
      .click()
    const line = page.getByRole('group', { name: `Plays ${found}` })
    await expect.poll(() => line.getAttribute('tabindex')).toBe('0')
    await page.getByRole('button', { name: 'Score', exact: true }).click()
    const row = page.getByRole('row', { selected: true })
    const leadsTo = row.getByLabel(/^Part that voice/)
    await expect.poll(() => leadsTo.inputValue()).toBe(found)
    await page.getByRole('button', { name: 'Graph', exact: true }).click()
    await expect.poll(() => line.getAttribute('tabindex')).toBe('0')

    await page.evaluate((name) => {
      globalThis.store.setView(() => ({
        tabs: [{ kind: 'entry', entryId: 'id-whole' }],
        active: 'entry/id-whole',
      }))
      globalThis.store.select([
        { kind: 'call', entryId: `id-${name}`, dimensionId: `${name}-0`, callId: `${name}-0-1` },
      ])
    }, far)
    const step = ownNode(far).locator('[tabindex="0"]')
    await expect.poll(() => step.getAttribute('aria-label')).toBe('Function lift 2')
    await page.getByRole('button', { name: /^Show all/ }).click()
    await expect.poll(nodes).toBe(MANY)
    await page.getByRole('img', { name: 'Map of the graph' }).waitFor()
    await page.evaluate(
      (name) => globalThis.store.select([{ kind: 'entry', entryId: `id-${name}` }]),
      renamed,
    )
    await ownNode(renamed).focus()
    await press('F2')
    await expect.poll(focused).toBe('Name of this piece')
    await page.keyboard.type('_far')
    await expect.poll(async () => (await entry(`${renamed}_far`))?.id).toBe(`id-${renamed}`)
    expect(complaints).toEqual([])
  })

  test('has a map of all of it from 8 connectors on, which leads to what is not in sight', async () => {
    const map = page.getByRole('img', { name: 'Map of the graph' })
    await openGraph(page, site, largeDocument(7))
    await page.getByRole('button', { name: /^Show all/ }).click()
    await expect.poll(nodes).toBe(7)
    expect(await map.count()).toBe(0)

    await openGraph(page, site, largeDocument(8))
    await map.waitFor()
    await expect.poll(() => map.locator('.react-flow__minimap-node').count()).toBe(8)
    // It stays in its corner of the canvas, beside the buttons.
    const canvas = (await page.locator('.react-flow').boundingBox())!
    const box = (await map.boundingBox())!
    expect(box.x + box.width).toBeLessThanOrEqual(canvas.x + canvas.width)
    expect(box.y + box.height).toBeLessThanOrEqual(canvas.y + canvas.height)
    const whole = ownNode('whole')
    const before = await still(whole)
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2 + 20, box.y + box.height / 2, { steps: 4 })
    await page.mouse.up()
    await expect.poll(async () => (await whole.boundingBox())?.x).toBeLessThan(before.x - 20)
    expect(complaints).toEqual([])
  })

  test('shows 14 connectors beside its map in a small window, and reaches each by arrow keys', async () => {
    await page.setViewportSize({ width: 1024, height: 720 })
    const leaves = Array.from({ length: 10 }, (_, index) => `leaf_${index}`)
    const deep = documentOf(
      ...['whole', 'half', 'third'].map((name, index, all) =>
        connector(name, ['lift 1'], { to: all[index + 1] ?? 'last' }),
      ),
      connector('last', ...leaves.map((to) => ({ to }))),
      ...leaves.map((name) => connector(name, ['lift 2'])),
      LIFT,
    )
    await openGraph(page, site, deep)
    await page.getByRole('button', { name: /^Show all/ }).click()
    await expect.poll(nodes).toBe(14)
    await still(ownNode('whole'))
    const map = (await page.getByRole('img', { name: 'Map of the graph' }).boundingBox())!
    const canvas = (await page.locator('.react-flow').boundingBox())!
    for (const node of await page.locator('[data-node]').all()) {
      const box = (await node.boundingBox())!
      const isBeneath = box.x + box.width > map.x && box.y + box.height > map.y
      expect(isBeneath, `${await node.getAttribute('data-node')} is beneath the map`).toBe(false)
      expect(box.x).toBeGreaterThanOrEqual(canvas.x)
      expect(box.y).toBeGreaterThanOrEqual(canvas.y)
    }

    const current = () =>
      page.evaluate(() => document.activeElement?.closest('[data-node]')?.getAttribute('data-node') ?? '')
    await page.locator('.react-flow').focus()
    await press('Enter')
    const reached = new Set([await current()])
    // As one would look for all of it: each way from each node that was found.
    for (const at of reached) {
      for (const key of ['ArrowRight', 'ArrowDown', 'ArrowUp', 'ArrowLeft']) {
        await page.locator(`[data-node="${at}"]`).focus()
        await press(key)
        reached.add(await current())
      }
    }
    expect([...reached].sort()).toHaveLength(14)
    expect(complaints).toEqual([])
  })

  test('is accessible in both themes, and needs a wide window', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const broken = connector('song', ['lift x'], { to: 'gone', slots: { 0: 'pitch' } })
      await openGraph(page, site, documentOf(broken, connector('pitch', ['lift 2']), LIFT), PUBLISHED)
      await page.getByText('missing', { exact: true }).waitFor()
      await expectAccessible(page)
    }
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('treegrid').waitFor()
    expect(await page.locator('.react-flow').count()).toBe(0)
  })
})
