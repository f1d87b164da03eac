import type { Page } from 'playwright'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, inject, test } from 'vitest'
import { openWithWallet } from '#test/support/browser-wallet.ts'
import { signIn } from '#test/support/publication.ts'
import { expectAccessible, sitePages } from '#test/support/site-pages.ts'
import { command, openExample } from '#test/support/studio.ts'

/*
 * Persistence of work: in this browser, and for signed-in accounts on the server, privately. A "device" is a separate
 * browser session with a wallet of the same account.
 */

const { site } = inject('endpoints')
const { open } = sitePages(site)

/** Unpublished names return 404; a lost connection is reported in the console. */
const provoked = ['404', 'ERR_INTERNET_DISCONNECTED', '401', '403', '409']

function inAccount(page: Page) {
  return page.locator('[data-save=saved][data-account=done]').waitFor()
}
function entry(page: Page, name: string) {
  return page.getByRole('button', { name, exact: true }).first()
}
function field(page: Page) {
  return page.getByLabel('Number 1 of lift').first()
}
function offline(page: Page) {
  return page.getByText('You are offline. You can go on')
}
function workspaces(page: Page) {
  return page.getByRole('dialog', { name: 'Workspaces' })
}

async function showWorkspaces(page: Page): Promise<void> {
  await command(page, 'document', 'Workspaces…')
  await workspaces(page).waitFor()
}

async function device(account = privateKeyToAccount(generatePrivateKey())): Promise<Page> {
  const { page, wallet } = await openWithWallet(open, '/studio', { provoked })
  wallet.accounts.unshift(account)
  await signIn(page)
  return page
}

/** Syncs with the server now, as returning to the page does. */
function look(page: Page) {
  return page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
}

test('work follows its owner to another device, where both go on without losing either side', async () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const first = await device(account)
  await openExample(first)
  await field(first).fill('4242')
  await inAccount(first)

  const second = await device(account)
  await entry(second, 'first_melody').click()
  await expect.poll(() => field(second).inputValue()).toBe('4242')

  // Each works on something else while the other is away: both are there afterwards.
  await second.context().setOffline(true)
  await offline(second).waitFor()
  await second.getByRole('button', { name: 'New gate' }).click()
  await second.getByLabel('Name of this gate').fill('made_on_the_train')
  await second.locator('[data-save=saved][data-account=offline]').waitFor()
  await first.getByRole('button', { name: 'New function' }).click()
  await first.getByLabel('Name of this function').fill('made_at_home')
  await inAccount(first)
  await second.context().setOffline(false)
  await entry(second, 'made_at_home').waitFor()
  await offline(second).waitFor({ state: 'detached' })
  await inAccount(second)
  await look(first)
  await entry(first, 'made_on_the_train').waitFor()

  // Both change the same one: it is duplicated, and the page reports it.
  await second.context().setOffline(true)
  await entry(second, 'first_melody').click()
  await field(second).fill('1')
  await second.locator('[data-save=saved][data-account=offline]').waitFor()
  await entry(first, 'first_melody').click()
  await field(first).fill('2')
  await inAccount(first)
  await second.context().setOffline(false)
  await second.getByText('The same was changed here and on another device.').waitFor()
  await expect.poll(() => field(second).inputValue()).toBe('1')
  await entry(second, 'first_melody_2').click()
  await expect.poll(() => field(second).inputValue()).toBe('2')
  await inAccount(second)
  await look(first)
  await entry(first, 'first_melody_2').waitFor()
})

test('a renderer that dies loses nothing of what has been typed, and history brings back what was before', async () => {
  const page = await device()
  const context = page.context()
  await openExample(page)
  await inAccount(page)
  await field(page).fill('777')
  await page.locator('[data-save=saved]').waitFor()
  const crashed = page.waitForEvent('crash')
  const session = await context.newCDPSession(page)
  session.send('Page.crash').catch(() => {})
  await crashed

  const next = await context.newPage()
  await next.goto(`${site}/studio`)
  await next.getByRole('treegrid').waitFor()
  await expect.poll(() => field(next).inputValue()).toBe('777')
  await inAccount(next)
  await command(next, 'document', 'History…')
  const history = next.getByRole('dialog', { name: 'History' })
  await history.getByText('first_melody changed').waitFor()
  await history.getByRole('button', { name: /first_melody added, climb added/ }).click()
  await history.getByText('Restoring it would mean').waitFor()
  await history.getByText('voice 1: climb(5, 24) → climb(7, 24) → lift(777)').waitFor()
  await expectAccessible(next)
  await history.getByRole('button', { name: 'Restore this version' }).click()
  await expect.poll(() => field(next).inputValue()).toBe('2')
  await next.getByTitle(/^Undo:/).click()
  await expect.poll(() => field(next).inputValue()).toBe('777')
})

