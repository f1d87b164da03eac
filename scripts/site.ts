import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { parseArgs } from 'node:util'
import { constants } from 'node:zlib'
import compression from 'compression'
import next from 'next'
import { browserRpcUrl } from '#lib/core/context/describe-chain.ts'
import { assistantSettings } from '#lib/features/assistant/index.ts'
import { readConfig, SECRETS } from '#lib/features/config.ts'
import { type Config, ConfigError } from '#lib/platform/config.ts'
import { UsageLedger } from '#lib/platform/limits/usage-ledger.ts'
import { scrubOutput } from '#lib/platform/log/scrub.ts'
import { startTracing } from '#lib/platform/telemetry/start-tracing.ts'
import { followConnections } from '#lib/server/http/connection.ts'
import { lingerBeforeEnd } from '#lib/server/http/linger.ts'
import { refuseTwoHosts } from '#lib/server/http/node-request.ts'
import { observeSite } from '#lib/server/metrics/process-metrics.ts'
import { apiHandlers } from '#lib/server/operations/api-handlers.ts'
import { withoutMarks } from '#lib/server/page-policy/forwarded-link.ts'
import { movedPage } from '#lib/server/page-policy/moved-pages.ts'
import { pageHeaders, sendPageHeadersOurselves } from '#lib/server/page-policy/page-headers.ts'
import { withoutTrailingSlash } from '#lib/server/page-policy/trailing-slash.ts'
import { isWorkerScript, WORKER_HEADERS } from '#lib/server/page-policy/worker-csp.ts'
import { endStreams, getServices } from '#lib/server/services.ts'
import { themeScript } from '#lib/ui/components/theme-script.ts'
import { typingScript } from '#lib/ui/frame/guards/typed-early.ts'
import { explainsAbsence, isBrokenRunLink, pageExists } from '#lib/views/page-exists.ts'
import { servingPage } from '#lib/views/unread-page.ts'
import { beforeHead, setMissing } from './site/before-head.ts'
import { createPageLimits } from './site/page-limits.ts'
import { countConnections, endSlowBody } from './site/reception.ts'
import {
  IDLE_CONNECTION_MS,
  SERVER_LIMITS,
  SPARE_CONNECTIONS,
  WAITING_CONNECTIONS,
} from './site/server-limits.ts'

/**
 * Serves the built site: `npm run site`, at PORT and HOST or at `--port` and `--hostname`.
 *
 * The APIs are answered here, by the same operations as Next's route handlers, which serve where Next runs without this
 * file, and at many times their speed. Next answers everything else but requests that make its own router throw, which
 * would be a 500: paths whose percent-encoding is broken, `*` in place of one, and methods that the web's `Request`
 * refuses; and but paths with segments of dots, which no browser sends.
 */

/** Time for running requests to finish after a signal to stop. */
const DRAIN_MS = 1500
/** Routers resolve dot segments, so that a decision by the path before the router would be about another path. */
const DOTS_BETWEEN = /\/(?:\.|%2e){1,2}(?:\/|$)/i
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** After this time a server that could not read may be able to. */
const RETRY_SECONDS = '5'

// A fifteenth shorter than by default, for half a millisecond of a long page.
const compress = compression({ brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } } })

scrubOutput(SECRETS)
followConnections()
const config = usableConfig()
const { values } = parseArgs({ options: { port: { type: 'string' }, hostname: { type: 'string' } } })
const port = Number(values.port ?? process.env.PORT ?? 3000)
const hostname = values.hostname ?? process.env.HOST ?? '127.0.0.1'

// Next has written it into its own bundles.
process.env.BUILD_TIMESTAMP = await buildTimestamp()
// Before Next, which adds its own spans to a tracer that it finds.
const endTracing = await startTracing({ ...config.traces, service: 'weft-site' })
sendPageHeadersOurselves()
const site = next({ dev: false, dir: process.cwd(), hostname, port })
await site.prepare()
const serveSite = site.getRequestHandler()
/** Here and not in Next's configuration, whose headers are those of the machine that built the site. */
const headersOfPage = pageHeaders({
  ...config,
  rpcUrl: browserRpcUrl(config, config.chainId),
  uploadOrigin: config.uploadsByAddress ? config.blobBucket?.endpoint : undefined,
  studioEndpoints: assistantSettings.of(config).endpoints,
  inlineScripts: [themeScript, typingScript],
})
const apis = apiHandlers(getServices)
const limitPage = createPageLimits(config, getServices)
// It connects to nothing; what is wrong with the configuration is in the answers.
const ledger = await getServices().then(
  (services) => services.ledger,
  () => new UsageLedger(),
)

