import type { EventEmitter } from 'node:events'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { afterAll } from 'vitest'
import { launchBrowser, WITHOUT_GPU } from '#scripts/browser/launch.ts'

/** Idle contexts of a browser: each holds a process. */
const MAX_IDLE = 4

/** Opens contexts and pages that earlier ones left. */
export type TestBrowser = Pick<ReusingBrowser, 'newContext' | 'newPage'>

interface BrowserNeeds {
  /** Pages draw in three dimensions. */
  readonly solid?: boolean
  /** Each site, and sandboxed frames, in a process of its own, as Chrome on desktops runs; the headless shell does not. */
  readonly isolated?: boolean
}

/** By their switches. */
const browsers = new Map<string, Promise<ReusingBrowser>>()

/**
 * For one test file: the browser that all files of a process share, since starting one costs more than most tests. It is
 * started by the first page, ends with the process, and its pages are closed after the file.
 */
export function testBrowser(needs: BrowserNeeds = {}): () => TestBrowser {
  let started: Promise<ReusingBrowser> | undefined
  const start = () => {
    started ??= running(needs)
    return started
  }
  afterAll(async () => (await started)?.closeAll())
  const browser: TestBrowser = {
    newContext: async (options) => (await start()).newContext(options),
    newPage: async (options) => (await start()).newPage(options),
  }
  return () => browser
}

async function running({ solid = false, isolated = false }: BrowserNeeds): Promise<ReusingBrowser> {
  const switches = [...(solid ? [] : WITHOUT_GPU), ...(isolated ? ['--site-per-process'] : [])]
  const key = switches.join(' ')
  const known = await browsers.get(key)?.catch(() => undefined)
  if (known?.isConnected) return known
  const started = launchBrowser(switches).then((browser) => new ReusingBrowser(browser))
  browsers.set(key, started)
  return started
}

/**
 * A browser whose closed contexts serve again, emptied: a page in a new one costs twice the processor time, most of it for
 * code that an earlier one has compiled already.
 */
class ReusingBrowser {
  readonly #browser: Browser
  readonly #used = new Set<Session>()
  /** The latest last. */
  readonly #idle: Session[] = []

  constructor(browser: Browser) {
    this.#browser = browser
  }

  get isConnected(): boolean {
    return this.#browser.isConnected()
  }

  /** A context without cookies, storage, routes and permissions of others. `close` takes all that back. */
  async newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const key = JSON.stringify(options)
    const at = this.#idle.findLastIndex((each) => each.key === key)
    const session =
      at >= 0
        ? this.#idle.splice(at, 1)[0]!
        : new Session(await this.#browser.newContext(options), options, (own) => this.#take(own))
    this.#used.add(session)
    return session.context
  }

  async newPage(options: BrowserContextOptions = {}): Promise<Page> {
    return (await this.newContext(options)).newPage()
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#used].map(({ context }) => context.close()))
  }

  async #take(session: Session): Promise<void> {
    if (!this.#used.delete(session)) return
    if (!(await session.empty())) return
    this.#idle.push(session)
    if (this.#idle.length > MAX_IDLE) await this.#idle.shift()?.end()
  }
}

const EVENTS = [
  'page',
  'console',
  'dialog',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
  'weberror',
]

/** A context with what is needed to empty it. */
class Session {
  readonly context: BrowserContext
  readonly key: string
  /** Closes the context for good. */
  readonly end: () => Promise<void>
  readonly #options: BrowserContextOptions
  readonly #newPage: () => Promise<Page>
  readonly #origins = new Set<string>()
  /** Opened while the context was emptied, so that it keeps its processes. */
  #spare: Page | undefined
  /** Scripts in all pages, of which routes of sockets are made, cannot be taken back. */
  #hasScripts = false

  constructor(
    context: BrowserContext,
    options: BrowserContextOptions,
    take: (own: Session) => Promise<void>,
  ) {
    this.context = context
    this.key = JSON.stringify(options)
    this.#options = options
    this.end = context.close.bind(context)
    this.#newPage = context.newPage.bind(context)
    context.close = () => take(this)
    context.newPage = () => this.#page()
    this.#noteScripts(context, ['addInitScript', 'exposeBinding', 'exposeFunction', 'routeWebSocket'])
    this.#noteScripts(context.clock, ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'])
    this.#watch()
  }

  #noteScripts<Name extends string>(
    target: { [name in Name]: (...given: never[]) => unknown },
    names: readonly Name[],
  ): void {
    for (const name of names) {
      const own = target[name].bind(target)
      target[name] = (...given) => {
        this.#hasScripts = true
        return own(...given)
      }
    }
  }

  #watch(): void {
    this.context.on('page', (page) => {
      page.on('framenavigated', (frame) => {
        if (frame.url().startsWith('http')) this.#origins.add(new URL(frame.url()).origin)
      })
    })
  }

  async #page(): Promise<Page> {
    const spare = this.#spare
    if (spare === undefined) return this.#newPage()
    this.#spare = undefined
    // Its event passed before anything listened.
    ;(this.context as unknown as EventEmitter).emit('page', spare)
    return spare
  }

  /** Closes the pages, and takes back what they stored and what was set. Returns false where that cannot be; then it is closed. */
  async empty(): Promise<boolean> {
    const { context } = this
    if (this.#hasScripts) {
      await this.end()
      return false
    }
    for (const name of EVENTS) (context as unknown as EventEmitter).removeAllListeners(name)
    const spare = await this.#newPage()
    await Promise.all(context.pages().map((page) => page !== spare && page.close()))
    const { permissions = [], offline = false, extraHTTPHeaders = {} } = this.#options
    const browser = await context.newCDPSession(spare)
    await Promise.all([
      context.unrouteAll(),
      context.clearCookies(),
      context.setOffline(offline),
      context.setExtraHTTPHeaders(extraHTTPHeaders),
      context.clearPermissions().then(async () => {
        // To grant none is to deny all that a new context grants.
        if (permissions.length > 0) await context.grantPermissions([...permissions])
      }),
      browser.send('Network.clearBrowserCache'),
      ...[...this.#origins].map((origin) =>
        browser.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' }),
      ),
    ])
    await browser.detach()
    this.#origins.clear()
    this.#watch()
    this.#spare = spare
    return true
  }
}
