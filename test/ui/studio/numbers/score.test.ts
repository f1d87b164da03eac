import { createCanvas, loadImage } from '@napi-rs/canvas'
import { expect, test } from 'vitest'
import { entriesOf, TEMPLATES } from '#lib/studio/library/templates.ts'
import { expectAccessible } from '#test/support/site-pages.ts'
import { connectorEntry, dimension, documentOf } from '../../../studio/document/entries.ts'
import { entry, heard, number, openNumbers, page, reopen } from './numbers-driver.ts'

/* A connector as a score in a real browser: rows of steps, what they share, voices, cells, and what is rendered. */

openNumbers()

const WIDE = { viewport: { width: 1280, height: 720 } }

function template(name: string) {
  let next = 0
  const found = TEMPLATES.find((each) => each.name === name)
  if (found === undefined) throw new Error(`There is no template ${name}`)
  return documentOf(...entriesOf(found, () => `id${next++}`))
}

function step(voice: number, place: number) {
  return page
    .getByRole('rowgroup')
    .nth(voice)
    .getByRole('spinbutton', { name: new RegExp(`^Number 1 of set_to, step ${place}(, the start)?$`) })
}

/** Texts of the arguments of a voice, and its start. */
async function written(voice: number): Promise<string> {
  const { dimensions, staticRi } = await entry()
  const start = staticRi.find(({ position }) => position === voice + 1)?.startPoint
  return `${start}: ${dimensions[voice]?.calls.map(({ args }) => args.join()).join(' ')}`
}

function focused() {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
}

test('a drum pattern of three by eight is a grid of 240 pixels at most, with its start as the first step', async () => {
  await reopen(WIDE, template('drum_pattern'))
  await expect.poll(heard).toEqual([1, 0, 0, 1])
  await expect.poll(() => page.getByRole('spinbutton', { name: /^Number 1 of set_to/ }).count()).toBe(24)
  expect((await page.getByRole('treegrid').boundingBox())!.height).toBeLessThanOrEqual(240)
  expect(await written(0)).toBe('1: 0 0 1 1 0 0 0 1')

  // The first step is the start and the call that leads back to it.
  await step(0, 1).click()
  await expect.poll(() => written(0)).toBe('0: 0 0 1 1 0 0 0 0')
  await expect.poll(heard).toEqual([0, 0, 0, 1])
  await page.evaluate(() => globalThis.store.undo())
  await expect.poll(() => written(0)).toBe('1: 0 0 1 1 0 0 0 1')

  // A press turns on what is most frequent in the row; upwards is louder, in one step of undo.
  await step(0, 2).click()
  await expect.poll(() => written(0)).toBe('1: 1 0 1 1 0 0 0 1')
  const box = (await step(2, 2).boundingBox())!
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, y - 12)
  await page.mouse.move(x, y - 24)
  await page.mouse.up()
  await expect.poll(() => written(2)).toBe('3: 3 2 1 3 1 2 2 3')
  await page.evaluate(() => globalThis.store.undo())
  await expect.poll(() => written(2)).toBe('3: 1 2 1 3 1 2 2 3')
  await expectAccessible(page)
})

test('cells are reached, switched, typed in, moved, added and removed by the keyboard alone', async () => {
  await reopen(WIDE, template('drum_pattern'))
  const row = page.getByRole('row', { name: 'steps 1 to 8 of 8, set_to' }).first()
  await row.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(focused).toBe('step 1')
  await page.keyboard.press('ArrowRight')
  await expect.poll(focused).toBe('step 2')
  await page.keyboard.press('Space')
  await expect.poll(() => written(0)).toBe('1: 1 0 1 1 0 0 0 1')
  await expect.poll(focused).toBe('step 2')
  // A digit is typed into the number, and Enter goes on to the next.
  await page.keyboard.press('3')
  await expect.poll(() => written(0)).toBe('1: 3 0 1 1 0 0 0 1')
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('Number 1 of set_to, step 3')
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => written(0)).toBe('1: 3 1 1 1 0 0 0 1')
  await page.keyboard.press('Escape')
  await expect.poll(focused).toBe('step 3')
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(() => written(0)).toBe('1: 1 3 1 1 0 0 0 1')
  await page.keyboard.press('Delete')
  await expect.poll(() => written(0)).toBe('1: 3 1 1 0 0 0 1')
  await page.keyboard.press('ControlOrMeta+d')
  await expect.poll(() => written(0)).toBe('1: 3 3 1 1 0 0 0 1')
  // The same column of the next voice, past what this one plays and the head of that.
  for (let lines = 0; lines < 2; lines++) await page.keyboard.press('ArrowDown')
  await expect.poll(focused).toBe('Voice 2, Snare')
})

