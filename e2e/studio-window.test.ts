import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright'
import { expect, inject, test } from 'vitest'
import { expectAccessible, sitePages, untilFocused } from '#test/support/site-pages.ts'
import { command, openDetails, openExample, result, untilEmpty } from '#test/support/studio.ts'

/* The studio as a window: nothing scrolls away, two presses to sound, and all of it by keyboard. */

const { site } = inject('endpoints')
const { open } = sitePages(site)

const TEMPLATES = [
  ...['Melody', 'Drum pattern', 'Euclidean rhythm', 'Random walk'],
  ...['Arpeggio', 'Cloth', 'Starfield', 'Counterpoint'],
]
const SIZES = [
  [1280, 720],
  [1366, 768],
  [1440, 900],
  [1920, 1080],
  [390, 844],
] as const
/** From this width on, editor and result are beside each other. */
const BESIDE = 900

function templates(page: Page) {
  return page.getByRole('region', { name: 'Templates' })
}

/** Parts of the page that are out of the window. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.documentElement
    return Math.max(scrollHeight - clientHeight, scrollWidth - clientWidth)
  })
}

/** Folder for pictures of every step; with one, all sizes are walked through in both themes: `npm run studio:walk -- FOLDER`. */
const { PICTURES } = process.env
const LOOKS =
  PICTURES === undefined
    ? ([
        [1280, 720, 'light'],
        [1440, 900, 'dark'],
        [390, 844, 'dark'],
      ] as const)
    : SIZES.flatMap(([width, height]) => [
        [width, height, 'light'] as const,
        [width, height, 'dark'] as const,
      ])

/** Selector of possible tab stops, hidden ones included. */
const STOPS = 'a[href], button, input, select, textarea, summary, iframe, [tabindex]'

/** Goes to something by the tabulator alone, at most once around the page. */
async function tabTo(page: Page, what: Locator): Promise<void> {
  const isThere = () => what.evaluate((element) => element === document.activeElement)
  const most = await page.locator(STOPS).count()
  for (let presses = 0; presses < most && !(await isThere()); presses++) await page.keyboard.press('Tab')
  expect(await isThere()).toBe(true)
}

test.each(LOOKS)(
  'at %i x %i, %s, by keyboard: two presses to a template that sounds, five at most to a link that plays; nothing scrolls away',
  async (width, height, colorScheme) => {
    const looks = {
      ...{ viewport: { width, height }, colorScheme, hasTouch: width < BESIDE },
      permissions: ['clipboard-read', 'clipboard-write'],
    }
    let presses = 0
    const press = async (page: Page, key: 'Enter' | 'Space') => {
      presses += 1
      await page.keyboard.press(key)
    }
    const check = async (page: Page, step: string) => {
      expect(await overflow(page)).toBeLessThanOrEqual(0)
      await expectAccessible(page)
      if (PICTURES === undefined) return
      mkdirSync(PICTURES, { recursive: true })
      await page.screenshot({ path: join(PICTURES, `${width}x${height}-${colorScheme}-${step}.png`) })
    }
    const plays = async (page: Page) => {
      await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()
      const position = page.getByRole('slider', { name: 'Position', exact: true })
      await expect.poll(() => position.inputValue().then(Number)).toBeGreaterThan(1)
    }
    const playEnabled = (page: Page) =>
      expect.poll(() => page.getByRole('button', { name: 'Play', exact: true }).isEnabled()).toBe(true)
    const page = await open('/studio', looks)
    await untilEmpty(page)
    await expect.poll(() => templates(page).getByRole('listitem').count()).toBe(TEMPLATES.length)
    await check(page, '1-start')

    await tabTo(page, templates(page).getByRole('button', { name: 'Starfield', exact: true }))
    await press(page, 'Enter')
    await page.getByLabel('Name of this piece').waitFor({ state: 'attached' })
    await playEnabled(page)
    await press(page, 'Space')
    await plays(page)
    expect(presses).toBe(2)
    await result(page).getByText('3 voices, 64 steps each').waitFor()
    const first = result(page).locator('[data-phase]')
    const bottom = () => first.boundingBox().then((box) => box!.y + box!.height)
    await first.waitFor()
    await check(page, '2-plays')

    const editor = page.getByRole('region', { name: 'Editor', exact: true })
    if (width >= BESIDE) {
      await expect.poll(() => editor.isVisible()).toBe(true)
      await expect.poll(bottom).toBeLessThan(height - 56)
      // One row stands over the picture.
      const top = async (what: Locator) => (await what.boundingBox())!.y
      expect((await top(first)) - (await top(result(page)))).toBeLessThanOrEqual(56)
    } else {
      // Narrow windows begin with the result.
      await expect.poll(() => editor.isVisible()).toBe(false)
      await tabTo(page, page.getByRole('tab', { name: 'Result' }))
      await page.keyboard.press('ArrowLeft')
      await expect.poll(() => editor.isVisible()).toBe(true)
      await expect.poll(() => result(page).isVisible()).toBe(false)
      await check(page, '3-editor')
    }
    // What plays goes on while another pane is opened.
    await expect.poll(() => page.getByRole('button', { name: 'Stop', exact: true }).isVisible()).toBe(true)

    // Play was no step on the way to a link.
    presses -= 1
    const share = page.getByRole('button', { name: 'Share', exact: true })
    if (await share.isVisible()) await tabTo(page, share)
    else {
      await tabTo(page, page.getByRole('button', { name: /^Workspace: / }))
      await press(page, 'Enter')
      const item = page.getByRole('menuitem', { name: 'Share…' })
      await item.waitFor()
      await page.keyboard.type('Sha')
      await untilFocused(item)
    }
    await press(page, 'Enter')
    const copy = page.getByRole('dialog').getByRole('button', { name: 'Copy link' })
    await copy.waitFor()
    await check(page, '4-share')
    await tabTo(page, copy)
    await press(page, 'Enter')
    await page.getByText('Link copied.').waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    const reader = await open(link.slice(site.length), looks)
    await reader.getByText('was shared with you').waitFor()
    await playEnabled(reader)
    await press(reader, 'Space')
    await plays(reader)
    expect(presses).toBeLessThanOrEqual(5)
    await check(reader, '5-shared')
  },
)

