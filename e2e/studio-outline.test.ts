import type { Page } from 'playwright'
import { describe, expect, inject, test } from 'vitest'
import { openWithWallet } from '../test/support/browser-wallet.ts'
import { expectAccessible, sitePages, untilFocused } from '../test/support/site-pages.ts'
import { command, openExample, untilEmpty } from '../test/support/studio.ts'

const { site } = inject('endpoints')
const { open } = sitePages(site)

function grid(page: Page) {
  return page.getByRole('treegrid')
}
function rows(page: Page) {
  return grid(page).getByRole('row')
}
function focused(page: Page) {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
}
function saved(page: Page) {
  return page.locator('[data-save=saved]').waitFor()
}
function names(page: Page) {
  return page.getByRole('region', { name: 'Your connectors' }).getByRole('listitem').allTextContents()
}

async function start(page: Page): Promise<void> {
  await openExample(page)
}

/** What is stored, as another program would read it. */
function stored(page: Page): Promise<string> {
  return page.evaluate(
    () =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open('weft-studio')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const reading = opening.result.transaction('works').objectStore('works').getAll()
          reading.onsuccess = () => {
            opening.result.close()
            resolve(JSON.stringify(reading.result))
          }
        }
      }),
  )
}

describe('the studio', () => {
  test('without scripts, shows what it requires', async () => {
    const page = await open('/studio', { javaScriptEnabled: false })
    expect(await page.title()).toBe('Studio · Weft')
    expect(await page.locator('h1').allTextContents()).toEqual(['Studio'])
    expect(await page.getByText('The studio needs JavaScript').isVisible()).toBe(true)
  })

  test('drafts a connector by keyboard alone, and takes it back', async () => {
    const page = await open('/studio')
    await start(page)
    await rows(page).first().focus()
    await expect.poll(() => focused(page)).toBe('Dimension 0')

    // A transformation at the end of dimension 0, by its name and argument.
    await page.keyboard.press('a')
    await expect.poll(() => focused(page)).toBe('Transformation 4')
    const fields = page.getByLabel('Argument 1 of lift')
    const before = await fields.count()
    await page.keyboard.type('lift')
    // What it takes appears a moment later.
    await expect.poll(() => fields.count()).toBe(before + 1)
    await page.keyboard.press('Tab')
    await page.keyboard.type('twelve')
    await page.getByText('Argument 1: “twelve” is not a whole number.').waitFor()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('12')
    await page.getByText('is not a whole number').first().waitFor({ state: 'detached' })

    // Up to the front of the chain from inside the field, then back to the line.
    for (let i = 0; i < 3; i++) await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(() => focused(page)).toMatch(/^step/)
    expect(await page.getByLabel('Transformation 1').first().inputValue()).toBe('lift')

    // A dimension, a condition, a composite and a slot.
    await page.keyboard.press('d')
    await expect.poll(() => focused(page)).toBe('Dimension 1')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.type('duet')
    await page.getByLabel('Connector that fills slot 1, duet:1').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('pitch')
    await page.keyboard.press('Escape')
    await page.keyboard.press('c')
    await page.keyboard.type('tutorial_threshold_v1')
    await grid(page).getByText('tutorial_threshold_v1 takes 2 arguments; 0 are given.').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.type('-3')
    await page.keyboard.press('Tab')
    await page.keyboard.type('4')
    await grid(page).getByText('takes 2 arguments').waitFor({ state: 'detached' })
    await expect.poll(() => grid(page).locator('[aria-invalid=true]').count()).toBe(0)
    expect(await rows(page).last().getAttribute('aria-label')).toBe('Condition')
    await page.getByText('duet:0 ⇢ pitch').first().waitFor()

    // Everything goes, and comes back.
    const undo = page.getByRole('button', { name: /^Undo/ })
    while (await undo.isEnabled()) await page.keyboard.press('Control+z')
    await page.getByText('Nothing on the loom yet').waitFor()
    const redo = page.getByRole('button', { name: /^Redo/ })
    while (await redo.isEnabled()) await page.keyboard.press('Control+Shift+z')
    await page.getByRole('button', { name: 'first_melody' }).first().click()
    expect(await page.getByLabel('Connector that fills slot 0, duet:0').inputValue()).toBe('pitch')
  })

  test('copies as text that pastes elsewhere, duplicates, removes and finds', async () => {
    const page = await open('/studio')
    await start(page)
    await rows(page).first().focus()
    const text = await page.evaluate(() => {
      const data = new DataTransfer()
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true }),
      )
      return data.getData('text/plain')
    })
    expect(JSON.parse(text)).toMatchObject({ weft: 'clip', clip: { of: 'dimensions' } })

    const other = await open('/studio')
    await start(other)
    await rows(other).last().focus()
    const paste = (what: string) =>
      other.evaluate((pasted) => {
        const data = new DataTransfer()
        data.setData('text/plain', pasted)
        document.activeElement?.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        )
      }, what)
    await paste(text)
    await other.getByRole('row', { name: 'Dimension 2' }).waitFor()
    await expect.poll(() => focused(other)).toBe('Dimension 2')
    await paste('<script>alert(1)</script>')
    await other.getByText('The clipboard holds nothing from the studio.').waitFor()

    await other.keyboard.press('Control+d')
    await expect.poll(() => focused(other)).toBe('Dimension 3')
    await other.keyboard.press('Delete')
    await expect.poll(() => focused(other)).toBe('Dimension 2')

    await other.keyboard.press('Control+k')
    await untilFocused(other.getByRole('dialog').getByRole('combobox'))
    await other.keyboard.type('ring of')
    await other
      .getByRole('dialog')
      .getByRole('option', { name: /Up by args\[0\]/ })
      .click()
    await other.getByLabel('Name of this transformation').waitFor()
    expect(await other.getByLabel('Name of this transformation').inputValue()).toBe('climb')
  })

  test('opens what is published read-only, follows its parts, and forks it', async () => {
    const page = await open('/studio')
    const library = page.getByRole('region', { name: 'Published' })
    await library.getByRole('button', { name: 'weave', exact: true }).click()
    await grid(page).waitFor()
    expect(await grid(page).getAttribute('aria-readonly')).toBe('true')
    await page.getByText('weave:0 ⇢ duet').first().waitFor()
    const composite = rows(page).filter({ hasText: 'leads to' }).first()
    await composite.focus()
    await page.keyboard.press('o')
    await page.getByRole('heading', { name: 'duet' }).waitFor()
    await page
      .getByRole('navigation', { name: 'Open' })
      .getByRole('button', { name: /^weave/ })
      .click()
    await page.getByRole('button', { name: 'Remix' }).click()
    await expect.poll(() => names(page)).toEqual(['weave_2'])
    expect(await page.getByLabel('Name of this connector').inputValue()).toBe('weave_2')
    await expect.poll(() => grid(page).getAttribute('aria-readonly')).toBe('false')
    expect(await page.locator('[aria-invalid=true]').count()).toBe(0)
  })
})

