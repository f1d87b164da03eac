import type { BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  type ModelRequest,
  type ScriptedReply,
  type StandIn,
  startModelStandIn,
} from '#test/support/model-stand-in.ts'
import { expectAccessible, sitePages } from '#test/support/site-pages.ts'
import { loudest, tapSpeakers } from '#test/support/speakers.ts'

const { site } = inject('endpoints')
const { open } = sitePages(site)

const KEY = 'sk-secret-of-the-reader'
const WORDS = 'A slow canon in D minor whose second voice enters after four steps'
const LINE = [62, 64, 65, 67, 69, 67, 65, 64]
const REST = [null, null, null, null]
const CANON = {
  name: 'canon',
  steps: 48,
  sound: { bpm: 60, stepsPerBeat: 2, scale: 'minor', root: 2 },
  voices: [
    { values: [...LINE, ...REST], sound: { instrument: 'keys', mapping: 'notes' } },
    { values: [...REST, ...LINE], sound: { instrument: 'pluck', mapping: 'notes' } },
  ],
}

function composes({ turn }: ModelRequest): ScriptedReply {
  if (turn === 0) return { text: 'I write it. ', calls: [['write_connector', CANON]] }
  return turn === 1
    ? { calls: [['result', { connector: 'canon', picture: true }]] }
    : { text: 'A canon in D minor at the distance of four steps.' }
}

let model: StandIn

beforeAll(async () => {
  model = await startModelStandIn(inject('modelPort'))
})
afterAll(() => model?.stop())

/** A browser in which the reader has set up the model, and what it sends to the site. */
async function openStudio(sent: string[] = [], viewport = { width: 1280, height: 720 }): Promise<Page> {
  const kept = JSON.stringify({
    api: 'anthropic',
    url: model.origin,
    model: 'stand-in',
    key: KEY,
    pictures: true,
  })
  const before = async (context: BrowserContext) => {
    await tapSpeakers(context)
    await context.addInitScript((text) => localStorage.setItem('weft-assistant', text), kept)
    context.on('request', async (request) => {
      if (request.url().startsWith(site))
        sent.push(
          request.url(),
          JSON.stringify(await request.allHeaders().catch(() => request.headers())),
          request.postData() ?? '',
        )
    })
  }
  return open('/studio', { asks: model.origin, before, viewport, provoked: '404' })
}

function panel(page: Page) {
  return page.getByRole('complementary', { name: 'Assistant' })
}

test('from a sentence to a sounding piece in three presses; undo takes the answer back; the site never sees the key', async () => {
  model.play(composes)
  const sent: string[] = []
  const page = await openStudio(sent)
  await page.getByRole('button', { name: 'Describe it in words' }).click()
  await panel(page).getByRole('textbox', { name: 'Your words' }).fill(WORDS)
  await panel(page).getByRole('button', { name: 'Send' }).click()
  await panel(page).getByText('A canon in D minor at the distance of four steps.').waitFor()
  const play = page.getByRole('button', { name: 'Play', exact: true })
  await expect.poll(() => play.isEnabled()).toBe(true)
  await play.click()
  await expect.poll(() => loudest(page)).toBeGreaterThan(0.02)

  // It heard the canon, and saw its picture.
  const [, , last] = model.requests
  expect(last?.results[1]).toContain('"entersAtStep":4')
  expect(JSON.stringify(last?.body)).toContain('"media_type":"image/png"')
  expect(last?.headers['x-api-key']).toBe(KEY)
  await panel(page)
    .getByText(/tokens in, 45 out/)
    .waitFor()
  await expectAccessible(page)

  // Kept, with nothing of the key.
  await page.locator('[data-save=saved]').waitFor()
  const databases = await page.evaluate(async () => {
    const found: unknown[] = []
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name)
        opening.onsuccess = () => resolve(opening.result)
        opening.onerror = () => reject(opening.error)
      })
      for (const store of database.objectStoreNames) {
        found.push(
          await new Promise((resolve, reject) => {
            const reading = database.transaction(store).objectStore(store).getAll()
            reading.onsuccess = () => resolve(reading.result)
            reading.onerror = () => reject(reading.error)
          }),
        )
      }
      database.close()
    }
    return JSON.stringify(found)
  })
  expect(databases).toContain('canon')
  expect(databases).not.toContain(KEY)

  await panel(page).getByRole('button', { name: 'Undo this answer' }).click()
  await page.getByText('Nothing on the loom yet').waitFor()
  await page.getByRole('button', { name: 'Redo' }).click()
  await page
    .getByRole('button', { name: /^canon/ })
    .first()
    .waitFor()
  expect(sent.length).toBeGreaterThan(0)
  expect(sent.filter((each) => each.includes(KEY))).toEqual([])
})

