import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { loudest, tapSpeakers } from '#test/support/speakers.ts'
import { startMelody, studioVisits } from './studio-visits.ts'

/* The whole studio as a window, and what was once wrong with it. */

const { visit } = studioVisits()

function region(page: Page, name: string) {
  return page.getByRole('region', { name, exact: true })
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

describe('the window', () => {
  test('has editor and result beside each other from 900 pixels on, and else one of the two', async () => {
    const page = await visit()
    await startMelody(page)
    for (const [width, beside] of [
      [900, true],
      [899, false],
    ] as const) {
      await page.setViewportSize({ width, height: 700 })
      await expect.poll(() => region(page, 'Editor').isVisible(), { message: `${width}` }).toBe(beside)
      await expect.poll(() => region(page, 'Result').isVisible()).toBe(true)
      const tabs = page.getByRole('tablist', { name: 'What is shown' })
      await expect.poll(() => tabs.isVisible()).toBe(!beside)
      const beyond = () =>
        page.evaluate(() => {
          const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.documentElement
          return [scrollHeight - clientHeight, scrollWidth - clientWidth]
        })
      await expect.poll(beyond).toEqual([0, 0])
      // The transport is under both.
      const bottomAndWidth = async () => {
        const box = (await region(page, 'Transport').boundingBox())!
        return [box.y + box.height, box.width]
      }
      await expect.poll(bottomAndWidth).toEqual([700, width])
    }
  })

  test('has one slim bar, one primary action, and keys only in menus and in the list of keys', async () => {
    const page = await visit()
    await startMelody(page)
    await expect.poll(async () => (await page.getByRole('banner').boundingBox())?.height).toBe(48)
    const primary = await page.getByRole('button').evaluateAll((buttons) =>
      buttons
        .filter((button) => {
          const { backgroundColor } = getComputedStyle(button)
          // What is pressed in is a switch.
          const isAction = button.checkVisibility() && button.ariaPressed === null
          return isAction && backgroundColor === getComputedStyle(document.body).color
        })
        .map((button) => button.getAttribute('aria-label') ?? button.textContent),
    )
    // Play is the transport's, not the document's.
    expect(primary.filter((name) => name !== 'Play')).toEqual(['Publish'])
    const caps = page.locator('kbd:visible')
    expect(await caps.count()).toBe(0)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await expect.poll(() => caps.count()).toBeGreaterThan(2)
    await page.keyboard.press('Escape')
    await expect.poll(() => caps.count()).toBe(0)
    await region(page, 'Editor').focus()
    await page.keyboard.press('?')
    await page.getByRole('dialog').locator('kbd').first().waitFor()
    await expect.poll(() => caps.count()).toBeGreaterThan(10)
  })

  test.each([640, 760, 1024])(
    'has a bar whose buttons stand beside one another at %i pixels',
    async (width) => {
      const page = await visit({ width })
      await startMelody(page)
      const boxes = async () => {
        // All at one moment: the bar changes while the studio loads.
        const found = await page
          .getByRole('banner')
          .locator('a, button')
          .evaluateAll((all) =>
            all.map((each): Box => {
              const { x, y, width, height } = each.getBoundingClientRect()
              return { x, y, width, height }
            }),
          )
        const order = found.filter((box) => box.width > 0).toSorted((a, b) => a.x - b.x)
        return order.flatMap((box, index) => {
          const next = order[index + 1]
          return next && overlaps(box, next) ? [[box.x + box.width, next.x]] : []
        })
      }
      await expect.poll(boxes).toEqual([])
      const out = () =>
        page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      await expect.poll(out).toBeLessThanOrEqual(0)
    },
  )

  test('has every number of an outline in sight on a phone, however many calls a dimension has', async () => {
    const page = await visit({ width: 390 })
    await page.getByRole('button', { name: 'Drum pattern', exact: true }).click()
    await page.getByRole('tab', { name: 'Edit', exact: true }).click()
    const grid = page.getByRole('treegrid')
    await grid.locator('input').first().waitFor()
    const beyond = () =>
      grid.evaluate((table) => {
        const { right } = (table.parentElement as HTMLElement).getBoundingClientRect()
        return [...table.querySelectorAll('input')].filter(
          (each) => each.getBoundingClientRect().right > right + 1,
        ).length
      })
    await expect.poll(beyond).toBe(0)
  })

  test('leads by the keyboard into the result of what was opened where that is shown', async () => {
    const page = await visit({ width: 390 })
    await page.getByRole('button', { name: 'Melody', exact: true }).press('Enter')
    await region(page, 'Result').waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.closest('[data-pane=result]') !== null)
    await expect.poll(focused).toBe(true)
  })

  test('leads by the keyboard to the templates first, and into what was opened', async () => {
    const page = await visit()
    const first = page.getByRole('button', { name: 'Melody', exact: true })
    const isThere = () => first.evaluate((button) => button === document.activeElement)
    let presses = 0
    for (; presses < 20 && !(await isThere()); presses++) await page.keyboard.press('Tab')
    expect(await isThere()).toBe(true)
    await page.keyboard.press('Enter')
    await page.getByLabel('Name of this piece').waitFor()
    const focused = () => page.evaluate(() => document.activeElement?.closest('[data-pane=edit]') !== null)
    await expect.poll(focused).toBe(true)
  })

  test('is not left scrolled by another tab: the result of what is opened is shown from its top', async () => {
    const page = await visit()
    await startMelody(page)
    await page.setViewportSize({ width: 1280, height: 400 })
    const result = region(page, 'Result')
    const scrolled = () =>
      result.evaluate((pane) => {
        pane.scrollTo(0, 60)
        return pane.scrollTop
      })
    await expect.poll(scrolled).toBeGreaterThan(0)
    await page.getByRole('region', { name: 'Your functions' }).getByRole('button').nth(1).click()
    await page.getByLabel('Name of this function').waitFor()
    await expect.poll(() => result.evaluate((pane) => pane.scrollTop)).toBe(0)
  })

  test('is darkened from edge to edge by a dialog, without a strip for a scrollbar', async () => {
    const page = await visit()
    await startMelody(page)
    const gutter = () =>
      page.evaluate(() => {
        const { scrollbarGutter, overflowY } = getComputedStyle(document.documentElement)
        return [scrollbarGutter, overflowY]
      })
    expect(await gutter()).toEqual(['auto', 'hidden'])
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('dialog').waitFor()
    expect(await gutter()).toEqual(['auto', 'hidden'])
    const covered = await page.evaluate(() => {
      const right = window.innerWidth - 1
      const bottom = window.innerHeight - 1
      const under = [
        [0, 0],
        [right, 0],
        [0, bottom],
        [right, bottom],
        [right, bottom / 2],
      ].map(([x, y]) => document.elementFromPoint(x!, y!))
      return under.map(
        (element) => element !== null && document.querySelector('[data-studio]')!.contains(element),
      )
    })
    // Nothing of the studio itself can be reached at an edge.
    expect(covered).toEqual([false, false, false, false, false])
  })
})