describe('nothing is lost', () => {
  test('what is typed is stored at once and survives the end of the page', async () => {
    const page = await open('/studio')
    await start(page)
    const field = page.getByLabel('Argument 1 of lift').first()
    await field.fill('4242')
    await expect.poll(() => stored(page)).toContain('"4242"')

    // The browser kills the page: no unload handler runs.
    const context = page.context()
    const session = await context.newCDPSession(page)
    const crashed = page.waitForEvent('crash')
    session.send('Page.crash').catch(() => {})
    await crashed
    const next = await context.newPage()
    await next.goto(`${site}/studio`)
    await grid(next).waitFor()
    expect(await next.getByLabel('Argument 1 of lift').first().inputValue()).toBe('4242')
  })

  test('two tabs agree, also when both are used', async () => {
    const page = await open('/studio')
    await start(page)
    await saved(page)
    const other = await page.context().newPage()
    await other.goto(`${site}/studio`)
    await grid(other).waitFor()

    await page.getByLabel('Name of this connector').fill('from_the_first')
    await other.getByRole('button', { name: 'from_the_first' }).first().waitFor()
    await other.getByLabel('Argument 1 of lift').first().fill('77')
    await expect.poll(() => page.getByLabel('Argument 1 of lift').first().inputValue()).toBe('77')

    // Edits of both at the same moment meet in the store.
    await Promise.all([
      page.getByRole('button', { name: 'New condition' }).click(),
      other.getByRole('button', { name: 'New transformation' }).click(),
    ])
    for (const tab of [page, other]) {
      await tab.getByRole('button', { name: 'my_gate' }).first().waitFor()
      await tab.getByRole('button', { name: 'my_step' }).first().waitFor()
    }
  })

  test('goes out to one file and comes back, and other files are refused in words', async () => {
    const page = await open('/studio')
    await start(page)
    await page.getByLabel('Name of this connector').fill('kept')
    const [file] = await Promise.all([page.waitForEvent('download'), command(page, 'document', 'Export')])
    const path = await file.path()

    const other = await open('/studio')
    const choose = (files: Parameters<ReturnType<Page['getByLabel']>['setInputFiles']>[0]) =>
      other.getByLabel('File to import').setInputFiles(files)
    await choose({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{"weft":"studio"}') })
    await other.getByText(/^x\.json cannot be opened\./).waitFor()
    await choose(path)
    await grid(other).waitFor()
    await expect.poll(() => names(other)).toEqual(['kept'])
    await other.getByRole('button', { name: /^Undo/ }).click()
    await other.getByText('Nothing on the loom yet').waitFor()
  })

  test('works without a connection once it is open', async () => {
    const page = await open('/studio', { provoked: ['ERR_INTERNET_DISCONNECTED', 'ERR_FAILED'] })
    await start(page)
    await page.context().setOffline(true)
    await page.getByLabel('Argument 1 of lift').first().fill('31')
    await page.getByRole('button', { name: 'New condition' }).click()
    await saved(page)
    await expect.poll(() => stored(page)).toContain('"31"')
    await page.context().setOffline(false)
  })

  test('hands back what another version stored and this one cannot read', async () => {
    const page = await open('/studio')
    await start(page)
    await saved(page)
    await page.evaluate(
      () =>
        new Promise<void>((resolve, reject) => {
          const opening = indexedDB.open('weft-studio')
          opening.onerror = () => reject(opening.error)
          opening.onsuccess = () => {
            const writing = opening.result.transaction('works', 'readwrite')
            const works = writing.objectStore('works')
            works.openCursor().onsuccess = ({ target }) => {
              const cursor = (target as IDBRequest<IDBCursorWithValue | null>).result
              cursor?.update({ ...cursor.value, revision: 'x', document: { looms: 1 } })
            }
            writing.oncomplete = () => {
              opening.result.close()
              resolve()
            }
          }
        }),
    )
    await page.reload()
    await page.getByText('cannot be read by this version').waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Keep it as a file' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('kept-work.json')
    await start(page)
  })
})

describe('accounts', () => {
  test('take along what was made before the first sign-in, and never see the work of another', async () => {
    const { page, wallet } = await openWithWallet(open, '/studio')
    await start(page)
    await page.getByLabel('Name of this connector').fill('before_signing_in')
    await saved(page)

    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Test wallet' }).click()
    await page.getByRole('button', { name: /^Account / }).waitFor()
    await page.getByRole('button', { name: 'before_signing_in' }).first().waitFor()
    await saved(page)

    await wallet.showAccount(1)
    await page.getByText('The work of each is kept apart.').waitFor()
    expect(await page.getByText('before_signing_in').count()).toBe(0)
    // The wallet shows its second account first now.
    const { address } = wallet.accounts[0]!
    await page.getByRole('button', { name: new RegExp(`^Sign in as ${address.slice(2, 8)}`, 'i') }).click()
    await page.getByText('Nothing on the loom yet').waitFor()
    expect(await page.getByText('before_signing_in').count()).toBe(0)

    await page.getByRole('button', { name: /^Account / }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    await page.getByText('Nothing on the loom yet').waitFor()
  })
})

describe('for everyone', () => {
  // Both themes and both widths are met, without the time of all four.
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    test(`nothing stands in the way at ${width} pixels, ${colorScheme}`, async () => {
      const page = await open('/studio', {
        viewport: { width, height: 844 },
        colorScheme,
        hasTouch: width === 390,
      })
      await untilEmpty(page)
      await expectAccessible(page)
      await start(page)
      await page.getByLabel('Argument 1 of lift').first().fill('x')
      await page.getByText('Argument 1: “x” is not a whole number.').waitFor()
      await expectAccessible(page)
    })
  }
})
