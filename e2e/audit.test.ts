import { expect, inject, test } from 'vitest'
import { publicPages } from '../scripts/browser/pages.ts'
import { missingOf, watchIssues } from '../test/support/page-audit.ts'
import { sitePages } from '../test/support/site-pages.ts'

/*
 * What audits of good practice and of search engines look at, on every kind of page: the console is empty, the developer
 * tools have no issues, and the head says what the page is. Accessibility is the business of accessibility.test.ts.
 */

const { site } = inject('endpoints')
const { open } = sitePages(site, { moving: true, warnings: true })

/** Not for search engines: what is nothing without a session, and what shows pieces that have pages of their own. */
const NOT_INDEXED = ['/account', '/search', '/embed']

const pages = [
  ...(await publicPages(site)),
  { title: 'World', path: '/worlds/piano-roll' },
  { title: 'source of a World', path: '/worlds/piano-roll/source' },
  { title: 'lessons', path: '/docs/lessons' },
  { title: 'documentation, first page', path: '/docs' },
  { title: 'player', path: '/embed/connector/weave' },
  { title: 'studio', path: '/studio' },
]

test.each(pages)('$title: nothing in the console, no issues, a complete head', async ({ path }) => {
  // The studio registers one.
  const page = await open('/healthz', { serviceWorkers: 'allow' })
  const issues = await watchIssues(page)
  await page.goto(site + path, { waitUntil: 'load' })
  await page.evaluate(async () => {
    for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight) {
      scrollTo(0, y)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })
  await page.waitForTimeout(1500)
  const isOpen = !NOT_INDEXED.some((beginning) => path.startsWith(beginning))
  const missing = await missingOf(page)
  expect(isOpen ? missing : missing.filter((each) => each !== 'the leave to be indexed')).toEqual([])
  expect(issues).toEqual([])
})
