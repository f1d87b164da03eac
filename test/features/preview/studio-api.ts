import type { Services } from '#lib/core/context/context.ts'
import type { Config } from '#lib/platform/config.ts'
import type { Dispatcher } from '#lib/server/http/dispatch.ts'
import { createStudioDispatcher } from '#lib/server/operations/studio/dispatcher.ts'
import { startServices, type TestServices } from '#test/support/services.ts'

export const SITE = 'http://localhost:3000'
export const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin', origin: SITE }

export interface StudioAnswer<T> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: T
}

interface StudioRequest {
  readonly token?: string
  /** A text is sent as it is. */
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export type SendToStudio = <T = { message: string }>(
  method: string,
  path: string,
  request?: StudioRequest,
) => Promise<StudioAnswer<T>>

/** The studio's endpoints in this process, asked as its own pages do; every answer is held against its schema. */
export function studioEndpoints(services: Services) {
  const dispatch = createStudioDispatcher({ services: async () => services, validateResponses: true })
  const send: SendToStudio = async (method, path, { token, json, headers: more, signal } = {}) => {
    const response = await dispatch(
      new Request(`${SITE}/studio/api${path}`, {
        method,
        headers: {
          ...SAME_ORIGIN,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...more,
        },
        body: json === undefined ? null : typeof json === 'string' ? json : JSON.stringify(json),
        ...(signal && { signal }),
      }),
    )
    const text = await response.text()
    const { status, headers } = response
    return { status, headers, text, json: text === '' ? undefined : JSON.parse(text) }
  }
  return { dispatch, send }
}

export interface StudioApi extends TestServices {
  post<T = { message: string }>(
    path: string,
    json: unknown,
    init?: Omit<StudioRequest, 'json'>,
  ): Promise<StudioAnswer<T>>
  readonly dispatch: Dispatcher & ((request: Request) => Promise<Response>)
}

/** The same, on a database of their own. */
export async function startStudioApi(
  config: Partial<Config> = {},
  parts: (own: Services) => Partial<Services> = () => ({}),
): Promise<StudioApi> {
  const started = await startServices({ siteOrigin: SITE, ...config }, parts)
  const { dispatch, send } = studioEndpoints(started.services)
  return { ...started, dispatch, post: (path, json, init) => send('POST', path, { json, ...init }) }
}
