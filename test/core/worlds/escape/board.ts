import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Locator } from 'playwright'
import { mediaType } from '#lib/compute/bundle/mime.ts'
import type { Services } from '#lib/core/context/context.ts'
import { installWorld } from '../support/install-world.ts'
import { type Listening, listen } from '../support/listen.ts'
import { html, startWorldSite } from '../support/world-site.ts'
import type { Channel } from './channel.ts'
import { CHANNELS } from './channels.ts'
import { openTrap, type Trap } from './trap.ts'
import { EXTRA_FILES } from './webrtc.ts'

/** Time that a World may try once its page has run; the slowest channels need a third of it. */
const ATTEMPT_MS = 1500
/**
 * The control waits until nothing new has arrived for this long: a busy machine must not be mistaken for a silent
 * browser.
 */
const QUIET_MS = 5_000
/** Limit for the pages of a World to run, and for a gesture or the pages of the control, some of which never run. */
const RUN_TIMEOUT_MS = 60_000
const GESTURE_TIMEOUT_MS = 15_000
const PAGES_AT_ONCE = 4
const FRAMES_AT_ONCE = 10

export interface Outcome {
  readonly channel: Channel
  /** Arrivals, in the words of the trap. */
  readonly caught: readonly string[]
  /** The page ran at all, which it proves by loading a file. */
  readonly ran: boolean
}

/**
 * The fewest channels that reach their trap without protection in each family of browsers. Which ones do differs
 * from version to version; a control with fewer means that the traps or the pages do not work.
 */
export const CONTROL_FLOOR = { chromium: 95, firefox: 80, webkit: 70 } as const

/** Channels whose trap was reached. */
export function reached(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.filter(({ caught }) => caught.length > 0).map(({ channel }) => channel.name)
}

/**
 * Channels by which WebKit opens a connection without sending anything: no policy and no prelude prevents them, see
 * "What we do not claim" in `docs/worlds-security.md`.
 */
const MUTE_CONNECTIONS: ReadonlySet<string> = new Set([
  'preconnect',
  'preconnect in the markup',
  'new window by a link',
  'link into a new window by script',
])

/** Escapes from a World, other than known connections without a byte. */
export function escapes(outcomes: readonly Outcome[]): readonly (readonly [string, readonly string[]])[] {
  return outcomes.flatMap(({ channel, caught }) => {
    const known = MUTE_CONNECTIONS.has(channel.name) && caught.every((what) => what === 'tcp')
    return known || caught.length === 0 ? [] : [[channel.name, caught] as const]
  })
}

/** Where Worlds are served under their walls: by their id, or by the hash of their bundle. */
export type Walls = 'id' | 'hash'

/**
 * Has a World try each channel and returns what reached the trap of that channel.
 *
 * @param walls False for the control: the same files, served and framed without any protection.
 */
export async function runBoard(
  browser: Browser,
  services: Services,
  walls: Walls | false,
  channels: readonly Channel[] = CHANNELS,
): Promise<readonly Outcome[]> {
  const traps = await Promise.all(channels.map(() => openTrap()))
  const files = Object.fromEntries([
    ...channels.map((channel, index) => [
      `${index}.html`,
      pageOf(channel, traps[index] as Trap, provenBy(index)),
    ]),
    ...Object.entries(EXTRA_FILES),
  ]) as Record<string, string>
  const ran = new Set<string>()
  const host = walls ? await protectedHost(services, files, ran, walls) : await openHost(files, ran)
  const trials = channels.map(
    (channel, index): Trial => ({
      channel,
      page: `${channel.downloads ? 'downloads' : 'plain'}/${index}.html`,
      trap: traps[index] as Trap,
      hasRun: () => ran.has(String(index)),
    }),
  )
  const waiting = inBatches(trials)
  const work = async () => {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      await tryChannels(browser, `http://localhost:${host.port}/host`, batch, walls !== false)
    }
  }
  await Promise.all(Array.from({ length: PAGES_AT_ONCE }, work))
  await host.close()
  await Promise.all(traps.map((trap) => trap.close()))
  return channels.map((channel, index) => ({
    channel,
    caught: [...(traps[index] as Trap).caught],
    ran: ran.has(String(index)),
  }))
}

interface Trial {
  readonly channel: Channel
  readonly page: string
  readonly trap: Trap
  readonly hasRun: () => boolean
}

/** Together what may share a page, in one frame each. */
function inBatches(trials: readonly Trial[]): Trial[][] {
  const isAlone = ({ channel }: Trial) => channel.gesture !== undefined || channel.alone === true
  const together = Map.groupBy(
    trials.filter((trial) => !isAlone(trial)),
    ({ channel }) => channel.downloads,
  )
  const batches = [...together.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / FRAMES_AT_ONCE) }, (_, index) =>
      group.slice(index * FRAMES_AT_ONCE, (index + 1) * FRAMES_AT_ONCE),
    ),
  )
  return [...batches, ...trials.filter(isAlone).map((trial) => [trial])]
}

