import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright'
import { findInPage, type Step } from './find-in-page.ts'
import { type ElementReference, WebDriverSession } from './webdriver.ts'

const ACTION_TIMEOUT_MS = 30_000

/** Codes of WebDriver for keys without a character. */
const KEYS: Readonly<Record<string, string>> = {
  Control: '\uE009',
  ControlOrMeta: '\uE009',
  Alt: '\uE00A',
  Shift: '\uE008',
  Enter: '\uE007',
  Escape: '\uE00C',
  Tab: '\uE004',
  Delete: '\uE017',
  Backspace: '\uE003',
}

type Name = string | RegExp
interface Options {
  readonly name?: Name
  readonly exact?: boolean
  readonly timeout?: number
  readonly force?: boolean
  readonly state?: string
  readonly modifiers?: readonly string[]
  readonly button?: string
  readonly hasText?: Name
}

/**
 * WebKitGTK by its WebDriver, with as much of Playwright's interface as the suites use: they run unchanged.
 *
 * @param binary MiniBrowser.
 */
export function webkitBrowser(driver: string, binary: string, environment: NodeJS.ProcessEnv): Browser {
  const open = () =>
    WebDriverSession.start(driver, environment, {
      'webkitgtk:browserOptions': { binary, args: ['--automation'] },
    })
  let version = ''
  const browser = {
    version: () => version,
    async newContext() {
      const session = await open()
      version = String(session.capabilities.browserVersion)
      await session.post('window/rect', { width: 1400, height: 950 }).catch(() => {})
      return { newPage: async () => new WebKitPage(session), close: () => session.close() }
    },
    close: async () => {},
  }
  return browser as unknown as Browser
}

class WebKitPage {
  readonly #session: WebDriverSession
  #url = ''

  constructor(session: WebDriverSession) {
    this.#session = session
  }

  async goto(url: string, { waitUntil }: { waitUntil?: string } = {}): Promise<void> {
    this.#url = url
    const went = this.#session.post('url', { url })
    if (waitUntil !== 'commit') return void (await went)
    // The page may wait for a trap for ever.
    await Promise.race([went.catch(() => {}), sleep(2000)])
  }

  async reload(): Promise<void> {
    await this.#session.post('refresh')
  }

  url(): string {
    return this.#url
  }

  async waitForURL(glob: string): Promise<void> {
    const end = glob.replace(/^\*+/, '')
    await until(async () => {
      this.#url = String(await this.#session.get('url'))
      return this.#url.endsWith(end)
    }, glob)
  }

