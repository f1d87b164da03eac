import { readFile } from 'node:fs/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  coloursOf,
  done,
  MANY,
  MAX,
  openDetails,
  openPanel,
  page,
  particles,
  SMALL,
  show,
  view,
  WAVES,
} from './panel-driver.ts'
import type { PanelPage } from './panel-page.ts'

/* The views of a run: what part of it they show, and the files they are saved as. */

openPanel()

test('the step is where the sound is only while it plays this very connector, whatever others are called', async () => {
  await show(done(WAVES))
  await openDetails()
  const step = page.getByLabel('Step, as a number')
  const sound = (key: string) => page.evaluate((of) => (window as unknown as PanelPage).sound(of), key)
  await sound('published/connector/Song')
  await step.fill('1')
  await expect.poll(() => step.inputValue()).toBe('1')
  await sound('entry/song')
  await expect.poll(() => step.inputValue()).toBe('2')
})

describe('the window of a picture', () => {
  const inSight = () =>
    page.evaluate(() => {
      const shown = document.querySelector<HTMLElement>('[data-overview] span.border-accent')
      return shown ? [shown.style.left, shown.style.width].map(Number.parseFloat) : undefined
    })
  const surface = () => page.getByRole('slider', { name: 'Step in Lines' })

  beforeEach(async () => {
    const data = Array.from({ length: 1000 }, (_, step) => step)
    await show(done(particles(['/Song:0', data])))
    await surface().waitFor()
    await openDetails()
  })

  test('is zoomed, moved and reset by keys', async () => {
    await surface().focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('+')
    await expect.poll(() => inSight()).toEqual([0, 50])
    await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(() => inSight()).toEqual([12.5, 50])
    await page.keyboard.press('-')
    await expect.poll(() => inSight()).toBeUndefined()
    await page.keyboard.press('+')
    await page.keyboard.press('0')
    await expect.poll(() => inSight()).toBeUndefined()
    await page.keyboard.press('End')
    await expect.poll(() => surface().getAttribute('aria-valuetext')).toBe('999 of 999, /Song:0 is 999')
  })

  test('is zoomed by the wheel with Ctrl only, moved sideways, and brushed with Shift', async () => {
    const box = (await surface().boundingBox())!
    const middle = box.x + box.width / 2
    await page.mouse.move(middle, box.y + 60)
    await page.mouse.wheel(0, -300)
    expect(await inSight()).toBeUndefined()
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -300)
    await page.keyboard.up('Control')
    await expect.poll(async () => (await inSight())?.[1]).toBe(50)
    await expect.poll(async () => (await inSight())?.[0]).toBeCloseTo(25, -1)
    await page.mouse.wheel(4000, 0)
    await expect.poll(async () => (await inSight())?.[0]).toBe(50)
    await page.keyboard.press('0')
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await page.keyboard.down('Shift')
    await page.mouse.move(box.x + box.width * 0.25, box.y + 60)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.5, box.y + 60, { steps: 4 })
    await page.mouse.up()
    await page.keyboard.up('Shift')
    await expect
      .poll(async () => (await inSight())?.map((each) => Math.abs(each - 25) < 1))
      .toEqual([true, true])
  })

  test('is drawn, moved and resized in the overview', async () => {
    const box = (await page.locator('[data-overview]').boundingBox())!
    const at = (share: number) => [box.x + box.width * share, box.y + box.height / 2] as const
    const drag = async (from: number, to: number, expected: readonly number[]) => {
      await page.mouse.move(...at(from))
      await page.mouse.down()
      await page.mouse.move(...at(to), { steps: 5 })
      await page.mouse.up()
      await expect.poll(async () => (await inSight())?.map(Math.round)).toEqual(expected)
      return (await inSight())!
    }
    const [, width] = await drag(0.2, 0.4, [20, 20])
    const [moved, same] = await drag(0.3, 0.5, [40, 20])
    expect(same).toBe(width)
    const [first] = await drag(0.6, 0.8, [40, 40])
    expect(first).toBe(moved)
  })
})