async function tryChannels(
  browser: Browser,
  host: string,
  batch: readonly Trial[],
  protection: boolean,
): Promise<void> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const query = batch.map((trial) => `page=${trial.page}`).join('&')
    // In the control the page itself may be led away before it has loaded.
    await page.goto(`${host}?${query}`, { waitUntil: 'commit' }).catch(() => {})
    const caught = (trial: Trial) => trial.trap.caught.length > 0
    await wait(protection ? RUN_TIMEOUT_MS : GESTURE_TIMEOUT_MS, () =>
      batch.every((trial) => trial.hasRun() || caught(trial)),
    )
    for (const { channel } of batch) {
      if (channel.gesture) await act(page.frameLocator('iframe').locator('#act'), channel.gesture)
    }
    // A connection is not conclusive: its bytes show whether a request was sent.
    if (protection) return await sleep(ATTEMPT_MS)
    for (let before = -1, now = 0; now !== before && now < batch.length; ) {
      before = now
      await wait(QUIET_MS, () => batch.filter(caught).length > before)
      now = batch.filter(caught).length
    }
  } finally {
    await context.close()
  }
}

export async function wait(milliseconds: number, until: () => boolean): Promise<void> {
  const end = performance.now() + milliseconds
  while (!until() && performance.now() < end) await sleep(20)
}

/** Statement of a page that loads a file of the World. */
export function provenBy(index: number): string {
  return `fetch('ran.json?${index}', { keepalive: true })`
}

/** Does what a person would do on an element; what the browser refuses is not done. */
export async function act(target: Locator, gesture: NonNullable<Channel['gesture']>): Promise<void> {
  const options = { timeout: GESTURE_TIMEOUT_MS, noWaitAfter: true }
  const actions = {
    click: () => target.click(options),
    'ctrl-enter': () => target.press('Control+Enter', options),
    'alt-click': () => target.click({ ...options, modifiers: ['Alt'] }),
    'ctrl-click': () => target.click({ ...options, modifiers: ['Control'] }),
    'shift-click': () => target.click({ ...options, modifiers: ['Shift'] }),
    'middle-click': () => target.click({ ...options, button: 'middle' }),
  } satisfies Record<typeof gesture, () => Promise<void>>
  await actions[gesture]().catch(() => {})
}

type Files = Readonly<Record<string, string>>

/** Worlds as the site serves and shows them. */
async function protectedHost(
  services: Services,
  files: Files,
  ran: Set<string>,
  walls: Walls,
): Promise<Listening> {
  const all = { ...files, 'ran.json': '{}' }
  const [plain, downloads] = [`plain-by-${walls}`, `downloads-by-${walls}`]
  const hash = { plain: 'a'.repeat(64), downloads: 'd'.repeat(64) }
  await installWorld(services, plain, all, [], hash.plain)
  await installWorld(services, downloads, all, ['browser.downloads'], hash.downloads)
  const at = walls === 'hash' ? hash : { plain, downloads }
  return startWorldSite(services, (request) => hostPage(request, 'sandbox="allow-scripts"', at), {
    observe: (request) => note(request, ran),
  })
}

/** Folders of the files, for Worlds without and with the permission to download. */
type Folders = Readonly<Record<'plain' | 'downloads', string>>

/** The same files on a server and in a frame without restrictions. */
function openHost(files: Files, ran: Set<string>): Promise<Listening> {
  return listen(async (request) => {
    note(request, ran)
    const { pathname } = new URL(request.url)
    if (pathname === '/host') return hostPage(request, '', { plain: 'plain', downloads: 'downloads' })
    const name = decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1))
    const text = name === 'ran.json' ? '{}' : files[name]
    if (text === undefined) return new Response(null, { status: 404 })
    return new Response(text, { headers: { 'Content-Type': mediaType(name) as string } })
  })
}

function note(request: Request, ran: Set<string>): void {
  const { pathname, search } = new URL(request.url)
  if (pathname.endsWith('/ran.json')) ran.add(search.slice(1))
}

async function hostPage(request: Request, sandbox: string, at: Folders): Promise<Response> {
  const frames = new URL(request.url).searchParams.getAll('page').map((page) => {
    const [kind = 'plain', name] = page.split('/') as [keyof Folders, string]
    const flags =
      kind === 'downloads' ? sandbox.replace('allow-scripts', 'allow-scripts allow-downloads') : sandbox
    return `<iframe ${flags} referrerpolicy="no-referrer" width="300" height="200" src="/services/world-assets/${at[kind]}/${name}"></iframe>`
  })
  return html(`<!doctype html><title>host</title>${frames.join('')}`)
}

/**
 * The page of a World that tries one channel.
 *
 * @param proof Statement by which the page shows that it runs.
 */
export function pageOf(channel: Channel, trap: Trap, proof: string): string {
  const facts = factsOf(trap)
  const fill = (text: string) =>
    text.replace(/\{(host|http|ip|port)\}/g, (_, name: keyof typeof facts) => facts[name])
  const script = channel.script && `${constants(facts)}${channel.script}`
  return [
    '<!doctype html><html><head><title>world</title></head><body>',
    `<script>${proof}</script>`,
    channel.markup ? fill(channel.markup) : '',
    script ? `<script>${script.replaceAll('</script', '<\\/script')}</script>` : '',
    channel.module ? `<script type="module">${fill(channel.module)}</script>` : '',
    '</body></html>',
  ].join('')
}

/** Facts of a trap that its channel needs. */
export function factsOf({ port }: Trap): Readonly<Record<'host' | 'http' | 'ip' | 'port', string>> {
  const host = `127.0.0.1:${port}`
  return { host, http: `http://${host}/leak`, ip: outsideAddress(), port: String(port) }
}

/** The same as declarations of a script. */
export function constants(facts: Readonly<Record<string, string>>): string {
  return Object.entries(facts)
    .map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`)
    .join('')
}

/** An address of this machine other than loopback, which WebRTC passes over; loopback where there is none. */
function outsideAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'
}