test('steps of one function are a row with what they share written once, and the row stays while it is edited', async () => {
  await reopen(WIDE, template('melody'))
  await expect.poll(heard).toEqual([0, 2, 5, 6])
  const shared = number('Number 2 of cycle, of every step').first()
  await expect.poll(() => shared.inputValue()).toBe('15')
  await shared.press('ArrowUp')
  await expect.poll(() => written(0)).toBe('undefined: 2,16 3,16 1,16 11,16')
  await page.getByRole('button', { name: 'One more step of cycle' }).first().click()
  await expect.poll(() => written(0)).toBe('undefined: 2,16 3,16 1,16 11,16 11,16')

  // What all share comes to differ by a knob: each step has its own then.
  await page.getByRole('slider', { name: 'range' }).press('ArrowRight')
  const own = page
    .getByRole('rowgroup')
    .first()
    .getByRole('spinbutton', { name: /^Number 2 of cycle/ })
  await shared.press('Tab')
  await page.getByLabel('Where the piece begins').focus()
  await expect.poll(() => own.count()).toBe(5)
  // Back to what the others are, it does not join them before the focus leaves it.
  await own.first().press('ArrowDown')
  await expect.poll(() => own.first().inputValue()).toBe('16')
  await expect.poll(() => own.count()).toBe(5)
  await page.getByLabel('Where the piece begins').focus()
  await expect.poll(() => own.count()).toBe(1)

  // One press is the long form, and it is remembered.
  await page.getByRole('button', { name: 'List', exact: true }).click()
  await page.getByRole('row', { name: 'step 5 of 5' }).waitFor()
  await expect.poll(() => own.count()).toBe(5)
  await page.reload()
  await page.getByRole('row', { name: 'step 4 of 4' }).first().waitFor()
  await expectAccessible(page)
})

test('a rhythm that one function makes is shown as it is heard, and begins where it is pressed', async () => {
  await reopen(WIDE, template('euclidean'))
  const rhythm = page.getByRole('group', { name: 'Rhythm of voice 1' })
  const hits = () =>
    rhythm
      .getByRole('button')
      .evaluateAll((each) => each.map((one) => (one.ariaLabel?.endsWith('a hit') ? 'x' : '.')).join(''))
  await expect.poll(hits).toBe('x...x...x...x...')
  await page.getByRole('spinbutton', { name: 'Number 1 of euclid_beat' }).first().fill('5')
  await expect.poll(hits).toMatch(/^x(\.{2,3}x){4}\.{2,3}$/)
  const before = await hits()
  await rhythm.getByRole('button').nth(1).click()
  await expect.poll(hits).toBe(`${before.slice(1)}${before[0]}`)
  await expectAccessible(page)
})

test('a voice has its instrument and its mute', async () => {
  await reopen(WIDE, template('drum_pattern'))
  await page.getByLabel('Instrument of voice 2').selectOption('Clap')
  await expect
    .poll(async () => (await entry()).sound?.paths?.[1])
    .toMatchObject({ path: '1', instrument: 'clap' })
  await page.getByRole('row', { name: 'Voice 2, Clap' }).waitFor()
  await page.getByRole('button', { name: 'Mute voice 2' }).click()
  await expect.poll(async () => (await entry()).sound?.paths?.[1]?.muted).toBe(true)
  await expect
    .poll(() => page.getByRole('button', { name: 'Mute voice 2' }).getAttribute('aria-pressed'))
    .toBe('true')
})

test('is within a phone, where a press switches a step and opens no keyboard', async () => {
  await reopen(
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    template('drum_pattern'),
  )
  await step(1, 2).tap()
  await expect.poll(() => written(1)).toBe('0: 1 1 0 0 0 1 0 0')
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('INPUT')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectAccessible(page)
})

