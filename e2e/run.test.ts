import { beforeAll, describe, expect, inject, test } from 'vitest'
import { checkFile } from '#lib/features/proofs/checker/check.ts'
import { expectAccessible, sitePages } from '#test/support/site-pages.ts'
import { openDetails } from '#test/support/studio.ts'

const { site, chainRpc } = inject('endpoints')
const { open } = sitePages(site)

// Certificates are of final blocks, and the example network may have been published just before.
beforeAll(async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_mine', params: ['0x8'] })
  const answer = await fetch(chainRpc, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  expect(await answer.json()).not.toHaveProperty('error')
})

/** The same numbers from the documented API. */
async function simulated(connector: string, count: number, starts: object = {}) {
  const response = await fetch(`${site}/chain/simulate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ connector_name: connector, particles_count: count, dynamic_ri: starts }),
  })
  return (await response.json()) as { path: string; data: number[] }[]
}

describe('the link of a run', () => {
  test('reads without a script, with a picture, and leads on to a run on chain pinned to its block', async () => {
    const page = await open('/run/weave?count=8', { javaScriptEnabled: false })
    expect(await page.title()).toBe('weave, 8 steps · Weft')
    await expect.poll(() => page.locator('h1').allTextContents()).toEqual(['Weave'])
    const meta = (name: string) =>
      page.locator(`meta[property="${name}"], meta[name="${name}"]`).first().getAttribute('content')
    expect(await meta('og:title')).toBe('weave, 8 steps')
    expect(await meta('description')).toMatch(/^Run here: 8 steps of weave\. 3 voices, values/)
    await expect
      .poll(() => page.locator('link[rel="canonical"]').getAttribute('href'))
      .toBe(`${site}/run/weave?count=8`)
    const picture = await fetch((await meta('og:image')) ?? '')
    expect(picture.headers.get('content-type')).toBe('image/png')
    expect(new DataView(await picture.arrayBuffer()).getUint32(16)).toBe(1200)

    await page.getByText('Starts', { exact: true }).click()
    await page.getByLabel('Start of weave:0, number 1').fill('2')
    await page.getByRole('button', { name: 'Run on chain' }).click()
    await page.waitForURL(/\/run\/weave\?count=8&ri=1:2&block=\d+&hash=0x[0-9a-f]{64}$/)
    expect(await meta('og:title')).toMatch(/^weave, 8 steps at block \d+$/)
    const text = (await page.locator('main').textContent()) ?? ''
    for (const part of ['Block hash', 'Runner', 'Registry', 'Chain31337', 'with 1 start set']) {
      expect(text).toContain(part)
    }
    const streams = page.getByRole('list', { name: 'Streams' }).getByRole('listitem')
    const [first] = await simulated('weave', 8, { 1: { start_point: 2, transformation_shift: 0 } })
    await expect.poll(() => streams.first().textContent()).toContain(`min ${Math.min(...first!.data)}`)
  })

  test('reports invalid links, and is a 404 where there is no connector', async () => {
    const page = await open('/run/weave?count=0&ri=1:x', { javaScriptEnabled: false, provoked: '400' })
    const text = (await page.locator('main').textContent()) ?? ''
    expect(text).toContain('This link names no run')
    expect(text).toContain('count is “0”')
    expect(text).toContain('ri holds “1:x”')
    for (const [path, status] of [
      ['/run/weave?count=0', 400],
      ['/run/no_such_thing', 404],
      ['/run/valueOf', 404],
      ['/run/weave/image?count=x', 400],
      ['/run/no_such_thing/image', 404],
      ['/run/weave/certificate?count=x', 400],
      ['/run/no_such_thing/certificate', 404],
      [`/run/weave?block=1&hash=0x${'12'.repeat(32)}`, 200],
    ] as const) {
      expect(`${(await fetch(site + path)).status} ${path}`).toBe(`${status} ${path}`)
    }
    await page.goto(`${site}/run/weave?count=8&block=1&hash=0x${'12'.repeat(32)}`)
    await expect.poll(() => page.locator('main').textContent()).toContain('The block is gone')
  })

  test('has a certificate for other sites', async () => {
    const certificate = await fetch(`${site}/run/weave/certificate?count=8`)
    const text = await certificate.text()
    expect(certificate.status, text).toBe(200)
    expect(certificate.headers.get('access-control-allow-origin')).toBe('*')
    expect(await checkFile(text)).toMatchObject({ verdict: 'consistent', code: 'consistent' })
  })

  test('is verified by the reader’s own browser, past this site', async () => {
    // More than a page carries: the rest is fetched before it is compared.
    const rest = Promise.withResolvers<void>()
    const page = await open('/run/weave?count=1000&at=newest', {
      asks: chainRpc,
      before: (context) =>
        context.route('**/studio/api/execute', async (route) => {
          await rest.promise
          await route.continue()
        }),
    })
    const verify = page.getByRole('button', { name: 'Verify', exact: true })
    await verify.waitFor()
    await expect.poll(() => verify.isDisabled()).toBe(true)
    rest.resolve()
    await page.getByText('3 voices, 1,000 steps each').waitFor()
    await verify.click()
    await page.getByText('Same bytes').waitFor()
    await page.getByText(/^keccak256 0x[0-9a-f]{64}$/).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download certificate' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('weave.weft.json')
    await page.getByText('Embed its picture').click()
    await page.getByText(`<img src="${site}/run/weave/image?count=1000`).waitFor()
    await expectAccessible(page)
    // The page may connect to that node only.
    const policy = (await fetch(`${site}/run/weave`)).headers.get('content-security-policy')
    expect(policy).toContain(`connect-src 'self' ${new URL(chainRpc).origin};`)

    await page.goto(`${site}/run/tutorial_divisible_fail_v1?at=newest`)
    await page.getByText('The runner itself says so at this block.').waitFor()
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.getByText('Same answer').waitFor()
  })
})

test('from the studio: starts of a run, the run on chain beside the simulation, verified, and its link', async () => {
  const page = await open('/studio?open=connector/weave', {
    asks: chainRpc,
    colorScheme: 'dark',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  // It opens a remix; what is on chain is the original.
  await page.getByTitle('Show the original').click()
  const panel = page.getByRole('region', { name: 'Result', exact: true })
  await panel.getByText('3 voices, 64 steps each').waitFor()
  await openDetails(page)
  await panel.getByText('Starts of this run: none set').click()
  const start = panel.getByLabel('Start of weave:0, number 1')
  await start.fill('x')
  await panel.getByText('“x” is not a whole number.').waitFor()
  await start.fill('2')
  await panel.getByText('3 voices, 64 steps each').waitFor()
  const [first] = await simulated('weave', 64, { 1: { start_point: 2, transformation_shift: 0 } })
  await panel.getByRole('button', { name: `Why is this ${first!.data[0]}?` }).waitFor()

  await panel.getByRole('button', { name: 'Run on chain' }).click()
  await panel.getByText('Against the run here: Same numbers in every voice both have.').waitFor()
  await panel.getByRole('button', { name: 'Verify', exact: true }).click()
  await panel.getByText('Same bytes').waitFor()
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Copy link' }).click()
  await panel.getByText('Copied.').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    /\/run\/weave\?count=64&ri=1:2&block=\d+&hash=0x[0-9a-f]{64}$/,
  )

  // Another question is not what ran on chain.
  await start.fill('')
  await panel.getByText('Starts of this run: none set').waitFor()
  await panel.getByText('Same bytes').waitFor({ state: 'detached' })
})