const server = createServer(SERVER_LIMITS, (request, response) => {
  // As clients of a proxy write it.
  request.url = request.url?.replace(/^https?:\/\/[^/?#]*\/?/i, '/')
  observeSite(request, response)
  if (refuseTwoHosts(request, response)) return
  endSlowBody(request, response)
  void answer(request, response).catch((error: unknown) => {
    console.error(error)
    if (!response.headersSent) response.writeHead(500)
    response.end()
  })
})
// Next catches unhandled errors and continues; a process that cannot serve must exit instead.
server.on('error', (error) => {
  console.error(`The site cannot listen on ${hostname}:${port}: ${error.message}`)
  process.exit(1)
})
server.setTimeout(IDLE_CONNECTION_MS)
server.maxConnections = config.streams.maxReaders + SPARE_CONNECTIONS
countConnections(server, ledger, config)
server.listen({ port, host: hostname, backlog: WAITING_CONNECTIONS }, () => {
  console.log(`Serving on http://${hostname}:${port}`)
  // The first simulation would otherwise load the EVM, the first draft the compiler.
  void getServices().then(
    ({ simulator, compiler }) => {
      simulator.start()
      compiler.start()
    },
    () => undefined,
  )
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close(() => void endTracing().finally(() => process.exit(0)))
    // Open streams would delay the server's close; their readers reconnect to the next process.
    void endStreams()
    setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  })
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/' } = request
  const path = pathOf(url)
  const api = apis(path)
  if (api !== undefined) return api(request, response)
  lingerBeforeEnd(request, response)
  if (!isForNext(method, path)) {
    const status = METHODS.includes(method) ? 400 : 405
    response.writeHead(status, status === 405 ? { Allow: METHODS.join(', ') } : {}).end()
    return
  }
  const other = withoutTrailingSlash(path) ?? movedPage(path)
  if (other !== undefined && (method === 'GET' || method === 'HEAD')) {
    response.writeHead(308, { Location: other + url.slice(path.length) }).end()
    return
  }
  return limitPage(path, request, response, () => servePage(path, request, response))
}

async function servePage(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url = '/' } = request
  compressPage(request, response)
  const headers = headersFor(path, request)
  let status = 200
  const reading = { failed: false }
  beforeHead(response, (code) => {
    let sentStatus = code
    if (code === 200) sentStatus = status === 200 && reading.failed ? 503 : status
    setMissing(response, sentStatus === 503 ? { ...headers, 'Retry-After': RETRY_SECONDS } : headers)
    return sentStatus
  })
  const exists = await pageExists(path)
  if (!exists || isBrokenRunLink(url) || /%23/i.test(path)) {
    const before = withoutMarks(url)
    if (before !== undefined && (await pageExists(pathOf(before).replace(/#.*/s, '')))) {
      response.writeHead(302, { Location: before }).end()
      return
    }
  }
  if (!exists) {
    // Of something that a page finds missing, Next draws the 404 by script only; of an address without a page, here.
    if (explainsAbsence(path)) status = 404
    else request.url = `/nothing${url}`
  } else if (isBrokenRunLink(url)) status = 400
  return servingPage(reading, () => serveSite(request, response))
}

/** Headers of a response, where what answers sets no others. */
function headersFor(path: string, request: IncomingMessage): Readonly<Record<string, string>> {
  if (isWorkerScript(path)) return WORKER_HEADERS
  const headers = headersOfPage(path)
  // Overwrites the client's value: Next takes the nonce of its own scripts from here.
  request.headers['content-security-policy'] = headers['Content-Security-Policy']
  return headers
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

/** Compresses what Next writes to a response, where the client accepts it. */
function compressPage(request: IncomingMessage, response: ServerResponse): void {
  // The middleware reads nothing that only Express has, and calls `next` synchronously.
  compress(request as Parameters<typeof compress>[0], response as Parameters<typeof compress>[1], () => {})
}
