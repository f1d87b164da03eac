import { Counter, collectDefaultMetrics, Histogram, Registry } from '@prometheus-io/client'

/** What a process counts while it runs. Gauges are not here: they are read when somebody asks. */
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

/** The metrics of this process, made on first use. */
export const processMetrics = (): ProcessMetrics => {
  globalThis.weftMetrics ??= createMetrics()
  return globalThis.weftMetrics
}

const createMetrics = (): ProcessMetrics => {
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
