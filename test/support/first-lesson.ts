import type { Locator, Page } from 'playwright'
import { expect } from 'vitest'
import { command } from './studio.ts'

export function lesson(page: Page) {
  return page.getByRole('complementary', { name: /^Lesson: / })
}
export function next(page: Page) {
  return lesson(page).getByRole('button', { name: 'Next', exact: true })
}
function heading(page: Page, name: string) {
  return lesson(page).getByRole('heading', { name, exact: true }).waitFor()
}
function focusedText(page: Page) {
  return page.evaluate(() => document.activeElement?.textContent)
}
export function ring(page: Page) {
  return page.locator('[data-lesson-ring=control]')
}
export function done(page: Page) {
  return lesson(page).getByText('Done.', { exact: true }).waitFor()
}

async function goOn(page: Page, title: string): Promise<void> {
  await done(page)
  await next(page).click()
  await heading(page, title)
}

/** Types into a field: React does not notice the change of value that `fill` makes over WebDriver BiDi. */
async function enter(page: Page, field: Locator, text: string): Promise<void> {
  await field.click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
}

/** Types a new body into the editor. */
async function write(page: Page, body: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Solidity body/ }).click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(body)
}

/**
 * Takes the first lesson by hand, from the page about lessons to a connector of one's own.
 *
 * @param page At `/docs/lessons`.
 */
export async function takeFirstLesson(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Begin in the studio: Your first piece' }).click()
  await heading(page, 'Hear one')
  await ring(page).waitFor()
  await expect.poll(() => focusedText(page)).toBe('Hear one')
  await expect.poll(() => next(page).getAttribute('aria-disabled')).toBe('true')
  await next(page).click({ force: true })
  await heading(page, 'Hear one')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await goOn(page, 'Make a piece')
  await page.getByRole('button', { name: 'New piece' }).first().click()
  await goOn(page, 'Give it a name')

  await ring(page).waitFor()
  const suggested = (await lesson(page).locator('code').first().textContent()) as string
  await enter(page, page.getByLabel('Name of this piece'), 'msg')
  await lesson(page).getByText('is a reserved word of Solidity').waitFor()
  await enter(page, page.getByLabel('Name of this piece'), suggested)
  await goOn(page, 'Make a function')

  // What is left is taken up at the same place, with the same pieces.
  await page.keyboard.press('Escape')
  await lesson(page).waitFor({ state: 'detached' })
  await page.reload({ waitUntil: 'load' })
  await command(page, 'more', 'Lessons')
  await page.getByRole('button', { name: 'Go on: Your first piece' }).click()
  await heading(page, 'Make a function')
  await page.getByRole('button', { name: 'New function' }).first().click()
  await goOn(page, 'Name the function, too')
  const climb = suggested.replace('melody', 'climb')
  await enter(page, page.getByLabel('Name of this function'), climb)
  await goOn(page, 'Write its body')
  await write(page, 'return (x + args[0]) % 11;')
  await lesson(page).getByText('makes something else of it so far').waitFor()
  await write(page, 'return (x + args[0]) % 12;')
  await goOn(page, 'Put it into the piece')

  // The way there is marked first, then the control.
  await page.locator('[data-lesson-ring=way]').waitFor()
  await lesson(page).getByRole('button', { name: 'Show me' }).click()
  await ring(page).waitFor()
  await page.getByRole('treegrid').getByRole('row').first().focus()
  await page.keyboard.press('a')
  await page.keyboard.type(climb)
  await page.getByLabel(`Number 1 of ${climb}`).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type('5')
  await done(page)
  // Back by the keyboard alone.
  await page.keyboard.press('Alt+l')
  await expect.poll(() => focusedText(page)).toBe('Next')
  await page.keyboard.press('Enter')
  await heading(page, 'Change a number and watch')
  await enter(page, page.getByLabel(`Number 1 of ${climb}`), '8')
  await lesson(page).getByText(`wanted is ${climb}(7)`).waitFor()
  await enter(page, page.getByLabel(`Number 1 of ${climb}`), '7')
  await goOn(page, 'That was it')
}

/**
 * Takes the lesson about publishing by hand, to a connector on the chain.
 *
 * @param page At `/docs/lessons`.
 */
export async function takePublishLesson(page: Page, chainApi: string): Promise<void> {
  await page.getByRole('link', { name: 'Begin in the studio: Publish' }).click()
  await heading(page, 'Sign in')
  const published = (await lesson(page).locator('code').first().textContent()) as string
  // A reload in the middle of a lesson shows it again.
  await page.reload({ waitUntil: 'load' })
  await heading(page, 'Sign in')
  await lesson(page).getByRole('button', { name: 'Open it for me' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Throwaway wallet/ })
    .click()
  await page.getByRole('button', { name: /^Account / }).waitFor()
  await goOn(page, 'Publish it')
  await lesson(page).getByRole('button', { name: 'Open it for me' }).click()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByText(/^It is out/).waitFor()
  await goOn(page, 'That was it')

  await expect
    .poll(async () => {
      const answer = await fetch(`${chainApi}/connector/${published}`)
      return ((await answer.json()) as { address?: string }).address
    })
    .toMatch(/^0x[0-9a-f]{40}$/)
  await lesson(page).getByRole('link', { name: published }).click()
  await page.waitForURL(`**/connectors/${published}`)
}
