import type { Services } from '#lib/core/context/context.ts'
import type { Config } from '#lib/platform/config.ts'
import { createServicesDispatcher } from '#lib/server/operations/services/dispatcher.ts'
import { bundleForm } from '#test/support/form.ts'
import { startServices, type TestServices } from '#test/support/services.ts'

export interface ServicesAnswer {
  readonly operationId: string | undefined
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly bytes: Uint8Array
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown
  /** What broke, of a 500. */
  readonly defect: unknown
}

export interface ServicesRequest {
  readonly token?: string
  readonly json?: unknown
  /** Sent as `multipart/form-data` with the file in field `bundle`. */
  readonly bundle?: Uint8Array<ArrayBuffer>
  readonly body?: BodyInit
  readonly headers?: Readonly<Record<string, string>>
}

/** The whole services API in this process, on a new database; every response is validated against its schema. */
export interface ServicesApi extends TestServices {
  /** @param path Below `/services`. */
  send(method: string, path: string, sent?: ServicesRequest): Promise<ServicesAnswer>
}

export async function startServicesApi(
  config: Partial<Config> = {},
  parts: Partial<Services> = {},
): Promise<ServicesApi> {
  const started = await startServices(config, parts)
  const observed = new Map<string, { operationId: string | undefined; error: unknown }>()
  const dispatch = createServicesDispatcher({
    services: async () => started.services,
    validateResponses: true,
    observe: ({ requestId, operationId, error }) => observed.set(requestId, { operationId, error }),
  })
  return {
    ...started,
    send: async (method, path, sent = {}) => {
      const response = await dispatch(await toRequest(method, path, sent))
      const bytes = new Uint8Array(await response.arrayBuffer())
      const text = new TextDecoder().decode(bytes)
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
      const seen = observed.get(response.headers.get('x-request-id') ?? '')
      return {
        operationId: seen?.operationId,
        status: response.status,
        headers: response.headers,
        bytes,
        text,
        json: isJson && text !== '' ? JSON.parse(text) : undefined,
        defect: seen?.error,
      }
    },
  }
}

async function toRequest(method: string, path: string, sent: ServicesRequest): Promise<Request> {
  const headers = new Headers(sent.headers)
  if (sent.token !== undefined) headers.set('Authorization', `Bearer ${sent.token}`)
  let body = sent.body
  if (sent.json !== undefined) {
    body = JSON.stringify(sent.json)
    headers.set('Content-Type', 'application/json')
  }
  if (sent.bundle !== undefined) {
    const form = await bundleForm(sent.bundle)
    body = form.body
    headers.set('Content-Type', form.headers['content-type'])
  }
  const init = { method, headers, body: body ?? null, duplex: 'half' as const }
  return new Request(`http://localhost/services${path}`, init)
}
