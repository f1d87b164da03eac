import type { Locator, Page } from 'playwright'
import { expect } from 'vitest'

/* What tests do in the studio, by the names that people and screen readers find. */

function call(id: string, name: string, ...args: readonly number[]) {
  return { id, name, args: args.map(String) }
}

/** Two bodies and a connector of two dimensions that uses them: it generates 12, 17, 0 and 0, 3, 4. */
const EXAMPLE = {
  weft: 'studio',
  version: 1,
  document: {
    entries: [
      {
        kind: 'connector',
        id: 'first',
        name: 'first_melody',
        dimensions: [
          {
            id: 'd0',
            calls: [call('c0', 'climb', 5, 24), call('c1', 'climb', 7, 24), call('c2', 'lift', 2)],
            composite: '',
            bindings: [],
          },
          { id: 'd1', calls: [call('c3', 'lift', 3), call('c4', 'lift', 1)], composite: '', bindings: [] },
        ],
        condition: null,
        staticRi: [{ position: 1, startPoint: '12', transformationShift: '0' }],
      },
      {
        kind: 'transformation',
        id: 'climb',
        name: 'climb',
        source: '// Up by args[0], around a ring of args[1] places.\nreturn (x + args[0]) % args[1];',
      },
      { kind: 'transformation', id: 'lift', name: 'lift', source: 'return x + args[0];' },
    ],
    places: [],
  },
  view: { tabs: [{ kind: 'entry', entryId: 'first' }], active: 'entry/first' },
}

/** The result of the connector in front. */
export function result(page: Page) {
  return page.getByRole('region', { name: 'Result', exact: true })
}

/** Opens what is folded away below the picture of the result. */
export async function openDetails(page: Page): Promise<void> {
  await unfold(result(page).getByRole('button', { name: 'Details', exact: true }))
}

/** Presses what is folded away until it is open: a press is lost where the button is drawn anew at that moment. */
export async function unfold(fold: Locator): Promise<void> {
  await expect
    .poll(async () => {
      if ((await fold.getAttribute('aria-expanded')) === 'false') await fold.click()
      return fold.getAttribute('aria-expanded')
    })
    .toBe('true')
}

/** Waits for the empty studio. */
export function untilEmpty(page: Page): Promise<void> {
  return page.getByRole('region', { name: 'Templates' }).waitFor()
}

/** Imports the example work, and waits until its connector is open; narrow windows show its result first. */
export async function openExample(page: Page): Promise<void> {
  await page.getByLabel('File to import').setInputFiles({
    name: 'example.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(EXAMPLE)),
  })
  await page.locator('[role=treegrid]').waitFor({ state: 'attached' })
}

/** Opens it, and waits until it has run. */
export async function runExample(page: Page): Promise<void> {
  await openExample(page)
  await result(page).getByText('2 voices, 64 steps each').waitFor()
}

/** Runs a command of a menu of the bar: of the document, or of the studio. */
export async function command(page: Page, menu: 'document' | 'more', name: string | RegExp): Promise<void> {
  await page
    .getByRole('button', menu === 'document' ? { name: /^Workspace: / } : { name: 'More', exact: true })
    .click()
  await page.getByRole('menuitem', { name }).click()
}

/** Opens the parts where they are folded away. */
export async function showParts(page: Page): Promise<void> {
  const toggle = page.getByRole('button', { name: 'Your work and the library' })
  if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click()
}
