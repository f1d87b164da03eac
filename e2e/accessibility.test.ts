import type { Page } from 'playwright'
import { expect, inject, test } from 'vitest'
import { publicPages } from '#scripts/browser/pages.ts'
import { violationsOf } from '#test/support/axe.ts'
import { missingOf, watchIssues } from '#test/support/page-audit.ts'
import { stoppedOn, watchViolations } from '#test/support/policy-violations.ts'
import { expectAccessible, settled, sitePages } from '#test/support/site-pages.ts'
import { sliceOf } from '#test/support/slice.ts'
import { command, runExample, untilEmpty } from '#test/support/studio.ts'

/*
 * Every kind of page and every state of the studio: an empty console, no issues in the developer tools, a complete head,
 * no violations of the page's policy, axe in both themes, no motion with reduced motion, nothing lost at double text size
 * (a window of half the width), and no overflow on a small phone. Of pages and states a slice.
 */

const { site } = inject('endpoints')
const { open } = sitePages(site, { warnings: true })
const calm = {
  colorScheme: 'light',
  reducedMotion: 'reduce',
  viewport: { width: 1280, height: 900 },
} as const

/** Not for search engines: what is nothing without a session, and what shows pieces that have pages of their own. */
const NOT_INDEXED = ['/account', '/search', '/embed']

const pages = [
  // The reference is tested apart: it has every operation, which takes axe long.
  ...(await publicPages(site)).filter(({ title }) => title !== 'API'),
  { title: 'World', path: '/worlds/piano-roll' },
  { title: 'source of a World', path: '/worlds/piano-roll/source' },
  { title: 'lessons', path: '/docs/lessons' },
  { title: 'documentation, first page', path: '/docs' },
  { title: 'player', path: '/embed/connector/weave' },
]

/** States of these pages, which share their frame. */
const states = [
  { title: 'a page that is not there', path: '/nothing/here', status: 404 },
  { title: 'a name much like another', path: '/connectors/velocity_', status: 404 },
  { title: 'a search without hits', path: '/search?q=zzzzqqqq', status: 200 },
  { title: 'a connector of many paths', path: '/connectors/nocturne', status: 200 },
  { title: 'a block without publications', path: '/feed?block=999999', status: 200 },
]

test.each(sliceOf(pages, 3))('$title is for everyone, and complete', async ({ path }) => {
  const page = await open('/healthz', { ...calm, before: watchViolations })
  const issues = await watchIssues(page)
  await page.goto(site + path, { waitUntil: 'load' })
  await scrollThrough(page)
  const isIndexed = !NOT_INDEXED.some((beginning) => path.startsWith(beginning))
  const missing = await missingOf(page)
  expect(isIndexed ? missing : missing.filter((each) => each !== 'the leave to be indexed')).toEqual([])
  // Nothing that the page wants to do is against its own policy.
  expect(await stoppedOn(page)).toEqual([])
  await expectCalm(page)
  await expectBothThemes(page)
  await expectSameWhenNarrow(page)
  expect(issues).toEqual([])
})

test.each(sliceOf(states, 2))('$title is for everyone', async ({ path, status }) => {
  expect((await fetch(site + path)).status).toBe(status)
  const page = await open(path, { ...calm, provoked: ['status of 404'], before: watchViolations })
  expect(await stoppedOn(page)).toEqual([])
  await expectCalm(page)
  await expect.poll(() => page.locator('h1').count()).toBe(1)
  await expectAccessible(page)
  await expectSameWhenNarrow(page)
})

const studioStates = [
  { title: 'its beginning, its graph', check: checkBeginning },
  { title: 'what opens over it, and where bodies are written', check: checkOverlays },
]

test.each(studioStates)('the studio is for everyone: $title', async ({ check }) => {
  await check(await open('/studio', calm))
})

