import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { challengeFor, newWallet } from '#test/server/services/people.ts'
import { violationsOf } from '#test/support/axe.ts'
import { fill } from '#test/support/large-network/fill.ts'
import { loudest, tapSpeakers } from '#test/support/speakers.ts'
import { startMelody, studioVisits } from './studio-visits.ts'

/* Links from one browser to another: made, looked at, kept, revoked; and what the studio never replaces. */

const visits = studioVisits()
const { visit } = visits

async function signIn(page: Page): Promise<string> {
  const wallet = newWallet()
  const message = await challengeFor(visits.site.api, wallet.address)
  const signature = await wallet.signMessage({ message })
  const status = await page.evaluate(
    async (body) =>
      (await fetch('/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body }))
        .status,
    JSON.stringify({ message, signature }),
  )
  expect(status).toBe(200)
  return wallet.address.toLowerCase()
}

/** Signs in before the studio is opened. */
async function openSignedIn(page: Page): Promise<string> {
  const address = await signIn(page)
  await page.reload()
  await page.locator('[data-save=saved][data-account=done]').waitFor()
  return address
}

function names(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('weft-studio')
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(opening.error)
    })
    const works = await new Promise<{ document: { entries: { name: string }[] } }[]>((resolve) => {
      const reading = database.transaction('works').objectStore('works').getAll()
      reading.onsuccess = () => resolve(reading.result)
    })
    database.close()
    return works.flatMap(({ document }) => document.entries.map(({ name }) => name)).toSorted()
  })
}

function notice(page: Page) {
  return page.getByRole('region', { name: 'Shared draft' })
}

async function copyLink(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const field = page.getByRole('textbox', { name: 'Link', exact: true })
  const width = async () => (await field.boundingBox())?.width
  await field.waitFor()
  const before = await width()
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  // The button keeps its width, and nothing else says it to the eye.
  expect(await width()).toBe(before)
  expect((await page.getByText('Link copied.').boundingBox())?.height).toBe(1)
  const link = await page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(() => field.inputValue()).toBe(link)
  return link
}

test('a link is copied without a field that changes its width, opens for a visitor, plays, and is kept beside what is there; undo outlives a reload', async () => {
  const maker = await visit()
  await startMelody(maker)
  const own = await names(maker)
  const link = await copyLink(maker)
  expect(link).toContain('/studio#draft=')
  expect(await violationsOf(maker)).toEqual([])

  const reader = await visit()
  await startMelody(reader)
  // Followed in the tab that the studio is open in, with a dialog over it.
  await reader.getByRole('button', { name: 'Share', exact: true }).click()
  await reader.getByRole('button', { name: 'Copy link' }).waitFor()
  await reader.goto(link)
  await notice(reader).getByText('was shared with you').waitFor()
  // A link opens as a piece.
  const editor = reader.getByRole('region', { name: 'Editor', exact: true })
  await expect.poll(() => editor.isVisible()).toBe(false)
  await reader.getByRole('region', { name: 'Knobs' }).getByRole('slider').first().waitFor()
  const play = reader.getByRole('button', { name: 'Play', exact: true })
  await expect.poll(() => play.isEnabled()).toBe(true)
  await play.click()
  await reader.getByRole('button', { name: 'Stop', exact: true }).waitFor()
  expect(await violationsOf(reader)).toEqual([])
  await notice(reader).getByRole('button', { name: 'See how it is made' }).click()
  // Changed while it is looked at: neither stored nor in one's own work.
  await reader.getByLabel('Name of this piece').fill('changed_here')
  await reader.waitForTimeout(600)
  expect(await names(reader)).toEqual(own)
  // Left without keeping it, it is a step back in the browser away.
  await notice(reader).getByRole('button', { name: 'To my own work' }).click()
  await reader.getByText('Back in the browser leads to it again').waitFor()
  await reader.goBack()
  await expect.poll(() => reader.getByLabel('Name of this piece').inputValue()).toBe('changed_here')

  await notice(reader).getByRole('button', { name: 'Keep this' }).click()
  await notice(reader).waitFor({ state: 'detached' })
  // It plays on.
  await reader.getByRole('button', { name: 'Stop', exact: true }).waitFor()
  expect(reader.url()).toBe(`${visits.site.origin}/studio`)
  const kept = ['changed_here', ...own.filter((name) => name !== 'melody')]
  await expect.poll(async () => (await names(reader)).length).toBe(own.length + kept.length)
  const all = await names(reader)
  expect(new Set(all).size).toBe(all.length)
  expect(all).toEqual(expect.arrayContaining([...own, 'changed_here']))

  await reader.reload()
  const undo = reader.getByRole('button', { name: 'Undo', exact: true })
  await expect.poll(() => undo.getAttribute('title')).toMatch(/^Undo: Keep /)
  await undo.click()
  await expect.poll(() => names(reader)).toEqual(own)
})

