import createClient, { type Client } from 'openapi-fetch'

export interface ApiClientOptions {
  /** Sent as `Authorization: Bearer …` with every request; only protected operations read it. */
  readonly token?: string
  /** Default: the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/** A client whose paths, inputs and answers are typed by the paths of an OpenAPI document. */
export function createApiClient<Paths extends object>(
  baseUrl: string,
  options: ApiClientOptions,
): Client<Paths> {
  return createClient<Paths>({
    baseUrl,
    ...(options.token !== undefined && { headers: { Authorization: `Bearer ${options.token}` } }),
    ...(options.fetch !== undefined && { fetch: options.fetch }),
  })
}
