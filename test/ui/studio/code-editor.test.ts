import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { overloaded } from '#lib/protocol/overload.ts'
import { startApi, type TestApi } from '#test/support/api.ts'
import { testBrowser } from '#test/support/browser.ts'
import { type ComponentSite, startComponentSite } from './component-site.ts'

/** The code editor alone in a real browser, against the real compiler and EVM. */

let api: TestApi
let site: ComponentSite
const browser = testBrowser()
let page: Page
let isBusy = false

beforeAll(async () => {
  api = await startApi('studio', {}, ({ compiler }) => ({
    compiler: {
      ...compiler,
      inspect: async (...args) => {
        if (isBusy) throw overloaded('compile')
        return compiler.inspect(...args)
      },
    },
  }))
  site = await startComponentSite({ pages: { '/': 'code-page' }, api })
  page = await browser().newPage()
  // The first body waits for the compiler to load.
  await api.post('/try', { kind: 'transformation', sol_src: 'return x;', x: 1 })
})

afterAll(async () => {
  await site?.close()
  await api?.close()
})

async function open(facts: Record<string, string> = {}) {
  await page.goto(`${site.origin}/?${new URLSearchParams(facts)}`)
  await page.locator('.cm-content').waitFor()
}
function box() {
  return page.getByRole('textbox', { name: 'Solidity body of mine' })
}
function status() {
  return page.getByTestId('code-status')
}
function isFocused() {
  return box().evaluate((element) => element === document.activeElement)
}
function source() {
  return page.locator('#source').textContent()
}
function says(locator: ReturnType<Page['locator']>, text: string | RegExp) {
  return locator.filter({ hasText: text }).first().waitFor()
}

describe('the code editor', () => {
  test('shows the frame, counts arguments while typing, and compiles', async () => {
    await open()
    await says(
      page.locator('pre').first(),
      'function mine(uint32 x, uint32[] calldata args) view returns (uint32) {',
    )
    await box().click()
    await page.keyboard.type('return x * args[2];')
    await says(page.getByTestId('code-arguments'), 'takes 3 numbers: args[0] to args[2]')
    await says(status(), 'Compiles')
    await expect.poll(source).toBe('return x * args[2];')
  })

  test('marks the error at its line, and leads there', async () => {
    await open({ source: 'uint32 y = x;\nreturn y + z;' })
    const error = page.getByRole('button', { name: 'Line 2, column 12: Undeclared identifier.' })
    await error.waitFor()
    await says(status(), '1 error')
    const marked = page.locator('.cm-line').nth(1).locator('.cm-lintRange-error')
    await expect.poll(() => marked.textContent()).toBe('z')
    await error.click()
    await page.keyboard.press('Delete')
    await page.keyboard.type('x')
    await expect.poll(source).toBe('uint32 y = x;\nreturn y + x;')
    await says(status(), 'Compiles')
    await expect.poll(() => page.locator('.cm-lintRange-error').count()).toBe(0)
  })

  test('tries the body with x and arguments, also several steps and what stops it', async () => {
    await open({ source: 'return x + args[0];' })
    const result = page.getByTestId('try-result')
    await page.getByLabel('x', { exact: true }).fill('5')
    await page.getByLabel('args[0]').fill('7')
    await says(result, '5 → 12')
    await page.getByLabel('8 steps').check()
    await says(result, '5 → 12 → 19 → 26 → 33 → 40 → 47 → 54 → 61')
    await page.getByLabel('args[0]').fill('4000000000')
    await says(result, /5 → 4000000005 → stops: Arithmetic overflow/)
    await page.getByLabel('args[0]').fill('seven')
    await says(result, '“seven” is not a whole number.')
  })

  test('tries a condition', async () => {
    await open({ kind: 'condition', source: 'return args[0] > 3;' })
    const result = page.getByTestId('try-result')
    await page.getByLabel('args[0]').fill('-1')
    await says(result, 'no: the piece may not play')
    await page.getByLabel('args[0]').fill('4')
    await says(result, /^yes: the piece may play/)
  })

  test('Tab indents; Escape releases it until something is typed, and announces it', async () => {
    await open()
    await page.locator('#before').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect.poll(isFocused).toBe(true)
    await page.keyboard.press('Tab')
    await expect.poll(source).toBe('    ')
    await page.keyboard.press('Escape')
    await says(page.getByRole('status'), 'Tab leaves the editor now.')
    await page.keyboard.type('x')
    await says(page.getByRole('status'), 'Press Escape, then Tab, to leave')
    // They are stops of Tab themselves, and the verdict may come last.
    await says(status(), 'error')
    await page.getByRole('button', { name: 'Write it as return x;' }).waitFor()
    await page.keyboard.press('Escape')
    await says(page.getByRole('status'), 'Tab leaves the editor now.')
    await page.keyboard.press('Tab')
    await expect.poll(isFocused).toBe(false)
    await page.keyboard.press('Shift+Tab')
    await expect.poll(isFocused).toBe(true)
    await page.keyboard.press('Escape')
    await says(page.getByRole('status'), 'Tab leaves the editor now.')
    await page.keyboard.press('Shift+Tab')
    await expect.poll(isFocused).toBe(false)
  })

  test('takes a snippet by keyboard alone', async () => {
    await open()
    await page.getByRole('button', { name: 'Snippets' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Snippets', expanded: false }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(source).toBe('return x + args[0];')
    await expect.poll(isFocused).toBe(true)
  })

  test('applies a text from outside with the cursor in place, and undoes through the document', async () => {
    await open({ undo: '', source: 'return 2;' })
    await box().click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('ArrowRight')
    await page.evaluate(() => globalThis.setSource('// more\nreturn 2;'))
    await says(page.locator('.cm-line').first(), '// more')
    await page.keyboard.type('!')
    await expect.poll(source).toBe('// more\nreturn 2;!')
    await page.keyboard.press('ControlOrMeta+z')
    await expect.poll(() => page.evaluate(() => globalThis.undone)).toBe(1)
    await says(page.locator('.cm-line').first(), 'return 1;')
  })

  test('can be read but not changed without a way to change it', async () => {
    await open({ readonly: '', source: 'return x;' })
    await box().click()
    await page.keyboard.type('oops')
    await expect.poll(source).toBe('return x;')
    expect(await page.getByRole('button', { name: 'Snippets' }).count()).toBe(0)
    await says(status(), 'Compiles')
  })

  test('shows that the compiler is unavailable, and retries', async () => {
    isBusy = true
    try {
      await open({ source: 'return x + args[0];' })
      await says(status(), 'Not checked: Too many bodies are waiting')
    } finally {
      isBusy = false
    }
    await says(status(), 'Compiles')
    await page.context().setOffline(true)
    try {
      await box().click()
      await page.keyboard.type(' ')
      await says(status(), 'Not checked: The site does not answer')
    } finally {
      await page.context().setOffline(false)
    }
  })
})
