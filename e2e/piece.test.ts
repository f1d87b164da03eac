import type { Locator, Page } from 'playwright'
import { expect, test } from 'vitest'
import { connectAgent } from '#test/server/mcp/connect.ts'
import { documentFile, everything, openPlan, plan } from '#test/support/publication.ts'
import { provoked, publicationDesks } from '#test/support/publication-desk.ts'
import { expectAccessible } from '#test/support/site-pages.ts'
import { openDetails } from '#test/support/studio.ts'
import { until } from '#test/support/until.ts'

/* A piece is published from the studio; everybody gets what its author had. */

const { site, open, sitDown } = publicationDesks()
const WORLD = 'Piano roll'
const SENTENCE = 'Wheels that turn before the village wakes.'
const TITLE = 'Morning at the mill'

interface PluginWorlds {
  readonly worlds: readonly {
    readonly tile: { readonly id: string; readonly framed: { readonly name: string } }
  }[]
}

/** The file of a connector with a World, a sound, a length and knobs. */
function pieceFile(world: string): (unique: string) => string {
  return (unique) => {
    const file = JSON.parse(documentFile(unique))
    Object.assign(file.document.entries[0], {
      sound: { bpm: 104, loop: true, scale: 'dorian', paths: [{ path: '0', instrument: 'bell' }] },
      steps: 48,
      knobs: [
        { name: 'leap', target: { kind: 'call', callId: '1', index: 0 }, min: 1, max: 7 },
        { name: 'twist', target: { kind: 'call', callId: '2', index: 0 }, min: 0, max: 5 },
      ],
    })
    file.document.worlds = [{ of: 'entry/c', world }]
    return JSON.stringify(file)
  }
}

function knob(page: Page, name: string) {
  return page.getByRole('slider', { name, exact: true })
}

/** Where less motion is preferred, Worlds wait for a press. */
async function startWorld(place: Locator): Promise<void> {
  await place.getByRole('button', { name: 'Start', exact: true }).click()
  await place.locator(`iframe[title="${WORLD}"]`).waitFor()
}

interface Words {
  readonly title?: string | undefined
  readonly present?: unknown
}

async function textOf(path: string): Promise<string> {
  return (await fetch(`${site}${path}`)).text()
}

