import { describe, expect, inject, test } from 'vitest'
import { expectNoLooseLinks, sitePages } from '#test/support/site-pages.ts'

const { site } = inject('endpoints')
const { open } = sitePages(site)

const OWNER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

async function formatOf(connector: string): Promise<string> {
  const response = await fetch(`${site}/chain/connector/${connector}`)
  return ((await response.json()) as { format_hash: string }).format_hash
}

describe('without a script', () => {
  test('a connector shows its definition, its particles and where on chain it is', async () => {
    const page = await open('/connectors/weave', { javaScriptEnabled: false })
    expect(await page.title()).toBe('Weave · Weft')
    await expect.poll(() => page.locator('h1').allTextContents()).toEqual(['Weave'])
    const remix = page.getByRole('link', { name: 'Remix', exact: true })
    await expect.poll(() => remix.getAttribute('href')).toBe('/studio?open=connector/weave')
    const text = (await page.locator('main').textContent()) ?? ''
    for (const part of [
      'bounce_between(1, 0, 39)',
      'feeds duet',
      'part 1 played by pitch',
      '64 values',
      'min 57',
      '/chain/simulate',
    ]) {
      expect(text).toContain(part)
    }
    expect(text).toMatch(/0x[0-9a-f]{64}/)
    expect(text).toMatch(/0x[0-9a-fA-F]{40}/)
    await expect.poll(() => page.getByRole('list', { name: 'Streams' }).locator('svg').count()).toBe(3)
    // The graph and the list of its parts link to their pages; and these back to their users.
    await expect.poll(() => page.getByText('The same as a list').isVisible()).toBe(true)
    expect(text).toContain('bounce_between')
    await page.getByRole('link', { name: 'duet, piece' }).click()
    await page.waitForURL('**/connectors/duet')
    await expect.poll(() => page.locator('h1').textContent()).toBe('Duet')
    await page.locator('#used-by').getByRole('link', { name: 'weave', exact: true }).click()
    await page.waitForURL('**/connectors/weave')
  })

  test('long lists of users go on by a link', async () => {
    const page = await open('/transformations/add', { javaScriptEnabled: false })
    const users = page.locator('#used-by')
    const first = users.getByRole('link', { name: 'bell_pair', exact: true })
    await expect.poll(() => first.isVisible()).toBe(true)
    await users.getByRole('link', { name: 'More that use it' }).click()
    await page.waitForURL(/\?used_after=\w+/)
    await expect.poll(() => first.count()).toBe(0)
    await page.goto(`${site}/transformations/add?used_after=pitch`)
    expect(await users.getByRole('link', { name: 'pitch', exact: true }).count()).toBe(0)
    await expect.poll(() => users.getByRole('link', { name: 'time', exact: true }).isVisible()).toBe(true)
    // A cursor that is none is the start.
    await page.goto(`${site}/transformations/add?used_after=%00&used_after=x`)
    await expect.poll(() => first.isVisible()).toBe(true)
  })

  test('a connector that stops shows the reason', async () => {
    const page = await open('/connectors/tutorial_divisible_fail_v1', { javaScriptEnabled: false })
    const text = await page.locator('main').textContent()
    expect(text).toContain('Condition not met')
    expect(text).toContain('tutorial_divisible_v1(14, 3)')
    await expect
      .poll(() => page.getByRole('link', { name: 'tutorial_divisible_v1, gate' }).isVisible())
      .toBe(true)
  })

  test('bodies show their signatures', async () => {
    const page = await open('/transformations/drift', { javaScriptEnabled: false })
    await expect.poll(() => page.locator('main').textContent()).toContain('drift(x, factor, plus, below)')
    await page.goto(`${site}/conditions/tutorial_divisible_v1`)
    await expect.poll(() => page.locator('main').textContent()).toContain('tutorial_divisible_v1(a0, a1)')
  })

  test('the answers of a gate differ in forced colours', async () => {
    const page = await open('/conditions/tutorial_threshold_v1', { forcedColors: 'active' })
    const colorOf = (answer: string) =>
      page
        .getByTitle(answer)
        .first()
        .evaluate((cell) => getComputedStyle(cell).backgroundColor)
    expect(await colorOf('): yes')).not.toBe(await colorOf('): no'))
  })

  test('a format lists its values and members, an account what it holds', async () => {
    const hash = await formatOf('weave')
    const page = await open(`/formats/${hash}`, { javaScriptEnabled: false })
    const main = page.locator('main')
    for (const label of ['pitch:0', 'time:0', 'velocity:0'])
      await expect.poll(() => main.textContent()).toContain(label)
    await expect.poll(() => main.getByRole('link', { name: 'weave', exact: true }).isVisible()).toBe(true)
    // Every spelling of a hash or an address is the same page.
    expect((await fetch(`${site}/formats/0x${hash.toUpperCase()}`)).status).toBe(200)

    await page.goto(`${site}/users/${OWNER.slice(2).toUpperCase()}`)
    await expect
      .poll(() => main.getByText('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266').isVisible())
      .toBe(true)
    // Pieces by their titles, everything else by its name.
    for (const name of ['Broken twill', 'bell_pair', 'drift', 'tutorial_threshold_v1']) {
      await expect.poll(() => main.getByRole('link', { name, exact: true }).first().isVisible()).toBe(true)
    }
    await main.getByRole('link', { name: 'More pieces' }).click()
    await page.waitForURL(/\?connector=\w+/)
    await expect.poll(() => main.getByRole('link', { name: 'Weave', exact: true }).isVisible()).toBe(true)
    // So does what lists publications, and where a World offers pieces.
    await page.goto(`${site}/connectors/harmonograph`)
    const block = await main.locator('a[href*="/feed?block="]').first().getAttribute('href')
    await page.goto(site + block)
    await expect
      .poll(() => main.getByRole('link', { name: 'Harmonograph', exact: true }).isVisible())
      .toBe(true)
    await page.goto(`${site}/worlds/piano-roll?connector=tresillo_song`)
    await expect
      .poll(() =>
        main
          .getByRole('link', { name: /^Song over a tresillo/ })
          .first()
          .isVisible(),
      )
      .toBe(true)
    await page.goto(`${site}/users/0x00000000000000000000000000000000000000aa`)
    await expect.poll(() => main.textContent()).toContain('holds nothing here')
  })
})

