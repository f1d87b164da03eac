import type { Page } from 'playwright'

/** A screen worth showing. */
export interface Screen {
  /** Name in those of the files: `<name>-light.webp` and `<name>-dark.webp`. */
  readonly name: string
  readonly path: string
  /** 1440 by default. */
  readonly width?: number
  /** Brings the page to what is shown; pages without it are shown as they come. */
  prepare?(page: Page): Promise<void>
}

async function openTemplate(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Templates' }).getByRole('button', { name: 'Arpeggio' }).click()
  // On a phone it is in a pane behind.
  await page.getByText('2 voices, 64 steps each').first().waitFor({ state: 'attached' })
  await page.locator('[data-save=saved]').first().waitFor()
}

function untilPlayable(page: Page): Promise<void> {
  return page.locator('[data-live] input[type=range]').first().waitFor()
}

/** The main screens, in the order of the walk-through. */
export const screens: readonly Screen[] = [
  { name: 'home', path: '/', prepare: untilPlayable },
  { name: 'connector', path: '/connectors/weave', prepare: untilPlayable },
  { name: 'studio', path: '/studio', prepare: openTemplate },
  {
    name: 'graph',
    path: '/studio?fork=connector/weave',
    async prepare(page) {
      await page.getByLabel('Name of this piece').first().waitFor()
      await page.getByRole('button', { name: 'Graph', exact: true }).click()
      await page.locator('.react-flow__node').nth(4).waitFor()
      for (const tool of ['Lay out (G)', 'Show all (F)']) {
        await page.getByRole('button', { name: tool }).click()
        await page.waitForTimeout(500)
      }
    },
  },
  {
    name: 'code',
    path: '/studio',
    async prepare(page) {
      await page.getByRole('button', { name: 'New function' }).first().click()
      await page.getByTestId('code-status').filter({ hasText: 'Compiles' }).waitFor()
    },
  },
  {
    name: 'publish',
    path: '/studio',
    async prepare(page) {
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Throwaway wallet' }).click()
      await page.getByRole('button', { name: /^Account / }).waitFor()
      await openTemplate(page)
      await page.getByRole('button', { name: 'Publish', exact: true }).click()
      await page.getByRole('button', { name: 'Publish now' }).first().waitFor()
    },
  },
  { name: 'run', path: '/run/weave?count=64' },
  { name: 'gallery', path: '/worlds' },
  {
    name: 'world',
    path: '/worlds/piano-roll',
    async prepare(page) {
      // With reduced motion a World starts on request.
      await page.getByRole('button', { name: 'Start', exact: true }).click()
      await page.getByText('Ready', { exact: true }).waitFor()
    },
  },
  { name: 'phone', path: '/studio', width: 390, prepare: openTemplate },
]

/** Pages whose link previews are kept, by the name of the file. */
export const PREVIEWED: Readonly<Record<string, string>> = {
  home: '/',
  connector: '/connectors/weave',
  'connector-nocturne': '/connectors/nocturne',
  transformation: '/transformations/drift',
  condition: '/conditions/tutorial_divisible_v1',
  run: '/run/weave?count=64',
  'world-cloth': '/worlds/cloth',
  'world-piano-roll': '/worlds/piano-roll',
  profile: '/users/0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  'run-nocturne': '/run/nocturne?count=128',
}
