import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { anyFreePort } from '#scripts/stack/ports.ts'

/** An element as WebDriver names it. */
export type ElementReference = Readonly<Record<string, string>>

const START_TIMEOUT_MS = 30_000

export class WebDriverError extends Error {
  override readonly name = 'WebDriverError'
  /** Error code of the specification: `no such element`. */
  readonly code: string

  constructor(code: string, message: string) {
    super(`${code}: ${message}`)
    this.code = code
  }
}

/** A session of W3C WebDriver with a separate driver process. */
export class WebDriverSession {
  readonly capabilities: Readonly<Record<string, unknown>>
  readonly #url: string
  readonly #driver: ChildProcess

  private constructor(url: string, capabilities: Readonly<Record<string, unknown>>, driver: ChildProcess) {
    this.#url = url
    this.capabilities = capabilities
    this.#driver = driver
  }

  /**
   * @param driver Path of the driver, which takes `--port`.
   * @throws {WebDriverError} when the browser does not start.
   */
  static async start(
    driver: string,
    environment: NodeJS.ProcessEnv,
    alwaysMatch: object,
  ): Promise<WebDriverSession> {
    const port = await anyFreePort()
    const child = spawn(driver, [`--port=${port}`], { env: environment, stdio: 'ignore' })
    const url = `http://127.0.0.1:${port}/session`
    const body = { capabilities: { alwaysMatch } }
    try {
      for (const end = performance.now() + START_TIMEOUT_MS; ; await sleep(50)) {
        try {
          const { sessionId, capabilities } = (await request('POST', url, body)) as {
            sessionId: string
            capabilities: Readonly<Record<string, unknown>>
          }
          return new WebDriverSession(`${url}/${sessionId}`, capabilities, child)
        } catch (error) {
          if (error instanceof WebDriverError || performance.now() > end) throw error
        }
      }
    } catch (error) {
      child.kill()
      throw error
    }
  }

  get(path: string): Promise<unknown> {
    return request('GET', `${this.#url}/${path}`)
  }

  post(path: string, body: object = {}): Promise<unknown> {
    return request('POST', `${this.#url}/${path}`, body)
  }

  /** Runs an expression in the current browsing context; promises are awaited. */
  evaluate(expression: string, ...args: readonly unknown[]): Promise<unknown> {
    const script = `const done = arguments[arguments.length - 1]
      Promise.resolve().then(() => (${expression})(...[...arguments].slice(0, -1)))
        .then((value) => done({ value: value ?? null }), (error) => done({ error: String(error?.stack ?? error) }))`
    return this.post('execute/async', { script, args }).then((answer) => {
      const { value, error } = answer as { value?: unknown; error?: string }
      if (error !== undefined) throw new Error(error)
      return value
    })
  }

  async close(): Promise<void> {
    await request('DELETE', this.#url).catch(() => {})
    this.#driver.kill()
  }
}

async function request(method: string, url: string, body?: object): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  })
  const { value } = (await response.json()) as { value: unknown }
  if (response.ok) return value
  const { error, message } = value as { error: string; message: string }
  throw new WebDriverError(error, message)
}