test('what does not exist is a 404', async () => {
  for (const path of [
    '/connectors/no_such_thing',
    '/connectors/toString',
    '/connectors/a%2Fb',
    '/connectors/%E2%82%AC',
    '/transformations/__proto__',
    '/conditions/valueOf',
    '/formats/123',
    `/formats/${'0'.repeat(64)}`,
    '/users/0x12',
    '/users/toString',
  ]) {
    expect(`${(await fetch(site + path)).status} ${path}`).toBe(`404 ${path}`)
  }
})

test('a page that is missing leads to what may have been meant', async () => {
  const page = await open('/connectors/velocity_', { javaScriptEnabled: false, provoked: '404' })
  await expect.poll(() => page.locator('h1').allTextContents()).toEqual(['Nothing here'])
  await expect.poll(() => page.locator('main').count()).toBe(1)
  await expect.poll(() => page.locator('main').textContent()).toContain('There is no piece called velocity_')
  await page.getByRole('link', { name: 'velocity', exact: true }).click()
  await page.waitForURL('**/connectors/velocity')

  await page.goto(`${site}/connectors/drift`)
  await page.locator('main').getByRole('link', { name: 'drift', exact: true }).click()
  await page.waitForURL('**/transformations/drift')

  await page.goto(`${site}/formats/${'0'.repeat(64)}`)
  await expect.poll(() => page.locator('main').textContent()).toContain('No published piece has this format')
  await page.goto(`${site}/users/0x12`)
  await expect.poll(() => page.locator('h1').allTextContents()).toEqual(['Nothing here'])
})

test('every link of the pages leads somewhere', async () => {
  const format = `/formats/${await formatOf('weave')}`
  const paths = ['/connectors/weave', `/users/${OWNER}`, '/transformations/add', format, '/status', '/feed']
  const known = new Set<string>()
  for (const path of paths) await expectNoLooseLinks(await open(path, { javaScriptEnabled: false }), known)
})

test('the status page reports no problems, with numbers that agree with the JSON document', async () => {
  const page = await open('/status', { javaScriptEnabled: false })
  await expect.poll(() => page.locator('h1').allTextContents()).toEqual(['Status'])
  const shown = async () => (await page.locator('main').textContent()) ?? ''
  // A busy machine is slow now and then, and the page says so.
  await expect
    .poll(async () => {
      await page.reload()
      return shown()
    })
    .toContain('All systems work')
  expect(await shown()).toContain('The process that indexes the chain')
  // Other files mine blocks meanwhile: read again until both are of the same moment.
  await expect
    .poll(async () => {
      await page.reload()
      const { feed } = (await (await fetch(`${site}/status.json`)).json()) as {
        feed: { finalized: number; writer: { instance: string } }
      }
      const text = await shown()
      return text.includes(feed.writer.instance) && text.includes(`block ${feed.finalized}`)
    })
    .toBe(true)
})
