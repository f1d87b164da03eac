import type { Browser } from 'playwright'
import type { Services } from '#lib/core/context/context.ts'
import { installWorld } from '../support/install-world.ts'
import { html, startWorldSite } from '../support/world-site.ts'
import { act, factsOf, pageOf, provenBy, wait } from './board.ts'
import { NAVIGATION } from './navigation.ts'
import { openTrap } from './trap.ts'

const NAMES: ReadonlySet<string> = new Set([
  'self navigation',
  'self navigation by a link',
  'navigation API',
  'meta refresh',
  'refresh by script',
])

export interface TabOutcome {
  readonly name: string
  readonly caught: readonly string[]
  /** The tab ended at the page of the site that shows the World. */
  readonly shown: boolean
}

let worlds = 0

/**
 * Opens pages of a World in tabs of their own, each of which tries one way to navigate to a trap.
 *
 * @param silent The browser sends no `Sec-Fetch-Dest`, as old ones do not, and none do on plain HTTP.
 */
export async function openInTabs(
  browser: Browser,
  services: Services,
  { silent = false } = {},
): Promise<readonly TabOutcome[]> {
  const channels = NAVIGATION.filter(({ name }) => NAMES.has(name))
  const trials = await Promise.all(
    channels.map(async (channel, index) => ({ channel, path: `${index}.html`, trap: await openTrap() })),
  )
  const refresh = {
    channel: { name: 'refresh of an XML document' },
    path: 'refresh.xml',
    trap: await openTrap(),
  }
  const id = `tabs${++worlds}`
  await installWorld(services, id, {
    ...Object.fromEntries(
      trials.map(({ channel, path, trap }, index) => [path, pageOf(channel, trap, provenBy(index))]),
    ),
    'refresh.xml': `<html xmlns="http://www.w3.org/1999/xhtml"><head><meta http-equiv="refresh" content="0;url=${factsOf(refresh.trap).http}"/></head><body/></html>`,
    'ran.json': '{}',
  })
  const site = await startWorldSite(services, async () => html('<!doctype html><title>Shown</title>'), {
    silent,
  })
  const outcomes = []
  for (const { channel, path, trap } of [...trials, refresh]) {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${site.origin}/services/world-assets/${id}/${path}`).catch(() => {})
    const target = page.locator('#act')
    if ('gesture' in channel && channel.gesture && (await target.count()) > 0)
      await act(target, channel.gesture)
    await wait(1500, () => trap.caught.length > 0)
    const shown = (await page.evaluate('location.pathname').catch(() => '')) === `/worlds/${id}`
    outcomes.push({ name: channel.name, caught: [...trap.caught], shown })
    await context.close()
    await trap.close()
  }
  await site.close()
  return outcomes
}