test('names that are free leave nothing red in the console', async () => {
  const page = await visit()
  const wrong: string[] = []
  let lookups = 0
  page.on('console', (message) => {
    if (message.type() === 'error') wrong.push(message.text())
  })
  page.on('response', (response) => {
    if (response.url().includes('/studio/api/entities')) lookups += 1
    if (response.status() >= 400) wrong.push(`${response.status()} ${response.url()}`)
  })
  await startMelody(page)
  await page.getByLabel('Name of this piece').fill('')
  await page.getByLabel('Name of this piece').pressSequentially('nobody_has_this', { delay: 20 })
  const called = page.getByLabel('What steps 1 to 4 do').first()
  await called.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('nor_this')
  await page.getByRole('option', { name: /^New: nor_this/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('[data-save=saved]').waitFor()
  await expect.poll(() => lookups).toBeGreaterThan(0)
  await page.waitForTimeout(500)
  expect(wrong).toEqual([])
})

describe('the first lesson', () => {
  test.each([1280, 390])(
    'does the step that waits for sound, moves the studio nowhere, and covers nothing, at %i pixels',
    async (width) => {
      const page = await visit({ path: '/studio?lesson=first-connector', width, before: tapSpeakers })
      const card = page.getByRole('complementary', { name: /^Lesson: / })
      const ring = page.locator('[data-lesson-ring]')
      const isClear = async () => {
        const boxes = await Promise.all([card, ring].map((each) => each.boundingBox({ timeout: 1000 })))
        return boxes.every((box) => box !== null) && !overlaps(boxes[0]!, boxes[1]!)
      }
      await card.getByRole('heading', { name: 'Hear one' }).waitFor()
      await expect.poll(isClear).toBe(true)
      const play = page.getByRole('button', { name: 'Play', exact: true })
      await expect.poll(() => play.isEnabled()).toBe(true)
      await card.getByRole('button', { name: 'Do it for me' }).click()
      await expect.poll(() => loudest(page)).toBeGreaterThan(0.02)
      await card.getByText('Done.', { exact: true }).waitFor()
      if (width > 900) {
        // What plays is seen to move in its picture.
        const at = () =>
          page
            .locator('[data-playhead]')
            .first()
            .evaluate((line: HTMLElement) => line.getBoundingClientRect().x)
        const before = await at()
        await expect.poll(at).not.toBe(before)
      }
      // The steps up to signing in.
      for (const title of [
        'Make a piece',
        'Give it a name',
        'Make a function',
        'Name the function, too',
        'Write its body',
        'Put it into the piece',
        'Change a number and watch',
      ]) {
        await card.getByRole('button', { name: 'Next', exact: true }).click()
        await card.getByRole('heading', { name: title, exact: true }).waitFor()
        const show = card.getByRole('button', { name: 'Show me' })
        if (await show.isVisible()) await show.click()
        // The studio itself stays where it is.
        const moved = () =>
          page.evaluate(() => [
            document.querySelector('[data-studio]')!.scrollTop,
            document.querySelector('#content')!.scrollTop,
          ])
        expect(await moved()).toEqual([0, 0])
        await expect.poll(isClear, { message: title }).toBe(true)
        await card.getByRole('button', { name: 'Do it for me' }).click()
        await card.getByText('Done.', { exact: true }).waitFor()
      }
      // And plays on.
      await expect.poll(() => loudest(page)).toBeGreaterThan(0.02)
    },
  )
})

test('the palette has Play, Loop, the tempo and the theme', async () => {
  const page = await visit()
  await startMelody(page)
  const field = page.getByRole('combobox', { name: /^Commands, your work/ })
  await page.keyboard.press('ControlOrMeta+k')
  for (const command of ['Play', 'Loop', 'Tempo up', 'Tempo down', 'Switch between light and dark']) {
    await field.fill(command)
    await page.getByRole('option', { name: new RegExp(`^${command}`) }).waitFor()
  }
})

test('a lesson leads from the graph to the score that it speaks of', async () => {
  const page = await visit({ path: '/studio?lesson=start-value' })
  const card = page.getByRole('complementary', { name: /^Lesson: / })
  await card.getByRole('heading', { name: 'Say where it starts' }).waitFor()
  await page.getByRole('button', { name: 'Graph', exact: true }).click()
  await page.locator('[data-lesson-ring=way]').waitFor()
  await card.getByRole('button', { name: 'Show me' }).click()
  await page.locator('[data-lesson-ring=control]').waitFor()
  await page.getByRole('treegrid').waitFor()
})