/** Title and presentation that a page shows: its heading, and the data of its player. */
function wordsIn(page: string): Words {
  // Next sends the data in pieces that end anywhere, as text, or as bytes where a character is cut.
  const pieces = [...page.matchAll(/self\.__next_f\.push\(\[([13]),("(?:[^"\\]|\\.)*")\]\)/g)]
  const data = Buffer.concat(
    pieces.map(([, kind, piece]) =>
      Buffer.from(JSON.parse(piece as string) as string, kind === '1' ? 'utf8' : 'base64'),
    ),
  )
  const plain = data.toString().replaceAll(/\\+"/g, '"')
  const at = plain.indexOf('"present":{') + '"present":'.length
  let [depth, end] = [0, at]
  do {
    if (plain[end] === '{') depth += 1
    if (plain[end] === '}') depth -= 1
    end += 1
  } while (depth > 0 && end < plain.length)
  const [, title] = /<h1[^>]*>(?:<[^>]+>|\s)*([^<]+)/.exec(page) ?? []
  return { title, present: JSON.parse(plain.slice(at, end)) }
}

async function bundleOf(world: string): Promise<string> {
  const version = JSON.parse(await textOf(`/worlds/gallery/plugins?id=${world}`)) as { bundleHash: string }
  return version.bundleHash
}

/** Address of the page of a piece as the page of the search links to it. */
async function foundBySearch(name: string): Promise<string | undefined> {
  return new RegExp(`href="(/connectors/${name})"`).exec(await textOf(`/search?q=${name}`))?.[1]
}

/** Words that a place which only links to a piece shows, with those of the page or player that it leads to. */
async function wordsAt(title: string | undefined, link: string | undefined): Promise<Words> {
  const { pathname, search } = new URL(link ?? '/', site)
  return { title, present: wordsIn(await textOf(pathname + search)).present }
}

/** Words of a piece as each place that has it shows them. */
async function placesOf(name: string): Promise<Readonly<Record<string, Words>>> {
  const shown = ({ title, present }: Words): Words => ({ title, ...(present !== undefined && { present }) })
  const page = await textOf(`/connectors/${name}`)
  const { tiles } = JSON.parse(await textOf('/discover/tiles?world=piano-roll')) as {
    tiles: readonly (Words & { readonly name: string })[]
  }
  const living = JSON.parse(await textOf(`/discover/living?name=${name}`)) as Words & {
    world: { found: string }
  }
  // That very version of the World.
  expect(living.world.found).toBe('version')
  const [, file = '{}'] =
    /id="weft-piece">(.*?)<\/script>/s.exec(await textOf(`/connectors/${name}/piece.html`)) ?? []
  const url = encodeURIComponent(`${site}/connectors/${name}`)
  const studio = await fetch(`${site}/studio/api/entities`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: site },
    body: JSON.stringify({ names: [{ kind: 'connector', name }] }),
  })
  const { connectors } = (await studio.json()) as { connectors: readonly Words[] }
  const agent = await connectAgent(`${site}/mcp`)
  const [run, search] = await Promise.all([
    agent.call('show_run', { connector_name: name, particles_count: 8 }),
    agent.call('search', { text: name }),
  ]).finally(() => agent.client.close())
  const hits = search.structured?.hits as readonly (Words & { readonly name: string })[]
  const oembed = JSON.parse(await textOf(`/oembed?format=json&url=${url}`)) as Record<
    'title' | 'html',
    string
  >
  const meta = (property: string) =>
    new RegExp(`<meta property="og:${property}" content="([^"]*)"`).exec(page)?.[1]
  return {
    page: wordsIn(page),
    wall: { title: tiles.find((tile) => tile.name === name)?.title, present: living.present },
    search: await wordsAt(hits.find((hit) => hit.name === name)?.title, await foundBySearch(name)),
    embed: wordsIn(await textOf(`/embed/connector/${name}`)),
    oembed: await wordsAt(oembed.title, / src="([^"]+)"/.exec(oembed.html)?.[1]),
    preview: await wordsAt(meta('title'), meta('url')),
    file: shown(JSON.parse(JSON.parse(file).words)),
    'studio of another account': shown(connectors[0] ?? {}),
    'agents, by MCP': shown((run.structured ?? {}) as Words),
  }
}

async function sampleWorld(): Promise<string> {
  const { worlds } = (await (await fetch(`${site}/worlds/gallery/plugins?q=piano`)).json()) as PluginWorlds
  const world = worlds.find(({ tile }) => tile.framed.name === WORLD)
  if (world === undefined) throw new Error(`No sample World is called ${WORLD}`)
  return world.tile.id
}

test('a piece is not published before its World is known', async () => {
  const { page } = await sitDown(pieceFile(await sampleWorld()))
  const known = Promise.withResolvers<void>()
  await page.route('**/worlds/gallery/plugins?id=*', async (route) => {
    await known.promise
    await route.fallback()
  })
  await page.reload()
  await openPlan(page)
  const publish = plan(page).getByRole('button', { name: 'Publish now' })
  await plan(page).getByText('Looking for the World of this piece…').waitFor()
  expect(await publish.isDisabled()).toBe(true)
  known.resolve()
  await expect.poll(() => publish.isEnabled()).toBe(true)
})

test('its page, player, oEmbed, search, the wall and a remix show the title, World, sound, length and knobs of its author', async () => {
  const world = await sampleWorld()
  const { page, unique } = await sitDown(pieceFile(world))
  const name = `cloth_${unique}`
  await openPlan(page)
  const title = plan(page).getByLabel('Title')
  await expect.poll(() => title.inputValue()).toBe(`Cloth ${unique.replaceAll('_', ' ')}`)
  await title.fill(`${TITLE} ${unique}`)
  await plan(page).getByLabel('In a sentence').fill(SENTENCE)
  await plan(page).getByText(`Drawn by ${WORLD}, 48 steps, 416 a minute, again and again.`).waitFor()
  await plan(page).getByText('Knobs: leap 1 to 7, twist 0 to 5.').waitFor()
  await startWorld(plan(page))
  await plan(page).getByRole('img', { name: 'As others will see it' }).waitFor()
  await plan(page).getByRole('button', { name: 'Take another moment' }).click()
  await expectAccessible(page)
  await plan(page).getByRole('button', { name: 'Publish now' }).click()
  await everything(page)

  const visitor = await open('/docs', { provoked })
  await expect
    .poll(async () => {
      await visitor.goto(`${site}/connectors/${name}`)
      return visitor.locator('h1').textContent()
    })
    .toBe(`${TITLE} ${unique}`)
  await expect.poll(() => visitor.title()).toContain(`${TITLE} ${unique}`)
  await expect.poll(() => visitor.getByRole('main').textContent()).toContain(name)
  await startWorld(visitor.locator('[data-live]'))
  await expect.poll(() => knob(visitor, 'leap').getAttribute('max')).toBe('7')
  await expect.poll(() => knob(visitor, 'twist').getAttribute('min')).toBe('0')
  await expect.poll(() => visitor.getByRole('slider').count()).toBeGreaterThan(1)
  await expectAccessible(visitor)

  await visitor.goto(`${site}/embed/connector/${name}`)
  await expect.poll(() => visitor.locator('h1').textContent()).toContain(TITLE)
  await startWorld(visitor.locator('[data-live]'))
  await knob(visitor, 'leap').waitFor()

  const url = encodeURIComponent(`${site}/connectors/${name}`)
  const oembed = (await fetch(`${site}/oembed?format=json&url=${url}`)).json()
  await expect(oembed).resolves.toMatchObject({ title: `${TITLE} ${unique}`, description: SENTENCE })
  const preview = visitor.locator('meta[property="og:description"]')
  await visitor.goto(`${site}/connectors/${name}`)
  await expect.poll(() => preview.getAttribute('content')).toBe(SENTENCE)

  await visitor.goto(`${site}/search?q=${encodeURIComponent(`morning at the mill ${unique}`)}`)
  await expect.poll(() => visitor.getByRole('main').textContent()).toContain(`${TITLE} ${unique}`)

  // Its picture is the one that its author took.
  const pictured = async () => fetch(`${site}/pictures/connector/${name}.png?size=tile`)
  await expect.poll(async () => (await pictured()).url).toContain('/services/stills/')
  const picture = await pictured()
  expect([picture.status, picture.headers.get('content-type'), picture.headers.get('cache-control')]).toEqual(
    [200, 'image/webp', 'public, max-age=600'],
  )
  expect((await picture.arrayBuffer()).byteLength).toBeLessThanOrEqual(300_000)

  // Nine places show what the author had. A busy machine answers some with a 503 at first.
  const had = {
    title: `${TITLE} ${unique}`,
    present: {
      particles: 48,
      tempo: 416,
      loop: true,
      world: { bundle_hash: await bundleOf(world), slug: 'piano-roll' },
      knobs: [
        { name: 'leap', at: 'call/0/0/0', min: 1, max: 7 },
        { name: 'twist', at: 'call/0/1/0', min: 0, max: 5 },
      ],
      sound: { scale: 'dorian', paths: [{ path: '0', instrument: 'bell' }] },
    },
  }
  await expect
    .poll(() => placesOf(name))
    .toEqual({
      page: had,
      wall: had,
      search: had,
      embed: had,
      oembed: had,
      preview: had,
      file: had,
      'studio of another account': had,
      'agents, by MCP': had,
    })

  await visitor.goto(`${site}/discover?world=piano-roll`)
  const tile = visitor.locator(`[data-piece="${name}"]`)
  await tile.getByRole('link', { name: `${TITLE} ${unique}` }).waitFor()
  await tile.getByRole('button', { name: `Play ${TITLE} ${unique}` }).click()
  await tile.getByRole('button', { name: `Stop ${TITLE} ${unique}` }).click()

  // Its author shows it otherwise since; what is published is one press away.
  const renamed = `Evening at the mill ${unique}`
  await page.goto(`${site}/connectors/${name}`)
  const change = page.getByText('Change how it is shown', { exact: true })
  await change.click()
  await page.getByLabel('Title', { exact: true }).fill(renamed)
  await page.getByRole('button', { name: 'Save the title' }).click()
  await expect.poll(() => page.locator('h1').textContent()).toBe(renamed)
  await visitor.goto(`${site}/connectors/${name}`)
  await expect.poll(() => visitor.locator('h1').textContent()).toBe(renamed)
  expect(await visitor.getByText('Change how it is shown', { exact: true }).count()).toBe(0)
  await expectAccessible(visitor)
  await visitor.getByRole('link', { name: 'As it was published' }).click()
  await expect.poll(() => visitor.locator('h1').textContent()).toBe(had.title)
  await visitor.getByRole('link', { name: 'As its author shows it now' }).waitFor()
  const otherwise = { ...had, title: renamed }
  await expect
    .poll(() => placesOf(name))
    .toEqual({
      page: otherwise,
      wall: otherwise,
      search: otherwise,
      embed: otherwise,
      oembed: otherwise,
      preview: otherwise,
      file: had,
      'studio of another account': otherwise,
      'agents, by MCP': otherwise,
    })

  // Sound, length and World are changed in the studio.
  await change.click()
  await startWorld(page.locator('[data-live]'))
  const moment = page.getByRole('button', { name: 'Take this moment as its picture' })
  // On a busy machine a World may not answer the first time.
  await until('its picture is taken', async () => {
    await moment.click()
    await until('that is over', async () => (await moment.getAttribute('aria-disabled')) !== 'true')
    return (await page.getByText('This moment is its picture now.').count()) > 0
  })
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Change World, sound, length and knobs in the studio' }).click()
  await plan(page).getByRole('heading', { name: 'Change how it is shown' }).waitFor()
  await plan(page).getByLabel('Title').fill(`Night at the mill ${unique}`)
  await plan(page).getByRole('button', { name: 'Show it like this' }).click()
  await plan(page).getByText('This site shows it like this now.').waitFor()
  await page.goto(`${site}/connectors/${name}`)
  await expect.poll(() => page.locator('h1').textContent()).toBe(`Night at the mill ${unique}`)
  await change.click()
  await page.getByRole('button', { name: 'Show it as published' }).click()
  await expect.poll(() => page.locator('h1').textContent()).toBe(had.title)
  await change.click()
  await page.getByRole('button', { name: 'Remove its picture' }).click()
  await page.getByText('Its picture is drawn from its numbers now.').waitFor()

  // Another visitor's remix begins with it.
  await visitor.goto(`${site}/studio?open=connector/${name}`)
  const tempo = visitor.getByRole('spinbutton', { name: /^Tempo/ })
  await expect.poll(() => tempo.inputValue()).toBe('104')
  await openDetails(visitor)
  await expect.poll(() => visitor.getByLabel('How many').inputValue()).toBe('48')
  await knob(visitor, 'leap').waitFor()
  await visitor
    .getByRole('button', { name: `Take ${WORLD} away` })
    .first()
    .waitFor()
})

test('a part is published without a title, and its page says so by its name', async () => {
  const { page, unique } = await sitDown()
  await openPlan(page)
  const piece = plan(page).getByRole('checkbox', { name: 'Publish it as a piece' })
  await expect.poll(() => piece.isChecked()).toBe(false)
  await plan(page).getByText('It is published as a part').waitFor()
  await plan(page).getByRole('button', { name: 'Publish now' }).click()
  await everything(page)
  const visitor = await open('/docs', { provoked })
  await expect
    .poll(async () => {
      await visitor.goto(`${site}/connectors/cloth_${unique}`)
      return visitor.locator('h1').textContent()
    })
    .toBe(`cloth_${unique}`)
  await visitor.goto(`${site}/discover`)
  await visitor.getByRole('list', { name: 'Pieces' }).waitFor()
  expect(await visitor.locator(`[data-piece="cloth_${unique}"]`).count()).toBe(0)
})
