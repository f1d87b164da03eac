/**
 * Serves the built site: `npm run site`, at PORT and HOST or at `--port` and `--hostname`.
 *
 * Next answers everything but requests that make its own router throw, which would be a 500: paths whose
 * percent-encoding is broken, and methods that the web's `Request` refuses. Doubled slashes of the API, which it would
 * redirect, are answered here too, and so is the feed's stream: without Next in between an open one costs a fraction
 * of the memory, and one that is not read can be cut.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { parseArgs } from 'node:util'
import next from 'next'
import { createChainDispatcher } from '../lib/api/chain/dispatcher.ts'
import { createServicesDispatcher } from '../lib/api/services/dispatcher.ts'
import { readConfig } from '../lib/config.ts'
import { browserRpcUrl } from '../lib/dev-chain/browser-rpc.ts'
import { serveNode } from '../lib/http/serve-node.ts'
import { observeRequests } from '../lib/metrics/observe-requests.ts'
import { observeSite } from '../lib/metrics/observe-site.ts'
import { endStreams, getServices } from '../lib/services.ts'
import { isBrokenRunLink } from '../lib/site-data/broken-run-link.ts'
import { explainsAbsence, pageExists } from '../lib/site-data/page-exists.ts'
import { pageHeaders } from '../lib/worlds/page-policy.ts'

/** Time for running requests to finish once the site is told to end. */
const DRAIN_MS = 1500
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const { values } = parseArgs({ options: { port: { type: 'string' }, hostname: { type: 'string' } } })
const port = Number(values.port ?? process.env.PORT ?? 3000)
const hostname = values.hostname ?? process.env.HOST ?? '127.0.0.1'

const site = next({ dev: false, dir: process.cwd(), hostname, port })
await site.prepare()
const serveSite = site.getRequestHandler()
/** Here and not in Next's configuration, whose headers are those of the machine that built the site. */
const config = readConfig(process.env)
const headersOfPages = new Map(Object.entries(pageHeaders(config, browserRpcUrl(config, config.chainId))))
const apis = {
  chain: createChainDispatcher({ services: getServices, observe: observeRequests('/chain') }),
  services: createServicesDispatcher({ services: getServices, observe: observeRequests('/services') }),
}

const server = createServer((request, response) => {
  observeSite(request, response)
  void answer(request, response).catch((error: unknown) => {
    console.error(error)
    if (!response.headersSent) response.writeHead(500)
    response.end()
  })
})
// Next keeps a process alive after errors nobody handles; one that serves nothing must end instead.
server.on('error', (error) => {
  console.error(`The site cannot listen on ${hostname}:${port}: ${error.message}`)
  process.exit(1)
})
server.listen(port, hostname, () => console.log(`Serving on http://${hostname}:${port}`))

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close(() => process.exit(0))
    // Open streams would keep the server from closing; their readers come back to whoever is next.
    void endStreams()
    setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  })
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/' } = request
  if (method === 'GET' && pathOf(url) === '/chain/feed/stream') {
    return serveNode(apis.chain, request, response)
  }
  if (METHODS.includes(method) && isForNext(url)) {
    if (apiOf(url) === undefined) {
      response.setHeaders(headersOfPages)
      const path = pathOf(url)
      if (!(await pageExists(path))) {
        // Of something that a page finds missing, Next draws the 404 by script only; of an address without a page, here.
        if (explainsAbsence(path)) response.statusCode = 404
        else request.url = `/nothing${url}`
      } else if (isBrokenRunLink(url)) response.statusCode = 400
    }
    return serveSite(request, response)
  }
  const reply = await refuse(method, url)
  response.writeHead(reply.status, Object.fromEntries(reply.headers))
  response.end(Buffer.from(await reply.arrayBuffer()))
}

function isForNext(url: string): boolean {
  const path = pathOf(url)
  if (apiOf(url) !== undefined && path.includes('//')) return false
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

function apiOf(url: string): keyof typeof apis | undefined {
  return /^\/(chain|services)(?:\/|$)/.exec(pathOf(url))?.[1] as keyof typeof apis | undefined
}

async function refuse(method: string, url: string): Promise<Response> {
  const api = apiOf(url)
  if (!METHODS.includes(method)) {
    const headers = { Allow: METHODS.join(', '), 'Access-Control-Allow-Origin': '*' }
    return api === 'chain'
      ? Response.json({ message: 'This path has no such method' }, { status: 405, headers })
      : new Response(null, { status: 405, headers })
  }
  return api === undefined
    ? new Response(null, { status: 400 })
    : apis[api](new Request(`http://localhost${url}`, { method }))
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}