async function checkBeginning(page: Page): Promise<void> {
  await untilEmpty(page)
  await expectBothThemes(page)
  await runExample(page)
  await expectCalm(page)
  await page.getByRole('button', { name: 'Graph', exact: true }).click()
  await page.locator('.react-flow__node').first().waitFor()
  await expectBothThemes(page)
  await expectCalm(page)
}

async function checkOverlays(page: Page): Promise<void> {
  await runExample(page)
  const openers = [
    ['Find and commands', page.getByRole('combobox', { name: /^Commands, your work/ })],
    ['Shortcuts', page.getByRole('heading', { name: 'Anywhere' })],
    [
      'Lessons',
      page
        .getByRole('dialog')
        .getByRole('button', { name: /^Begin: / })
        .first(),
    ],
  ] as const
  for (const [opener, inside] of openers) {
    await command(page, 'more', opener)
    await inside.waitFor()
    await expectBothThemes(page)
    await page.keyboard.press('Escape')
    await inside.waitFor({ state: 'hidden' })
  }
  await page.getByRole('button', { name: 'New function' }).first().click()
  await page.getByTestId('code-status').filter({ hasText: 'Compiles' }).waitFor()
  await expectBothThemes(page)
  await page.setViewportSize({ width: 640, height: 450 })
  await expect.poll(() => excess(page)).toBeLessThanOrEqual(0)
}

test('at 400 % the bar of the studio has room for its buttons, and what stays in sight leaves room for the rest', async () => {
  const page = await open('/studio', { ...calm, viewport: { width: 320, height: 256 } })
  await runExample(page)
  await expect.poll(() => overlaps(page)).toEqual([])
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page
    .getByRole('region', { name: /^Publish / })
    .getByRole('button', { name: 'Sign in', exact: true })
    .waitFor()
  // The window scrolls, downwards alone: bars that stay would leave a slit.
  const room = () => page.getByRole('region', { name: 'Editor', exact: true }).boundingBox()
  await expect.poll(async () => (await room())!.height).toBeGreaterThan(180)
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).overflowY)).not.toBe('hidden')
  expect(await excess(page)).toBeLessThanOrEqual(0)
  const foot = page.locator('div', { has: page.getByRole('button', { name: 'Sign in', exact: true }) })
  expect(
    await foot.evaluateAll(
      (all) => all.filter((each) => getComputedStyle(each).position === 'sticky').length,
    ),
  ).toBe(0)
})

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

/** Controls of a wide window are there in one of half the width. Those that still load may change between the two. */
async function expectSameWhenNarrow(page: Page): Promise<void> {
  const lost = async () => {
    await page.setViewportSize(calm.viewport)
    const before = await controls(page)
    await page.setViewportSize({ width: 640, height: 450 })
    await expect.poll(() => excess(page)).toBeLessThanOrEqual(0)
    const after = new Set(await controls(page))
    return before.filter((name) => !after.has(name))
  }
  await expect.poll(lost).toEqual([])
  await page.setViewportSize({ width: 360, height: 780 })
  await expect.poll(() => excess(page)).toBeLessThanOrEqual(0)
}

/** So that what loads when it comes into sight is there. */
async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight) {
      scrollTo(0, y)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    scrollTo(0, 0)
  })
}

function excess(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

/** Pairs of buttons of the head of the page that lie on each other. */
function overlaps(page: Page): Promise<string[]> {
  return page.locator('header').evaluate((header) => {
    const boxes = [...header.querySelectorAll('a, button')]
      .filter((each) => each.checkVisibility({ visibilityProperty: true }))
      .map(
        (each) =>
          [each.textContent || each.getAttribute('aria-label'), each.getBoundingClientRect()] as const,
      )
    return boxes.flatMap(([name, box], index) =>
      boxes
        .slice(index + 1)
        .filter(([, other]) => other.left < box.right - 1 && box.left < other.right - 1)
        .map(([other]) => `${name} and ${other}`),
    )
  })
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
