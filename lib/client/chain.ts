import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './chain-schema.ts'

export type ChainClient = Client<paths>

export interface ChainClientOptions {
  /** Sent as `Authorization: Bearer …` with every request; only creating and publishing look at it. */
  readonly token?: string
  /** For tests and servers; the global `fetch` unless said. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/**
 * A client of the chain API whose paths, inputs and answers are typed by the API's own document. Runs in browsers
 * and in Node.
 *
 * @param baseUrl For instance `/chain` on our own pages, `http://127.0.0.1:3000/chain` elsewhere.
 * @example
 * const chain = createChainClient('/chain')
 * const { data, error } = await chain.GET('/connector/{name}', { params: { path: { name: 'pitch' } } })
 */
export function createChainClient(baseUrl: string, options: ChainClientOptions = {}): ChainClient {
  return createClient<paths>({
    baseUrl,
    ...(options.token !== undefined && { headers: { Authorization: `Bearer ${options.token}` } }),
    ...(options.fetch !== undefined && { fetch: options.fetch }),
  })
}
