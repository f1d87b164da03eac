/**
 * Serves the built site: `npm run site`, at PORT and HOST or at `--port` and `--hostname`.
 *
 * The APIs are answered here, by the same operations as Next's route handlers, which serve where Next runs without this
 * file, and at many times their speed. Next answers everything else but requests that make its own router throw, which
 * would be a 500: paths whose percent-encoding is broken, `*` in place of one, and methods that the web's `Request`
 * refuses; and but paths with segments of dots, which no browser sends.
 */
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { parseArgs } from 'node:util'
import next from 'next'
import { nodeApis } from '../lib/api/node.ts'
import { type Config, ConfigError, readConfig } from '../lib/config.ts'
import { browserRpcUrl } from '../lib/dev-chain/browser-rpc.ts'
import { followConnections } from '../lib/http/connection.ts'
import { carriesBody, refuseTwoHosts } from '../lib/http/node-request.ts'
import { countUnderWay } from '../lib/limits/under-way.ts'
import { scrubOutput } from '../lib/log/scrub-output.ts'
import { observeSite } from '../lib/metrics/observe-site.ts'
import { sendPageHeadersOurselves } from '../lib/page-policy/own-server.ts'
import { pageHeaders } from '../lib/page-policy/page-headers.ts'
import { withoutTrailingSlash } from '../lib/page-policy/trailing-slash.ts'
import { isWorkerScript, WORKER_HEADERS } from '../lib/page-policy/worker-headers.ts'
import { warmUp } from '../lib/registry/warm-up.ts'
import { endStreams, getServices } from '../lib/services.ts'
import { isBrokenRunLink } from '../lib/site-data/broken-run-link.ts'
import { explainsAbsence, pageExists } from '../lib/site-data/page-exists.ts'
import { servingPage } from '../lib/site-data/unread-page.ts'
import { startTracing } from '../lib/telemetry/start-tracing.ts'
import { themeScript } from '../lib/ui/theme-script.ts'
import { compressPage } from './site/compress-page.ts'
import { keepStatus } from './site/keep-status.ts'
import { createPageLimits } from './site/page-limits.ts'
import {
  IDLE_CONNECTION_MS,
  SERVER_LIMITS,
  SPARE_CONNECTIONS,
  WAITING_CONNECTIONS,
} from './site/server-limits.ts'

/** Time for running requests to finish once the site is told to end. */
const DRAIN_MS = 1500
/** Routers resolve them, and whoever decides by the path before a router does would have looked at another one. */
const DOTS_BETWEEN = /\/(?:\.|%2e){1,2}(?:\/|$)/i
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

scrubOutput()
followConnections()
const config = usableConfig()
const { values } = parseArgs({ options: { port: { type: 'string' }, hostname: { type: 'string' } } })
const port = Number(values.port ?? process.env.PORT ?? 3000)
const hostname = values.hostname ?? process.env.HOST ?? '127.0.0.1'

// Next has written it into its own bundles.
process.env.BUILD_TIMESTAMP = await buildTimestamp()
// Before Next, which adds its own spans where it finds somebody who keeps them.
const endTracing = await startTracing({ ...config.traces, service: 'weft-site' })
sendPageHeadersOurselves()
const site = next({ dev: false, dir: process.cwd(), hostname, port })
await site.prepare()
const serveSite = site.getRequestHandler()
/** Here and not in Next's configuration, whose headers are those of the machine that built the site. */
const headersOfPage = pageHeaders({
  ...config,
  rpcUrl: browserRpcUrl(config, config.chainId),
  inlineScripts: [themeScript],
})
const headersOfWorkers = new Map(Object.entries(WORKER_HEADERS))
const apis = nodeApis(getServices)
const limitPage = createPageLimits(config, getServices)

const server = createServer(SERVER_LIMITS, (request, response) => {
  // As clients of a proxy write it.
  request.url = request.url?.replace(/^https?:\/\/[^/?#]*\/?/i, '/')
  observeSite(request, response)
  if (refuseTwoHosts(request, response)) return
  if (!carriesBody(request)) countUnderWay(response)
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
server.setTimeout(IDLE_CONNECTION_MS)
server.maxConnections = config.streams.maxReaders + SPARE_CONNECTIONS
server.listen({ port, host: hostname, backlog: WAITING_CONNECTIONS }, () => {
  console.log(`Serving on http://${hostname}:${port}`)
  void getServices().then(warmUp, () => undefined)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close(() => void endTracing().finally(() => process.exit(0)))
    // Open streams would keep the server from closing; their readers come back to whoever is next.
    void endStreams()
    setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  })
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/' } = request
  const path = pathOf(url)
  const api = apis(path)
  if (api !== undefined) return api(request, response)
  if (!isForNext(method, path)) {
    const status = METHODS.includes(method) ? 400 : 405
    response.writeHead(status, status === 405 ? { Allow: METHODS.join(', ') } : {}).end()
    return
  }
  const bare = withoutTrailingSlash(path)
  if (bare !== undefined && (method === 'GET' || method === 'HEAD')) {
    response.writeHead(308, { Location: bare + url.slice(path.length) }).end()
    return
  }
  return limitPage(path, request, response, () => servePage(path, request, response))
}

async function servePage(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url = '/' } = request
  compressPage(request, response)
  setPageHeaders(path, request, response)
  let status = 200
  if (!(await pageExists(path))) {
    // Of something that a page finds missing, Next draws the 404 by script only; of an address without a page, here.
    if (explainsAbsence(path)) status = 404
    else request.url = `/nothing${url}`
  } else if (isBrokenRunLink(url)) status = 400
  const reading = { failed: false }
  keepStatus(response, () => (status === 200 && reading.failed ? 503 : status))
  return servingPage(reading, () => serveSite(request, response))
}

function setPageHeaders(path: string, request: IncomingMessage, response: ServerResponse): void {
  if (isWorkerScript(path)) {
    response.setHeaders(headersOfWorkers)
    return
  }
  const headers = headersOfPage(path)
  response.setHeaders(new Map(Object.entries(headers)))
  // Whatever the client sent: Next takes the nonce of its own scripts from here.
  request.headers['content-security-policy'] = headers['Content-Security-Policy']
}

function isForNext(method: string, path: string): boolean {
  if (!METHODS.includes(method) || path === '*' || DOTS_BETWEEN.test(path)) return false
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}

/** Without it nothing is served: no secret has a value that stands in for it. */
function usableConfig(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}

/** When the site was built, as the build noted it. */
async function buildTimestamp(): Promise<string> {
  const { config } = JSON.parse(await readFile('.next/required-server-files.json', 'utf8')) as {
    config: { env: { BUILD_TIMESTAMP: string } }
  }
  return config.env.BUILD_TIMESTAMP
}
