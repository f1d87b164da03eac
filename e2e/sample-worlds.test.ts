import type { Page } from 'playwright'
import { expect, inject, test } from 'vitest'
import { sampleWorlds } from '#scripts/example-network/sample-worlds.ts'
import { sitePages } from '#test/support/site-pages.ts'

const { site, servicesApi } = inject('endpoints')
const { open } = sitePages(site, { moving: true })

test('npm start has published the sample Worlds, with their pictures', async () => {
  for (const { slug } of sampleWorlds()) {
    const found = (await (await fetch(`${servicesApi}/worlds?q=${slug}`)).json()) as {
      slug: string
      id: string
    }[]
    const world = found.find((each) => each.slug === slug)
    const picture = await fetch(`${servicesApi}/world-assets/${world?.id}/preview.webp`)
    expect([slug, picture.status, picture.headers.get('content-type')]).toEqual([slug, 200, 'image/webp'])
  }
})

test('each draws a connector of the network on its page; the piano roll saves what it plays', async () => {
  const page = await open('/worlds/piano-roll?connector=nocturne', {
    viewport: { width: 1280, height: 720 },
  })
  const world = page.frameLocator('iframe')
  await page.locator('[data-phase=ready]').waitFor()
  await world.getByRole('img', { name: /^64 notes of nocturne over 11 bars$/ }).waitFor()
  await world.getByRole('button', { name: 'Play' }).click()
  await world.getByRole('button', { name: 'Pause' }).waitFor()
  const saving = page.waitForEvent('download')
  await world.getByRole('button', { name: 'Save MIDI' }).click()
  expect((await saving).suggestedFilename()).toMatch(/^\w+\.mid$/)
  expect(await outsideWindow(page)).toEqual([])

  const drawn = {
    rounds: (it: typeof world) => it.getByRole('img', { name: /^3 rings of 16 places: / }),
    plotter: (it: typeof world) => it.getByRole('img', { name: /^One line of 64 steps on paper, / }),
    tiles: (it: typeof world) => it.getByRole('img', { name: /^A field of 64 tiles, / }),
    'drum-machine': (it: typeof world) =>
      it.getByRole('img', { name: /^A drum machine of 3 voices: pitch plays the kick / }),
    piano: (it: typeof world) =>
      it.getByRole('img', { name: /^A piano with 64 notes of nocturne in one voice\. / }),
    bells: (it: typeof world) =>
      it.getByRole('img', { name: /^A tower of 9 bells, struck 64 times by nocturne\. / }),
    flow: (it: typeof world) => it.getByRole('img', { name: /^Wind steered by the 64 numbers of / }),
    starfield: (it: typeof world) => it.getByRole('img', { name: /^64 stars, / }),
    'plain-chart': (it: typeof world) => it.locator('figure path[d^=M]').nth(2),
    harp: (it: typeof world) =>
      it.getByRole('slider', { name: 'String' }).and(it.locator('[aria-valuemax="48"]')),
    score: (it: typeof world) =>
      it.getByRole('img', { name: /^64 notes of nocturne in 11 measures on one staff$/ }),
    'tone-machine': (it: typeof world) =>
      it.getByRole('img', { name: /^64 notes of nocturne in a loop of / }),
  }
  for (const [slug, what] of Object.entries(drawn)) {
    await page.goto(`${site}/worlds/${slug}?connector=nocturne`)
    await what(page.frameLocator('iframe')).waitFor()
    await page.getByRole('status').filter({ hasText: 'Ready' }).waitFor()
    for (const [width, height] of [
      [390, 844],
      [1280, 720],
    ] as const) {
      await page.setViewportSize({ width, height })
      await expect.poll(() => outsideWindow(page)).toEqual([])
    }
  }
})

test('cloth is woven by a graphics processor', async () => {
  const page = await open('/worlds/cloth?connector=nocturne', { solid: true })
  const cloth = page.frameLocator('iframe').getByRole('img', { name: /^Cloth of 64 threads each way: / })
  await cloth.waitFor()
  expect(
    await cloth.evaluate((it) => it instanceof HTMLCanvasElement && it.getContext('webgl') !== null),
  ).toBe(true)
})

test('cloth shows on a press, by key too, how it is woven', async () => {
  const page = await open('/worlds/cloth?connector=broken_twill')
  const world = page.frameLocator('iframe')
  const cloth = world.getByRole('img', { name: /^Cloth of 64 threads each way: / })
  await cloth.waitFor()
  const press = world.getByRole('button', { name: 'Draft' })
  await press.focus()
  await page.keyboard.press('Enter')
  const [threading, treadling] = ['1 2 3 4 1 2 3 4 2 1 4 3 2 1 4 3', '1 2 3 4 1 2 3 4 1 2 3 4 1 2 3 4']
  const draft = `Draft of 64 threads each way: ${threading} is the threading, ${treadling} the treadling`
  await world.getByRole('img', { name: draft }).waitFor()
  expect(await cloth.count()).toBe(0)
  await press.click()
  await cloth.waitFor()
})

test('its page opens with a piece that its owner shows in it', async () => {
  for (const [slug, pieces] of [
    ['harp', /one_bit|hailstones|ladder_and_well/],
    ['bells', /small_bells|plain_hunt_on_eight|kotekan|clockwork/],
  ] as const) {
    const html = await (await fetch(`${site}/worlds/${slug}`)).text()
    const [, section = ''] = /<section[^>]*id="fed"(.*?)<\/section>/s.exec(html) ?? []
    expect(section, slug).toMatch(pieces)
  }
})

test('on the page of a piece, a World shows what is heard and offers no sound of its own', async () => {
  const page = await open('/connectors/tresillo_song', { viewport: { width: 1280, height: 720 } })
  const world = page.frameLocator('iframe').first()
  await world.getByRole('img', { name: /^48 notes of tresillo_song over / }).waitFor()
  await expect.poll(() => world.getByRole('button', { name: 'Play' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Play', exact: true }).first().click()
  await expect.poll(() => page.getByRole('slider', { name: 'Position' }).inputValue()).not.toBe('0')
  expect(await world.getByRole('button', { name: /^(Play|Pause)$/ }).count()).toBe(0)
})

/** Parts of the World, and those of its buttons that play, that cannot be seen without scrolling. */
async function outsideWindow(page: Page): Promise<string[]> {
  const world = page.frameLocator('iframe')
  const play = world.getByRole('button', { name: /^(Play|Start|Pause|Stop)$/ })
  const found: string[] = []
  for (const part of [page.locator('iframe'), ...(await play.all())]) {
    const box = await part.boundingBox()
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
    const isInside = box !== null && box.y >= 0 && box.y + box.height <= height && box.x + box.width <= width
    if (!isInside) found.push(`${page.url()} at ${width} x ${height}: ${JSON.stringify(box)}`)
  }
  return found
}
