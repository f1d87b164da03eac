import type { Page } from 'playwright'
import { expect, inject, test } from 'vitest'
import { openWithWallet } from '#test/support/browser-wallet.ts'
import { signIn } from '#test/support/publication.ts'
import { expectAccessible, sitePages } from '#test/support/site-pages.ts'

const { site } = inject('endpoints')
const { open } = sitePages(site)

/** A new account with its own page, signed in at the header. */
async function newPerson(path: string, provoked: string[] = []): Promise<{ page: Page; address: string }> {
  const { page, wallet } = await openWithWallet(open, path, { provoked }, { accounts: 1 })
  await signIn(page)
  return { page, address: wallet.accounts[0]?.address.toLowerCase() ?? '' }
}

test('a user edits a profile, is found and followed, and deletes the account', async () => {
  const { page, address } = await newPerson('/account')
  const name = `Zuse <of> "${address.slice(2, 10)}"`
  const main = page.getByRole('main')
  const nickname = main.getByLabel('Nickname')
  await nickname.waitFor()
  // The form must not lose fields that other programs store in the profile.
  const kept = await page.evaluate(async (path) => {
    const profile_json = { other: { app: 1 }, public: { toolbox: ['pitch'], kind: 'human' } }
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'PATCH', headers, body: JSON.stringify({ profile_json }) }
    return (await fetch(path, init)).status
  }, `/services/users/${address}`)
  expect(kept).toBe(200)

  await expect.poll(() => main.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await nickname.fill('Somebody else')
  await main.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => nickname.inputValue()).toBe('')
  await nickname.fill(name)
  await main.getByLabel('About you').fill('Builds machines.\n<b>Not bold.</b>')
  await main.getByLabel('An AI agent').check()
  await main.getByRole('button', { name: 'Save' }).click()
  await main.getByText('Saved.', { exact: true }).waitFor()
  await expectAccessible(page)
  const profile = await (await fetch(`${site}/services/users/${address}`)).json()
  expect(profile).toMatchObject({
    display_name: name,
    profile_json: {
      other: { app: 1 },
      public: { toolbox: ['pitch'], nickname: name, kind: 'ai_agent' },
    },
  })

  const visitor = await open(`/users/${address}`, { javaScriptEnabled: false })
  await expect.poll(() => visitor.locator('h1').textContent()).toBe(name)
  const said = await visitor.getByRole('main').textContent()
  for (const part of ['AI agent', 'Builds machines.', '<b>Not bold.</b>', 'Nothing published yet.']) {
    expect(said).toContain(part)
  }
  await visitor.goto(`${site}/@${encodeURIComponent(name.toUpperCase())}`)
  expect(new URL(visitor.url()).pathname).toBe(`/users/${address}`)
  expect((await fetch(`${site}/@nobody-${address}`)).status).toBe(404)
  await visitor.goto(`${site}/search?q=zuse+of+${address.slice(2, 10)}`)
  await visitor.getByRole('main').getByRole('link', { name }).waitFor()

  const { page: other, address: follower } = await newPerson(`/users/${address}`)
  await other.getByRole('button', { name: 'Follow', exact: true }).click()
  await other.getByRole('button', { name: 'Following', exact: true }).waitFor()
  await other.getByRole('link', { name: '1 follower' }).waitFor()
  await expect
    .poll(async () => (await fetch(`${site}/users/${address}/followers`)).text())
    .toContain(follower)
  await other.reload()
  await other.getByRole('button', { name: 'Following', exact: true }).waitFor()
  await expectAccessible(other)
  await other.getByRole('link', { name: '1 follower' }).click()
  await other.waitForURL(/\/followers$/)
  await other.getByRole('main').locator(`a[href="/users/${follower}"]`).waitFor()
  await other.goBack()
  await other.getByRole('button', { name: 'Following', exact: true }).click()
  await other.getByRole('button', { name: 'Follow', exact: true }).waitFor()
  await other.getByRole('link', { name: '0 followers' }).waitFor()

  await page.goto(`${site}/users/${address}`)
  await page.getByRole('button', { name: `Account ${name}`, exact: true }).waitFor()
  await main.getByRole('link', { name: 'Edit profile' }).click()
  await page.waitForURL(/\/account$/)
  await main.getByText('You are signed in nowhere else.').waitFor()
  const remove = main.getByRole('button', { name: 'Delete my account' })
  await expect.poll(() => remove.isDisabled()).toBe(true)
  await main.getByLabel('To go on, type delete').fill('delete')
  await remove.click()
  await main.getByText('Your account is deleted').waitFor()
  await page.getByRole('banner').getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  await visitor.goto(`${site}/users/${address}`)
  expect(await visitor.getByRole('main').textContent()).not.toContain('Zuse')
})

test('what an account saves comes first in the library of the studio', async () => {
  const { page } = await newPerson('/studio')
  const published = page.getByRole('region', { name: 'Published' })
  const names = published.getByRole('listitem')
  await published.getByRole('button', { name: 'Functions' }).click()
  await published.getByRole('button', { name: 'Functions', pressed: true }).waitFor()
  await names.nth(1).waitFor()
  const last = (await names.allTextContents()).at(-1) ?? ''
  expect(await names.first().textContent()).not.toBe(last)
  const saving = await page.context().newPage()
  // Pressed before the page knows whose it is.
  const pressed = Promise.withResolvers<void>()
  await saving.route('**/session', async (route) => {
    await pressed.promise
    await route.continue()
  })
  await saving.goto(`${site}/transformations/${last}`)
  const save = (pressed: boolean) => saving.getByRole('button', { name: 'Save', exact: true, pressed })
  await save(false).click()
  pressed.resolve()
  await save(true).and(saving.locator('[aria-busy=false]')).waitFor()
  await page.reload()
  await published.getByRole('button', { name: 'Functions' }).click()
  await expect.poll(() => names.first().textContent()).toBe(last)
})

test('a user adds a webhook, sees its secret once, and deletes it', async () => {
  const { page } = await newPerson('/account/webhooks', ['400'])
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Create webhook' }).waitFor()
  const create = async (address: string) => {
    await main.getByLabel('Name', { exact: true }).first().fill('My bot')
    await main.getByLabel('Address').fill(address)
    await main.getByRole('button', { name: 'Create webhook' }).click()
  }
  await create('https://10.0.0.1/')
  await main.getByText('is not an address of the public Internet').waitFor()
  await create('https://hooks.example.com/')
  await main.getByText(/^whsec_/).waitFor()
  await main.getByRole('button', { name: 'Pause' }).click()
  await main.getByRole('button', { name: 'Resume' }).waitFor()
  await page.reload()
  await main.getByText('https://hooks.example.com/').waitFor()
  expect(await main.textContent()).not.toContain('whsec_')
  await main.getByRole('button', { name: 'Delete', exact: true }).click()
  await main.getByRole('button', { name: 'Delete it for good' }).click()
  await main.getByText('None yet: add one below.').waitFor()
})

test('an unknown address has a page, and an invalid one is not found', async () => {
  const page = await open('/users/0x00000000000000000000000000000000000000Ab', {
    viewport: { width: 360, height: 800 },
    colorScheme: 'dark',
  })
  await page.getByText('Nobody has signed in with this address here.').waitFor()
  expect(await page.getByRole('button', { name: 'Follow', exact: true }).count()).toBe(0)
  await expectAccessible(page)
  for (const path of ['/users/0x12', '/users/0x12/followers', '/users/toString/following']) {
    expect(`${(await fetch(site + path)).status} ${path}`).toBe(`404 ${path}`)
  }
})
