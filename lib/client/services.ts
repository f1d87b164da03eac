import type { Client } from 'openapi-fetch'
import { type ApiClientOptions, createApiClient } from './api-client.ts'
import type { paths } from './services-schema.ts'

export type ServicesClient = Client<paths>

/**
 * A client of the services API whose paths, inputs and answers are typed by the API's own document. Runs in browsers
 * and in Node.
 *
 * @param baseUrl For instance `/services` on our own pages, `http://127.0.0.1:3000/services` elsewhere.
 * @example
 * const services = createServicesClient('/services')
 * const { data: worlds } = await services.GET('/worlds', { params: { query: { q: 'piano' } } })
 */
export function createServicesClient(baseUrl: string, options: ApiClientOptions = {}): ServicesClient {
  return createApiClient<paths>(baseUrl, options)
}
