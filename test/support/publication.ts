import type { Page } from 'playwright'
import { expect } from 'vitest'

export function dialog(page: Page) {
  return page.getByRole('dialog')
}
export function plan(page: Page) {
  return page.getByRole('region', { name: /^Publish / })
}
export function rows(page: Page) {
  return plan(page).getByRole('list', { name: 'Order of publication' }).getByRole('listitem')
}
let counter = 0
export function uniqueName() {
  return `${process.pid}_${counter++}`
}

/** A connector of two transformations, all of the document's own. */
export function documentFile(unique: string, names: Partial<Record<'connector', string>> = {}): string {
  const call = (id: string, name: string) => ({ id, name, args: ['1'] })
  const document = {
    places: [],
    entries: [
      {
        kind: 'connector',
        id: 'c',
        name: names.connector ?? `cloth_${unique}`,
        condition: null,
        staticRi: [],
        dimensions: [
          {
            id: 'd',
            calls: [call('1', `up_${unique}`), call('2', `twice_${unique}`)],
            composite: '',
            bindings: [],
          },
          { id: 'e', calls: [], composite: 'pitch', bindings: [] },
        ],
      },
      { kind: 'transformation', id: 'a', name: `up_${unique}`, source: 'return x + args[0];' },
      { kind: 'transformation', id: 't', name: `twice_${unique}`, source: 'return x * (args[0] + 1);' },
    ],
  }
  const view = { tabs: [{ kind: 'entry', entryId: 'c' }], active: 'entry/c' }
  return JSON.stringify({ weft: 'studio', version: 1, document, view })
}

/** Six entities of the document's own: a connector over another, with a condition and three transformations. */
export function sixEntities(unique: string): string {
  const call = (id: string, name: string) => ({ id, name: `${name}_${unique}`, args: ['1'] })
  const shared = { kind: 'connector', condition: null, staticRi: [] }
  const code = (id: string, kind: string, name: string, source: string) => ({
    kind,
    id,
    name: `${name}_${unique}`,
    source,
  })
  const document = {
    places: [],
    entries: [
      {
        ...shared,
        id: 'c',
        name: `song_${unique}`,
        condition: { name: `always_${unique}`, args: [] },
        dimensions: [
          { id: 'd', calls: [call('1', 'up'), call('2', 'twice')], composite: '', bindings: [] },
          { id: 'e', calls: [], composite: `verse_${unique}`, bindings: [] },
        ],
      },
      {
        ...shared,
        id: 'v',
        name: `verse_${unique}`,
        dimensions: [{ id: 'f', calls: [call('3', 'down')], composite: '', bindings: [] }],
      },
      code('a', 'transformation', 'up', 'return x + args[0];'),
      code('t', 'transformation', 'twice', 'return x * (args[0] + 1);'),
      code('n', 'transformation', 'down', 'return x - args[0];'),
      code('k', 'condition', 'always', 'return true;'),
    ],
  }
  const view = { tabs: [{ kind: 'entry', entryId: 'c' }], active: 'entry/c' }
  return JSON.stringify({ weft: 'studio', version: 1, document, view })
}

export async function signIn(page: Page, name = 'Test wallet'): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click()
  await dialog(page).getByRole('button', { name }).click()
  await page.getByRole('button', { name: /^Account / }).waitFor()
}

export async function importDocument(page: Page, text: string): Promise<void> {
  const buffer = Buffer.from(text)
  await page
    .getByLabel('File to import')
    .setInputFiles({ name: 'work.json', mimeType: 'application/json', buffer })
  await page.getByText('Opened work.json').waitFor()
  await page.locator('[data-save=saved]').waitFor()
}

/** Opens the card that publishes, with its details. */
export async function openPlan(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const details = plan(page).locator('[data-details]')
  // The card is rendered again, folded, once the session is loaded.
  await expect
    .poll(async () => {
      await details.evaluateAll((folds: HTMLDetailsElement[]) => {
        for (const fold of folds) fold.open = true
      })
      return (await rows(page).count()) > 0 || isOut(page).isVisible()
    })
    .toBe(true)
}

export function isOut(page: Page) {
  return plan(page).getByText(/^It is out/)
}

export function everything(page: Page) {
  return isOut(page).waitFor()
}

export async function expectOnChain(chainApi: string, unique: string): Promise<void> {
  for (const path of [
    `transformation/up_${unique}`,
    `transformation/twice_${unique}`,
    `connector/cloth_${unique}`,
  ]) {
    await expect
      .poll(async () => ((await (await fetch(`${chainApi}/${path}`)).json()) as { address?: string }).address)
      .toMatch(/^0x[0-9a-f]{40}$/)
  }
}

/**
 * Publishes a document of three entities with a throwaway wallet.
 *
 * @param page At `/studio`, signed out.
 * @param signedIn Runs before the plan is published.
 */
export async function publishAsVisitor(
  page: Page,
  chainApi: string,
  signedIn?: () => Promise<void>,
): Promise<void> {
  const unique = uniqueName()
  await importDocument(page, documentFile(unique))
  await openPlan(page)
  await signIn(page, 'Throwaway wallet')
  await signedIn?.()
  await plan(page).getByRole('button', { name: 'Publish now' }).click()
  await everything(page)
  await expect.poll(() => dialog(page).count()).toBe(0)
  await expectOnChain(chainApi, unique)
}
