import type { IncomingMessage, ServerResponse } from 'node:http'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** Counters of this process. Gauges are read at each scrape. */
export interface ProcessMetrics {
  readonly registry: Registry
  readonly requestSeconds: Histogram<'route' | 'method' | 'status'>
  readonly requests: Counter<'route' | 'method' | 'status'>
  readonly siteSeconds: Histogram<'area' | 'status'>
}

declare global {
  // Route handlers are bundled apart and share no module state, only the process.
  var weftMetrics: ProcessMetrics | undefined
}

/** From a cached read to a run on chain. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Returns the metrics of this process, created on first use. */
export function processMetrics(): ProcessMetrics {
  globalThis.weftMetrics ??= createMetrics()
  return globalThis.weftMetrics
}

function createMetrics(): ProcessMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const labelNames = ['route', 'method', 'status'] as const
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'weft_http_request_duration_seconds',
      help: 'Time until the answer of an API request began, by documented route and class of status',
      labelNames,
      buckets: SECONDS,
      registers: [registry],
    }),
    requests: new Counter({
      name: 'weft_http_requests_total',
      help: 'Answered API requests by documented route and status',
      labelNames,
      registers: [registry],
    }),
    siteSeconds: new Histogram({
      name: 'weft_site_response_duration_seconds',
      help: 'Time until a page of the site, or a file it is made of, was sent; aborted when the visitor left before',
      labelNames: ['area', 'status'] as const,
      buckets: SECONDS,
      registers: [registry],
    }),
  }
}

/** Other methods share one label, because clients choose them. */
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** A response of an API; `path` is its documented pattern, undefined without a matching route. */
interface ObservedResponse {
  readonly method: string
  readonly path: string | undefined
  readonly status: number
  readonly milliseconds: number
}

/**
 * Counts the responses of one API. The route label is the documented pattern, never the requested path, so that clients
 * cannot create labels.
 *
 * @param base For instance `/chain`.
 */
export function observeRequests(base: string) {
  return ({ method, path, status, milliseconds }: ObservedResponse): void => {
    const { requestSeconds, requests } = processMetrics()
    const labels = {
      route: path === undefined ? 'none' : `${base}${path}`,
      method: METHODS.includes(method) ? method : 'other',
    }
    requests.inc({ ...labels, status: String(status) })
    requestSeconds.observe({ ...labels, status: `${Math.floor(status / 100)}xx` }, milliseconds / 1000)
  }
}

/** Requests that `observeRequests` counts. */
const APIS = /^\/(?:chain|services)(?:[/?]|$)/
const FILES = /^\/_next\//

/** Times the responses of the site besides the APIs: pages and their files. */
export function observeSite({ url = '/' }: IncomingMessage, response: ServerResponse): void {
  if (APIS.test(url)) return
  const began = performance.now()
  const area = FILES.test(url) ? 'files' : 'pages'
  response.once('close', () => {
    const status = response.writableFinished ? `${Math.floor(response.statusCode / 100)}xx` : 'aborted'
    processMetrics().siteSeconds.observe({ area, status }, (performance.now() - began) / 1000)
  })
}
