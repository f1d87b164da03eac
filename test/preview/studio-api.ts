import type { Services } from '../../lib/context/context.ts'
import type { Config } from '../../lib/platform/config.ts'
import type { Dispatcher } from '../../lib/server/http/dispatch.ts'
import { createStudioDispatcher } from '../../lib/server/operations/studio/dispatcher.ts'
import { startServices, type TestServices } from '../support/services.ts'

export const SITE = 'http://localhost:3000'
export const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin', origin: SITE }

export interface StudioAnswer<T> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: T
}

export interface StudioApi extends TestServices {
  /** @param sent JSON, or a text that is sent as it is. */
  post<T = { message: string }>(
    path: string,
    sent: unknown,
    init?: { headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<StudioAnswer<T>>
  readonly dispatch: Dispatcher & ((request: Request) => Promise<Response>)
}

/** The studio's endpoints in this process, on a database of their own; every answer is held against its schema. */
export async function startStudioApi(
  config: Partial<Config> = {},
  parts: (own: Services) => Partial<Services> = () => ({}),
): Promise<StudioApi> {
  const started = await startServices({ siteOrigin: SITE, ...config }, parts)
  const dispatch = createStudioDispatcher({ services: async () => started.services, validateResponses: true })
  return {
    ...started,
    dispatch,
    post: async <T>(
      path: string,
      sent: unknown,
      init: { headers?: Record<string, string>; signal?: AbortSignal } = {},
    ) => {
      const response = await dispatch(
        new Request(`${SITE}/studio/api${path}`, {
          method: 'POST',
          headers: { ...SAME_ORIGIN, 'content-type': 'application/json', ...init.headers },
          body: typeof sent === 'string' ? sent : JSON.stringify(sent),
          ...(init.signal && { signal: init.signal }),
        }),
      )
      const text = await response.text()
      const { status, headers } = response
      return { status, headers, text, json: JSON.parse(text) as T }
    },
  }
}
