import type { Page } from 'playwright'
import { describe, expect, inject, test } from 'vitest'
import { sitePages } from '#test/support/site-pages.ts'
import { command, openExample } from '#test/support/studio.ts'

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
  return page.getByRole('region', { name: 'Your pieces' }).getByRole('listitem').allTextContents()
}

describe('the studio', () => {
  test('without scripts, shows what it requires', async () => {
    const page = await open('/studio', { javaScriptEnabled: false })
    expect(await page.title()).toBe('Studio · Weft')
    await expect.poll(() => page.locator('h1').allTextContents()).toEqual(['Studio'])
    await expect.poll(() => page.getByText('The studio needs JavaScript').isVisible()).toBe(true)
  })

  test('drafts a connector by keyboard alone, and takes it back', async () => {
    const page = await open('/studio')
    await openExample(page)
    await rows(page).first().focus()
    await expect.poll(() => focused(page)).toMatch(/^Voice 1/)

    // A step at the end of the first voice, by its name and number.
    await page.keyboard.press('a')
    await expect.poll(() => focused(page)).toBe('What step 4 does')
    const fields = page.getByLabel('Number 1 of lift')
    const before = await fields.count()
    await page.keyboard.type('lift')
    // What it takes appears a moment later.
    await expect.poll(() => fields.count()).toBe(before + 1)
    await page.keyboard.press('Tab')
    await page.keyboard.type('twelve')
    await page.getByText('Number 1: “twelve” is not a whole number.').waitFor()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('12')
    await page.getByText('is not a whole number').first().waitFor({ state: 'detached' })

    // Up to the front of the chain from inside the field, then back to the line.
    for (let i = 0; i < 3; i++) await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(() => focused(page)).toMatch(/^step/)
    await expect.poll(() => page.getByLabel('What step 1 does').inputValue()).toBe('lift')

    // A voice, what it plays, a place in that, and a condition.
    await page.keyboard.press('d')
    await expect.poll(() => focused(page)).toMatch(/^Voice 2/)
    // Its start, and what it plays.
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.type('duet')
    await page.getByLabel('Part in place of duet:1').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('pitch')
    await page.keyboard.press('Escape')
    await page.keyboard.press('c')
    await page.keyboard.type('tutorial_threshold_v1')
    await grid(page).getByText('tutorial_threshold_v1 takes 2 numbers; 0 are given.').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.type('-3')
    await page.keyboard.press('Tab')
    await page.keyboard.type('4')
    await grid(page).getByText('takes 2 numbers').waitFor({ state: 'detached' })
    await expect.poll(() => grid(page).locator('[aria-invalid=true]').count()).toBe(0)
    await expect.poll(() => rows(page).last().getAttribute('aria-label')).toBe('Gate')
    await page.getByRole('button', { name: 'Starts inside the parts' }).click()
    await page.getByLabel(/^Start of pitch:0, place \d+$/).waitFor()
    await page.getByRole('combobox', { name: 'Gate', exact: true }).focus()

    // Everything goes, and comes back; in a field the keys would be the field's.
    await page.keyboard.press('Escape')
    const undo = page.getByRole('button', { name: /^Undo/ })
    while (await undo.isEnabled()) await page.keyboard.press('Control+z')
    await page.getByText('Nothing on the loom yet').waitFor()
    const redo = page.getByRole('button', { name: /^Redo/ })
    while (await redo.isEnabled()) await page.keyboard.press('Control+Shift+z')
    await page.getByRole('button', { name: 'first_melody' }).first().click()
    await expect.poll(() => page.getByLabel('Part in place of duet:0').inputValue()).toBe('pitch')
  })

  test('opens what is published read-only, follows its parts, and forks it', async () => {
    const page = await open('/studio')
    const library = page.getByRole('region', { name: 'Published' })
    // By their titles, with the names of those that are called otherwise.
    const search = library.getByLabel(/^Look for a published piece/)
    await search.fill('eight bells')
    await expect.poll(() => library.getByRole('listitem').count()).toBe(1)
    await library.getByRole('button', { name: 'Eight bells, plain hunt plain_hunt_on_eight' }).waitFor()
    await search.fill('')
    await library.getByRole('button', { name: 'Weave', exact: true }).click()
    await grid(page).waitFor()
    await expect.poll(() => grid(page).getAttribute('aria-readonly')).toBe('true')
    const composite = page.getByRole('row', { name: 'plays duet' }).first()
    await composite.focus()
    await page.keyboard.press('o')
    await page.getByRole('heading', { name: 'duet' }).waitFor()
    await page
      .getByRole('navigation', { name: 'Open' })
      .getByRole('button', { name: /^weave/ })
      .click()
    await page.getByRole('button', { name: 'Remix' }).click()
    await expect.poll(() => names(page)).toEqual(['weave_2'])
    await expect.poll(() => page.getByLabel('Name of this piece').inputValue()).toBe('weave_2')
    await expect.poll(() => grid(page).getAttribute('aria-readonly')).toBe('false')
    await expect.poll(() => page.locator('[aria-invalid=true]').count()).toBe(0)
  })
})

describe('nothing is lost', () => {
  test('two tabs agree, also when both are used', async () => {
    const page = await open('/studio')
    await openExample(page)
    await saved(page)
    const other = await page.context().newPage()
    await other.goto(`${site}/studio`)
    await grid(other).waitFor()

    await page.getByLabel('Name of this piece').fill('from_the_first')
    await other.getByRole('button', { name: 'from_the_first' }).first().waitFor()
    await other.getByLabel('Number 1 of lift').first().fill('77')
    await expect.poll(() => page.getByLabel('Number 1 of lift').first().inputValue()).toBe('77')

    // Edits of both at the same moment meet in the store.
    await Promise.all([
      page.getByRole('button', { name: 'New gate' }).click(),
      other.getByRole('button', { name: 'New function' }).click(),
    ])
    for (const tab of [page, other]) {
      await tab.getByRole('button', { name: 'my_gate' }).first().waitFor()
      await tab.getByRole('button', { name: 'my_step' }).first().waitFor()
    }
  })

  test('goes out to one file and comes back, and other files are refused in words', async () => {
    const page = await open('/studio')
    await openExample(page)
    await page.getByLabel('Name of this piece').fill('kept')
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

  test('hands back what another version stored and this one cannot read', async () => {
    const page = await open('/studio')
    await openExample(page)
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
    await openExample(page)
  })
})
