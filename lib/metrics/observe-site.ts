import type { IncomingMessage, ServerResponse } from 'node:http'
import { processMetrics } from './process-metrics.ts'

/** The APIs count for themselves, by route. */
const APIS = /^\/(?:chain|services)(?:[/?]|$)/
const FILES = /^\/_next\//

/** Counts what the site answers besides the APIs: pages, and the files they are made of. */
export const observeSite = ({ url = '/' }: IncomingMessage, response: ServerResponse): void => {
  if (APIS.test(url)) return
  const began = performance.now()
  const area = FILES.test(url) ? 'files' : 'pages'
  response.once('close', () => {
    const status = response.writableFinished ? `${Math.floor(response.statusCode / 100)}xx` : 'aborted'
    processMetrics().siteSeconds.observe({ area, status }, (performance.now() - began) / 1000)
  })
}
