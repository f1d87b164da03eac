import type {
  CodeInfo,
  ConnectorInfo,
  DynamicRi,
  ExecuteResult,
  FeedOptions,
  FeedPage,
  FormatInfo,
  FormatList,
  PageOptions,
  ParticleStream,
  WorldCalls,
} from './protocol.ts'

/** An answer of the chain API that is not a success. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** HTTP status. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export interface ChainClientOptions {
  /** Base URL of the chain API; by default the one beside this module. */
  readonly baseUrl?: string
  /** Sent as a bearer token. Nothing a World may call needs one. */
  readonly accessToken?: string
  readonly fetch?: typeof fetch
}

type Query = Readonly<Record<string, string | number | undefined>>

const DEFAULT_PAGE = 50
/** Where this module came from. */
const HERE: string = import.meta.url

/** The calls of the chain API that Worlds need. Each throws `ApiError` when the API refuses. */
export class ChainClient implements WorldCalls {
  readonly baseUrl: string
  readonly accessToken: string | undefined
  private readonly send: typeof fetch

  constructor({ baseUrl, accessToken, fetch: send }: ChainClientOptions = {}) {
    this.baseUrl = (baseUrl ?? chainBeside(HERE)).replace(/\/+$/, '')
    this.accessToken = accessToken
    // Called as a method of anything but the window, the browser's own refuses.
    this.send = send ?? ((...request) => globalThis.fetch(...request))
  }

  async version(): Promise<{ readonly version: string; readonly build_timestamp: string }> {
    return this.get('/version')
  }

  async connectorGet(name: string): Promise<ConnectorInfo> {
    return this.get(`/connector/${segment(name)}`)
  }

  async connectorExists(name: string): Promise<boolean> {
    return this.exists(`/connector/${segment(name)}`)
  }

  async transformationGet(name: string): Promise<CodeInfo> {
    return this.get(`/transformation/${segment(name)}`)
  }

  async transformationExists(name: string): Promise<boolean> {
    return this.exists(`/transformation/${segment(name)}`)
  }

  async conditionGet(name: string): Promise<CodeInfo> {
    return this.get(`/condition/${segment(name)}`)
  }

  async conditionExists(name: string): Promise<boolean> {
    return this.exists(`/condition/${segment(name)}`)
  }

  async listFormats({ limit = DEFAULT_PAGE, after }: PageOptions = {}): Promise<FormatList> {
    return this.get('/formats', { limit, after })
  }

  async formatInfo(hash: string, { limit = DEFAULT_PAGE, after }: PageOptions = {}): Promise<FormatInfo> {
    return this.get(`/format/${segment(hash)}`, { limit, after })
  }

  async feed({
    limit = DEFAULT_PAGE,
    before,
    type,
    includeUnfinalized,
  }: FeedOptions = {}): Promise<FeedPage> {
    const include_unfinalized = includeUnfinalized === undefined ? undefined : Number(includeUnfinalized)
    return this.get('/feed', { limit, before, type, include_unfinalized })
  }

  async execute(
    connectorName: string,
    particlesCount: number | string,
    dynamicRi?: DynamicRi,
  ): Promise<ExecuteResult> {
    return this.post('/execute', run(connectorName, particlesCount, dynamicRi))
  }

  async simulate(
    connectorName: string,
    particlesCount: number | string,
    dynamicRi?: DynamicRi,
  ): Promise<readonly ParticleStream[]> {
    return this.post('/simulate', run(connectorName, particlesCount, dynamicRi))
  }

  private async get<T>(path: string, query: Query = {}): Promise<T> {
    const given = Object.entries(query).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, String(value)]],
    )
    const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`
    return (await this.request('GET', path + search)).json() as Promise<T>
  }

  private async post<T>(path: string, body: unknown): Promise<T> {
    return (await this.request('POST', path, body)).json() as Promise<T>
  }

  private async exists(path: string): Promise<boolean> {
    try {
      await this.request('HEAD', path)
      return true
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return false
      throw error
    }
  }

  private async request(method: string, path: string, body?: unknown): Promise<Response> {
    const headers = {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(this.accessToken !== undefined && { Authorization: `Bearer ${this.accessToken}` }),
    }
    const response = await this.send(this.baseUrl + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (response.ok) return response
    throw new ApiError(response.status, await messageOf(response))
  }
}

function run(
  connectorName: string,
  particlesCount: number | string,
  dynamicRi: DynamicRi | undefined,
): unknown {
  return {
    connector_name: connectorName,
    particles_count: particlesCount,
    ...(dynamicRi !== undefined && { dynamic_ri: dynamicRi }),
  }
}

/** @throws {ApiError} 400 for names that would be another address. */
function segment(name: string): string {
  if (name === '' || name === '.' || name === '..' || !name.isWellFormed())
    throw new ApiError(400, 'Invalid name')
  return encodeURIComponent(name)
}

async function messageOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined)
  return typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string'
    ? body.message
    : `The chain API answered with status ${response.status}`
}

/** The chain API of the origin a module came from. Not as a relative URL, which bundlers take for a file. */
function chainBeside(module: string): string {
  return `${new URL(module).origin}/chain`
}