test('several workspaces: named, duplicated, deleted, taken back, and apart in two tabs', async () => {
  const page = await device()
  await openExample(page)
  await inAccount(page)
  await showWorkspaces(page)
  await expectAccessible(page)
  await workspaces(page).getByRole('button', { name: 'Rename My work' }).click()
  await page.keyboard.type('Étude №1')
  await page.keyboard.press('Enter')
  await workspaces(page).getByRole('button', { name: 'Duplicate Étude №1' }).click()
  await workspaces(page).getByText('Étude №1 2').waitFor()
  await workspaces(page).getByRole('button', { name: 'New workspace' }).click()
  await page.getByText('Nothing on the loom yet').waitFor()
  await page.getByRole('button', { name: 'Workspace: My work', exact: true }).waitFor()

  // Another tab shows another one; what is made here does not appear there.
  const other = await page.context().newPage()
  await other.goto(`${site}/studio`)
  await other
    .getByRole('region', { name: 'Other workspaces' })
    .getByRole('button', { name: /^Étude №1 2/ })
    .click()
  await entry(other, 'first_melody').waitFor()
  await page.getByRole('button', { name: 'New piece', exact: true }).last().click()
  await entry(page, 'my_piece').waitFor()
  expect(await entry(other, 'my_piece').count()).toBe(0)
  await inAccount(page)
  await page.reload({ waitUntil: 'load' })
  await entry(page, 'my_piece').waitFor()
  await page.getByRole('button', { name: 'Workspace: My work', exact: true }).waitFor()

  // The open one is deleted: another one is open, and it can be taken back, also later and after a reload.
  await showWorkspaces(page)
  await workspaces(page).getByRole('button', { name: 'Delete My work' }).click()
  await workspaces(page).getByText('Deleted My work.').waitFor()
  await workspaces(page).getByRole('button', { name: 'Undo' }).click()
  await workspaces(page).getByRole('button', { name: 'Delete My work' }).click()
  await workspaces(page).getByText('Deleted My work.').waitFor()
  await page.keyboard.press('Escape')
  await inAccount(page)
  await page.reload({ waitUntil: 'load' })
  await showWorkspaces(page)
  await workspaces(page).getByRole('button', { name: 'Take back My work' }).click()
  await workspaces(page).getByRole('button', { name: 'Open My work' }).click()
  await entry(page, 'my_piece').waitFor()
})

test('a visitor’s work goes along with the first sign-in, another account sees none of it, and rejections are shown', async () => {
  const { page, wallet } = await openWithWallet(open, '/studio', { provoked: [...provoked, '413', '429'] })
  const [ann, bob] = wallet.accounts.map(({ address }) => address) as [string, string]
  await openExample(page)
  await page.getByLabel('Name of this piece').fill('anns_own')
  await page.locator('[data-save=saved]').waitFor()
  await signIn(page)
  await entry(page, 'anns_own').waitFor()
  await inAccount(page)
  const address = ann.toLowerCase()

  await wallet.showAccount(1)
  await page.getByText('The work of each is kept apart.').waitFor()
  expect(await page.getByText('anns_own').count()).toBe(0)
  await page.getByRole('button', { name: new RegExp(`^Sign in as ${bob.slice(2, 8)}`, 'i') }).click()
  await page.getByText('Nothing on the loom yet').waitFor()
  await showWorkspaces(page)
  await expect.poll(() => workspaces(page).getByRole('listitem').count()).toBe(1)
  await page.keyboard.press('Escape')
  expect(await page.getByText('anns_own').count()).toBe(0)
  const asked = await page.evaluate(
    async (path) => (await fetch(path)).status,
    `/studio/api/workspaces/${address}`,
  )
  expect(asked).toBe(403)

  // Too large for the account: it stays in the browser, and the reason is on the page.
  const body = `// ${'x'.repeat(60_000)}\nreturn x;`
  const entries = Array.from({ length: 40 }, (_, index) => ({
    kind: 'transformation',
    id: `id${index}`,
    name: `big_${index}`,
    source: body,
  }))
  await page.getByLabel('File to import').setInputFiles({
    name: 'big.json',
    mimeType: 'application/json',
    buffer: Buffer.from(
      JSON.stringify({
        weft: 'studio',
        version: 1,
        document: { entries, places: [] },
        view: { tabs: [], active: null },
      }),
    ),
  })
  await page.getByText(/Saved in this browser only\. This workspace takes 2\.3 MiB/).waitFor()
  await page.getByRole('button', { name: /^Undo/ }).click()
  await inAccount(page)

  await page.getByRole('button', { name: 'New piece' }).first().click()
  await entry(page, 'my_piece').waitFor()
  await page.getByRole('button', { name: /^Account / }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('Nothing on the loom yet').waitFor()
})
