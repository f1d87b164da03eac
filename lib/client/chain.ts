import type { Client } from 'openapi-fetch'
import { type ApiClientOptions, createApiClient } from './api-client.ts'
import type { paths } from './chain-schema.ts'

export type ChainClient = Client<paths>

/**
 * A client of the chain API whose paths, inputs and answers are typed by the API's own document. Runs in browsers
 * and in Node.
 *
 * @param baseUrl For instance `/chain` on our own pages, `http://127.0.0.1:3000/chain` elsewhere.
 * @example
 * const chain = createChainClient('/chain')
 * const { data, error } = await chain.GET('/connector/{name}', { params: { path: { name: 'pitch' } } })
 */
export function createChainClient(baseUrl: string, options: ApiClientOptions = {}): ChainClient {
  return createApiClient<paths>(baseUrl, options)
}