  waitForFunction(test: () => boolean): Promise<void> {
    return until(async () => (await this.#session.evaluate(String(test))) === true, String(test).slice(0, 60))
  }

  evaluate(code: (() => unknown) | string): Promise<unknown> {
    return this.#session.evaluate(typeof code === 'string' ? `() => (${code})` : String(code))
  }

  locator = (css: string, options: Options = {}) => this.#root().locator(css, options)
  getByRole = (role: string, options: Options = {}) => this.#root().getByRole(role, options)
  getByText = (text: Name, options: Options = {}) => this.#root().getByText(text, options)
  getByLabel = (text: Name, options: Options = {}) => this.#root().getByLabel(text, options)
  frameLocator = (css: string) => new WebKitLocator(this.#session, [], css)

  #root(): WebKitLocator {
    return new WebKitLocator(this.#session, [])
  }

  keyboard = {
    press: (chord: string) => pressKeys(this.#session, chord.split('+')),
    type: async (text: string) => {
      for (const letter of text) await pressKeys(this.#session, [letter])
    },
    insertText: (text: string) =>
      this.#session.evaluate(`(text) => document.execCommand('insertText', false, text)`, text),
  }
}

class WebKitLocator {
  readonly #session: WebDriverSession
  readonly #steps: readonly Step[]
  readonly #frame: string | undefined

  constructor(session: WebDriverSession, steps: readonly Step[], frame?: string) {
    this.#session = session
    this.#steps = steps
    this.#frame = frame
  }

  locator(css: string, { hasText }: Options = {}): WebKitLocator {
    const next = this.#then({ kind: 'css', value: css })
    return hasText === undefined ? next : next.filter({ hasText })
  }
  getByRole = (value: string, { name, exact }: Options = {}) =>
    this.#then({ kind: 'role', value, name: text(name), exact })
  getByText = (name: Name, { exact }: Options = {}) =>
    this.#then({ kind: 'text', value: '', name: text(name), exact })
  getByLabel = (name: Name, { exact }: Options = {}) =>
    this.#then({ kind: 'label', value: '', name: text(name), exact })
  filter = ({ hasText }: Options) => this.#then({ kind: 'having', value: '', name: text(hasText) })

  first(): WebKitLocator {
    const last = this.#steps.at(-1) as Step
    return new WebKitLocator(
      this.#session,
      [...this.#steps.slice(0, -1), { ...last, first: true }],
      this.#frame,
    )
  }

  async count(): Promise<number> {
    return (await this.#find()).length
  }

  async waitFor({ state = 'visible', timeout }: Options = {}): Promise<void> {
    await until(
      async () => {
        const found = await this.#find()
        if (state === 'detached') return found.length === 0
        return found.some(({ visible }) => visible)
      },
      `${JSON.stringify(this.#steps)} to be ${state}`,
      timeout,
    )
  }

  async click({ force = false, timeout, modifiers = [], button }: Options = {}): Promise<void> {
    await this.#inFrame(timeout, async () => {
      const element = await this.#element(timeout, !force)
      await this.#session.post('actions', {
        actions: [
          {
            type: 'key',
            id: 'keys',
            actions: [
              ...modifiers.map((key) => ({ type: 'keyDown', value: KEYS[key] })),
              ...Array(3).fill({ type: 'pause' }),
              ...modifiers.map((key) => ({ type: 'keyUp', value: KEYS[key] })),
            ],
          },
          {
            type: 'pointer',
            id: 'mouse',
            parameters: { pointerType: 'mouse' },
            actions: [
              ...modifiers.map(() => ({ type: 'pause' })),
              { type: 'pointerMove', x: 0, y: 0, origin: element },
              { type: 'pointerDown', button: button === 'middle' ? 1 : 0 },
              { type: 'pointerUp', button: button === 'middle' ? 1 : 0 },
            ],
          },
        ],
      })
    })
  }

  async press(chord: string, { timeout }: Options = {}): Promise<void> {
    await this.#inFrame(timeout, async () => {
      await this.#session.evaluate('(element) => element.focus()', await this.#element(timeout, false))
      await pressKeys(this.#session, chord.split('+'))
    })
  }

  async focus(): Promise<void> {
    await this.#session.evaluate('(element) => element.focus()', await this.#element(undefined, false))
  }

  async setInputFiles(file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
    await this.#session.evaluate(
      `(element, name, type, text) => {
        const files = new DataTransfer()
        files.items.add(new File([text], name, { type }))
        element.files = files.files
        element.dispatchEvent(new Event('change', { bubbles: true }))
      }`,
      await this.#element(undefined, false, false),
      file.name,
      file.mimeType,
      file.buffer.toString(),
    )
  }

  async textContent(): Promise<string> {
    return String(await this.#session.evaluate('(e) => e.textContent', await this.#element(undefined, false)))
  }

  async getAttribute(name: string): Promise<string | null> {
    const element = await this.#element(undefined, false)
    return (await this.#session.evaluate('(e, name) => e.getAttribute(name)', element, name)) as string | null
  }

  async isVisible(): Promise<boolean> {
    return (await this.#find()).some(({ visible }) => visible)
  }

  #then(step: Step): WebKitLocator {
    return new WebKitLocator(this.#session, [...this.#steps, step], this.#frame)
  }

  async #find(): Promise<{ element: ElementReference; visible: boolean }[]> {
    const found = await this.#session.evaluate(String(findInPage), this.#steps)
    return found as { element: ElementReference; visible: boolean }[]
  }

  /** The first visible element, once it is there; with `ready` also enabled and not covered. */
  async #element(timeout: number | undefined, ready: boolean, shown = true): Promise<ElementReference> {
    let chosen: ElementReference | undefined
    await until(
      async () => {
        chosen = (await this.#find()).find(({ visible }) => visible || !shown)?.element
        if (chosen === undefined || !shown) return chosen !== undefined
        return (await this.#session.evaluate(String(isReady), chosen, ready)) === true
      },
      JSON.stringify(this.#steps),
      timeout,
    )
    return chosen as ElementReference
  }

  async #inFrame(timeout: number | undefined, action: () => Promise<void>): Promise<void> {
    if (this.#frame === undefined) return action()
    const frame = await new WebKitLocator(this.#session, [{ kind: 'css', value: this.#frame }]).#element(
      timeout,
      false,
    )
    await this.#session.post('frame', { id: frame })
    try {
      await action()
    } finally {
      await this.#session.post('frame', { id: null }).catch(() => {})
    }
  }
}

/** Runs in the page. */
function isReady(element: HTMLElement & { disabled?: boolean }, checked: boolean): boolean {
  const isHit = () => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const hit = document.elementFromPoint(left + width / 2, top + height / 2)
    return hit !== null && (element.contains(hit) || hit.contains(element))
  }
  // Out of the window, or of the part of a pane that is scrolled to.
  if (!isHit()) element.scrollIntoView({ block: 'center', behavior: 'instant' })
  return !checked || (!element.disabled && isHit())
}

function text(name: Name | undefined): Step['name'] {
  return name instanceof RegExp ? [name.source, name.flags] : name
}

async function pressKeys(session: WebDriverSession, names: readonly string[]): Promise<void> {
  const values = names.map((name) => KEYS[name] ?? (names.length > 1 ? name.toLowerCase() : name))
  const actions = [
    ...values.map((value) => ({ type: 'keyDown', value })),
    ...values.toReversed().map((value) => ({ type: 'keyUp', value })),
  ]
  await session.post('actions', { actions: [{ type: 'key', id: 'keys', actions }] })
}

async function until(test: () => Promise<boolean>, what: string, timeout = ACTION_TIMEOUT_MS): Promise<void> {
  const end = performance.now() + timeout
  let last: unknown
  for (;;) {
    try {
      if (await test()) return
    } catch (error) {
      // The page may have been replaced in the middle of it.
      last = error
    }
    if (performance.now() > end) throw new Error(`Timed out after ${timeout} ms: ${what}`, { cause: last })
    await sleep(50)
  }
}