test('the view stays chosen', async () => {
  await show(done(SMALL))
  await view('Lines')
  await page.getByRole('slider', { name: 'Step in Lines' }).waitFor()
  await page.getByRole('tab', { name: 'Lines' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('slider', { name: 'Step in Piano roll' }).waitFor()
  // The page has no origin, so nothing is stored in it: what is chosen lives as long as it does.
  await show(done(WAVES))
  await page.getByRole('slider', { name: 'Step in Piano roll' }).waitFor()
})

test('65,536 values of 8 paths are drawn anew when the window moves', async () => {
  const streams = Array.from({ length: 8 }, (_, path): [string, number[]] => [
    `/Song:${path}`,
    Array.from({ length: MANY / 8 }, (_, step) => (step * (7919 + path)) % 65_521),
  ])
  await show(done(particles(...streams)))
  for (const kind of ['Lines', 'Heat map']) {
    await view(kind)
    const picture = () =>
      page
        .getByRole('tabpanel')
        .locator('canvas')
        .first()
        .evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
    await page.getByRole('slider', { name: `Step in ${kind}` }).focus()
    await page.keyboard.press('+')
    const before = await picture()
    await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(picture, { message: kind }).not.toBe(before)
    const moved = await picture()
    await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(picture, { message: kind }).not.toBe(moved)
  }
})

test('a connector of many paths shows some, and more on demand', async () => {
  const streams = Array.from({ length: 30 }, (_, index): [string, number[]] => [`/Song:${index}`, [index]])
  await show(done(particles(...streams)))
  await expect.poll(() => page.getByRole('img').count()).toBe(12)
  await page.getByRole('button', { name: 'Show more of 30 voices' }).click()
  await expect.poll(() => page.getByRole('img').count()).toBe(24)
})

test('saves files with every value as it is, and the picture', async () => {
  await show(done(SMALL))
  const save = async (name: RegExp) => {
    await page.getByRole('button', { name: 'Take it with you' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name }).click(),
    ])
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
  }
  const csv = await save(/^CSV/)
  expect(csv.name).toBe('Song.csv')
  expect(csv.bytes.toString().split('\r\n')[2]).toBe(`1,2,${MAX}`)
  const json = await save(/^JSON/)
  expect(JSON.parse(json.bytes.toString())).toMatchObject({ connector_name: 'Song', particles: [{}, {}] })
  const midi = await save(/^MIDI/)
  expect(midi.name).toBe('Song.mid')
  expect(midi.bytes.subarray(0, 4).toString()).toBe('MThd')
  for (const kind of ['Lines', 'Piano roll', 'Heat map']) {
    await view(kind)
    const png = await save(/^PNG/)
    expect(png.name).toBe('Song.png')
    expect(png.bytes.subarray(1, 4).toString()).toBe('PNG')
    const colors = await coloursOf(png.bytes)
    expect(colors.seen, kind).toBeGreaterThan(8)
    expect(colors.scale, kind).toBe(2)
  }
  await view('Table')
  await page.getByRole('button', { name: 'Take it with you' }).click()
  await page.getByRole('menuitem', { name: /^PNG/ }).click()
  await page.getByText('Only pictures can be saved as PNG').waitFor()
})

test('saves pictures in any size and clips with sound of the Worlds that draw it, and says why there is none', async () => {
  await page.evaluate(([shown, world]) => (window as unknown as PanelPage).show(shown, world), [
    done(SMALL),
    'Harp & Co',
  ] as const)
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'Take it with you' }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
  }
  const save = async (name: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), choose(name)])
    return [download.suggestedFilename(), (await readFile(await download.path())).toString()]
  }
  expect(await save('PNG: Harp & Co')).toEqual(['song-harp-co.png', 'picture undefined undefined'])
  expect(await save('PNG, tall: 2304 × 4096')).toEqual(['song-harp-co.png', 'picture 2304 4096'])
  await page.evaluate(() => (window as unknown as PanelPage).sound('entry/song'))
  const [name, clip] = await save('WebM: 10 seconds of Harp & Co, with its sound')
  expect(name).toBe('song-harp-co.webm')
  // Both tracks are in it.
  expect(clip).toMatch(/V_(VP|AV)/)
  expect(clip).toMatch(/A_OPUS/)
  await page.getByText(/^Saved song-harp-co\.webm \([^)]+\)\.$/).waitFor()
  const [mp4, boxes] = await save('MP4: 10 seconds of Harp & Co, with its sound')
  expect(mp4).toBe('song-harp-co.mp4')
  expect(boxes).toMatch(/^....ftyp/s)
  expect(boxes).toMatch(/avc1|vp09/)
  expect(boxes).toMatch(/Opus|mp4a/)
  await choose('WebM: 30 seconds of Harp & Co, with its sound')
  await page.getByText('Nothing was saved: It draws nothing now.').waitFor()
})
