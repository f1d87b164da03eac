import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { startMelody, studioVisits } from './studio-visits.ts'

/* Messages of the studio. */

const { visit } = studioVisits()

/** Chooses a command of the palette, from wherever the focus is. */
async function command(page: Page, label: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  const field = page.getByRole('combobox', { name: /^Commands, your work/ })
  await field.fill(label)
  await page.getByRole('option', { name: new RegExp(`^${label}`) }).waitFor()
  await page.keyboard.press('Enter')
  await field.waitFor({ state: 'detached' })
}

function message(page: Page) {
  return page
    .getByRole('status')
    .filter({ hasText: /^(Copied melody\.|Removed melody\.( Undo is beside it\.)?)$/ })
}

/** Moves the page's clock on by a minute. */
function aMinuteLater(page: Page): Promise<void> {
  return page.clock.fastForward(60_000)
}

test.each([1280, 390])('a message covers no line and no control at %i pixels', async (width) => {
  const page = await visit({ width })
  await startMelody(page)
  if (width < 900) await page.getByRole('tab', { name: 'Edit', exact: true }).click()
  const field = page.getByRole('treegrid').locator('input').last()
  // At the lower edge, which is where the message takes its room from.
  await field.evaluate((input) => {
    input.scrollIntoView({ block: 'end' })
    input.focus({ preventScroll: true })
  })
  await command(page, 'Copy melody')
  const row = message(page).locator('..')
  const { y, height } = (await row.boundingBox())!
  const boxOf = async (name: string) =>
    (await page.getByRole('region', { name, exact: true }).boundingBox({ timeout: 1000 }))!
  const editor = await boxOf('Editor')
  expect(editor.y + editor.height).toBeLessThanOrEqual(y)
  expect((await boxOf('Transport')).y).toBeGreaterThanOrEqual(y + height)
  const focused = page.locator(':focus')
  expect(await focused.evaluate((input) => input.matches('[role=treegrid] input'))).toBe(true)
  const box = (await focused.boundingBox())!
  expect(box.y + box.height).toBeLessThanOrEqual(y)
})

test('a button that is pressed while a message is shown stands still', async () => {
  const page = await visit()
  await startMelody(page)
  await command(page, 'Copy melody')
  await message(page).waitFor()
  await page.evaluate(() => {
    const pane = document.createElement('div')
    pane.id = 'pane'
    pane.style.cssText =
      'position: fixed; top: 100px; left: 0; width: 200px; height: 60px; overflow: auto; z-index: 99'
    pane.innerHTML =
      '<div style="height: 30px"></div><button style="height: 60px; width: 100px">Press</button>'
    document.body.append(pane)
  })
  const pane = page.locator('#pane')
  await page.mouse.move(50, 150)
  await page.mouse.down()
  expect(await pane.getByRole('button').evaluate((button) => button === document.activeElement)).toBe(true)
  expect(await pane.evaluate(({ scrollTop }) => scrollTop)).toBe(0)
  await page.mouse.up()
})

test('a message is announced once, without its buttons, and again where it is said again', async () => {
  const page = await visit()
  await startMelody(page)
  await page.evaluate(() => {
    const added: string[] = []
    Object.assign(window, { added })
    new MutationObserver((changes) => {
      for (const { target, addedNodes, type } of changes) {
        const region = (target instanceof Element ? target : target.parentElement)?.closest('[role=status]')
        if (!region?.textContent?.startsWith('Copied')) continue
        for (const node of addedNodes) added.push(node.textContent ?? '')
        if (type === 'characterData') added.push('changed')
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  const added = () => page.evaluate(() => (window as unknown as { added: string[] }).added)
  await command(page, 'Copy melody')
  await expect.poll(added).toEqual(['Copied melody.'])
  await command(page, 'Copy melody')
  await expect.poll(added).toEqual(['Copied melody.', 'Copied melody.'])
})

test('a message stays while it is pointed at or has the focus', async () => {
  const page = await visit()
  await startMelody(page)
  await page.clock.install()
  await command(page, 'Copy melody')
  await message(page).hover()
  await aMinuteLater(page)
  expect(await message(page).isVisible()).toBe(true)
  await page.getByRole('button', { name: 'Dismiss' }).focus()
  await page.mouse.move(600, 300)
  await aMinuteLater(page)
  expect(await message(page).isVisible()).toBe(true)
  await page.getByLabel('Name of this piece').focus()
  await aMinuteLater(page)
  await message(page).waitFor({ state: 'detached' })
})

test('a message about an edit undoes it by the keyboard, and leaves with the next edit', async () => {
  const page = await visit()
  await startMelody(page)
  const name = page.getByLabel('Name of this piece')
  await command(page, 'Remove melody')
  await message(page).waitFor()
  await name.waitFor({ state: 'detached' })
  const undo = message(page).locator('..').getByRole('button', { name: 'Undo' })
  const isThere = () => undo.evaluate((button) => button === document.activeElement)
  for (let presses = 0; presses < 80 && !(await isThere()); presses++) await page.keyboard.press('Shift+Tab')
  expect(await isThere()).toBe(true)
  await page.keyboard.press('Enter')
  await name.waitFor()
  expect(await name.inputValue()).toBe('melody')
  await message(page).waitFor({ state: 'detached' })

  await command(page, 'Remove melody')
  await undo.waitFor()
  await page.getByRole('button', { name: 'New piece' }).first().click()
  await message(page).waitFor({ state: 'detached' })
  // Back at the document that it was about, it is over all the same.
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(() => page.getByRole('button', { name: 'Redo', exact: true }).isEnabled()).toBe(true)
  expect(await message(page).count()).toBe(0)
})

test('a message whose Undo is gone under the focus goes away in time', async () => {
  const page = await visit()
  await startMelody(page)
  await page.clock.install()
  await command(page, 'Remove melody')
  const undo = message(page).locator('..').getByRole('button', { name: 'Undo' })
  await undo.focus()
  await page.keyboard.press('ControlOrMeta+z')
  await undo.waitFor({ state: 'detached' })
  await aMinuteLater(page)
  await message(page).waitFor({ state: 'detached' })
})
