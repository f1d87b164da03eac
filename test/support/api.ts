import type { Services } from '#lib/core/context/context.ts'
import { issueChainToken } from '#lib/core/identity/chain-token.ts'
import type { Config } from '#lib/platform/config.ts'
import type { Address } from '#lib/protocol/entity.ts'
import type { CompletedRequest, Dispatcher, DispatcherOptions } from '#lib/server/http/dispatch.ts'
import { APIS, type Api } from '#lib/server/operations/api.ts'
import { createChainDispatcher } from '#lib/server/operations/chain/dispatcher.ts'
import { createServicesDispatcher } from '#lib/server/operations/services/dispatcher.ts'
import { createStudioDispatcher } from '#lib/server/operations/studio/dispatcher.ts'
import { bundleForm } from './form.ts'
import { startServices, type TestServices } from './services.ts'

/** The origin of the site in the tests' configuration. */
export const SITE = 'http://localhost:3000'
export const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin', origin: SITE }

export interface Sent {
  readonly token?: string | undefined
  readonly json?: unknown
  /** Sent as it is, announced as JSON. */
  readonly text?: string | Uint8Array<ArrayBuffer>
  /** Sent as it is. */
  readonly body?: BodyInit
  /** Sent as `multipart/form-data` with the file in field `bundle`. */
  readonly bundle?: Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
  /** The client leaves. */
  readonly signal?: AbortSignal
}

export interface Answer<Json = unknown> {
  readonly operationId: string | undefined
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  readonly text: string
  /** The body as JSON; undefined when it is none. */
  readonly json: Json
  /** Cause of a 500. */
  readonly defect: unknown
}

/** One API in this process; every response is validated against its schema. */
export interface Endpoints {
  readonly dispatch: Dispatcher
  /** @param path Below the API's base. */
  send<Json = unknown>(method: string, path: string, sent?: Sent): Promise<Answer<Json>>
  post<Json = { message: string }>(path: string, json: unknown, more?: Sent): Promise<Answer<Json>>
}

export interface TestApi extends TestServices, Endpoints {
  /** A token of the chain API for an account, without the ceremony. */
  token(account: Address): Promise<string>
}

/** An API on a new database. @param parts Replaces some of the program's own services. */
export async function startApi(
  api: Api,
  config: Partial<Config> = {},
  parts: Parameters<typeof startServices>[1] = {},
): Promise<TestApi> {
  const started = await startServices(config, parts)
  const token = (account: Address) => issueChainToken(started.services, account)
  return { ...started, ...endpointsOf(api, started.services), token }
}

const DISPATCHERS = {
  chain: createChainDispatcher,
  services: createServicesDispatcher,
  studio: createStudioDispatcher,
}

/**
 * An API of services that run; the studio's is asked as its own pages do.
 *
 * @param fetch Sends a request to the dispatcher, by default as Next's route handlers do.
 */
export function endpointsOf(
  api: Api,
  services: Services,
  fetch?: (path: string, init: RequestInit) => Promise<Response>,
): Endpoints {
  const completed = new Map<string, CompletedRequest>()
  const observe: DispatcherOptions['observe'] = (each) => completed.set(each.requestId, each)
  const dispatch: Dispatcher = DISPATCHERS[api]({
    services: async () => services,
    validateResponses: true,
    observe,
  })
  const send = async <Json>(method: string, path: string, sent: Sent = {}): Promise<Answer<Json>> => {
    const own = api === 'studio' ? SAME_ORIGIN : {}
    const whole = `${APIS[api].base}${path}`
    const init = { method, ...(await encode(sent, own)) }
    const response = await (fetch?.(whole, init) ?? dispatch(new Request(SITE + whole, init)))
    const bytes = await bytesOf(response)
    const text = new TextDecoder().decode(bytes)
    const { status, headers } = response
    const isJson = headers.get('content-type')?.startsWith('application/json') === true
    const requestId = headers.get('x-request-id') ?? ''
    const { operationId, error: defect } = completed.get(requestId) ?? {}
    completed.delete(requestId)
    return {
      operationId,
      status,
      headers,
      bytes,
      text,
      json: isJson && text !== '' ? JSON.parse(text) : undefined,
      defect,
    }
  }
  return { dispatch, send, post: (path, json, more) => send('POST', path, { json, ...more }) }
}

async function encode(
  { token, json, text, body, bundle, headers, signal }: Sent,
  own: Readonly<Record<string, string>>,
): Promise<RequestInit> {
  const form = bundle && (await bundleForm(bundle))
  const isJson = text !== undefined || json !== undefined
  const whole = form?.body ?? text ?? (json === undefined ? body : JSON.stringify(json))
  const all = new Headers({
    ...own,
    ...form?.headers,
    ...(isJson && { 'content-type': 'application/json' }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  })
  for (const name in headers) all.set(name, headers[name] as string)
  return {
    headers: all,
    body: whole ?? null,
    ...(whole instanceof ReadableStream && { duplex: 'half' as const }),
    ...(signal && { signal }),
  }
}

/** A stream has no end to wait for. */
async function bytesOf(response: Response): Promise<Uint8Array> {
  if (response.headers.get('content-type') !== 'text/event-stream')
    return new Uint8Array(await response.arrayBuffer())
  await response.body?.cancel()
  return new Uint8Array()
}

/** The text of an error, for assertions on it. */
export function messageOf({ json }: Pick<Answer, 'json'>): string {
  return typeof json === 'object' && json !== null && 'message' in json ? String(json.message) : ''
}
