import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './services-schema.ts'

export type ServicesClient = Client<paths>

export interface ServicesClientOptions {
  /** Session token, sent as `Authorization: Bearer …` with every request. */
  readonly token?: string
  /** For tests and servers; the global `fetch` unless said. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/**
 * A client of the services API whose paths, inputs and answers are typed by the API's own document. Runs in browsers
 * and in Node.
 *
 * @param baseUrl For instance `/services` on our own pages, `http://127.0.0.1:3000/services` elsewhere.
 * @example
 * const services = createServicesClient('/services')
 * const { data: worlds } = await services.GET('/worlds', { params: { query: { q: 'piano' } } })
 */
export function createServicesClient(baseUrl: string, options: ServicesClientOptions = {}): ServicesClient {
  return createClient<paths>({
    baseUrl,
    ...(options.token !== undefined && { headers: { Authorization: `Bearer ${options.token}` } }),
    ...(options.fetch !== undefined && { fetch: options.fetch }),
  })
}