test('Stop ends an answer that streams; what was changed stays until undo', async () => {
  model.play(({ turn }) =>
    turn === 0 ? { calls: [['write_connector', CANON]] } : { text: 'And so on', hangs: true },
  )
  const page = await openStudio()
  const opener = page.getByRole('button', { name: 'Assistant', exact: true })
  // Keys act once the scripts of the page are there.
  await expect
    .poll(async () => {
      if ((await opener.getAttribute('aria-expanded')) !== 'true')
        await page.keyboard.press('ControlOrMeta+i')
      return opener.getAttribute('aria-expanded')
    })
    .toBe('true')
  await panel(page).getByRole('textbox', { name: 'Your words' }).fill(WORDS)
  await page.keyboard.press('Enter')
  await panel(page).getByText('And so on').waitFor()
  await panel(page).getByRole('button', { name: 'Stop the answer' }).click()
  await panel(page).getByText('Stopped. What was changed before stays').waitFor()
  await page
    .getByRole('button', { name: /^canon/ })
    .first()
    .waitFor()
  await panel(page).getByRole('button', { name: 'Undo this answer' }).click()
  await page.getByText('Nothing on the loom yet').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => panel(page).isVisible()).toBe(false)
})

test('the person is asked before anything is removed or published, also on a phone', async () => {
  model.play(({ turn }) => {
    if (turn === 0) return { calls: [['write_connector', CANON]] }
    return turn === 1
      ? { calls: [['remove', { kind: 'connector', name: 'canon' }]] }
      : { text: 'As you like.' }
  })
  const page = await openStudio([], { width: 390, height: 844 })
  await page.getByRole('button', { name: 'Describe it in words' }).click()
  await panel(page).getByRole('textbox', { name: 'Your words' }).fill('Make one and remove it')
  await panel(page).getByRole('button', { name: 'Send' }).click()
  const question = page.getByRole('alertdialog', { name: 'The assistant asks' })
  await question.getByText('Remove the piece “canon” from your work?').waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await question.getByRole('button', { name: 'No' }).click()
  await panel(page).getByText('As you like.').waitFor()
  expect(model.requests.at(-1)?.results[1]).toContain('The person said no')
})

