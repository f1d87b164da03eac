import type { BrowserContext, Page } from 'playwright'
import { beforeAll, expect, inject, test } from 'vitest'
import { demoWorld } from '#test/core/worlds/support/demo-worlds.ts'
import { signInToServices, uploadWorld } from '#test/support/services-account.ts'
import { sitePages } from '#test/support/site-pages.ts'
import { runExample } from '#test/support/studio.ts'

/*
 * Every page that shows a World sends the same fields of its run: what Worlds of the original network read.
 */

const { site } = inject('endpoints')
const { open } = sitePages(site, { moving: true })
/** Unpublished names, and directives in the policies of Worlds that this browser does not support. */
const provoked = ['404', 'Content-Security-Policy directive', 'Permissions-Policy header']

const NAME = 'States of Worlds'
let id: string
beforeAll(async () => {
  const { token } = await signInToServices(site)
  ;({ id } = await uploadWorld(site, token, demoWorld({ slug: 'world-states', name: NAME })))
})

/** Every document records the states that it is sent. */
function before(context: BrowserContext): Promise<unknown> {
  return context.addInitScript(() => {
    const states: unknown[] = []
    Object.assign(window, { weftStates: states })
    // Where a document is opened again, listeners are dropped.
    const data = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data')
    Object.defineProperty(MessageEvent.prototype, 'data', {
      ...data,
      get(this: MessageEvent) {
        const message = data?.get?.call(this)
        if (message?.type === 'dcn:world-state') states.push(message.payload)
        return message
      },
    })
  })
}

type State = Readonly<Record<string, unknown>>

/** The newest state of each World in a page. */
async function statesOf(page: Page): Promise<State[]> {
  const states = await Promise.all(
    page
      .frames()
      .map((frame) =>
        frame
          .evaluate(() => (window as unknown as { weftStates?: State[] }).weftStates?.at(-1))
          .catch(() => undefined),
      ),
  )
  return states.filter((state) => state !== undefined && state !== null)
}

/** Waits for a state with these fields, and those that all have. */
async function expectState(page: Page, connector: string, fields: State = {}): Promise<void> {
  const facts = (await (await fetch(`${site}/chain/connector/${connector}`)).json()) as {
    readonly address: string
    readonly format_hash: string
  }
  await expect
    .poll(() => statesOf(page))
    .toContainEqual(
      expect.objectContaining({
        protocolVersion: 1,
        worldId: expect.stringMatching(/^[0-9a-z-]+$/),
        label: expect.stringContaining(connector),
        surface: expect.stringMatching(/^(world-page|studio-plugin)$/),
        connectorName: connector,
        connectorNames: expect.arrayContaining([connector]),
        connectorAddress: facts.address,
        connectorFormatHash: facts.format_hash,
        particlesCount: expect.any(Number),
        dynamicRiInput: expect.any(Object),
        executionMode: 'simulate',
        executeOutput: expect.arrayContaining([expect.objectContaining({ path: expect.any(String) })]),
        ...fields,
      }),
    )
}

const ON_CHAIN = {
  executionMode: 'execute',
  executionProvenance: {
    block_number: expect.any(Number),
    block_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    runner: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
    registry: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
  },
}

async function attach(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add a World…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Look for a World').fill(NAME)
  await dialog.getByRole('button', { name: new RegExp(`^${NAME}`) }).click()
  await dialog.waitFor({ state: 'detached' })
}

test('the page of a World, and its tile in the gallery', async () => {
  const page = await open('/worlds/world-states?connector=pitch&count=8&ri=1:77', { provoked, before })
  await expectState(page, 'pitch', {
    worldId: id,
    label: `${NAME}: pitch`,
    surface: 'world-page',
    dynamicRiInput: { 1: { start_point: 77, transformation_shift: 0 } },
  })
  await page.goto(`${site}/worlds?q=states+of+worlds`)
  const tile = page.getByRole('list', { name: 'Worlds' }).getByRole('listitem').first()
  await expect
    .poll(async () => {
      await page.getByRole('heading', { level: 1 }).hover()
      await tile.hover()
      return tile
        .locator('iframe')
        .waitFor({ timeout: 3_000 })
        .then(
          () => true,
          () => false,
        )
    })
    .toBe(true)
  await expect.poll(() => statesOf(page)).toHaveLength(1)
  const [state] = await statesOf(page)
  await expectState(page, String(state?.connectorName), { worldId: id })
})

test('the page of a run', async () => {
  const page = await open('/run/pitch?count=8&world=world-states', { provoked, before })
  await expectState(page, 'pitch', { worldId: id, surface: 'world-page' })
  await page.getByRole('button', { name: 'Execute on chain' }).click()
  await expectState(page, 'pitch', ON_CHAIN)
})

test('the studio: a draft has no address, what is published has one, also on chain', async () => {
  const page = await open('/studio', { provoked, before })
  await runExample(page)
  await attach(page)
  await expect
    .poll(async () => (await statesOf(page)).at(-1))
    .toMatchObject({
      ...{ protocolVersion: 1, worldId: id, label: `${NAME}: first_melody`, surface: 'studio-plugin' },
      connectorFormatHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      selectedConnectorContextNames: ['first_melody'],
      selectedConnectorContextPathPrefixes: ['/first_melody:*'],
    })
  expect((await statesOf(page)).at(-1)).not.toHaveProperty('connectorAddress')

  const published = await open('/studio?open=connector/pitch', { provoked, before })
  await attach(published)
  const selected = { surface: 'studio-plugin', selectedConnectorContextNames: ['pitch'] }
  await expectState(published, 'pitch', { worldId: id, ...selected })
  await published.getByRole('button', { name: 'Execute on chain' }).click()
  await expectState(published, 'pitch', { worldId: id, ...selected, ...ON_CHAIN })
})

test('the player of a piece, until its numbers are turned, and its tile on the wall', async () => {
  const page = await open('/connectors/sunflower', { provoked, before })
  await expectState(page, 'sunflower', { surface: 'studio-plugin' })
  await page.locator('[data-live]').getByRole('slider').first().press('ArrowRight')
  await expect.poll(async () => (await statesOf(page)).at(-1)).not.toHaveProperty('connectorAddress')
  await page.goto(`${site}/discover`)
  const tile = page.locator('[data-piece="sunflower"]')
  await tile.scrollIntoViewIfNeeded()
  await tile.getByRole('link', { name: 'Sunflower' }).hover()
  await expectState(page, 'sunflower')
})
