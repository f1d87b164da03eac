import type { Page } from 'playwright'
import { expect, inject, test } from 'vitest'
import { sitePages } from '#test/support/site-pages.ts'
import { result, runExample, untilEmpty } from '#test/support/studio.ts'

/*
 * Ten journeys without a mouse. Nothing here clicks, focuses or fills: there are only keys, and at every stop of Tab
 * the focus has to be visible.
 */

const { site, chainApi } = inject('endpoints')
const { open } = sitePages(site)

function value(page: Page, label: string) {
  return page.getByLabel(label).first().inputValue()
}

async function press(page: Page, ...keys: readonly string[]) {
  for (const key of keys) await page.keyboard.press(key)
}

/** Replaces what is in the field that has the focus. */
async function type(page: Page, text: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

async function enter(page: Page, name: string | RegExp): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

/**
 * Types the name of a transformation in the focused field, and fills in the argument for which a field then appears.
 */
async function call(page: Page, name: string, argument: string): Promise<void> {
  const fields = page.getByLabel(`Number 1 of ${name}`)
  const before = await fields.count()
  await page.keyboard.type(name)
  await expect.poll(() => fields.count()).toBe(before + 1)
  await page.keyboard.press('Tab')
  await page.keyboard.type(argument)
}

async function signIn(page: Page): Promise<void> {
  await enter(page, 'Sign in')
  await page.getByRole('dialog').getByRole('button', { name: 'Throwaway wallet' }).waitFor()
  await enter(page, /^Throwaway wallet/)
  await page.getByRole('button', { name: /^Account / }).waitFor()
}

test('to sign in, to see the account, and to sign out', async () => {
  const page = await open('/feed')
  await signIn(page)
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  // The focus is back at the control that began it.
  await expect.poll(() => focusedName(page)).toMatch(/^Account /)
  await press(page, 'Enter')
  await page.getByRole('region', { name: 'Account' }).waitFor()
  await enter(page, 'Sign out')
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
})

test('to change an argument and read why a particle is what it is', async () => {
  const page = await open('/studio')
  await runExample(page)
  await enter(page, '/first_melody:1')
  await enter(page, 'Details')
  await tabTo(page, 'Step, as a number')
  await type(page, '4')
  await result(page).getByRole('button', { name: 'Why is this 8?' }).waitFor()
  await enter(page, 'Why is this 8?')
  await result(page).getByText('So the number is 8.').waitFor()
  // Back to the second step of the second voice, whose lift of 1 becomes one of 2.
  await tabTo(page, 'Part that voice 2 plays', { back: true })
  await tabTo(page, 'Number 1 of lift, step 2', { back: true })
  await type(page, '2')
  await result(page).getByText('So the number is 10.').waitFor()
})

test('to write a transformation, go to its error and mend it', async () => {
  const page = await open('/studio')
  await untilEmpty(page)
  await enter(page, 'New function')
  await page.locator('.cm-content').waitFor()
  await tabTo(page, 'Solidity body of my_step')
  await type(page, 'return x + ags[0];')
  const status = page.getByTestId('code-status')
  await status.filter({ hasText: '1 error' }).waitFor()
  // Tab indents in the editor; Escape first leaves it.
  await press(page, 'Escape')
  await enter(page, /^Line 1, column 12: Undeclared identifier/)
  await press(page, 'ArrowRight')
  await page.keyboard.type('r')
  await status.filter({ hasText: 'Compiles' }).waitFor()
  // One history: the keys of the editor take back what the document did.
  await press(page, 'ControlOrMeta+z')
  await expect.poll(() => page.getByRole('button', { name: /^Redo/ }).isEnabled()).toBe(true)
})

test('to take back, do again, copy and paste', async () => {
  const page = await open('/studio')
  await runExample(page)
  await tabTo(page, /^Voice 1/)
  await press(page, 'ControlOrMeta+c', 'ControlOrMeta+v')
  await result(page).getByText('3 voices, 64 steps each').waitFor()
  await expect.poll(() => focusedName(page)).toMatch(/^Voice 2/)
  // The line that had the focus goes; the focus stays in its place.
  await press(page, 'ControlOrMeta+z')
  await result(page).getByText('2 voices, 64 steps each').waitFor()
  await expect.poll(() => focusedName(page)).toMatch(/^(Voice|steps?) /)
  await press(page, 'ControlOrMeta+Shift+z')
  await result(page).getByText('3 voices, 64 steps each').waitFor()
  await press(page, 'Home', 'Delete')
  await result(page).getByText('2 voices, 64 steps each').waitFor()
  await press(page, 'ControlOrMeta+x')
  await result(page).getByText('1 voice, 64 steps each').waitFor()
})

test('to remix a published entity', async () => {
  const page = await open('/studio')
  await untilEmpty(page)
  await tabTo(page, /^Look for a published piece/)
  await page.keyboard.type('weave')
  await press(page, 'Enter')
  await page.getByRole('button', { name: 'Remix', exact: true }).waitFor()
  await enter(page, 'Remix')
  // Other tests publish what they keep of it.
  await expect.poll(() => value(page, 'Name of this piece')).toMatch(/^weave_\d+$/)
})

test('to publish by the plan', async () => {
  const page = await open('/studio')
  await untilEmpty(page)
  await signIn(page)
  await untilEmpty(page)
  await enter(page, 'New piece')
  await tabTo(page, 'Name of this piece')
  const name = `by_keys_${process.pid}_${Date.now().toString(36)}`
  await type(page, name)
  await tabTo(page, /^Voice 1/)
  await press(page, 'a')
  await call(page, 'add', '7')
  await result(page).getByText('1 voice, 64 steps each').waitFor()
  await tabTo(page, 'Publish', { back: true })
  await press(page, 'Enter')
  const plan = page.getByRole('region', { name: /^Publish / })
  // Until all is known that it needs, Tab passes it.
  await expect.poll(() => plan.getByRole('button', { name: 'Publish now' }).isEnabled()).toBe(true)
  await enter(page, 'Publish now')
  await plan.getByText(/^It is out/).waitFor()
  expect((await fetch(`${chainApi}/connector/${name}`)).status).toBe(200)
})

/** The focused element, by its accessible name. */
interface Stop {
  readonly name: string
  /** The focus is drawn. */
  readonly visible: boolean
}

/**
 * Presses Tab until the focus is on what goes by this name.
 *
 * @param options `back`: with Shift. `most`: presses until giving up.
 * @throws Error when it is not reached, or when the focus cannot be seen at a stop on the way.
 */
async function tabTo(
  page: Page,
  name: string | RegExp,
  options: { readonly back?: boolean; readonly most?: number } = {},
): Promise<void> {
  const { back = false, most = 90 } = options
  const passed: string[] = []
  for (let presses = 0; presses < most; presses++) {
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
    const stop = await focused(page)
    // From the end of a page to its beginning.
    if (stop === undefined) continue
    if (!stop.visible && !(await appears(page))) throw new Error(`The focus on “${stop.name}” cannot be seen`)
    if (typeof name === 'string' ? stop.name === name : name.test(stop.name)) return
    passed.push(stop.name)
  }
  throw new Error(`Tab does not reach ${name}; it reaches ${passed.join(', ')}`)
}

/** Editors draw their focus a moment later. */
async function appears(page: Page): Promise<boolean> {
  for (let looks = 0; looks < 10; looks++) {
    await page.waitForTimeout(30)
    if ((await focused(page))?.visible) return true
  }
  return false
}

/** The name of what has the focus; empty when nothing has. */
async function focusedName(page: Page): Promise<string> {
  return (await focused(page))?.name ?? ''
}

function focused(page: Page): Promise<Stop | undefined> {
  return page.evaluate(() => {
    const at = document.activeElement
    if (!(at instanceof HTMLElement || at instanceof SVGElement) || at === document.body) return undefined
    const said = at.getAttribute('aria-labelledby')?.split(' ')
    const labelled = said?.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
    const labels = at instanceof HTMLInputElement || at instanceof HTMLSelectElement ? at.labels : null
    const name = labelled || at.getAttribute('aria-label') || labels?.[0]?.textContent || at.textContent || ''
    // Some draw it around themselves, some let what encloses them do so.
    let visible = false
    let part: Element | null = at
    for (let up = 0; up < 4 && part !== null && !visible; up++) {
      const { outlineStyle, boxShadow } = getComputedStyle(part)
      visible = outlineStyle !== 'none' || boxShadow !== 'none'
      part = part.parentElement
    }
    return { name: name.replace(/\s+/g, ' ').trim(), visible }
  })
}
