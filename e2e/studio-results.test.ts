import { expect, inject, test } from 'vitest'
import { sitePages } from '#test/support/site-pages.ts'
import { result, runExample } from '#test/support/studio.ts'

const { site } = inject('endpoints')
const { open } = sitePages(site)

test('an edit of what is compiled is answered by this browser alone', async () => {
  const page = await open('/studio')
  const policies: (string | undefined)[] = []
  page.on('response', (response) => {
    if (response.url().includes('turbopack-worker'))
      policies.push(response.headers()['content-security-policy'])
  })
  await runExample(page)
  let requests = 0
  await page.route('**/studio/api/preview', (route) => {
    requests += 1
    // What a browser at work does not answer within a second, the server does.
    return route.continue()
  })
  const argument = page.getByLabel('Number 1 of lift, step 2')
  const last = result(page).getByRole('img', { name: /^\/first_melody:1: 64 values/ })
  // 0, 3, 5, 8, 10: the last of 64 is 158.
  const edits = [
    ['2', /to 158 \(step 63\)/],
    ['4', /to 220 \(step 63\)/],
  ] as const
  for (const [value, values] of edits) {
    await argument.fill(value)
    await last.and(page.getByRole('img', { name: values })).waitFor()
  }
  expect([...new Set(policies)]).toEqual(["default-src 'none'; script-src 'self' 'unsafe-eval'"])
  await expect
    .poll(async () => {
      const before = requests
      for (const [value, values] of edits) {
        await argument.fill(value)
        await last.and(page.getByRole('img', { name: values })).waitFor()
      }
      return requests - before
    })
    .toBe(0)
})
