import { Agent, request as nodeRequest } from 'node:http'

export interface HttpAnswer {
  readonly status: number
  /** The bytes as they came. */
  readonly chunks: readonly Buffer[]
}

/** One kept-alive connection: what a request costs without setting one up. */
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
  return {
    request: (method, path, body, headers = {}) =>
      new Promise((resolve, reject) => {
        const sent = nodeRequest(
          {
            agent,
            hostname,
            port,
            path,
            method,
            headers: {
              ...headers,
              ...(body !== undefined && {
                'content-type': 'application/json',
                'content-length': Buffer.byteLength(body),
              }),
            },
          },
          (response) => {
            const chunks: Buffer[] = []
            response.on('data', (chunk: Buffer) => chunks.push(chunk))
            response.once('error', reject)
            response.once('end', () => resolve({ status: response.statusCode ?? 0, chunks }))
          },
        )
        sent.once('error', reject)
        sent.end(body)
      }),
    close: () => agent.destroy(),
  }
}