test('the reader sets the model up, errors are plain, and the key is forgotten on demand', async () => {
  model.play(() => ({
    status: 401,
    body: { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } },
  }))
  const page = await open('/studio', { asks: model.origin, provoked: ['401', '404'] })
  await page.getByRole('button', { name: 'Assistant', exact: true }).click()
  const form = panel(page)
  await form.getByRole('textbox', { name: /^Address/ }).fill('https://elsewhere.example')
  await form.getByRole('textbox', { name: /^Model/ }).fill('stand-in')
  await form.getByLabel(/^Key/).fill(KEY)
  await form.getByRole('button', { name: 'Save in this browser' }).click()
  await form.getByText(`This site lets its pages connect to ${model.origin}.`).waitFor()
  await expectAccessible(page)
  await form.getByRole('textbox', { name: /^Address/ }).fill(model.origin)
  await form.getByRole('button', { name: 'Save in this browser' }).click()
  await form.getByRole('textbox', { name: 'Your words' }).fill(WORDS)
  await form.getByRole('button', { name: 'Send' }).click()
  await form.getByText('The endpoint does not accept this key.').waitFor()
  model.play(composes)
  await form.getByRole('button', { name: 'Retry' }).click()
  await form.getByText('A canon in D minor at the distance of four steps.').waitFor()

  // Another tab has the model too, and forgets it with this one.
  const other = await page.context().newPage()
  await other.goto(`${site}/studio`)
  await other.getByRole('button', { name: 'Assistant', exact: true }).click()
  await panel(other).getByRole('textbox', { name: 'Your words' }).waitFor()

  await form.getByRole('button', { name: 'Settings of the assistant' }).click()
  await form.getByRole('button', { name: 'Forget the key' }).click()
  await expect.poll(() => panel(other).getByLabel(/^Key/).inputValue()).toBe('')
  await panel(other).getByRole('button', { name: 'Forget the key' }).waitFor({ state: 'detached' })
  await expect.poll(() => form.getByLabel(/^Key/).inputValue()).toBe('')
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(KEY)
})

test('text that streams renders its own answer alone', async () => {
  model.play(() => ({ text: 'The first answer.' }))
  const page = await openStudio()
  await page.getByRole('button', { name: 'Describe it in words' }).click()
  const field = panel(page).getByRole('textbox', { name: 'Your words' })
  await field.fill('First')
  await panel(page).getByRole('button', { name: 'Send' }).click()
  await panel(page).getByText('The first answer.').waitFor()
  const long = 'A word and another one. '.repeat(200)
  model.play(() => ({ text: long, hangs: true }))
  // React gives an element other properties whenever its component renders.
  await page.evaluate(() => {
    const [first] = document.querySelectorAll('[data-assistant] ol > li')
    const own = Object.keys(first!).find((key) => key.startsWith('__reactProps'))!
    const renders = { first: 0, all: 0 }
    let before: unknown
    new MutationObserver(() => {
      const now = (first as unknown as Record<string, unknown>)[own]
      if (now !== before) renders.first += 1
      renders.all += 1
      before = now
    }).observe(document.querySelector('[data-assistant] ol')!, {
      subtree: true,
      childList: true,
      characterData: true,
    })
    Object.assign(window, { weftRenders: renders })
  })
  await field.fill('Second')
  await panel(page).getByRole('button', { name: 'Send' }).click()
  await expect.poll(() => panel(page).locator('ol > li').last().textContent()).toContain('…')
  const { first, all } = await page.evaluate(
    () => (window as unknown as { weftRenders: { first: number; all: number } }).weftRenders,
  )
  expect(all).toBeGreaterThan(10)
  // It renders where it loses its Retry.
  expect(first).toBeLessThanOrEqual(2)
  await panel(page).getByRole('button', { name: 'Stop the answer' }).click()
})

test('at 200 % the conversation has room, and nothing of it lies over the transport', async () => {
  model.play(() => ({ text: 'Nothing to do.' }))
  const page = await openStudio([], { width: 640, height: 360 })
  await page.getByRole('button', { name: 'Describe it in words' }).click()
  await panel(page).getByRole('textbox', { name: 'Your words' }).fill(WORDS)
  await page.keyboard.press('Enter')
  const answer = panel(page).getByText('Nothing to do.')
  await answer.waitFor()
  const send = (await panel(page).getByRole('button', { name: 'Send' }).boundingBox())!
  const transport = (await page.getByRole('region', { name: 'Transport' }).boundingBox())!
  expect(send.y + send.height).toBeLessThanOrEqual(transport.y)
  const log = panel(page).getByRole('list', { name: 'Conversation' }).locator('..')
  expect((await log.boundingBox())!.height).toBeGreaterThan(60)
})