test('templates open under names that are free, and runs', async () => {
  const page = await open('/studio')
  await untilEmpty(page)
  // The card that has the pointer is what Play plays.
  await templates(page).getByRole('button', { name: 'Cloth', exact: true }).hover()
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  const stop = page.getByRole('button', { name: 'Stop', exact: true })
  await stop.waitFor()
  await page.getByRole('slider', { name: 'Position', exact: true }).waitFor()
  // What each of them generates is tested without a browser.
  for (const [index, title] of ['Melody', 'Drum pattern', 'Counterpoint'].entries()) {
    if (index > 0) await command(page, 'document', 'New from a template…')
    const place = index === 0 ? templates(page) : page.getByRole('dialog', { name: 'Templates' })
    await place.getByRole('button', { name: title, exact: true }).click()
    const name = page.getByLabel('Name of this piece')
    await name.waitFor()
    await result(page)
      .getByText(/^\d voices, 64 steps each/)
      .waitFor()
    // A warning would stand below the name: somebody else has it, or another entry does.
    await expect.poll(() => name.getAttribute('aria-describedby')).toBe(null)
    await expect.poll(() => stop.isVisible()).toBe(true)
  }
  const names = await page
    .getByRole('region', { name: 'Your functions' })
    .getByRole('listitem')
    .allTextContents()
  expect(new Set(names).size).toBe(names.length)
})

test('the palette finds commands, own work and everything published, by keyboard', async () => {
  const page = await open('/studio')
  await openExample(page)
  const field = page.getByRole('combobox', { name: /^Commands, your work/ })
  await page.keyboard.press('Control+k')
  await untilFocused(field)
  await expectAccessible(page)
  await page.keyboard.type('weave')
  await page.getByRole('option', { name: /^Weave ?Piece/ }).waitFor()
  const chosen = page.locator('[role=option][data-highlighted]')
  for (let presses = 0; presses < 12; presses++) {
    if (/^Weave ?Piece/.test((await chosen.textContent()) ?? '')) break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'weave', exact: true }).waitFor()
  await page.getByRole('treegrid', { name: 'Outline of weave', exact: true }).waitFor()

  await page.keyboard.press('Control+k')
  await untilFocused(field)
  await page.keyboard.type('new gate')
  await page.keyboard.press('Enter')
  await page.getByLabel('Name of this gate').waitFor()
  // Beside a function, the result of the connector before stays.
  await result(page).getByText('3 voices, 64 steps each').waitFor()
})

test('panes are resized and folded by keyboard and mouse, and stay so', async () => {
  const page = await open('/studio', { viewport: { width: 1440, height: 900 } })
  await openExample(page)
  const parts = page.getByRole('separator', { name: 'Width of the parts' })
  const share = page.getByRole('separator', { name: 'Width of the result' })
  const widthOf = async (name: string) =>
    (await page.getByRole('region', { name, exact: true }).boundingBox())!.width
  await parts.focus()
  for (const key of ['ArrowRight', 'Shift+ArrowRight']) await page.keyboard.press(key)
  await expect.poll(() => parts.getAttribute('aria-valuenow')).toBe('304')
  const before = await widthOf('Result')
  await share.focus()
  await page.keyboard.press('Shift+ArrowLeft')
  await expect.poll(() => widthOf('Result')).toBeGreaterThan(before + 50)

  const { x, y } = (await share.boundingBox())!
  await page.mouse.move(x, y + 200)
  await page.mouse.down()
  await page.mouse.move(x + 200, y + 200, { steps: 4 })
  await page.mouse.up()
  await expect.poll(() => widthOf('Result')).toBeLessThan(before)
  const kept = await widthOf('Result')
  await page.locator('[data-save=saved]').waitFor()
  await page.reload()
  await page.getByRole('treegrid').waitFor()
  await expect.poll(() => widthOf('Result')).toBe(kept)
  await expect.poll(() => parts.getAttribute('aria-valuenow')).toBe('304')

  const fold = page.getByRole('button', { name: 'Your work and the library' })
  await fold.click()
  await parts.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('treegrid').waitFor()
  await expect.poll(() => fold.getAttribute('aria-expanded')).toBe('false')

  // Folded away where there is no room, they open over the editor and close with Escape.
  await page.setViewportSize({ width: 1000, height: 700 })
  await fold.click()
  await page.getByRole('region', { name: 'Your pieces' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New piece' }).focus()
  await page.keyboard.press('Escape')
  await untilFocused(fold)
})

test('limits and bodies are explained where they are met', async () => {
  const page = await open('/studio')
  await openExample(page)
  await openDetails(page)
  await page.getByLabel('How many').fill('70000')
  await page.keyboard.press('Enter')
  await page.getByText('At most 65,536 at once').waitFor()
  await expect.poll(() => page.getByLabel('How many').inputValue()).toBe('65536')

  await page.getByRole('button', { name: 'New function' }).click()
  await page.getByRole('textbox', { name: /^Solidity body/ }).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('x + args[0]')
  await page.getByText('A body is what stands inside the function above').waitFor()
  await page.getByRole('button', { name: 'Write it as return x + args[0];' }).click()
  await page.getByTestId('code-status').filter({ hasText: 'Compiles' }).waitFor()
})