test('a short link is made, listed and revoked by its account; visitors are told what to do', async () => {
  const maker = await visit()
  await openSignedIn(maker)
  await startMelody(maker)
  await maker.getByRole('button', { name: 'Share', exact: true }).click()
  await maker.getByRole('button', { name: 'Make a short link' }).click()
  const field = maker.getByRole('textbox', { name: 'Short link' })
  await expect.poll(() => field.inputValue()).toMatch(/\/studio#shared=[\w-]{22}$/)
  const link = await field.inputValue()
  await maker.getByRole('button', { name: 'Revoke the link to melody' }).waitFor()
  expect(await violationsOf(maker)).toEqual([])

  const reader = await visit({ width: 390, dark: true })
  await reader.goto(link)
  await notice(reader).getByText('melody was shared with you').waitFor()
  // The picture has the whole window, down to the transport.
  const shown = reader.getByRole('region', { name: 'Result', exact: true })
  await expect.poll(() => shown.isVisible()).toBe(true)
  await expect.poll(async () => (await shown.boundingBox())?.width).toBe(390)
  expect(await violationsOf(reader)).toEqual([])

  await maker.getByRole('button', { name: 'Revoke the link to melody' }).click()
  await maker.getByRole('button', { name: 'Revoke the link to melody' }).waitFor({ state: 'detached' })
  await reader.reload()
  await notice(reader).getByText('There is nothing at this link: it was revoked').waitFor()
  await notice(reader).getByRole('button', { name: 'To my own work' }).click()
  await notice(reader).waitFor({ state: 'detached' })
})

test('a broken link ends in one sentence over one’s own work, and a large draft in what to do', async () => {
  const page = await visit({ path: '/studio#draft=%3Cscript%3E' })
  await notice(page).getByText('This link does not hold a draft').waitFor()
  await notice(page).getByRole('button', { name: 'To my own work' }).click()

  const entries = [
    {
      kind: 'transformation',
      id: 'a',
      name: 'noise',
      source: `// ${randomBytes(20_000).toString('base64')}\nreturn x;`,
    },
  ]
  const file = (name: string, document: unknown) => ({
    name,
    mimeType: 'application/json',
    buffer: Buffer.from(
      JSON.stringify({ weft: 'studio', version: 1, document, view: { tabs: [], active: null } }),
    ),
  })
  await page.getByLabel('File to import').setInputFiles(file('large.weft.json', { entries, places: [] }))
  await page.getByText('Opened large.weft.json.').waitFor()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByText(/too large for a link of its own: [\d.]+ KB, and 8\.0 KB fit\. Sign in/).waitFor()
  await page.keyboard.press('Escape')

  // Another file is opened beside it.
  const other = [{ kind: 'transformation', id: 'a', name: 'other', source: 'return x;' }]
  await page.getByLabel('File to import').setInputFiles(file('other.json', { entries: other, places: [] }))
  await page.getByText('Opened other.json in a workspace of its own.').waitFor()
  await page.getByRole('button', { name: 'Workspace: other' }).waitFor()
  await expect.poll(() => names(page)).toEqual(['noise', 'other'])
})

test('what is published opens as a remix that says what it was made from; one’s own is shown as one’s own', async () => {
  const { sql } = visits.site.api.db
  const [filled] = await sql`select 1 from worker_state`
  if (filled === undefined) await fill(sql, { entities: 60, worlds: 1, users: 4 })
  const [found] = await sql<{ name: string; owner: string; content_hash: string }[]>`
    select name, owner, content_hash from entities where kind = 'connector' and name !~ '_[0-9]+$' order by name limit 1`
  const { name, owner, content_hash: hash } = found!
  const address = `/studio?open=connector/${encodeURIComponent(name)}`
  const page = await visit({ path: address })
  const field = page.getByLabel('Name of this piece')
  await expect.poll(() => field.inputValue()).toBe(`${name}_2`)
  const line = page.locator(`[data-made-from="${hash}"]`)
  await expect.poll(() => line.textContent()).toContain(`Made from ${name}, see its page`)
  expect(await line.getByRole('button', { name }).getAttribute('title')).toContain(owner.slice(2, 8))
  expect(await line.textContent()).not.toContain('something else')
  expect(await violationsOf(page)).toEqual([])

  // It survives a new name and a reload; the same link goes on with it.
  await field.fill('mine_now')
  await page.locator('[data-save=saved]').waitFor()
  await page.goto(visits.site.origin + address)
  await page.waitForURL((url) => url.search === '')
  await expect.poll(() => field.inputValue()).toBe('mine_now')
  await line.waitFor()
  await expect.poll(() => names(page)).toEqual(['mine_now'])
  await line.getByRole('button', { name }).click()
  await page.getByText('published, read-only').waitFor()
  await page.getByRole('button', { name: 'Remix' }).click()
  await expect.poll(() => field.inputValue()).toBe(`${name}_2`)
  // Left at once: what was just made is stored all the same. An old link that forks always begins another one.
  await page.goto(visits.site.origin + address.replace('open', 'fork'))
  await expect.poll(() => field.inputValue()).toBe(`${name}_3`)

  const other = await visit()
  const account = await openSignedIn(other)
  await sql`update entities set owner = ${account} where kind = 'connector' and name = ${name}`
  await other.goto(visits.site.origin + address)
  await other.getByText('published, yours').waitFor()
  expect(await names(other)).toEqual([])
  const editor = other.getByRole('region', { name: 'Editor' })
  await editor.getByRole('link', { name: 'Its page' }).waitFor()
})

test('who signs in while it plays goes on in the same studio, with the work and without a break', async () => {
  const page = await visit({ before: tapSpeakers })
  await startMelody(page)
  await page.getByLabel('Name of this piece').fill('mine_all_along')
  await page.locator('[data-save=saved]').waitFor()
  const play = page.getByRole('button', { name: 'Play', exact: true })
  await expect.poll(() => play.isEnabled()).toBe(true)
  await play.click()
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()
  await expect.poll(() => loudest(page)).toBeGreaterThan(0.02)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const card = page.getByRole('region', { name: 'Publish mine_all_along' })
  await card.waitFor()
  await page.locator('canvas').first().waitFor()
  await page.evaluate(() => {
    const parts = [
      'section[aria-labelledby=publication]',
      '[aria-label=Transport]',
      '[data-workspaces]',
      'canvas',
    ]
    const before = parts.map((each) => document.querySelector(each))
    let stops = 0
    new MutationObserver(() => {
      const buttons = [...document.querySelectorAll('[aria-label=Transport] button')]
      if (!buttons.some((each) => each.textContent === 'Stop')) stops += 1
    }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
    Object.assign(window, {
      replaced: () => parts.filter((_, index) => !(before[index] as Element | null)?.isConnected),
      stops: () => stops,
    })
  })

  await signIn(page)
  // As the dialog of the wallet says to every tab.
  await page.evaluate(() => new BroadcastChannel('weft-session').postMessage('changed'))
  await page.locator('[data-save=saved][data-account=done]').waitFor()
  const kept = () => {
    const { replaced, stops } = window as unknown as { replaced: () => string[]; stops: () => number }
    return { replaced: replaced(), stops: stops() }
  }
  expect(await page.evaluate(kept)).toEqual({ replaced: [], stops: 0 })
  await expect.poll(() => loudest(page)).toBeGreaterThan(0.02)
  // The card stays open, and undo reaches back to before.
  await card.getByRole('button', { name: 'Close' }).click()
  expect(await page.getByLabel('Name of this piece').inputValue()).toBe('mine_all_along')
  await expect
    .poll(() => page.getByRole('button', { name: 'Undo', exact: true }).getAttribute('title'))
    .toMatch(/Rename/)
  await page.reload()
  await expect.poll(() => page.getByLabel('Name of this piece').inputValue()).toBe('mine_all_along')
})

test('the keys of undo are the field’s while one types; elsewhere, and in the palette, the studio acts', async () => {
  const page = await visit()
  await startMelody(page)
  const name = page.getByLabel('Name of this piece')
  await name.click()
  await page.keyboard.press('End')
  await page.keyboard.type('_x')
  for (let press = 0; press < 12; press++) await page.keyboard.press('Control+z')
  // The template is still there: it was the first step of the document.
  expect(await name.inputValue()).toMatch(/^melody/)
  expect(await page.getByRole('button', { name: 'Undo', exact: true }).isEnabled()).toBe(true)

  await page.keyboard.press('Control+k')
  const find = page.getByRole('combobox', { name: /^Commands, your work/ })
  for (const [words, option] of [
    ['tempo', /^Tempo up: \d+ beats a minute/],
    ['light', /^Switch between light and dark/],
    ['loop', /^Loop: end after the last step/],
  ] as const) {
    await find.fill(words)
    await page.getByRole('option', { name: option }).waitFor()
  }
  await expect.poll(() => page.locator('[role=option][data-highlighted]').textContent()).toMatch(/^Loop/)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Loop', exact: true, pressed: false }).waitFor()
  // A palette that closes gives the focus back, which would take it from the row.
  await find.waitFor({ state: 'detached' })
  await page.getByRole('treegrid').getByRole('row').first().focus()
  await page.keyboard.press('Control+z')
  await page.getByRole('button', { name: 'Loop', exact: true, pressed: true }).waitFor()
})
