import type { Page } from 'playwright'
import { expect, inject, test } from 'vitest'
import { publicPages } from '../scripts/browser/pages.ts'
import { violationsOf } from '../test/support/axe.ts'
import { stoppedOn, watchViolations } from '../test/support/policy-violations.ts'
import { expectAccessible, settled, sitePages } from '../test/support/site-pages.ts'
import { command, openExample, untilEmpty } from '../test/support/studio.ts'

/*
 * Every kind of page and every state of the studio: no violations of the page's policy, axe in both themes, no motion
 * with reduced motion, nothing lost at double text size (a window of half the width), and no overflow on a small phone.
 */

const { site } = inject('endpoints')
const { open } = sitePages(site)
const calm = {
  colorScheme: 'light',
  reducedMotion: 'reduce',
  viewport: { width: 1280, height: 900 },
} as const

const pages = [
  // The reference is a third-party page with a separate test.
  ...(await publicPages(site))
    .filter(({ title }) => title !== 'API')
    .map((page) => ({ ...page, status: 200, whole: true })),
  // States of these pages, which share their frame: in one theme.
  { title: 'a page that is not there', path: '/nothing/here', status: 404, whole: true },
  { title: 'a name much like another', path: '/connectors/velocity_', status: 404, whole: false },
  { title: 'a search without hits', path: '/search?q=zzzzqqqq', status: 200, whole: false },
  { title: 'a connector of many paths', path: '/connectors/nocturne', status: 200, whole: false },
  {
    title: 'a blocked connector at home',
    path: '/?connector=tutorial_threshold_blocked',
    status: 200,
    whole: false,
  },
  { title: 'an unknown connector at home', path: '/?connector=no_such_thing', status: 200, whole: false },
  { title: 'a block without publications', path: '/feed?block=999999', status: 200, whole: false },
]

test.each(pages)('$title is for everyone', async ({ path, status, whole }) => {
  expect((await fetch(site + path)).status).toBe(status)
  const page = await open(path, { ...calm, provoked: ['status of 404'], before: watchViolations })
  // Nothing that the page wants to do is against its own policy.
  expect(await stoppedOn(page)).toEqual([])
  await expectCalm(page)
  expect(await page.locator('h1').count()).toBe(1)
  if (whole) await expectBothThemes(page)
  else await expectAccessible(page)
  const before = await controls(page)
  await page.setViewportSize({ width: 640, height: 450 })
  await expect.poll(() => excess(page)).toBeLessThanOrEqual(0)
  const after = new Set(await controls(page))
  await page.setViewportSize({ width: 360, height: 780 })
  await expect.poll(() => excess(page)).toBeLessThanOrEqual(0)
  expect(before.filter((name) => !after.has(name))).toEqual([])
})

test('the studio is for everyone: its beginning, its graph', async () => {
  const page = await open('/studio', calm)
  await untilEmpty(page)
  await expectBothThemes(page)
  await startExample(page)
  await expectCalm(page)
  await page.getByRole('button', { name: 'Graph', exact: true }).click()
  await page.locator('.react-flow__node').first().waitFor()
  await expectBothThemes(page)
  await expectCalm(page)
})

test('the studio is for everyone: what opens over it, and where bodies are written', async () => {
  const page = await open('/studio', calm)
  await startExample(page)
  for (const [opener, inside] of [
    ['Find and commands', page.getByRole('combobox', { name: /^Commands, your work/ })],
    ['Shortcuts', page.getByRole('heading', { name: 'Anywhere' })],
    [
      'Lessons',
      page
        .getByRole('dialog')
        .getByRole('button', { name: /^Begin: / })
        .first(),
    ],
  ] as const) {
    await command(page, 'more', opener)
    await inside.waitFor()
    await expectBothThemes(page)
    await page.keyboard.press('Escape')
    await inside.waitFor({ state: 'hidden' })
  }
  await page.getByRole('button', { name: 'New transformation' }).first().click()
  await page.getByTestId('code-status').filter({ hasText: 'Compiles' }).waitFor()
  await expectBothThemes(page)
  await page.setViewportSize({ width: 640, height: 450 })
  await expect.poll(() => excess(page)).toBeLessThanOrEqual(0)
})

async function startExample(page: Page): Promise<void> {
  await openExample(page)
  await page.getByText('2 paths, 64 particles each').first().waitFor()
}

/** All rules in the light theme; in the dark one, those that colours can break. */
async function expectBothThemes(page: Page): Promise<void> {
  await expectAccessible(page)
  await show(page, 'dark')
  const runOnly = ['color-contrast', 'link-in-text-block']
  expect(await violationsOf(page, { runOnly }), 'in the dark').toEqual([])
  await show(page, 'light')
}

async function show(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await settled(page)
}

/** No motion where reduced motion is preferred. */
async function expectCalm(page: Page): Promise<void> {
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter(
        (each) => each.playState === 'running' && Number(each.effect?.getComputedTiming().duration) > 20,
      )
      .map((each) => (each as CSSAnimation).animationName ?? 'a transition'),
  )
  expect(moving).toEqual([])
}

function excess(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

/** Links, buttons and fields that can be seen in the content. */
function controls(page: Page): Promise<string[]> {
  return page
    .locator('main')
    .locator('a[href], button, input:not([type=hidden]), select, textarea, summary')
    .evaluateAll((all) => [
      ...new Set(
        all
          .filter((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
          .map((each) => each.getAttribute('aria-label') ?? each.textContent.trim()),
      ),
    ])
}