test('while a number is dragged, a row that does not change is not rendered', async () => {
  const calls = (of: string) =>
    [1, 2, 3].map((by) => ({ id: `${of}${by}`, name: 'cycle', args: [String(by), '16'] }))
  const knobs = [0, 1].map((voice) => ({
    ...{ name: `knob ${voice}`, min: 0, max: 24 },
    target: { kind: 'call' as const, callId: `${voice}1`, index: 0 },
  }))
  const voices = ['0', '1', '2'].map((of) => dimension(`d${of}`, { calls: calls(of) }))
  await reopen(WIDE, documentOf(connectorEntry('song', 'song', voices, { knobs })))
  await expect.poll(heard).toEqual([0, 1, 3, 6])
  const held = page.getByRole('spinbutton', { name: 'Number 1 of cycle, step 2' }).first()
  await held.focus()
  const box = (await held.boundingBox())!
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  // The first movement chooses the row, which is drawn as chosen.
  await page.mouse.move(x + 8, y)
  await expect.poll(heard).toEqual([0, 1, 5, 8])
  await page.evaluate(remember)
  for (let moved = 12; moved <= 40; moved += 4) await page.mouse.move(x + moved, y)
  await expect.poll(heard).toEqual([0, 1, 13, 0])
  expect(await page.evaluate(rendered)).toEqual(['steps 1 to 3 of 3, cycle'])
  await page.mouse.up()
  expect(await page.evaluate(() => document.querySelectorAll('[data-knob-line]').length)).toBe(2)
})

declare global {
  /** Properties that React gave the elements of each row, at a moment. */
  var given: ReadonlyMap<Element, readonly unknown[]>
}

/** Notes the properties of every element. React makes new ones for each element whenever its component is rendered. */
function remember(): void {
  globalThis.given = new Map(
    [...document.querySelectorAll('[role=treegrid] [role=row]')].map((row) => [
      row,
      [row, ...row.querySelectorAll('*')].map((element) => {
        const key = Object.keys(element).find((each) => each.startsWith('__reactProps$'))
        return key === undefined ? undefined : element[key as keyof Element]
      }),
    ]),
  )
}

/** Names of rows with an element that has been rendered since. */
function rendered(): (string | null)[] {
  return [...globalThis.given].flatMap(([row, before]) => {
    const now = [row, ...row.querySelectorAll('*')].map((element) => {
      const key = Object.keys(element).find((each) => each.startsWith('__reactProps$'))
      return key === undefined ? undefined : element[key as keyof Element]
    })
    const isSame = now.length === before.length && now.every((props, index) => props === before[index])
    return isSame ? [] : [row.getAttribute('aria-label')]
  })
}

test('a voice that is chosen moves no row: what it skips is held in the bar, and said in its row', async () => {
  await reopen({ viewport: { width: 620, height: 720 } }, template('counterpoint'))
  const grid = page.getByRole('treegrid')
  await number('Start of voice 1').waitFor()
  const { height } = (await grid.boundingBox())!
  await number('Start of voice 1').focus()
  const skips = page.getByRole('toolbar').getByLabel('Steps that voice 1 skips at first')
  await skips.waitFor()
  expect((await grid.boundingBox())!.height).toBe(height)
  await skips.press('ArrowUp')
  await grid.getByText('skips').waitFor()
  expect((await entry()).staticRi[0]).toMatchObject({ position: 1, transformationShift: '1' })
  await expectAccessible(page)
})

test('the mark by which a voice plays another part is a whole arrow', async () => {
  await reopen(WIDE, template('counterpoint'))
  const mark = page.getByLabel('Part that voice 1 plays')
  await mark.waitFor()
  const opacity = () => mark.evaluate((field) => getComputedStyle(field.closest('[role=row]')!).opacity)
  // Of a voice that is not chosen it says nothing.
  expect(await opacity()).toBe('0')
  await number('Start of voice 1').focus()
  await expect.poll(opacity).toBe('1')
  await page.evaluate(() => {
    document.body.insertAdjacentHTML('beforeend', '<datalist id="known-connectors"><option value="pitch">')
  })
  const picture = await loadImage(await mark.screenshot())
  const { width, height } = picture
  const context = createCanvas(width, height).getContext('2d')
  context.drawImage(picture, 0, 0)
  const { data } = context.getImageData(0, 0, width, height)
  const isInk = (_: unknown, column: number) =>
    Array.from({ length: height }, (_, row) => data[4 * (row * width + column)]!).some((red) => red < 200)
  // The button that browsers draw for known names would leave it the room of a dash.
  expect(Array.from({ length: width }, isInk).filter(Boolean).length).toBeGreaterThan(6)
})
