import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { apiHandlers } from '../../lib/server/operations/api-handlers.ts'
import { createSessionHandler } from '../../lib/server/operations/session/handler.ts'
import { type ServicesApi, startServicesApi } from '../services/harness.ts'
import { compileStyles } from '../support/compile-styles.ts'
import { bundleModules } from './bundle.ts'

/** The studio with the real APIs behind it, on a new database. */
export interface ShareSite {
  readonly origin: string
  readonly api: ServicesApi
  close(): Promise<void>
}

export async function startShareSite(): Promise<ShareSite> {
  const sources = (await readdir('lib/ui', { recursive: true })).filter((path) => path.endsWith('.tsx'))
  const [api, files, styles] = await Promise.all([
    startServicesApi(),
    bundleModules('test/studio/share-page.ts'),
    compileStyles(sources.map((path) => new URL(`../../lib/ui/${path}`, import.meta.url))),
  ])
  const services = async () => api.services
  const apis = apiHandlers(services)
  const session = createSessionHandler({ services })
  const html = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Studio</title><link rel="icon" href="data:,"><style>${styles}</style><div id="root"></div><script type="module" src="/share-page.js"></script></html>`
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    if (path.startsWith('/session')) return void answer(session, request, response)
    const handler = apis(path)
    if (handler !== undefined) return void handler(request, response)
    const file = files.get(path)
    if (file !== undefined) response.setHeader('content-type', 'text/javascript').end(file)
    else if (path === '/studio') response.setHeader('content-type', 'text/html').end(html)
    else response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"Nothing here"}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    api,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      await api.close()
    },
  }
}

async function answer(
  handler: (request: Request) => Promise<Response>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const { method = 'GET', url = '/', headers } = request
  const answered = await handler(
    new Request(`http://${headers.host}${url}`, {
      method,
      headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
      body: parts.length === 0 ? null : Buffer.concat(parts),
    }),
  )
  response.writeHead(answered.status, [...answered.headers].flat())
  response.end(Buffer.from(await answered.arrayBuffer()))
}
