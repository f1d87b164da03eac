import { Agent, request as nodeRequest, type RequestOptions } from 'node:http'

export interface HttpAnswer {
  readonly status: number
  /** The bytes as they came. */
  readonly chunks: readonly Buffer[]
}

/** One keep-alive connection: the cost of a request without connection setup. */
export interface HttpClient {
  request(
    method: string,
    path: string,
    body?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<HttpAnswer>
  close(): void
}

export function httpClient(origin: string): HttpClient {
  const { hostname, port } = new URL(origin)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const once = (options: RequestOptions, body: string | undefined): Promise<HttpAnswer> =>
    new Promise((resolve, reject) => {
      const sent = nodeRequest({ agent, hostname, port, ...options }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('error', reject)
        response.once('end', () => resolve({ status: response.statusCode ?? 0, chunks }))
      })
      // The server may have closed a connection that was not used for a while.
      sent.once('error', (error) => (sent.reusedSocket ? resolve(once(options, body)) : reject(error)))
      sent.end(body)
    })
  return {
    request: (method, path, body, headers = {}) => {
      const length = body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }
      return once({ method, path, headers: { ...headers, ...length } }, body)
    },
    close: () => agent.destroy(),
  }
}
